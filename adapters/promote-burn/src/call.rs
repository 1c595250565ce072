//! Calls on burn's Flex tensors.
//!
//! A Flex tensor is bytes, a layout and a dtype, so an operand becomes a view, and the vector of a result
//! becomes the bytes of a tensor. No element is copied.

use burn_flex::{Flex, FlexTensor, Layout};
use burn_tensor::kind::Kind;
use burn_tensor::{BoolDType, BoolStore, Bytes, Device, Shape, Tensor};
use promote::{Argument, Casting, DType, Element, Op, RuleSet};

use crate::operand::{Operand, Source, view};
use crate::{Error, MixedKind, burn_dtype, promote_dtype};

pub(crate) fn apply<const D: usize, K: MixedKind>(
    rules: RuleSet,
    op: Op,
    operands: &[Operand],
) -> Result<Tensor<D, K>, Error> {
    finish(call(rules, op, operands)?)
}

/// Computes an op, whatever the kind and the rank of its result.
fn call(rules: RuleSet, op: Op, operands: &[Operand]) -> Result<promote::Tensor, Error> {
    if RuleSet::is_reduction(op) || RuleSet::is_scan(op) || op.takes_whole_arrays() {
        return Err(Error::NotElementwise(op));
    }
    let views = operands
        .iter()
        .filter_map(|operand| match &operand.0 {
            Source::Tensor(tensor) => Some(tensor.as_ref().map_err(Error::clone).and_then(view)),
            Source::Number(_) => None,
        })
        .collect::<Result<Vec<_>, _>>()?;
    if views.is_empty() {
        return Err(Error::NoTensor(op));
    }
    let mut views = views.iter();
    let arguments: Vec<Argument<'_>> = operands
        .iter()
        .filter_map(|operand| match operand.0 {
            Source::Tensor(_) => views.next().map(Argument::Array),
            Source::Number(number) => Some(Argument::Number(number)),
        })
        .collect();
    Ok(rules.call(op, &arguments)?)
}

pub(crate) fn cast<const D: usize, K: MixedKind>(
    rules: RuleSet,
    tensor: Operand,
    dtype: burn_tensor::DType,
    casting: Option<Casting>,
) -> Result<Tensor<D, K>, Error> {
    let tensor = match tensor.0 {
        Source::Tensor(tensor) => tensor?,
        Source::Number(_) => return Err(Error::NoTensor(Op::Astype)),
    };
    finish(rules.astype(&view(&tensor)?, promote_dtype(dtype)?, casting)?)
}

/// Makes a result a tensor of the type that the caller has stated.
fn finish<const D: usize, K: MixedKind>(result: promote::Tensor) -> Result<Tensor<D, K>, Error> {
    let dtype = match burn_dtype(result.dtype())? {
        // burn's ops on two masks want both stored as the device's settings say.
        burn_tensor::DType::Bool(_) => burn_tensor::DType::Bool(match Device::flex().settings().bool_dtype {
            BoolDType::U8 => BoolStore::U8,
            BoolDType::Native | BoolDType::U32 => BoolStore::Native,
        }),
        dtype => dtype,
    };
    if kind_of(dtype) != K::KIND {
        return Err(Error::Kind { expected: K::KIND.as_str(), found: dtype });
    }
    let layout = Layout::contiguous(Shape::from(result.shape().to_vec()));
    if layout.num_dims() != D {
        return Err(Error::Rank { expected: D, found: layout.num_dims() });
    }
    Ok(Tensor::from_primitive::<Flex>(FlexTensor::new(bytes(result)?, layout, dtype)))
}

/// Returns the kind of tensors of a dtype.
fn kind_of(dtype: burn_tensor::DType) -> Kind {
    if dtype.is_bool() {
        Kind::Bool
    } else if dtype.is_float() {
        Kind::Float
    } else {
        Kind::Int
    }
}

/// Returns the elements of a result as bytes, without a copy.
fn bytes(result: promote::Tensor) -> Result<Bytes, Error> {
    Ok(match result.dtype() {
        DType::Bool => Bytes::from_elems(vector::<bool>(result)?),
        DType::U8 => Bytes::from_elems(vector::<u8>(result)?),
        DType::U16 => Bytes::from_elems(vector::<u16>(result)?),
        DType::U32 => Bytes::from_elems(vector::<u32>(result)?),
        DType::U64 => Bytes::from_elems(vector::<u64>(result)?),
        DType::I8 => Bytes::from_elems(vector::<i8>(result)?),
        DType::I16 => Bytes::from_elems(vector::<i16>(result)?),
        DType::I32 => Bytes::from_elems(vector::<i32>(result)?),
        DType::I64 => Bytes::from_elems(vector::<i64>(result)?),
        DType::BF16 => Bytes::from_elems(vector::<promote::half::bf16>(result)?),
        DType::F16 => Bytes::from_elems(vector::<promote::half::f16>(result)?),
        DType::F32 => Bytes::from_elems(vector::<f32>(result)?),
        DType::F64 => Bytes::from_elems(vector::<f64>(result)?),
        other => return Err(Error::DType(other)),
    })
}

fn vector<T: Element>(result: promote::Tensor) -> Result<Vec<T>, Error> {
    result.into_vec().map_err(|result| Error::DType(result.dtype()))
}
