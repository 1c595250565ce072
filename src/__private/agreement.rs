//! Comparisons that the tests of `promote::agreement!` make, one call for each pair of types and each op.
//!
//! The literals come from the rule library's tables, the type parameters from the emitted impls, and `rules`
//! from the emitted tables. Kernels are compared with the scalar function, element by element.

use std::boxed::Box;
use std::vec;
use std::vec::Vec;

use promote_runtime::__private::kernel::{Argument, CallError, Kernel, ScalarValue, Slice, SliceMut};
use promote_runtime::op::OpType;
use promote_runtime::{
    Compute, CustomOp, DType, Element, Error, Kind, Level, Number, Op, Operand, PromoteError, RuleSet,
};

use crate::{Promote, Promoted};

/// The number of elements: a few vectors of the widest level, and a tail.
const LANES: usize = 71;

/// Compares the promotion of a pair of types. `operands` spells them.
pub fn promotion<R, A, B>(rules: RuleSet, operands: &str, expected: &str, weak: bool)
where
    A: Promote<B, R>,
    Promoted<A, B, R>: Element,
{
    let found = (<Promoted<A, B, R>>::DTYPE.name(), <Promoted<A, B, R>>::WEAK);
    assert_eq!(found, (expected, weak), "type of {operands}");
    promotion_at_run_time(rules, operands, expected, weak);
}

/// Compares the promotion of a pair whose result has no Rust type.
#[inline]
pub fn promotion_at_run_time(rules: RuleSet, operands: &str, expected: &str, weak: bool) {
    let found = promoted(rules, &read(rules, operands));
    // `promote_types` does not say whether the result is weak.
    let found = found.map(|(dtype, known)| (dtype.name(), known.unwrap_or(weak)));
    assert_eq!(found, Ok((expected, weak)), "table of {operands}");
}

/// Checks that a pair is refused.
#[inline]
pub fn refusal(rules: RuleSet, operands: &str) {
    let found = promoted(rules, &read(rules, operands));
    assert!(found.is_err(), "{operands} promote to {found:?}");
}

/// Promotes two operands. Returns the result, and whether it is weak.
///
/// Arrays are promoted by their dtypes, which ignores stored dtypes and says nothing of weakness.
#[inline]
fn promoted(rules: RuleSet, operands: &[Operand]) -> Result<(DType, Option<bool>), PromoteError> {
    if let [Operand::Array(a), Operand::Array(b)] = *operands {
        return Ok((rules.promote_types(a, b)?, None));
    }
    let found = rules.result_type(operands)?;
    Ok((found.dtype, Some(found.weak)))
}

/// Returns the dtype of a name.
#[inline]
fn dtype(rules: RuleSet, name: &str) -> DType {
    let known = rules.tables().dtypes.iter().find(|dtype| dtype.name() == name);
    *known.expect("a dtype of the rule set")
}

/// Reads operands: a dtype, `number:float` or `weak:f64`. The values of the numbers fit every dtype.
#[inline]
fn read(rules: RuleSet, operands: &str) -> Vec<Operand> {
    let one = |name: &str| match name.split_once(':') {
        None => Operand::Array(dtype(rules, name)),
        Some(("weak", name)) => Operand::Weak(dtype(rules, name)),
        Some((_, kind)) => Operand::Number(match kind {
            "bool" => Number::Bool(true),
            "int" => Number::Int(1),
            "float" => Number::Float(0.5),
            _ => Number::Complex(0.5, 1.0),
        }),
    };
    operands.split(' ').map(one).collect()
}

/// Compares the dtypes of an op.
///
/// `types` are those of the cells whose dtypes all have a Rust type. `expected` and `untyped` are the rule
/// library's answers for these and for the other cells, each as `operands : common compute output`, with
/// nothing after the colon if the op is refused.
#[inline]
pub fn op_types(rules: RuleSet, op: Op, types: &[[DType; 3]], expected: &[&str], untyped: &[&str]) {
    assert_eq!(types.len(), expected.len());
    let split = |row: &str| {
        let (operands, result) = row.split_once(" :").expect("a row");
        let result: Vec<DType> = result.split_whitespace().map(|name| dtype(rules, name)).collect();
        (read(rules, operands), <[DType; 3]>::try_from(result).ok())
    };
    // A custom op takes any number of operands, which promote to one dtype; here there is one operand.
    let op = match op {
        Op::Custom(custom) => Op::Custom(Box::leak(Box::new(CustomOp::named(custom.name())))),
        op => op,
    };
    let at_run_time = |operands: &[Operand]| {
        rules.op_types(op, operands).ok().map(|types| [types.common, types.compute, types.output])
    };
    for (types, row) in types.iter().zip(expected) {
        let (operands, expected) = split(row);
        assert_eq!(Some(*types), expected, "types of {op} of {row}");
        assert_eq!(at_run_time(&operands), expected, "table of {op} of {row}");
    }
    for row in untyped {
        let (operands, expected) = split(row);
        assert_eq!(at_run_time(&operands), expected, "table of {op} of {row}");
    }
}

/// Compares the kernel of an op on two types, at every level, with the scalar function.
pub fn binary<R, O, A, B>(rules: RuleSet)
where
    O: OpType,
    A: Element,
    B: Element,
    R: Compute<O, (A, B)>,
{
    let (x, y) = (samples(A::DTYPE, 1), samples(B::DTYPE, 2));
    let find = |level| rules.kernel_at(level, O::OP, A::DTYPE, B::DTYPE);
    kernels(O::OP, R::Output::DTYPE, &[x, y], &find, &|row| scalar::<R, O, A, B>(row[0], row[1]));
}

