//! Arrow's data types and the dtypes of `promote`.

use arrow_schema::DataType;
use promote::DType;

use crate::Error;

/// Passes the primitive types to a macro: the dtype, Arrow's data type and the type of its arrays.
macro_rules! primitives {
    ($callback:ident! { $($arguments:tt)* }) => {
        $callback! {
            { $($arguments)* }
            I8 Int8 Int8Type
            I16 Int16 Int16Type
            I32 Int32 Int32Type
            I64 Int64 Int64Type
            U8 UInt8 UInt8Type
            U16 UInt16 UInt16Type
            U32 UInt32 UInt32Type
            U64 UInt64 UInt64Type
            F16 Float16 Float16Type
            F32 Float32 Float32Type
            F64 Float64 Float64Type
        }
    };
}

/// Evaluates an expression in which `$ty` is the type of arrays with a primitive dtype; the second expression
/// for other dtypes.
macro_rules! with_primitive {
    // The list of types, which `primitives!` passes on.
    (
        { $dtype:expr, $ty:ident => $body:expr, _ => $other:expr }
        $($variant:ident $data_type:ident $array_type:ident)*
    ) => {
        match $dtype {
            $(promote::DType::$variant => {
                type $ty = arrow_array::types::$array_type;
                $body
            })*
            _ => $other,
        }
    };
    ($dtype:expr, $ty:ident => $body:expr, _ => $other:expr) => {
        $crate::types::primitives! { with_primitive! { $dtype, $ty => $body, _ => $other } }
    };
}

pub(crate) use {primitives, with_primitive};

/// Defines the two conversions, for booleans and the primitive types.
macro_rules! conversions {
    ({} $($variant:ident $data_type:ident $array_type:ident)*) => {
        /// Returns the dtype of an Arrow data type: a boolean, an integer, or a float of 16 to 64 bits.
        ///
        /// # Errors
        ///
        /// Returns [`Error::DataType`] for every other type, such as dates, decimals and strings.
        ///
        /// ```
        /// use promote_arrow::{arrow_schema::DataType, dtype_of, promote::DType};
        ///
        /// assert_eq!(dtype_of(&DataType::Float16), Ok(DType::F16));
        /// let error = dtype_of(&DataType::Decimal128(10, 2)).unwrap_err();
        /// assert!(error.to_string().contains("Decimal128(10, 2)"));
        /// ```
        pub fn dtype_of(data_type: &DataType) -> Result<DType, Error> {
            match data_type {
                DataType::Boolean => Ok(DType::Bool),
                $(DataType::$data_type => Ok(DType::$variant),)*
                other => Err(Error::DataType(other.clone())),
            }
        }

        /// Returns the Arrow data type of a dtype.
        ///
        /// # Errors
        ///
        /// Returns [`Error::DType`] for dtypes that Arrow lacks: bf16, floats of 8 bits and complex numbers.
        ///
        /// ```
        /// use promote_arrow::{arrow_schema::DataType, data_type_of, promote::DType};
        ///
        /// assert_eq!(data_type_of(DType::I64), Ok(DataType::Int64));
        /// assert!(data_type_of(DType::BF16).is_err());
        /// ```
        pub fn data_type_of(dtype: DType) -> Result<DataType, Error> {
            match dtype {
                DType::Bool => Ok(DataType::Boolean),
                $(DType::$variant => Ok(DataType::$data_type),)*
                other => Err(Error::DType(other)),
            }
        }
    };
}

primitives! { conversions! {} }
