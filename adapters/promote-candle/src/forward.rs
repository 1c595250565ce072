//! Calls on candle's CPU storage.
//!
//! candle's own ops check that both operands have one dtype. Its custom ops do not: they get the storages and
//! the layouts of up to three tensors, and return a storage of any dtype and shape. Storages are vectors of
//! the element types that `promote` has as well, so operands become views, and the vector of a result becomes
//! a storage. No element is copied.

use candle_core::{
    CpuStorage, CustomOp1, CustomOp2, CustomOp3, DeviceLocation, Error, Layout, Result, Shape, Tensor, bail,
};
use promote::{Argument, DType, Element, ExtraKind, Number, Op, RuleSet, Slice, TensorView};

use crate::candle_dtype;
use crate::gradient::gradients;
use crate::operand::Operand;

/// A call of an op: what a custom op of candle needs beside the tensors.
struct Elementwise {
    rules: RuleSet,
    op: Op,
    slots: Vec<Slot>,
}

/// The position of an operand in a call.
#[derive(Clone, Copy)]
enum Slot {
    /// The next tensor of the custom op, used as numbers.
    Tensor,
    /// The next tensor of the custom op, a U8 mask.
    Mask,
    Number(Number),
}

pub(crate) fn apply(rules: RuleSet, op: Op, operands: &[Operand<'_>]) -> Result<Tensor> {
    for operand in operands {
        if let Operand::Tensor(tensor) = operand {
            check_device(op, tensor.device().location())?;
        }
    }
    let takes_mask = op.extras().first().is_some_and(|extra| extra.kind == ExtraKind::Condition);
    // As in candle, a condition may have any integer dtype.
    let mask = match operands.first() {
        Some(Operand::Tensor(condition)) if takes_mask && condition.dtype() != candle_core::DType::U8 => {
            Some(as_mask(condition)?)
        }
        _ => None,
    };
    let (mut slots, mut tensors) = (Vec::with_capacity(operands.len()), Vec::with_capacity(3));
    for (i, operand) in operands.iter().enumerate() {
        match *operand {
            Operand::Number(number) => slots.push(Slot::Number(number)),
            Operand::Tensor(tensor) if i == 0 && takes_mask => {
                slots.push(Slot::Mask);
                tensors.push(mask.as_ref().unwrap_or(tensor));
            }
            Operand::Tensor(tensor) => {
                slots.push(Slot::Tensor);
                tensors.push(tensor);
            }
        }
    }
    let call = Elementwise { rules, op, slots };
    let result = match tensors[..] {
        [a] => a.apply_op1(call)?,
        [a, b] => a.apply_op2(b, call)?,
        [a, b, c] => a.apply_op3(b, c, call)?,
        [] => bail!(
            "no operand of `{op}` is a tensor; help: make one of the numbers a tensor, by `Tensor::new`"
        ),
        _ => bail!(
            "`{op}` of {} tensors: candle's custom ops take at most 3; help: pass a number in place of one",
            tensors.len()
        ),
    };
    // candle stops at integers when it goes back, so a mask need not keep the operands.
    Ok(if result.dtype().is_int() { result.detach() } else { result })
}

/// Returns the U8 mask of a condition: 1 where it is not 0, as in candle's `where_cond`.
fn as_mask(condition: &Tensor) -> Result<Tensor> {
    if !condition.dtype().is_int() {
        bail!(
            "a condition must be a mask, but its dtype is {}; help: compare it first, such as by `x.ne(0.0)`",
            condition.dtype().as_str()
        );
    }
    condition.ne(0_u8)
}

/// Returns an error unless the tensor is on the CPU.
fn check_device(op: Op, location: DeviceLocation) -> Result<()> {
    match location {
        DeviceLocation::Cpu => Ok(()),
        other => bail!(
            "`{op}` of mixed dtypes runs on the CPU alone, but an operand is on {other:?}; help: move the \
             operands by `to_device(&Device::Cpu)`, or cast them to one dtype by `to_dtype` and call the op \
             of candle"
        ),
    }
}

impl Elementwise {
    fn forward(&self, tensors: &[(&CpuStorage, &Layout)]) -> Result<(CpuStorage, Shape)> {
        let strides =
            tensors.iter().map(|(_, layout)| signed(layout.stride())).collect::<Result<Vec<_>>>()?;
        let mut inputs = tensors.iter().zip(&strides);
        let mut views = Vec::with_capacity(tensors.len());
        for slot in &self.slots {
            let elements: fn(&CpuStorage) -> Result<Slice<'_>> = match slot {
                Slot::Number(_) => continue,
                Slot::Tensor => elements,
                Slot::Mask => mask_elements,
            };
            if let Some(((storage, layout), strides)) = inputs.next() {
                let (elements, offset) = (elements(storage)?, layout.start_offset());
                let view = TensorView::strided(elements, layout.dims(), strides, offset);
                views.push(view.map_err(Error::wrap)?);
            }
        }
        let mut views = views.iter();
        let arguments: Vec<Argument<'_>> = self
            .slots
            .iter()
            .filter_map(|slot| match slot {
                Slot::Number(number) => Some(Argument::Number(*number)),
                Slot::Tensor | Slot::Mask => views.next().map(Argument::Array),
            })
            .collect();
        let result = self.rules.call(self.op, &arguments).map_err(Error::wrap)?;
        let shape = Shape::from(result.shape());
        Ok((storage(result)?, shape))
    }

    fn backward(
        &self,
        tensors: &[&Tensor],
        result: &Tensor,
        gradient: &Tensor,
    ) -> Result<Vec<Option<Tensor>>> {
        let mut next = tensors.iter();
        let operands: Vec<Operand<'_>> = self
            .slots
            .iter()
            .filter_map(|slot| match slot {
                Slot::Number(number) => Some(Operand::Number(*number)),
                Slot::Tensor | Slot::Mask => next.next().map(|tensor| Operand::Tensor(tensor)),
            })
            .collect();
        gradients(self.rules, self.op, &operands, result, gradient)
    }
}

