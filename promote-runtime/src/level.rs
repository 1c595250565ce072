//! SIMD levels: what the machine can do, which level is in use, and the tokens that prove it.

#![allow(clippy::inline_always, reason = "a kernel becomes vector code only where all of it is inlined")]

#[cfg(feature = "kernels")]
pub(crate) mod doors;
#[cfg(feature = "kernels")]
pub(crate) mod function;
mod rows;
#[cfg(feature = "kernels")]
pub(crate) mod tokens;

use core::fmt;
use core::str::FromStr;
use core::sync::atomic::{AtomicU8, Ordering};

macro_rules! levels {
    ({} $($doc:literal $name:ident $text:literal rare $rare:ident [$($field:ident $feature:tt,)*])*) => {
        /// A SIMD level: a set of instructions that kernels are compiled for.
        ///
        /// The level in use is chosen at the first call: the best one that the machine has, or the one that
        /// the environment variable `PROMOTE_SIMD` names (`scalar`, `v3`, `v4`, `neon`, `simd128`; with the
        /// feature `std`). If the machine lacks that level, the best one below it is used. Unknown names are
        /// ignored. Results are equal bit for bit at every level, except for the sign and the payload of a
        /// NaN.
        ///
        /// ```
        /// use promote::Level;
        ///
        /// assert_eq!("v3".parse(), Ok(Level::V3));
        /// assert!(Level::ALL.contains(&Level::active()));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Level {
            /// The instructions that every machine of the compile target has: SSE2 on x86-64.
            Scalar,
            $(#[doc = $doc] $name,)*
            /// NEON (Advanced SIMD) of aarch64, which every such machine has.
            Neon,
            /// The 128-bit SIMD of WebAssembly, if the compile target has it (`-C target-feature=+simd128`).
            Simd128,
        }

        impl Level {
            /// The levels of this compile target, from the lowest, [`Level::BASE`], to the highest.
            pub const ALL: &'static [Level] = if cfg!(target_arch = "x86_64") {
                &[Level::Scalar, $(Level::$name),*]
            } else {
                &[Level::BASE]
            };

            /// The levels of all compile targets, by their numbers.
            const KNOWN: &'static [Level] = &[Level::Scalar, $(Level::$name,)* Level::Neon, Level::Simd128];

            /// Returns the name, as `PROMOTE_SIMD` spells it.
            pub const fn name(self) -> &'static str {
                match self {
                    Level::Scalar => "scalar",
                    $(Level::$name => $text,)*
                    Level::Neon => "neon",
                    Level::Simd128 => "simd128",
                }
            }

            /// Returns the instruction sets that a level above the base promises.
            const fn instruction_sets(self) -> &'static [&'static str] {
                match self {
                    $(Level::$name => &[$($feature),*],)*
                    Level::Scalar | Level::Neon | Level::Simd128 => &[],
                }
            }

            /// Returns the level with a number. A match on the numbers compiles to a comparison.
            #[inline(always)]
            const fn from_number(number: u8) -> Option<Level> {
                match number {
                    $(number if number == Level::$name as u8 => Some(Level::$name),)*
                    number if number == Level::Scalar as u8 => Some(Level::Scalar),
                    number if number == Level::Neon as u8 => Some(Level::Neon),
                    number if number == Level::Simd128 as u8 => Some(Level::Simd128),
                    _ => None,
                }
            }

            /// Returns the best level that this machine has and this build has kernels for.
            #[inline]
            pub fn best() -> Level {
                #[allow(unused_mut, reason = "other compile targets have their base alone")]
                let mut best = Level::BASE;
                $(
                    #[cfg(all(feature = "kernels", target_arch = "x86_64"))]
                    if tokens::$name::is_available() {
                        best = Level::$name;
                    }
                )*
                best
            }
        }
    };
}

crate::__level_rows! { levels {} }

const UNKNOWN: u8 = u8::MAX;
static ACTIVE: AtomicU8 = AtomicU8::new(UNKNOWN);

impl Level {
    /// The lowest level, which every machine of the compile target has.
    pub const BASE: Level = if cfg!(all(target_arch = "aarch64", target_feature = "neon")) {
        Level::Neon
    } else if cfg!(all(target_family = "wasm", target_feature = "simd128")) {
        Level::Simd128
    } else {
        Level::Scalar
    };

