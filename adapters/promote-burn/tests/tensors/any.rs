//! A tensor whose kind is known at run time.

use burn_tensor::{Bool, BoolStore, DType, Device, FloatDType, Int, IntDType, Tensor};
use promote_burn::promote::{Op, RuleSet};
use promote_burn::{Error, Operand, apply};

pub(crate) const DTYPES: [DType; 13] = [
    DType::Bool(BoolStore::Native),
    DType::U8,
    DType::U16,
    DType::U32,
    DType::U64,
    DType::I8,
    DType::I16,
    DType::I32,
    DType::I64,
    DType::BF16,
    DType::F16,
    DType::F32,
    DType::F64,
];

pub(crate) enum Any {
    Float(Tensor<1>),
    Int(Tensor<1, Int>),
    Bool(Tensor<1, Bool>),
}

impl Any {
    pub(crate) fn new(dtype: DType, numbers: &[f64]) -> Any {
        let device = Device::flex();
        match dtype {
            DType::Bool(_) => Any::Bool(Tensor::from_data(numbers, &device)),
            dtype if dtype.is_float() => Any::Float(Tensor::from_data(numbers, (&device, dtype))),
            dtype => Any::Int(Tensor::from_data(numbers, (&device, dtype))),
        }
    }

    /// Calls an op whose result has a dtype.
    pub(crate) fn apply(rules: RuleSet, op: Op, operands: &[Operand], result: DType) -> Result<Any, Error> {
        Ok(match result {
            DType::Bool(_) => Any::Bool(apply(rules, op, operands)?),
            dtype if dtype.is_float() => Any::Float(apply(rules, op, operands)?),
            _ => Any::Int(apply(rules, op, operands)?),
        })
    }

    /// Casts by burn's own casts.
    pub(crate) fn cast(&self, dtype: DType) -> Any {
        if self.dtype() == dtype {
            return match self {
                Any::Float(tensor) => Any::Float(tensor.clone()),
                Any::Int(tensor) => Any::Int(tensor.clone()),
                Any::Bool(tensor) => Any::Bool(tensor.clone()),
            };
        }
        if dtype.is_float() {
            let dtype = FloatDType::from(dtype);
            return Any::Float(match self {
                Any::Float(tensor) => tensor.clone().cast(dtype),
                Any::Int(tensor) => tensor.clone().cast(dtype),
                Any::Bool(tensor) => tensor.clone().cast(dtype),
            });
        }
        let dtype = IntDType::from(dtype);
        Any::Int(match self {
            Any::Float(tensor) => tensor.clone().cast(dtype),
            Any::Int(tensor) => tensor.clone().cast(dtype),
            Any::Bool(tensor) => tensor.clone().cast(dtype),
        })
    }

    pub(crate) fn dtype(&self) -> DType {
        match self {
            Any::Float(tensor) => tensor.dtype(),
            Any::Int(tensor) => tensor.dtype(),
            Any::Bool(tensor) => tensor.dtype(),
        }
    }

    pub(crate) fn operand(&self) -> Operand {
        match self {
            Any::Float(tensor) => tensor.into(),
            Any::Int(tensor) => tensor.into(),
            Any::Bool(tensor) => tensor.into(),
        }
    }

    pub(crate) fn numbers(&self) -> Vec<f64> {
        match self {
            Any::Float(tensor) => tensor.try_to_vec_as(),
            Any::Int(tensor) => tensor.try_to_vec_as(),
            Any::Bool(tensor) => tensor.try_to_vec_as(),
        }
        .expect("elements")
    }
}
