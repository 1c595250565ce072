//! Promotion without an op: operands converted to their common dtype.

use alloc::vec::Vec;

use crate::dispatch::Error;
use crate::memory::Argument;
use crate::memory::allocation::room_for;
use crate::memory::{ScalarValue, Tensor};
use crate::rule_set::{Operand, RuleSet};

impl RuleSet {
    /// Converts operands to the dtype that they promote to, and returns an array for each of them.
    ///
    /// This is promotion without an op, as in OpenVINO's `ConvertPromoteTypes` or OneFlow's
    /// `TensorProcessor`. Each array has the shape of its operand; nothing is broadcast. Numbers and
    /// zero-dimensional operands become arrays without axes. [`RuleSet::result_type`] returns the dtype
    /// alone.
    ///
    /// An integer number that does not fit the common integer dtype is refused under every rule set. NumPy
    /// and JAX refuse to make an array of that dtype from it, too.
    ///
    /// # Errors
    /// Returns an error if there are no operands, if the rule set refuses them, if a number does not fit, if
    /// a dtype has no elements, if this build has no cast, or if there is not enough memory.
    ///
    /// # Examples
    ///
    /// ```
    /// use promote::{DType, Torch};
    ///
    /// let rules = Torch::new().rule_set();
    /// let common = rules.promote_arrays(&[(&[1_u8, 2]).into(), (&[-1_i8]).into(), 7.into()])?;
    /// assert_eq!(common.iter().map(|array| array.dtype()).collect::<Vec<_>>(), [DType::I16; 3]);
    /// assert_eq!(common[0].to_string(), "[1, 2]");
    /// assert_eq!(common[2].to_string(), "7");
    /// # Ok::<(), promote::Error>(())
    /// ```
    pub fn promote_arrays(&self, operands: &[Argument<'_>]) -> Result<Vec<Tensor>, Error> {
        let mut kinds = room_for(operands.len())?;
        kinds.extend(operands.iter().map(Argument::operand));
        let common = self.result_type(&kinds)?.dtype;
        let mut converted = room_for(operands.len())?;
        for operand in operands {
            let mut operand = *operand;
            if let Argument::Number(number) = operand {
                self.number_fits(None, Operand::Number(number), common)?;
                operand = ScalarValue::from_number_with(number, common, self.casts_saturate())?.into();
            }
            // There is no `out` whose elements `Argument::InPlace` could stand for: it has no view.
            converted.push(self.astype(&operand.elements()?, common, None)?);
        }
        Ok(converted)
    }
}
