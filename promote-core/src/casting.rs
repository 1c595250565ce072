//! Casting levels.

use core::fmt;
use core::str::FromStr;

/// A casting level: how much a cast may lose.
///
/// The rule set says which casts a level allows. In NumPy's, each level allows more than the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Casting {
    /// No cast at all: the dtypes are equal.
    No,
    /// Casts that change the order of bytes only.
    Equiv,
    /// Casts that lose no value.
    Safe,
    /// Casts that may lose values, but do not go to a lower kind.
    SameKind,
    /// Any cast.
    Unsafe,
    /// The level of a system that has only one.
    Default,
}

impl Casting {
    /// All levels.
    pub const ALL: &'static [Casting] =
        &[Casting::No, Casting::Equiv, Casting::Safe, Casting::SameKind, Casting::Unsafe, Casting::Default];

    /// Returns the name, as rule files spell it.
    pub const fn name(self) -> &'static str {
        match self {
            Casting::No => "no",
            Casting::Equiv => "equiv",
            Casting::Safe => "safe",
            Casting::SameKind => "same_kind",
            Casting::Unsafe => "unsafe",
            Casting::Default => "default",
        }
    }
}

impl fmt::Display for Casting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error of parsing a name that no casting level has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseCastingError;

impl fmt::Display for ParseCastingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no casting level has this name; they are")?;
        for (i, casting) in Casting::ALL.iter().enumerate() {
            write!(f, "{} {casting}", if i == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl core::error::Error for ParseCastingError {}

impl FromStr for Casting {
    type Err = ParseCastingError;

    /// Reads a name.
    ///
    /// ```
    /// # use promote_core::Casting;
    /// assert_eq!("same_kind".parse(), Ok(Casting::SameKind));
    /// ```
    fn from_str(name: &str) -> Result<Self, ParseCastingError> {
        Casting::ALL.iter().copied().find(|casting| casting.name() == name).ok_or(ParseCastingError)
    }
}
