//! Conversions between the dtypes of burn and those of `promote`.

use burn_tensor::BoolStore;
use promote::DType;

use crate::Error;

/// Lists the dtypes of numbers that both crates have, and which have the same Rust type in both.
macro_rules! shared {
    ($($dtype:ident)*) => {
        /// Returns the dtype of `promote` for a dtype of burn.
        ///
        /// # Errors
        ///
        /// Returns an error for quantized dtypes, for `Flex32`, and for booleans of 32 bits, which the Flex
        /// backend does not store.
        ///
        /// ```
        /// use burn_tensor::{BoolStore, DType};
        /// use promote_burn::{promote, promote_dtype};
        ///
        /// assert_eq!(promote_dtype(DType::BF16)?, promote::DType::BF16);
        /// assert_eq!(promote_dtype(DType::Bool(BoolStore::U8))?, promote::DType::Bool);
        /// assert!(promote_dtype(DType::Flex32).is_err());
        /// # Ok::<(), promote_burn::Error>(())
        /// ```
        pub fn promote_dtype(dtype: burn_tensor::DType) -> Result<DType, Error> {
            match dtype {
                burn_tensor::DType::Bool(BoolStore::Native | BoolStore::U8) => Ok(DType::Bool),
                $(burn_tensor::DType::$dtype => Ok(DType::$dtype),)*
                other => Err(Error::BurnDType(other)),
            }
        }

        /// Returns the dtype of burn for a dtype of `promote`. That of `bool` is stored as Rust's `bool`.
        ///
        /// # Errors
        ///
        /// Returns an error if burn has no such dtype.
        ///
        /// ```
        /// use burn_tensor::{BoolStore, DType};
        /// use promote_burn::{burn_dtype, promote};
        ///
        /// assert_eq!(burn_dtype(promote::DType::U64)?, DType::U64);
        /// assert_eq!(burn_dtype(promote::DType::Bool)?, DType::Bool(BoolStore::Native));
        /// assert!(burn_dtype(promote::DType::C64).is_err());
        /// # Ok::<(), promote_burn::Error>(())
        /// ```
        pub fn burn_dtype(dtype: DType) -> Result<burn_tensor::DType, Error> {
            match dtype {
                DType::Bool => Ok(burn_tensor::DType::Bool(BoolStore::Native)),
                $(DType::$dtype => Ok(burn_tensor::DType::$dtype),)*
                other => Err(Error::DType(other)),
            }
        }
    };
}

shared! { F64 F32 F16 BF16 I64 I32 I16 I8 U64 U32 U16 U8 }