    /// Returns true if the level promises an instruction set.
    const fn has(self, instruction_set: &str) -> bool {
        let (sets, wanted) = (self.instruction_sets(), instruction_set.as_bytes());
        let mut i = 0;
        while i < sets.len() {
            let set = sets[i].as_bytes();
            let mut j = 0;
            while j < set.len() && j < wanted.len() && set[j] == wanted[j] {
                j += 1;
            }
            if j == set.len() && j == wanted.len() {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Returns the position in [`Level::ALL`].
    #[cfg(feature = "kernels")]
    #[inline(always)]
    pub(crate) const fn index(self) -> usize {
        if cfg!(target_arch = "x86_64") { self as usize } else { 0 }
    }

    /// Returns this level if the machine has it, otherwise the best level below it that the machine has.
    ///
    /// ```
    /// use promote::Level;
    ///
    /// assert_eq!(Level::best().or_below(), Level::best());
    /// assert!(Level::V4.or_below() <= Level::best());
    /// ```
    #[must_use]
    #[inline]
    pub fn or_below(self) -> Level {
        let best = Level::best();
        if cfg!(target_arch = "x86_64") && self < best { self } else { best }
    }

    /// Returns the level in use.
    #[inline]
    pub fn active() -> Level {
        match Level::from_number(ACTIVE.load(Ordering::Relaxed)) {
            Some(level) => level,
            None => Level::first(),
        }
    }

    /// Returns the position of the level in use in [`Level::ALL`], or a position out of bounds if the level
    /// is not chosen yet.
    #[cfg(feature = "kernels")]
    #[inline(always)]
    pub(crate) fn active_index() -> usize {
        if cfg!(target_arch = "x86_64") { ACTIVE.load(Ordering::Relaxed) as usize } else { 0 }
    }

    /// Sets the level in use to `level`, or to the best level below it that the machine has, and returns it.
    ///
    /// Kernel handles keep the level at which they were found. [`Call::level`](crate::Call::level) sets the
    /// level of a single call.
    ///
    /// ```
    /// use promote::Level;
    ///
    /// assert_eq!(Level::set(Level::BASE), Level::BASE);
    /// assert_eq!(Level::active(), Level::BASE);
    /// ```
    pub fn set(level: Level) -> Level {
        let level = level.or_below();
        ACTIVE.store(level as u8, Ordering::Relaxed);
        level
    }

    #[cold]
    fn first() -> Level {
        #[cfg(feature = "std")]
        if let Some(level) = std::env::var("PROMOTE_SIMD").ok().and_then(|name| name.parse().ok()) {
            return Level::set(level);
        }
        Level::set(Level::best())
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error for a name that is not one of a SIMD level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseLevelError;

impl fmt::Display for ParseLevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no SIMD level has this name; they are")?;
        for (i, level) in Level::KNOWN.iter().enumerate() {
            write!(f, "{} {level}", if i == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl core::error::Error for ParseLevelError {}

impl FromStr for Level {
    type Err = ParseLevelError;

    fn from_str(name: &str) -> Result<Self, ParseLevelError> {
        Level::KNOWN.iter().copied().find(|level| level.name() == name).ok_or(ParseLevelError)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Level {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Level {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Level, D::Error> {
        promote_core::__private::from_name(deserializer, "a SIMD level, such as \"v3\"")
    }
}

/// A token of a SIMD level: a value of the type proves that the machine has the instructions.
///
/// It has no size, and is passed by value to functions that are compiled once for each level.
///
/// # Safety
///
/// - A value of the type exists only if the machine has the instructions that the constants promise;
/// - the constants of [`Lanes::Shared`] promise the same instructions.
pub unsafe trait Lanes: Copy + Send + Sync + 'static {
    /// The token of the level that all modules share. Functions that many kernels call are compiled once,
    /// under it.
    type Shared: Lanes;
    /// The level of the token.
    const LEVEL: Level;
    /// True if the level has F16C: `vcvtph2ps` and `vcvtps2ph` on 8 lanes.
    const F16C: bool = Self::LEVEL.has("f16c");
    /// True if a fused multiply-add is one instruction.
    const FMA: bool = Self::LEVEL.has("fma") || matches!(Self::LEVEL, Level::Neon);
    /// True if the level has AVX-512 F, BW, DQ and VL.
    const AVX512: bool = Self::LEVEL.has("avx512f")
        && Self::LEVEL.has("avx512bw")
        && Self::LEVEL.has("avx512dq")
        && Self::LEVEL.has("avx512vl");

    /// Returns the token that all modules share.
    fn shared(self) -> Self::Shared;
}

/// The token of [`Level::BASE`], which every machine has.
#[derive(Clone, Copy, Debug)]
pub struct Scalar;

// SAFETY: every machine of the compile target has this level.
unsafe impl Lanes for Scalar {
    type Shared = Scalar;
    const LEVEL: Level = Level::BASE;

    #[inline(always)]
    fn shared(self) -> Scalar {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_and_levels_in_use_are_available() {
        for &level in Level::KNOWN {
            assert_eq!(level.name().parse(), Ok(level));
            assert_eq!(Level::KNOWN[level as usize], level);
            assert!(Level::ALL.contains(&level.or_below()) && level.or_below() <= Level::best());
        }
        for (index, &level) in Level::ALL.iter().enumerate() {
            assert_eq!(level.index(), index);
        }
        assert_eq!(Level::ALL[0], Level::BASE);
        assert!("avx".parse::<Level>().is_err());
        assert!(Level::active() <= Level::best());
    }
}
