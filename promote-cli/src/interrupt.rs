//! Signals that arrive while a file is written.
//!
//! SIGHUP, SIGINT, SIGQUIT and SIGTERM end the process at once, as they do by default. Between
//! [`Deferred::begin`] and its drop they are only noted, so that a half-written file can be removed before
//! the process ends by the signal.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

#[cfg(unix)]
use signal_hook::consts::{SIGHUP, SIGQUIT, SIGXFSZ};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::{flag, low_level};

/// The signals that are deferred.
#[cfg(unix)]
const DEFERRED: &[i32] = &[SIGHUP, SIGINT, SIGQUIT, SIGTERM];
#[cfg(not(unix))]
const DEFERRED: &[i32] = &[SIGINT, SIGTERM];

/// Set by a write beyond the limit of `ulimit -f`, and never read: a handler for SIGXFSZ makes that write
/// return an error instead of ending the process.
#[cfg(unix)]
static TOO_LARGE: AtomicBool = AtomicBool::new(false);

/// True while signals have their default effect, since no file is being written.
static DEFAULT: AtomicBool = AtomicBool::new(true);

/// The signal that arrived while a file was written; 0 if none did.
static ARRIVED: AtomicUsize = AtomicUsize::new(0);

/// Held while a file is written, since the two variables above belong to one writer at a time. It holds
/// whether the signal handlers are installed.
static WRITER: Mutex<bool> = Mutex::new(false);

/// Defers signals until it is dropped.
///
/// Declare it before what a signal must not leave behind: Rust drops local variables in reverse order.
#[derive(Debug)]
pub(crate) struct Deferred {
    _turn: MutexGuard<'static, bool>,
    arrived: &'static AtomicUsize,
}

impl Deferred {
    /// Starts to defer signals.
    ///
    /// # Errors
    /// The operating system refuses the signal handlers.
    pub(crate) fn begin() -> io::Result<Deferred> {
        let mut turn = WRITER.lock().unwrap_or_else(PoisonError::into_inner);
        if !*turn {
            install()?;
            *turn = true;
        }
        DEFAULT.store(false, Ordering::SeqCst);
        Ok(Deferred { _turn: turn, arrived: &ARRIVED })
    }

    /// Returns true if a signal has arrived, which takes effect when this value is dropped.
    pub(crate) fn arrived(&self) -> bool {
        self.arrived.load(Ordering::SeqCst) != 0
    }
}

impl Drop for Deferred {
    fn drop(&mut self) {
        // In this order no signal is lost: one that arrives in between still ends the process below.
        DEFAULT.store(true, Ordering::SeqCst);
        let arrived = self.arrived.swap(0, Ordering::SeqCst);
        if arrived != 0 {
            // It fails for unknown signals only, and it knows all of `DEFERRED`.
            let _ = low_level::emulate_default_handler(arrived as i32);
        }
    }
}

/// Installs the signal handlers, which stay for the rest of the process.
fn install() -> io::Result<()> {
    for &signal in DEFERRED.iter().filter(|signal| !is_ignored(**signal)) {
        flag::register_conditional_default(signal, &DEFAULT)?;
        flag::register_usize(signal, &ARRIVED, signal as usize)?;
    }
    #[cfg(unix)]
    flag::register(SIGXFSZ, &TOO_LARGE)?;
    Ok(())
}

/// Returns true if this process was started with the signal ignored, as `trap '' TERM` in a shell does it. A
/// handler would undo that. Only Linux has a file that says so; elsewhere false is returned.
fn is_ignored(signal: i32) -> bool {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return false };
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