/// Compares the kernel of an op on one type, at every level, with the scalar function.
pub fn unary<R, O, A>(rules: RuleSet)
where
    O: OpType,
    A: Element,
    R: Compute<O, (A,)>,
{
    let find = |level| rules.unary_kernel_at(level, O::OP, A::DTYPE);
    let scalar =
        |row: &[ScalarValue]| ScalarValue::new(R::compute((row[0].get::<A>().expect("made as an A"),)));
    kernels(O::OP, R::Output::DTYPE, &[samples(A::DTYPE, 1)], &find, &scalar);
}

/// Calls the scalar function.
fn scalar<R, O, A, B>(a: ScalarValue, b: ScalarValue) -> ScalarValue
where
    A: Element,
    B: Element,
    R: Compute<O, (A, B)>,
{
    let (a, b) = (a.get::<A>(), b.get::<B>());
    ScalarValue::new(R::compute((a.expect("made as an A"), b.expect("made as a B"))))
}

/// Compares kernels. It is not generic, because there are thousands of rows.
#[inline]
fn kernels(
    op: Op,
    out: DType,
    operands: &[Vec<ScalarValue>],
    find: &dyn Fn(Level) -> Result<Kernel, Error>,
    scalar: &dyn Fn(&[ScalarValue]) -> ScalarValue,
) {
    let size = out.size().expect("a dtype with a Rust type");
    for &level in Level::ALL {
        let kernel = find(level).expect("a kernel of the bundled dtypes");
        let mut bytes = Aligned::new(LANES * size);
        let mut operands = operands.to_vec();
        let found = call(&kernel, &operands, out, &mut bytes);
        if matches!(found, Err(CallError::DivisionByZero | CallError::NegativeExponent)) {
            // Zeros and negative numbers were among the samples.
            let dtype = operands[1][0].dtype();
            for (i, value) in operands[1].iter_mut().enumerate() {
                *value = ScalarValue::from_number(Number::Int(i as i128 % 9 + 1), dtype)
                    .expect("a dtype with a Rust type");
            }
            call(&kernel, &operands, out, &mut bytes).expect("operands that the op takes");
        } else {
            found.expect("equal lengths");
        }
        for i in 0..LANES {
            let found =
                ScalarValue::from_bytes(out, &bytes.bytes()[i * size..][..size]).expect("one element");
            let row: Vec<ScalarValue> = operands.iter().map(|operand| operand[i]).collect();
            let wanted = scalar(&row);
            let numbers: Vec<_> = row.iter().map(|value| (value.dtype(), value.number())).collect();
            assert!(
                same(found, wanted),
                "{op} of {numbers:?} at {level}: kernel {:?}, scalar {:?}",
                found.number(),
                wanted.number()
            );
        }
    }
}

#[inline]
fn call(
    kernel: &Kernel,
    operands: &[Vec<ScalarValue>],
    out: DType,
    bytes: &mut Aligned,
) -> Result<(), CallError> {
    let held: Vec<Aligned> = operands.iter().map(|operand| Aligned::of(operand)).collect();
    let inputs: Vec<Argument<'_>> = operands
        .iter()
        .zip(&held)
        .map(|(operand, held)| {
            Argument::Slice(
                Slice::from_bytes(operand[0].dtype(), held.bytes()).expect("whole, aligned elements"),
            )
        })
        .collect();
    let target = SliceMut::from_bytes(out, bytes.bytes_mut()).expect("whole, aligned elements");
    kernel.call_inputs(&inputs, target)
}

/// Bytes that are aligned for every element type.
struct Aligned {
    room: Vec<u8>,
    begin: usize,
    len: usize,
}

impl Aligned {
    fn new(len: usize) -> Aligned {
        let room = vec![0; len + 16];
        let begin = room.as_ptr().align_offset(16).min(16);
        Aligned { room, begin, len }
    }

    fn of(values: &[ScalarValue]) -> Aligned {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.as_bytes().iter().copied()).collect();
        let mut aligned = Aligned::new(bytes.len());
        aligned.bytes_mut().copy_from_slice(&bytes);
        aligned
    }

    fn bytes(&self) -> &[u8] {
        &self.room[self.begin..][..self.len]
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.room[self.begin..][..self.len]
    }
}

/// Returns sample elements: small numbers, the ends of the range, random bits.
#[inline]
fn samples(dtype: DType, seed: u64) -> Vec<ScalarValue> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let integer = matches!(dtype.kind(), Kind::Signed | Kind::Unsigned);
    let one = |i: usize| {
        let bits = random();
        let number = match i % 3 {
            0 => Number::Int((bits % 9) as i128 - 4),
            _ if integer => Number::Int(bits as i64 as i128),
            1 => Number::Float(f64::from_bits(bits)),
            _ if dtype.kind() == Kind::Complex => {
                Number::Complex((bits as i32 >> 20) as f64 / 8.0, (bits as i16 >> 8) as f64)
            }
            _ => Number::Float((bits as i32 >> 16) as f64 / 16.0),
        };
        ScalarValue::from_number(number, dtype).expect("a dtype with a Rust type")
    };
    (0..LANES).map(one).collect()
}

/// Returns true if each part has equal bits, or both are NaN.
#[inline]
fn same(a: ScalarValue, b: ScalarValue) -> bool {
    let parts = |value: ScalarValue| match value.number() {
        Some(Number::Float(x)) => vec![x],
        Some(Number::Complex(re, im)) => vec![re, im],
        Some(Number::Int(x)) => vec![f64::from_bits(x as u64)],
        Some(Number::Bool(x)) => vec![x as u8 as f64],
        _ => Vec::new(),
    };
    let (a, b) = (parts(a), parts(b));
    a.len() == b.len()
        && !a.is_empty()
        && a.iter().zip(&b).all(|(a, b)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan())
}
