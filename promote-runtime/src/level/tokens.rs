//! The tokens that all modules share: values of their types prove that the machine has the instructions of a
//! level above [`Level::BASE`](crate::Level::BASE).

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
    )*};
}

crate::__level_rows! { detected {} }
