//! What the tests of `promote::agreement!` compare: one call for each pair of types and each op.
//!
//! The literals come from the rule library's own tables, the type parameters from the emitted impls, `rules` from the
//! emitted tables; the kernels are compared with the scalar function of the types, element by element.

use std::vec;
use std::vec::Vec;

use promote_runtime::kernel::{ScalarValue, SliceMut, SliceRef};
use promote_runtime::op::OpType;
use promote_runtime::{Compute, DType, Element, Kind, Level, Number, Op, Operand, RuleSet};

use crate::{Promote, Promoted};

/// Elements a row: a few vectors of the widest level, and a tail.
const LANES: usize = 71;

/// A pair that promotes.
pub fn promotion<R, A, B>(rules: RuleSet, expected: &str)
where
    A: Promote<B, R> + Element,
    B: Element,
    Promoted<A, B, R>: Element,
{
    assert_eq!(<Promoted<A, B, R>>::DTYPE.name(), expected, "type of {}, {}", A::DTYPE, B::DTYPE);
    promotion_at_run_time::<A, B>(rules, expected);
}

/// A pair that promotes to a dtype without a Rust type, or to a weak one.
pub fn promotion_at_run_time<A: Element, B: Element>(rules: RuleSet, expected: &str) {
    let found = rules.promote_types(A::DTYPE, B::DTYPE).map(DType::name);
    assert_eq!(found, Ok(expected), "table of {}, {}", A::DTYPE, B::DTYPE);
}

/// A pair that is refused.
pub fn refusal<A: Element, B: Element>(rules: RuleSet) {
    let found = rules.promote_types(A::DTYPE, B::DTYPE);
    assert!(found.is_err(), "{} and {} promote to {found:?}", A::DTYPE, B::DTYPE);
}

/// An op that is refused.
pub fn op_refusal<O: OpType, A: Element, B: Element>(rules: RuleSet) {
    let found = rules.op_types(O::OP, &[Operand::Array(A::DTYPE), Operand::Array(B::DTYPE)]);
    assert!(found.is_err(), "{} of {} and {} is {found:?}", O::OP, A::DTYPE, B::DTYPE);
}

/// The dtypes of an op at run time.
pub fn op_at_run_time<O: OpType, A: Element, B: Element>(rules: RuleSet, expected: [&str; 3]) {
    let found = rules.op_types(O::OP, &[Operand::Array(A::DTYPE), Operand::Array(B::DTYPE)]);
    let found = found.map(|types| [types.common, types.compute, types.output].map(DType::name));
    assert_eq!(found, Ok(expected), "table of {} of {}, {}", O::OP, A::DTYPE, B::DTYPE);
}

/// The dtypes of an op that has no kernels: `types` of the cells whose dtypes all have a Rust type, and what the rule library
/// says of them (`expected`) and of the others (`untyped`), each as `operands : common compute output`, or nothing behind
/// the colon where the op is refused.
pub fn op_types(rules: RuleSet, op: Op, types: &[[DType; 3]], expected: &[&str], untyped: &[&str]) {
    assert_eq!(types.len(), expected.len());
    let dtype = |name: &str| {
        let known = rules.tables().dtypes.iter().find(|dtype| dtype.name() == name);
        *known.expect("a dtype of the rule set")
    };
    let split = |row: &str| {
        let (operands, result) = row.split_once(" :").expect("a row");
        let operands: Vec<Operand> = operands.split(' ').map(|name| Operand::Array(dtype(name))).collect();
        let result: Vec<DType> = result.split_whitespace().map(dtype).collect();
        (operands, <[DType; 3]>::try_from(result).ok())
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

/// An op of two types: its dtypes, and its kernel at every level.
pub fn op<R, O, A, B>(rules: RuleSet, expected: [&str; 3])
where
    O: OpType,
    A: Element,
    B: Element,
    R: Compute<O, A, B>,
{
    let types = [R::Common::DTYPE, R::Compute::DTYPE, R::Output::DTYPE].map(DType::name);
    assert_eq!(types, expected, "types of {} of {}, {}", O::OP, A::DTYPE, B::DTYPE);
    op_at_run_time::<O, A, B>(rules, expected);
    kernels(rules, O::OP, A::DTYPE, B::DTYPE, R::Output::DTYPE, scalar::<R, O, A, B>);
}

/// The scalar function of the types. All else is the same code for every row, since there are thousands.
fn scalar<R, O, A, B>(a: ScalarValue, b: ScalarValue) -> ScalarValue
where
    A: Element,
    B: Element,
    R: Compute<O, A, B>,
{
    let (a, b) = (a.get::<A>(), b.get::<B>());
    ScalarValue::new(R::compute(a.expect("made as an A"), b.expect("made as a B")))
}

fn kernels(
    rules: RuleSet,
    op: Op,
    a: DType,
    b: DType,
    out: DType,
    scalar: fn(ScalarValue, ScalarValue) -> ScalarValue,
) {
    let (x, y) = (samples(a, 1), samples(b, 2));
    let (x_bytes, y_bytes) = (Aligned::of(&x), Aligned::of(&y));
    let size = out.size().expect("a dtype with a Rust type");
    for &level in Level::ALL {
        let mut bytes = Aligned::new(LANES * size);
        let kernel = rules.kernel_at(level, op, a, b).expect("a kernel of the bundled dtypes");
        let slice = |dtype, bytes| SliceRef::from_bytes(dtype, bytes).expect("whole, aligned elements");
        let target = SliceMut::from_bytes(out, bytes.bytes_mut()).expect("whole, aligned elements");
        kernel
            .call_slices(slice(a, x_bytes.bytes()), slice(b, y_bytes.bytes()), target)
            .expect("equal lengths");
        for i in 0..LANES {
            let found =
                ScalarValue::from_bytes(out, &bytes.bytes()[i * size..][..size]).expect("one element");
            let wanted = scalar(x[i], y[i]);
            assert!(
                same(found, wanted),
                "{op} of {a} {:?} and {b} {:?} at {level}: kernel {:?}, scalar {:?}",
                x[i].number(),
                y[i].number(),
                found.number(),
                wanted.number()
            );
        }
    }
}

/// Bytes at an address that any element may have.
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
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.bytes().iter().copied()).collect();
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

/// Elements of all sorts: small numbers, the ends of the range, any bits.
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
        number.to_element(dtype).expect("a dtype with a Rust type")
    };
    (0..LANES).map(one).collect()
}

/// Equal bits, or NaN and NaN, in each part.
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
