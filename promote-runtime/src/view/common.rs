//! Promotion without an op: operands converted to their common dtype.

use alloc::vec::Vec;

use super::TensorView;
use super::tensor::Tensor;
use crate::DType;
use crate::dispatch::{Argument, Error};
use crate::kernel::{CallError, ScalarValue, Slice};
use crate::memory::room_for;
use crate::rule_set::{Operand, RuleSet};

impl RuleSet {
    /// Converts operands to the dtype that they promote to, and returns one array for each of them, in its
    /// own shape.
    ///
    /// This is promotion without an op: OpenVINO's `ConvertPromoteTypes`, or the inputs that OneFlow's
    /// `TensorProcessor` hands back. Nothing is broadcast. Numbers and zero-dimensional operands become
    /// arrays without axes. [`RuleSet::result_type`] gives the dtype alone.
    ///
    /// An integer number that the common integer dtype does not hold is refused under every rule set, as
    /// NumPy and JAX refuse to make an array of that dtype from it.
    ///
    /// # Errors
    /// Returns an error if there are no operands, if the rule set refuses them, if a number does not fit, if
    /// a dtype has no elements, if this build has no cast, or if there is not enough memory.
    ///
    /// # Examples
    /// See the facade's documentation: a compiled rule set with kernels comes from there.
    pub fn common(&self, operands: &[Argument<'_>]) -> Result<Vec<Tensor>, Error> {
        let mut kinds = room_for(operands.len())?;
        kinds.extend(operands.iter().map(Argument::operand));
        let common = self.result_type(&kinds)?.dtype;
        let mut converted = room_for(operands.len())?;
        for operand in operands {
            converted.push(self.converted(operand, common)?);
        }
        Ok(converted)
    }

    fn converted(&self, operand: &Argument<'_>, common: DType) -> Result<Tensor, Error> {
        match operand {
            Argument::Array(slice) => self.astype(&TensorView::from(*slice), common, None),
            Argument::View(view) => self.astype(view, common, None),
            Argument::ZeroDim(value) => self.converted_element(value, common),
            Argument::Number(number) => {
                self.number_fits(None, Operand::Number(*number), common)?;
                let value = ScalarValue::from_number_with(*number, common, self.casts_saturate())?;
                self.converted_element(&value, common)
            }
            // There is no `out` that holds it.
            Argument::InPlace(_) => Err(Error::Call(CallError::Uninitialised)),
        }
    }

    fn converted_element(&self, value: &ScalarValue, common: DType) -> Result<Tensor, Error> {
        let element = Slice::from_bytes(value.dtype(), value.bytes())?;
        self.astype(&TensorView::from(element).shaped(&[]), common, None)
    }
}
