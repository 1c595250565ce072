//! The tokens that all modules share: values of their types prove that the machine has the instructions of a
//! level above [`Level::BASE`](crate::Level::BASE).

crate::__level_rows! { __level_rows @detected }

/// Calls an arm of a macro of this crate for each level above the base: `__level_rows! { MACRO @ARM NAMES }`.
///
/// The arm gets the names, the level, the level under which rare lanes are computed one by one, and the
/// instructions.
#[doc(hidden)]
#[macro_export]
macro_rules! __level_rows {
    ($macro:ident @$arm:ident $($given:ident)*) => {
        #[cfg(target_arch = "x86_64")]
        $crate::$macro! { @$arm $($given)* V3 V3
            sse "sse", sse2 "sse2", fxsr "fxsr", sse3 "sse3", ssse3 "ssse3", sse4_1 "sse4.1", sse4_2 "sse4.2",
            popcnt "popcnt", avx "avx", avx2 "avx2", bmi1 "bmi1", bmi2 "bmi2", fma "fma", lzcnt "lzcnt", f16c "f16c",
        }
        // With masks LLVM takes all lanes for one that is asked for: `sin` of f64 took five times as long
        // beside two huge angles of 512.
        #[cfg(target_arch = "x86_64")]
        $crate::$macro! { @$arm $($given)* V4 V3
            sse "sse", sse2 "sse2", fxsr "fxsr", sse3 "sse3", ssse3 "ssse3", sse4_1 "sse4.1", sse4_2 "sse4.2",
            popcnt "popcnt", avx "avx", avx2 "avx2", bmi1 "bmi1", bmi2 "bmi2", fma "fma", lzcnt "lzcnt", f16c "f16c",
            avx512f "avx512f", avx512bw "avx512bw", avx512cd "avx512cd", avx512dq "avx512dq", avx512vl "avx512vl",
        }
    };
    (@detected $name:ident $lanewise:ident $($field:ident $feature:tt,)*) => {
        ::pulp::simd_type! {
            #[allow(missing_docs, unreachable_pub)]
            pub struct $name {
                $(pub $field: $feature,)*
            }
        }

        // SAFETY: a value of the type proves all the features in its list, which are those of the level.
        unsafe impl $crate::__private::Lanes for $name {
            type Shared = Self;
            const LEVEL: $crate::Level = $crate::Level::$name;

            #[inline(always)]
            fn shared(self) -> Self {
                self
            }
        }
    };
}