/// Returns strides as views take them.
fn signed(strides: &[usize]) -> Result<Vec<isize>> {
    Ok(strides.iter().map(|stride| isize::try_from(*stride)).collect::<std::result::Result<_, _>>()?)
}

/// Returns the elements of a storage.
fn elements(storage: &CpuStorage) -> Result<Slice<'_>> {
    Ok(match storage {
        CpuStorage::U8(elements) => elements.into(),
        CpuStorage::U32(elements) => elements.into(),
        CpuStorage::I16(elements) => elements.into(),
        CpuStorage::I32(elements) => elements.into(),
        CpuStorage::I64(elements) => elements.into(),
        CpuStorage::BF16(elements) => elements.into(),
        CpuStorage::F16(elements) => elements.into(),
        CpuStorage::F32(elements) => elements.into(),
        CpuStorage::F64(elements) => elements.into(),
        CpuStorage::F8E4M3(elements) => elements.into(),
        CpuStorage::F6E2M3(_) | CpuStorage::F6E3M2(_) | CpuStorage::F4(_) | CpuStorage::F8E8M0(_) => {
            bail!("the elements of a tensor are packed; help: dequantize the tensor first")
        }
    })
}

/// Returns the elements of a mask as truth values: each byte other than 0 is true.
fn mask_elements(storage: &CpuStorage) -> Result<Slice<'_>> {
    match storage {
        CpuStorage::U8(elements) => Slice::from_bytes(DType::Bool, elements).map_err(Error::wrap),
        _ => bail!("a condition must be a U8 mask"),
    }
}

/// Returns the elements of a result as a storage. Truth values become a U8 mask.
fn storage(result: promote::Tensor) -> Result<CpuStorage> {
    let dtype = candle_dtype(result.dtype())?;
    if result.dtype() == DType::Bool {
        // `Vec` collects into its own memory if the elements have one size.
        let mask = vector::<bool>(result)?.into_iter().map(u8::from).collect();
        return Ok(CpuStorage::U8(mask));
    }
    Ok(match dtype {
        candle_core::DType::U8 => CpuStorage::U8(vector(result)?),
        candle_core::DType::U32 => CpuStorage::U32(vector(result)?),
        candle_core::DType::I16 => CpuStorage::I16(vector(result)?),
        candle_core::DType::I32 => CpuStorage::I32(vector(result)?),
        candle_core::DType::I64 => CpuStorage::I64(vector(result)?),
        candle_core::DType::BF16 => CpuStorage::BF16(vector(result)?),
        candle_core::DType::F16 => CpuStorage::F16(vector(result)?),
        candle_core::DType::F32 => CpuStorage::F32(vector(result)?),
        candle_core::DType::F64 => CpuStorage::F64(vector(result)?),
        candle_core::DType::F8E4M3 => CpuStorage::F8E4M3(vector(result)?),
        other => bail!("a result cannot be stored as {}", other.as_str()),
    })
}

/// Returns the elements of a result, without a copy.
fn vector<T: Element>(result: promote::Tensor) -> Result<Vec<T>> {
    result.into_vec().or_else(|result| bail!("the elements of a result are no `{}`", result.dtype()))
}

impl CustomOp1 for Elementwise {
    fn name(&self) -> &'static str {
        self.op.name()
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        self.forward(&[(storage, layout)])
    }

    fn bwd(&self, a: &Tensor, result: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        Ok(self.backward(&[a], result, gradient)?.into_iter().next().flatten())
    }
}

impl CustomOp2 for Elementwise {
    fn name(&self) -> &'static str {
        self.op.name()
    }

    fn cpu_fwd(
        &self,
        s1: &CpuStorage,
        l1: &Layout,
        s2: &CpuStorage,
        l2: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        self.forward(&[(s1, l1), (s2, l2)])
    }

    fn bwd(
        &self,
        a: &Tensor,
        b: &Tensor,
        result: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let mut found = self.backward(&[a, b], result, gradient)?.into_iter();
        let mut next = || found.next().flatten();
        Ok((next(), next()))
    }
}

impl CustomOp3 for Elementwise {
    fn name(&self) -> &'static str {
        self.op.name()
    }

    fn cpu_fwd(
        &self,
        s1: &CpuStorage,
        l1: &Layout,
        s2: &CpuStorage,
        l2: &Layout,
        s3: &CpuStorage,
        l3: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        self.forward(&[(s1, l1), (s2, l2), (s3, l3)])
    }

    fn bwd(
        &self,
        a: &Tensor,
        b: &Tensor,
        c: &Tensor,
        result: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let mut found = self.backward(&[a, b, c], result, gradient)?.into_iter();
        let mut next = || found.next().flatten();
        Ok((next(), next(), next()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_other_devices_with_help() {
        check_device(Op::Add, DeviceLocation::Cpu).expect("the CPU computes");
        let error = check_device(Op::Add, DeviceLocation::Cuda { gpu_id: 0 }).expect_err("a GPU does not");
        assert!(error.to_string().contains("help: move the operands by `to_device"), "{error}");
    }
}
