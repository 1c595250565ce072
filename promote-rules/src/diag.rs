//! Mistakes in a rule file: each has its place, what is wrong, and what to write instead.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

/// One mistake.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The place at fault.
    pub span: Span,
    /// What is wrong: lower case, names in backticks, no full stop.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
}

/// The mistakes of one rule file; in the order of their places when they are told.
///
/// Every pass takes the sink, goes on after a mistake, and lets its caller end the phase with [`Errors::or`].
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Errors {
    list: Vec<Diagnostic>,
}

impl Errors {
    /// Notes a mistake.
    pub fn push(&mut self, span: Span, message: impl Into<String>) -> &mut Self {
        self.list.push(Diagnostic { span, message: message.into(), help: None });
        self
    }

    /// Adds what to write instead to the mistake just noted.
    pub fn help(&mut self, help: impl Into<String>) {
        if let Some(last) = self.list.last_mut() {
            last.help = Some(help.into());
        }
    }

    /// Notes that a name stands again where it stands once.
    pub(crate) fn twice(&mut self, span: Span, name: &str) {
        self.push(span, format!("`{name}` is named twice")).help("leave one of them out");
    }

    /// Notes what syn found.
    pub fn syn(&mut self, error: &syn::Error) {
        for one in error.clone() {
            let text = one.to_string();
            match text.split_once("\nhelp: ") {
                Some((message, help)) => self.push(one.span(), message).help(help),
                None => {
                    self.push(one.span(), text);
                }
            }
        }
    }

    /// Whether nothing was noted.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The mistakes.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// Ends a phase: the value, if there was no mistake.
    pub fn or<T>(self, value: T) -> Result<T, Errors> {
        if self.is_empty() { Ok(value) } else { Err(self.in_order()) }
    }

    /// The mistakes in the order of their places.
    ///
    /// A mistake in a declaration of several ops is found once for each of them; it is told once.
    pub(crate) fn in_order(mut self) -> Errors {
        let place = |d: &Diagnostic| (d.span.start().line, d.span.start().column);
        let mut told = std::collections::BTreeSet::new();
        self.list.retain(|d| told.insert((place(d), d.message.clone())));
        self.list.sort_by_key(place);
        self
    }

    /// The mistakes as `compile_error!` invocations, each at its own place.
    pub fn to_compile_errors(&self) -> TokenStream {
        self.list
            .iter()
            .map(|diagnostic| {
                let text = match &diagnostic.help {
                    Some(help) => format!("{}\nhelp: {help}", diagnostic.message),
                    None => diagnostic.message.clone(),
                };
                quote_spanned!(diagnostic.span=> ::core::compile_error! { #text })
            })
            .collect()
    }
}

/// Returns the known name that is nearest to an unknown one, if one is near.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let (distance, best) = known.into_iter().map(|k| (strsim::osa_distance(name, k), k)).min()?;
    (distance <= 1 + name.len() / 4).then_some(best)
}

/// Returns the known name that is nearest to an unknown one as a help text, if one is near.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(name, known).map(|near| format!("did you mean `{near}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_offered_and_a_far_one_is_not() {
        assert_eq!(did_you_mean("f23", ["f16", "f32", "f64"]).as_deref(), Some("did you mean `f32`?"));
        assert_eq!(did_you_mean("subtrct", ["add", "subtract"]).as_deref(), Some("did you mean `subtract`?"));
        assert_eq!(did_you_mean("string", ["f16", "add"]), None);
    }
}
