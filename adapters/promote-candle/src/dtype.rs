//! Conversions between the dtypes of candle and those of `promote`.

use candle_core::{Result, bail};
use promote::DType;

/// Lists the dtypes that both crates have, and which have the same Rust type in both.
macro_rules! shared {
    ($($candle:ident $promote:ident)*) => {
        /// Returns the dtype of `promote` for a dtype of candle.
        ///
        /// # Errors
        ///
        /// Returns an error for the formats of 4 and 6 bits and for F8E8M0, which candle stores as plain
        /// bytes.
        ///
        /// ```
        /// use promote_candle::{promote, promote_dtype};
        ///
        /// assert_eq!(promote_dtype(candle_core::DType::F8E4M3)?, promote::DType::F8E4M3FN);
        /// assert!(promote_dtype(candle_core::DType::F4).is_err());
        /// # Ok::<(), candle_core::Error>(())
        /// ```
        pub fn promote_dtype(dtype: candle_core::DType) -> Result<DType> {
            match dtype {
                $(candle_core::DType::$candle => Ok(DType::$promote),)*
                other => bail!(
                    "candle's dtype {} is packed, and has no kernels; help: dequantize the tensor first",
                    other.as_str()
                ),
            }
        }

        /// Returns the dtype of candle for a dtype of `promote`. That of `bool` is U8, because candle's masks
        /// are U8.
        ///
        /// # Errors
        ///
        /// Returns an error if candle has no such dtype.
        ///
        /// ```
        /// use promote_candle::{candle_dtype, promote};
        ///
        /// assert_eq!(candle_dtype(promote::DType::BF16)?, candle_core::DType::BF16);
        /// assert_eq!(candle_dtype(promote::DType::Bool)?, candle_core::DType::U8);
        /// assert!(candle_dtype(promote::DType::U64).is_err());
        /// # Ok::<(), candle_core::Error>(())
        /// ```
        pub fn candle_dtype(dtype: DType) -> Result<candle_core::DType> {
            match dtype {
                DType::Bool => Ok(candle_core::DType::U8),
                $(DType::$promote => Ok(candle_core::DType::$candle),)*
                other => bail!("candle has no dtype `{other}`; help: cast an operand to another dtype first"),
            }
        }
    };
}

shared! {
    U8 U8
    U32 U32
    I16 I16
    I32 I32
    I64 I64
    BF16 BF16
    F16 F16
    F32 F32
    F64 F64
    F8E4M3 F8E4M3FN
}
