//! Diagnostics: a mistake has a position, a message, and help that says what to write instead.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

/// One mistake.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The position of the mistake.
    pub span: Span,
    /// The message: lower case, names in backticks, no full stop.
    pub message: String,
    /// The help: what to write instead.
    pub help: Option<String>,
}

/// The mistakes that were found so far.
///
/// Every pass takes a `&mut Errors` and goes on after a mistake. The caller ends the phase with
/// [`Errors::or`], which sorts the mistakes by position.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Errors {
    list: Vec<Diagnostic>,
}

impl Errors {
    /// Adds a mistake.
    pub fn push(&mut self, span: Span, message: impl Into<String>) -> &mut Self {
        self.list.push(Diagnostic { span, message: message.into(), help: None });
        self
    }

    /// Adds help to the last mistake.
    pub fn help(&mut self, help: impl Into<String>) {
        if let Some(last) = self.list.last_mut() {
            last.help = Some(help.into());
        }
    }

    /// Adds the mistake that a list names something twice.
    pub(crate) fn twice(&mut self, span: Span, name: &str) {
        self.push(span, format!("`{name}` is named twice")).help("leave one of them out");
    }

    /// Adds the mistakes that `syn` found.
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

    /// Returns true if there are no mistakes.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the mistakes.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// Ends a phase: returns `value` if there are no mistakes, and otherwise the mistakes by position.
    ///
    /// # Errors
    ///
    /// Returns the mistakes if there are any.
    pub fn or<T>(self, value: T) -> Result<T, Errors> {
        if self.is_empty() { Ok(value) } else { Err(self.in_order()) }
    }

    /// Sorts the mistakes by position, and drops repetitions: a mistake in a declaration of several ops is
    /// found once for each op.
    pub(crate) fn in_order(mut self) -> Errors {
        let position = |d: &Diagnostic| (d.span.start().line, d.span.start().column);
        let mut seen = std::collections::BTreeSet::new();
        self.list.retain(|d| seen.insert((position(d), d.message.clone())));
        self.list.sort_by_key(position);
        self
    }

    /// Returns the mistakes as `compile_error!` calls, each at its position.
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
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let (distance, best) = known.into_iter().map(|k| (strsim::osa_distance(name, k), k)).min()?;
    (distance <= 1 + name.len() / 4).then_some(best)
}

/// Returns true if a name without its path differs from another one in case and underscores at most.
pub(crate) fn alike(name: &str, other: &str) -> bool {
    let name = name.rsplit(['.', ':']).next().unwrap_or(name);
    !name.is_empty() && plain(name).eq(plain(other))
}

/// Returns the characters of a name that count.
fn plain(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars().filter(|c| !matches!(c, '_' | '-')).map(|c| c.to_ascii_lowercase())
}

/// Returns the known name that is nearest to an unknown one as a help text, if one is near. Case, underscores
/// and a path do not count, if the name is a known one without them.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let known: Vec<&str> = known.into_iter().collect();
    let near = known.iter().copied().find(|known| alike(name, known));
    near.or_else(|| nearest(name, known)).map(|near| format!("did you mean `{near}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_a_name_only_if_it_is_near() {
        assert_eq!(did_you_mean("f23", ["f16", "f32", "f64"]).as_deref(), Some("did you mean `f32`?"));
        assert_eq!(did_you_mean("subtrct", ["add", "subtract"]).as_deref(), Some("did you mean `subtract`?"));
        assert_eq!(did_you_mean("string", ["f16", "add"]), None);
    }
}
