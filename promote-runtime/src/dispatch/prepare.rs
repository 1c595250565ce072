//! From the arguments of a call to a kernel and its inputs.

use arrayvec::ArrayVec;
use promote_core::__private::order_out_of_range;

use super::extras::{Inputs, complete};
use super::lookup::computed;
use super::{Error, Options, Target};
use crate::error::PromoteError;
use crate::error::call::CallError;
use crate::kernel::MAX_INPUTS;
use crate::kernel::scalar::{round_parts, untyped_part};
use crate::kernel::{Enters, Kernel};
use crate::memory::{Argument, ScalarValue};
use crate::ops::{KernelOp, exponent};
use crate::rule_set::explain::Trace;
use crate::rule_set::{Operand, RuleSet};
use crate::semantics::{NumberOverflow, RightScalar};
use crate::table::OpTable;
use crate::{DType, ExtraKind, Kind, Number, Op, OpTypes};

/// The arguments of an op by their roles: conditions, operands, and other extra inputs.
type Parts<'b, 'a> = (&'b [Argument<'a>], &'b [Argument<'a>], &'b [Argument<'a>]);

impl RuleSet {
    /// Finds the kernel of a standard op, and adds its inputs, the converted arguments of a call, to the
    /// empty `inputs`. Arguments are in the order of [`RuleSet::elementwise`].
    pub(super) fn prepared<'a>(
        &self,
        op: Op,
        options: Options,
        given: &[Argument<'a>],
        target: Target,
        inputs: &mut Inputs<'a>,
    ) -> Result<Kernel, Error> {
        let arity = op.arity();
        let (conditions, operands, behind) = parts(op, given)?;
        let kinds = match target {
            Target::As(types) => [Operand::Array(types.common); 2],
            _ => self.operands(op, operands, behind)?,
        };
        let before = conditions.len();
        let (table, answer) = self.decide(op, &kinds[..arity], &mut Trace::new())?;
        let own = self.tables.types(answer);
        let types = self.types_for(op, &kinds[..arity], operands[0].operand(), own, target)?;
        let bounded;
        let (operands, behind) = match (op, operands, behind) {
            (Op::Clamp, &[x, low], &[high]) if table.number == NumberOverflow::Error => {
                bounded = [x, unreached(low, true, types.common), unreached(high, false, types.common)];
                bounded.split_at(arity)
            }
            _ => (operands, behind),
        };
        if let (NumberOverflow::Error | NumberOverflow::Exact, Some(third)) = (table.number, behind.first())
            && op.extras()[before].kind == ExtraKind::Operand
        {
            // The dtype of three operands has been found without a look at their values.
            for operand in operands.iter().chain([third]) {
                self.number_fits(Some(op), operand.operand(), types.common)?;
            }
        }
        let keeps = keeps_scalar(table, types);
        let kernel = computed(op, table)?;
        let kernel = kernel.with_semantics(kernel.semantics() | options.flags.semantics(op));
        let mut ends = [operands[0], operands[operands.len() - 1]];
        let kernel = match table.number {
            NumberOverflow::Exact => clamp_comparison(kernel, &mut ends, types.common),
            _ => kernel,
        };
        let operands = &ends[..arity];
        // The result has the op's own dtype first, and is then cast to that of `out`, as in the system.
        let narrow = own.output == own.common && own.compute != own.common;
        let rounds = narrow && types.output != own.output && types.common == own.common;
        let kernel = kernel.rounding_first(rounds);
        if operands.get(1).is_some_and(|b| refuses_exponent(table, types, b)) {
            return Err(Error::Call(CallError::NegativeExponent));
        }
        let looks_at_signs = kernel.looks_at_signs(types.common);
        let input = |operand: Argument<'a>, keeps| match operand.for_kernel() {
            Argument::ZeroDim(value) if looks_at_signs && value.dtype().kind() == Kind::Signed => {
                Ok((Argument::ZeroDim(value), (value.dtype(), Enters::Common)))
            }
            _ => Self::input(operand, keeps, types, kernel.saturates()),
        };
        let a = input(operands[0], false)?;
        let mut found = [a; 2];
        if let Some(b) = operands.get(1) {
            let a = found[0].1.0;
            found[1] = match (exponent(kernel.for_operands(a, DType::I64, types.common)), b.for_kernel()) {
                // An integer exponent is not converted to the common dtype.
                (Some(_), Argument::Number(number @ (Number::Int(_) | Number::Bool(_)))) => (
                    Argument::ZeroDim(ScalarValue::from_number(number, DType::I64)?),
                    (DType::I64, Enters::Common),
                ),
                (Some(_), Argument::ZeroDim(value)) if value.dtype().kind() < Kind::Float => {
                    (Argument::ZeroDim(value), (value.dtype(), Enters::Common))
                }
                (_, b) => input(b, keeps)?,
            };
        }
        inputs.extend(found[..arity].iter().map(|(input, _)| *input));
        let extra = |k: usize| conditions.get(k).or_else(|| behind.get(k - before)).copied();
        let keys = found.map(|(_, key)| key);
        Ok(complete(self.kernels, options.level(), (op, kernel), keys, types, inputs, extra)?)
    }

    /// Returns the dtypes of an op for a target. `own` are its dtypes without one, and `left` is the first
    /// operand.
    pub(super) fn types_for(
        &self,
        op: Op,
        kinds: &[Operand],
        left: Operand,
        own: OpTypes,
        target: Target,
    ) -> Result<OpTypes, PromoteError> {
        match target {
            Target::InPlace => {
                let target = left.dtype().ok_or(PromoteError::NotInPlace { rules: self.name(), op })?;
                self.types_in(op, kinds, target)
            }
            Target::Out(dtype) if own.output != dtype => self.types_into(op, own, dtype),
            Target::As(types) => Ok(types),
            _ => Ok(own),
        }
    }

    /// Returns the kernel of a call on arrays alone, which may be cached and takes the arguments as they are.
    /// Returns `None` for other calls and for calls that are in error, which [`RuleSet::prepared`] handles.
    pub(super) fn kernel_of_arrays(
        &self,
        op: Op,
        options: Options,
        given: &[Argument<'_>],
        target: Target,
    ) -> Option<Kernel> {
        let complete = op.arity() == given.len() && op.inputs() == given.len();
        if options != Options::DEFAULT || !complete || matches!(target, Target::As(_)) {
            return None;
        }
        let kernel = match given {
            [a] => self.unary_kernel(op, a.array_dtype()?),
            [a, b] => self.kernel(op, a.array_dtype()?, b.array_dtype()?),
            _ => return None,
        };
        kernel.ok().filter(|kernel| self.is_for(target, given, kernel))
    }

    /// Returns the kernel of a call on an array and a number, which may be cached, and its inputs. Returns
    /// `None` for other calls, if the number's value decides how it is computed, and for calls that are in
    /// error, which [`RuleSet::prepared`] handles.
    pub(super) fn kernel_with_number<'a>(
        &self,
        op: Op,
        options: Options,
        given: &[Argument<'a>],
        target: Target,
    ) -> Option<(Kernel, [Argument<'a>; 2])> {
        let (at, number, array) = match *given {
            [Argument::Number(number), array] => (0, number, array),
            [array, Argument::Number(number)] => (1, number, array),
            _ => return None,
        };
        let dtype = array.array_dtype()?;
        if options != Options::DEFAULT || op.inputs() != 2 || op.arity() != 2 {
            return None;
        }
        let operands = [given[0].operand(), given[1].operand()];
        let (table, answer) = self.decide(op, &operands, &mut Trace::new()).ok()?;
        let types = self.tables.types(answer);
        let common = types.common;
        let mut dtypes = [dtype; 2];
        dtypes[at] = common;
        let kernel = computed(op, table).ok()?;
        let decides = at == 1 && (keeps_scalar(table, types) || refuses_exponent(table, types, &given[1]))
            || exponent(kernel.for_operands(dtypes[0], DType::I64, common)).is_some()
            || table.number == NumberOverflow::Exact && number.out_of_range(common).is_some()
            || untyped_part(common).is_some();
        if decides {
            return None;
        }
        let value = ScalarValue::from_number_with(number, common, kernel.saturates()).ok()?;
        // The number is computed as an array of the common dtype is, if that has the same types.
        let found = self.kernel(op, dtypes[0], dtypes[1]).ok()?;
        let mut inputs = [array; 2];
        inputs[at] = Argument::ZeroDim(value);
        (found.computes(types) && self.is_for(target, given, &found)).then_some((found, inputs))
    }

    /// Returns the inputs, in the order of the kernel, of a call with extra inputs on arrays alone, whose
    /// kernel may be cached. `None` for other calls.
    #[cfg(feature = "alloc")]
    pub(super) fn arrays_with_extras<'a>(
        op: Op,
        options: Options,
        given: &[Argument<'a>],
        target: Target,
    ) -> Option<Inputs<'a>> {
        let complete = given.len() == op.inputs() && given.len() > op.arity() && options == Options::DEFAULT;
        let cached = complete && matches!(target, Target::New | Target::Out(_));
        if !cached || !given.iter().all(Argument::has_axes) {
            return None;
        }
        let (conditions, operands, behind) = parts(op, given).ok()?;
        Some(operands.iter().chain(conditions).chain(behind).copied().collect())
    }

    /// Returns the two operands of a standard op as promotion sees them. For an op of one operand, both are
    /// that operand.
    fn operands(
        &self,
        op: Op,
        operands: &[Argument<'_>],
        behind: &[Argument<'_>],
    ) -> Result<[Operand; 2], Error> {
        let kinds = [operands[0].operand(), operands[operands.len() - 1].operand()];
        if op.extras().first().is_some_and(|extra| extra.kind == ExtraKind::Operand) {
            // Three operands decide the dtype, and each is converted to it.
            let joined = self.result_type(&[kinds[0], kinds[1], behind[0].operand()])?;
            return Ok([Operand::Array(joined.dtype); 2]);
        }
        Ok(kinds)
    }

    /// Returns the dtypes of a standard or custom op for the arguments of a call.
    pub(crate) fn types_of_call(&self, op: Op, given: &[Argument<'_>]) -> Result<OpTypes, Error> {
        if let Op::Custom(_) = op {
            let operands =
                given.iter().take(MAX_INPUTS).map(Argument::operand).collect::<ArrayVec<_, MAX_INPUTS>>();
            return Ok(self.custom_types(op, &operands, given.len())?.0);
        }
        let (_, operands, behind) = parts(op, given)?;
        Ok(self.op_types(op, &self.operands(op, operands, behind)?[..op.arity()])?)
    }

    /// Converts an operand to an input of a kernel. Returns the dtype by which the kernel is looked up, and
    /// how the operand is converted.
    pub(super) fn input(
        operand: Argument<'_>,
        keeps: bool,
        types: OpTypes,
        saturate: bool,
    ) -> Result<(Argument<'_>, (DType, Enters)), Error> {
        let (to, enters) =
            if keeps { (types.compute, Enters::Compute) } else { (types.common, Enters::Common) };
        let value = match operand.for_kernel() {
            Argument::Array(view) | Argument::Weak(view) => {
                return Ok((operand, (view.dtype(), Enters::Common)));
            }
            Argument::InPlace(dtype) => return Ok((operand, (dtype, Enters::Common))),
            Argument::Slice(slice) => return Ok((operand, (slice.dtype(), Enters::Common))),
            scalar if untyped_part(to).is_some() => {
                return Self::rounded_input(scalar, to, types.compute);
            }
            Argument::ZeroDim(value) => value.cast(to, saturate)?,
            Argument::Number(number) => ScalarValue::from_number_with(number, to, saturate)?,
        };
        Ok((Argument::ZeroDim(value), (to, enters)))
    }

    /// Rounds a scalar to a complex dtype without a Rust type, which no kernel can do, and passes it in the
    /// compute dtype.
    fn rounded_input(
        scalar: Argument<'_>,
        common: DType,
        compute: DType,
    ) -> Result<(Argument<'_>, (DType, Enters)), Error> {
        let missing = CallError::NoElements { dtype: common };
        let number = match scalar {
            Argument::ZeroDim(value) => value.number(),
            Argument::Number(number) => Some(number),
            _ => None,
        };
        let (number, part) = (number.ok_or(missing)?, untyped_part(common).ok_or(missing)?);
        let value = ScalarValue::from_number(round_parts(number, part)?, compute)?;
        Ok((Argument::ZeroDim(value), (compute, Enters::Compute)))
    }
}

/// Splits the arguments of a standard op by their roles.
fn parts<'b, 'a>(op: Op, given: &'b [Argument<'a>]) -> Result<Parts<'b, 'a>, CallError> {
    let (arity, extras) = (op.arity(), op.extras());
    let before = usize::from(extras.first().is_some_and(|extra| extra.kind == ExtraKind::Condition));
    let needed = arity + extras.iter().filter(|extra| extra.default.is_none()).count();
    if !(1..=2).contains(&arity) || given.len() < needed || given.len() > op.inputs() {
        return Err(CallError::Inputs { expected: op.inputs(), found: given.len() });
    }
    let (conditions, given) = given.split_at(before);
    let (operands, behind) = given.split_at(arity);
    Ok((conditions, operands, behind))
}

/// Returns true if a scalar as the right operand is not rounded to the common dtype.
fn keeps_scalar(table: &OpTable, types: OpTypes) -> bool {
    table.right_scalar == RightScalar::Opmath && types.common != types.compute
}

/// Returns true if an argument is a negative number as an integer exponent, and the rule set refuses such
/// numbers. It may accept arrays of negative exponents.
fn refuses_exponent(table: &OpTable, types: OpTypes, b: &Argument<'_>) -> bool {
    matches!(b, Argument::Number(Number::Int(..0)))
        && matches!(types.compute.kind(), Kind::Signed | Kind::Unsigned)
        && table.option("negative_exponent") == Some("number_error")
}

/// Returns a bound of `clamp`, or the end of the dtype for one beyond it, which no element reaches. A bound
/// that every element exceeds stays.
fn unreached(bound: Argument<'_>, is_lower: bool, dtype: DType) -> Argument<'_> {
    match bound {
        Argument::Number(number) if number.out_of_range(dtype).is_some_and(|x| (x < 0) == is_lower) => {
            Argument::Number(number.clamped(dtype))
        }
        _ => bound,
    }
}

/// Replaces a comparison with an integer number outside of the integer dtype `common` by an equivalent
/// comparison with the nearest value of that dtype. Returns other ops as they are.
fn clamp_comparison(kernel: KernelOp, operands: &mut [Argument<'_>; 2], common: DType) -> KernelOp {
    let numbers = operands.map(|operand| match operand {
        Argument::Number(number) => Some(number),
        _ => None,
    });
    let Some(other) =
        order_out_of_range(numbers[0], numbers[1], common).and_then(|order| kernel.at_nearest_end(order))
    else {
        return kernel;
    };
    for (operand, number) in operands.iter_mut().zip(numbers) {
        *operand = number.map_or(*operand, |number| Argument::Number(number.clamped(common)));
    }
    other
}
