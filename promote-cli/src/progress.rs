//! The progress bar of long computations.

use indicatif::{ProgressBar, ProgressStyle};

/// The number of computed elements from which on the bar is shown.
const LONG: usize = 1 << 27;

/// Returns a bar for the computation of so many elements. It is drawn on standard error, and only if that is
/// a terminal and the computation is long.
pub(crate) fn bar(elements: usize) -> ProgressBar {
    if elements < LONG {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(elements as u64);
    match ProgressStyle::with_template("{wide_bar} {percent}% {eta}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
