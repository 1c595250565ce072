//! The tokens that all modules share: values of their types prove that the machine has the instructions of a
//! level above [`Level::BASE`](crate::Level::BASE).

use super::{Lanes, Scalar};

/// A token with pulp's own token of the same instructions, which bodies of `#[kernel(simd)]` take.
pub trait PulpToken: Lanes {
    /// The token of pulp.
    type Pulp: pulp::Simd;

    /// Returns the token of pulp.
    fn pulp(self) -> Self::Pulp;
}

impl PulpToken for Scalar {
    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    type Pulp = pulp::aarch64::Neon;
    #[cfg(all(target_family = "wasm", target_feature = "simd128"))]
    type Pulp = pulp::wasm::Simd128;
    #[cfg(not(any(
        all(target_arch = "aarch64", target_feature = "neon"),
        all(target_family = "wasm", target_feature = "simd128")
    )))]
    type Pulp = pulp::Scalar;

    #[inline(always)]
    fn pulp(self) -> Self::Pulp {
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        // SAFETY: the compile target has NEON.
        return unsafe { pulp::aarch64::Neon::new_unchecked() };
        #[cfg(all(target_family = "wasm", target_feature = "simd128"))]
        // SAFETY: the compile target has the 128-bit SIMD.
        return unsafe { pulp::wasm::Simd128::new_unchecked() };
        #[cfg(not(any(
            all(target_arch = "aarch64", target_feature = "neon"),
            all(target_family = "wasm", target_feature = "simd128")
        )))]
        pulp::Scalar
    }
}

macro_rules! detected {
    ({} $($doc:literal $name:ident $text:literal rare $rare:ident [$($field:ident $feature:tt,)*])*) => {$(
        #[cfg(target_arch = "x86_64")]
        ::pulp::simd_type! {
            #[allow(missing_docs, unreachable_pub)]
            pub struct $name {
                $(pub $field: $feature,)*
            }
        }

        // SAFETY: a value of the type proves all the features in its list, which are those of the level.
        #[cfg(target_arch = "x86_64")]
        unsafe impl $crate::__private::Lanes for $name {
            type Shared = Self;
            const LEVEL: $crate::Level = $crate::Level::$name;

            #[inline(always)]
            fn shared(self) -> Self {
                self
            }
        }

        #[cfg(target_arch = "x86_64")]
        impl PulpToken for $name {
            type Pulp = ::pulp::x86::$name;

            #[inline(always)]
            fn pulp(self) -> ::pulp::x86::$name {
                // SAFETY: the instructions of pulp's level are among those in the list above, which a value
                // of this type proves.
                unsafe { ::pulp::x86::$name::new_unchecked() }
            }
        }
    )*};
}

crate::__level_rows! { detected {} }
