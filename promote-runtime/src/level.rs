//! SIMD levels: what the machine can do, which level is in use, and the tokens that prove it.

#![allow(clippy::inline_always, reason = "a kernel becomes vector code only where all of it is inlined")]

use core::fmt;
use core::str::FromStr;
use core::sync::atomic::{AtomicU8, Ordering};

/// A set of SIMD instructions for which the kernels are compiled.
///
/// The level is chosen once, at first use: the best one that the machine has, or the one that the environment
/// variable `PROMOTE_SIMD` names (`scalar`, `v3`, `v4`, `neon`, `simd128`; feature `std`). A level that the
/// machine lacks falls to the best one below it, or to [`Level::BASE`]; a name that is no level's is passed
/// over. Every level gives the same results, bit for bit, but for the sign and the payload of a NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum Level {
    /// What the compile target has without asking, where that has no other name here: SSE2 on x86-64.
    Scalar = 0,
    /// x86-64-v3 with F16C: AVX2, FMA, BMI.
    V3 = 1,
    /// x86-64-v4: AVX-512 F, BW, CD, DQ, VL.
    V4 = 2,
    /// NEON (Advanced SIMD) of aarch64, which its compile targets have without asking.
    Neon = 3,
    /// The 128-bit SIMD of WebAssembly, where the compile target has it (`-C target-feature=+simd128`).
    Simd128 = 4,
}

const UNKNOWN: u8 = u8::MAX;
static ACTIVE: AtomicU8 = AtomicU8::new(UNKNOWN);

impl Level {
    /// What the compile target has without asking.
    pub const BASE: Level = if cfg!(all(target_arch = "aarch64", target_feature = "neon")) {
        Level::Neon
    } else if cfg!(all(target_family = "wasm", target_feature = "simd128")) {
        Level::Simd128
    } else {
        Level::Scalar
    };

    /// The levels of this compile target, the lowest first, which is [`Level::BASE`].
    pub const ALL: &'static [Level] =
        if cfg!(target_arch = "x86_64") { &[Level::Scalar, Level::V3, Level::V4] } else { &[Level::BASE] };

    /// Those of every compile target, by their numbers.
    const KNOWN: [Level; 5] = [Level::Scalar, Level::V3, Level::V4, Level::Neon, Level::Simd128];

    /// The name, as `PROMOTE_SIMD` spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Scalar => "scalar",
            Level::V3 => "v3",
            Level::V4 => "v4",
            Level::Neon => "neon",
            Level::Simd128 => "simd128",
        }
    }

    /// The place in [`Level::ALL`].
    #[cfg(feature = "kernels")]
    #[inline(always)]
    pub(crate) const fn place(self) -> usize {
        if cfg!(target_arch = "x86_64") { self as usize } else { 0 }
    }

    /// The level of a place.
    #[cfg(feature = "kernels")]
    #[inline(always)]
    pub(crate) const fn at(place: usize) -> Level {
        match place {
            1 if cfg!(target_arch = "x86_64") => Level::V3,
            2 if cfg!(target_arch = "x86_64") => Level::V4,
            _ => Level::BASE,
        }
    }

    /// The best level that this machine has and this build has kernels for.
    #[inline]
    pub fn best() -> Level {
        #[cfg(all(feature = "kernels", target_arch = "x86_64"))]
        {
            if crate::kernel::target::tokens::V4::is_available() {
                return Level::V4;
            }
            if crate::kernel::target::tokens::V3::is_available() {
                return Level::V3;
            }
        }
        Level::BASE
    }

    /// This level if the machine has it, else the best one below, or [`Level::BASE`].
    #[must_use]
    #[inline]
    pub fn or_below(self) -> Level {
        let best = Level::best();
        if self >= best {
            best
        } else if cfg!(target_arch = "x86_64") {
            self
        } else {
            Level::BASE
        }
    }

    /// The level in use.
    #[inline]
    pub fn active() -> Level {
        // By their numbers, so that this is one load and one comparison.
        match ACTIVE.load(Ordering::Relaxed) {
            0 => Level::Scalar,
            1 => Level::V3,
            2 => Level::V4,
            3 => Level::Neon,
            4 => Level::Simd128,
            _ => Level::first(),
        }
    }

    /// The place of the level in use, if it is known already, or none that a level has.
    #[cfg(feature = "kernels")]
    #[inline(always)]
    pub(crate) fn place_in_use() -> usize {
        if cfg!(target_arch = "x86_64") { ACTIVE.load(Ordering::Relaxed) as usize } else { 0 }
    }

    /// Makes `level`, or the best available one below it, the level in use, and returns that.
    ///
    /// Kernel handles found before keep the level at which they were found.
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

/// A name that is no level's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownLevel;

impl fmt::Display for UnknownLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no SIMD level has this name; they are scalar, v3, v4, neon, simd128")
    }
}

impl core::error::Error for UnknownLevel {}

impl FromStr for Level {
    type Err = UnknownLevel;

    fn from_str(name: &str) -> Result<Self, UnknownLevel> {
        Level::KNOWN.into_iter().find(|level| level.name() == name).ok_or(UnknownLevel)
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
        promote_core::from_name(deserializer, "a SIMD level, such as \"v3\"")
    }
}

/// A token of a SIMD level: having a value of the type proves that the machine has the instructions.
///
/// Passed by value (it has no size) into whatever is compiled once for each level.
///
/// # Safety
///
/// - A value of the type exists only where the machine has what the constants promise;
/// - those of [`Lanes::Shared`] promise the same.
pub unsafe trait Lanes: Copy + Send + Sync + 'static {
    /// The token of the level that all modules have in common: what many kernels call is compiled under it,
    /// once for all of them.
    type Shared: Lanes;
    /// The level that the token stands for.
    const LEVEL: Level;
    /// F16C is there: `vcvtph2ps` and `vcvtps2ph` on 8 lanes.
    const F16C: bool = matches!(Self::LEVEL, Level::V3 | Level::V4);
    /// A fused multiply-add is one instruction.
    const FMA: bool = matches!(Self::LEVEL, Level::V3 | Level::V4 | Level::Neon);
    /// AVX-512 F, BW, DQ and VL are there.
    const AVX512: bool = matches!(Self::LEVEL, Level::V4);

    /// The token that all modules have in common.
    fn shared(self) -> Self::Shared;
}

/// The token of [`Level::BASE`], which every machine has.
#[derive(Clone, Copy, Debug)]
pub struct Scalar;

// SAFETY: the level is that of the compile target.
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
    fn a_name_reads_back_and_no_level_is_above_the_machine() {
        for level in Level::KNOWN {
            assert_eq!(level.name().parse(), Ok(level));
            assert_eq!(Level::KNOWN[level as usize], level);
            assert!(Level::ALL.contains(&level.or_below()) && level.or_below() <= Level::best());
        }
        for (place, &level) in Level::ALL.iter().enumerate() {
            assert_eq!((level.place(), Level::at(place)), (place, level));
        }
        assert_eq!(Level::ALL[0], Level::BASE);
        assert!("avx".parse::<Level>().is_err());
        assert!(Level::active() <= Level::best());
    }
}
