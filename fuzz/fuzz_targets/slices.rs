//! Fuzzes calls on slices of one buffer that overlap each other and the output.
//!
//! The result equals that of a call on copies, in which every true bool is the byte 1. Bytes outside the
//! output are unchanged, and after an error all bytes are.
#![no_main]

mod common;

use libfuzzer_sys::fuzz_target;
use promote::{Argument, DType, Error, Flags, Level, NumPy, Number, Op, Operand, RuleSet, Torch};
use promote::{ScalarValue, Slice, SliceMut};

use common::{Aligned, Bytes, equal, normal, size};

/// An input of the call: the dtype and the start of an array.
#[derive(Clone, Copy, Debug)]
enum Given {
    Array(DType, usize),
    ZeroDim(ScalarValue),
    Number(Number),
}

impl Given {
    fn read(bytes: &mut Bytes<'_>) -> Given {
        let (choice, dtype, place) = (bytes.next(), bytes.of(DType::WITH_TYPE), bytes.below(9000));
        let small = place as i64 - 20;
        match choice % 8 {
            0 => {
                let element = ScalarValue::from_number(Number::Int(small.into()), dtype);
                Given::ZeroDim(element.expect("every dtype here has elements"))
            }
            1 if choice < 128 => Given::Number(Number::Int(small.into())),
            1 => Given::Number(Number::Float(small as f64 / 4.0)),
            // Near enough to overlap even with few elements.
            2..=5 => Given::Array(dtype, place % 80),
            _ => Given::Array(dtype, place),
        }
    }

    fn operand(&self) -> Operand {
        match self {
            Given::Array(dtype, _) => Operand::Array(*dtype),
            Given::ZeroDim(value) => Operand::ZeroDim(value.dtype(), None),
            Given::Number(number) => Operand::Number(*number),
        }
    }

    fn argument<'a>(&self, slice: impl FnOnce(DType, usize) -> Slice<'a>) -> Argument<'a> {
        match *self {
            Given::Array(dtype, at) => Argument::Slice(slice(dtype, at)),
            Given::ZeroDim(value) => Argument::ZeroDim(value),
            Given::Number(number) => Argument::Number(number),
        }
    }
}

#[allow(dead_code, reason = "messages show all of it")]
#[derive(Debug)]
struct Call {
    rules: RuleSet,
    op: Op,
    flags: Flags,
    in_place: bool,
    inputs: Vec<Given>,
    out: DType,
}

impl Call {
    fn run(&self, inputs: &[Argument<'_>], out: SliceMut<'_>) -> Result<(), Error> {
        match (self.in_place, inputs) {
            (true, []) => self.rules.unary_in_place(self.op, out),
            (true, [b, ..]) => self.rules.binary_in_place(self.op, out, *b),
            (false, _) => self.rules.elementwise_with(self.op, self.flags, inputs, out),
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes(data);
    let choices = bytes.next();
    let rules = if choices & 1 == 0 { Torch::new().rule_set() } else { NumPy::new().rule_set() };
    Level::set(Level::ALL[(choices >> 1 & 3) % Level::ALL.len()]);
    let in_place = choices & 8 != 0;
    let n = bytes.below(if choices & 16 == 0 { 70 } else { 3000 });
    let flags = Flags::DEFAULT.with_log_input(choices & 32 == 0).with_full(choices & 64 != 0);
    let op = bytes.of(Op::STANDARD);
    // Sometimes one element too few or too many.
    let count = (op.inputs() + usize::from(choices & 128 != 0)).saturating_sub(usize::from(in_place)).min(5);
    let inputs: Vec<Given> = (0..count).map(|_| Given::read(&mut bytes)).collect();
    let (chosen, out_at) = (bytes.next(), bytes.below(9000));
    let out_at = if chosen & 32 == 0 { out_at % 80 } else { out_at };
    let first = usize::from(op == Op::Where);
    let operands: Vec<Operand> = inputs.iter().skip(first).take(op.arity()).map(Given::operand).collect();
    let out = match rules.op_types(op, &operands) {
        Ok(types) if chosen & 64 == 0 && !in_place && types.output.has_type() => types.output,
        _ => DType::WITH_TYPE[chosen % DType::WITH_TYPE.len()],
    };
    let call = Call { rules, op, flags, in_place, inputs, out };

    // The arena ends with the last of them, so that sanitizers see accesses beyond it.
    let ends = call.inputs.iter().filter_map(|given| match given {
        Given::Array(dtype, at) => Some(at + n * size(*dtype)),
        _ => None,
    });
    let out_range = out_at..out_at + n * size(out);
    let length = ends.chain([out_range.end]).max().unwrap_or(0);
    let mut arena: Vec<u8> = bytes.0.iter().copied().chain([1, 0, 3, 128]).cycle().take(length).collect();
    let before = arena.clone();

    // Copies at aligned addresses and one byte further.
    let copies = |beside: usize| {
        let held: Vec<Aligned> = call
            .inputs
            .iter()
            .map(|given| match given {
                Given::Array(dtype, at) => {
                    Aligned::copy(&normal(*dtype, &before[*at..at + n * size(*dtype)]), beside)
                }
                _ => Aligned::copy(&[], 0),
            })
            .collect();
        let arguments: Vec<Argument<'_>> = call
            .inputs
            .iter()
            .zip(&held)
            .map(|(given, held)| {
                given.argument(|dtype, _| Slice::from_bytes(dtype, held.bytes()).expect("whole elements"))
            })
            .collect();
        let mut place = Aligned::copy(&normal(out, &before[out_range.clone()]), beside);
        let to = SliceMut::from_bytes(out, place.bytes_mut()).expect("whole elements");
        let result = call.run(&arguments, to);
        (result, place.bytes().to_vec())
    };
    let (wanted, expected) = copies(0);

    let base = arena.as_mut_ptr();
    // SAFETY: the slices are inside the arena, which is not used otherwise until the call returns.
    let slice = |dtype, at| unsafe { Slice::from_raw_parts(dtype, base.add(at), n) }.expect("elements");
    let arguments: Vec<Argument<'_>> = call.inputs.iter().map(|given| given.argument(slice)).collect();
    // SAFETY: the slice is inside the arena, which is not used otherwise until the call returns.
    let place = unsafe { SliceMut::from_raw_parts(out, base.add(out_at), n) }.expect("elements");
    let result = call.run(&arguments, place);

    assert_eq!(result, wanted, "{call:?}, {n} elements, to {out_at}");
    if result.is_ok() {
        assert!(equal(out, &arena[out_range.clone()], &expected), "{call:?}, {n} elements, to {out_at}");
        assert!(out != DType::Bool || expected.iter().all(|byte| *byte < 2), "{call:?}");
    } else {
        assert!(arena == before, "{call:?}: written after {result:?}");
        let kept = normal(out, &before[out_range.clone()]);
        assert!(expected == kept, "{call:?}: a copy written after {result:?}");
    }
    assert!(arena[..out_at] == before[..out_at], "{call:?}, {n} elements, to {out_at}: written before");
    assert!(arena[out_range.end..] == before[out_range.end..], "{call:?}, {n} elements: written behind");

    let (beside, found) = copies(1);
    assert_eq!(beside, wanted, "{call:?}, {n} elements, not aligned");
    assert!(equal(out, &found, &expected), "{call:?}, {n} elements, not aligned");
});
