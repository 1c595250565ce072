//! Integer division under the name `divide`: on types, on slices, at run time, at every level, and in the
//! scalar reference.

#![allow(clippy::float_cmp, reason = "these quotients are exact")]

use promote::{
    Argument, DType, Error, IterationConfig, IterationError, Level, Number, Op, Operand, RuleSet, weak,
};
use promote::{CallError, Kernel, ScalarValue, Slice, SliceMut};
use promote_reference::{Options, Value, evaluate};
use promote_runtime::__private::kernel::Enters;

use crate::aligned::Aligned;
use crate::floors::Floors;
use crate::sql::Sql;

#[test]
fn integers_divide_as_the_file_says() {
    assert_eq!((Sql::divide(7_i32, -2_i32), Floors::divide(7_i32, -2_i32)), (-3, -4));
    assert_eq!((Sql::divide(-7_i16, 2_i32), Floors::divide(-7_i16, 2_i32)), (-3, -4));
    assert_eq!(Sql::divide(7_i64, weak(-2)), -3_i64);
    assert_eq!(Sql::divide(i64::MIN, -1_i64), i64::MIN, "it wraps");
    assert_eq!(Floors::divide(7_i32, 0_i32), -1);
    assert_eq!(Floors::divide(7_u8, 0_u8), u8::MAX);
    assert_eq!(Sql::divide(7_i32, -2.0_f32), -3.5, "floats divide as ever");
    assert_eq!(Sql::divide(1.0_f64, 0.0_f64), f64::INFINITY);
}

#[test]
#[should_panic(expected = "divide: an integer is divided by zero")]
fn typed_division_of_an_integer_by_zero_panics() {
    let _ = Sql::divide(7_i32, 0_i32);
}

#[test]
fn slices_divide_alike_and_a_division_by_zero_leaves_the_output_untouched() {
    let (a, b) = ([7_i32, -7, i32::MIN, 9], [-2_i16, 2, -1, 3]);
    let mut out = [0_i32; 4];
    Sql::divide_into(&a, &b, &mut out).expect("no zeros");
    assert_eq!(out, [-3, -3, i32::MIN, 3]);
    Floors::divide_into(&a, &b, &mut out).expect("no zeros");
    assert_eq!(out, [-4, -4, i32::MIN, 3]);
    let zeros = [1_i16, 1, 0, 1];
    assert_eq!(Sql::divide_into(&a, &zeros, &mut out), Err(CallError::DivisionByZero));
    assert_eq!(out, [-4, -4, i32::MIN, 3], "untouched");
    Floors::divide_into(&a, &zeros, &mut out).expect("ones");
    assert_eq!(out, [7, -7, -1, 9]);
}

#[test]
fn the_run_time_divides_alike() {
    let rules = Sql::new().rule_set();
    let types = rules.op_types(Op::Divide, &[Operand::Array(DType::I16), Operand::Array(DType::I32)]);
    let types = types.expect("integers divide");
    assert_eq!((types.common, types.compute, types.output), (DType::I32, DType::I32, DType::I32));
    let (a, mut out) = ([7_i32, -7, 1], [5_i32; 3]);
    let divided = |rules: RuleSet, by: Argument<'_>, out: &mut [i32; 3]| {
        rules.binary(Op::Divide, Argument::from(&a[..]), by, SliceMut::new(out))
    };
    divided(rules, Argument::from(Number::Int(2)), &mut out).expect("not by zero");
    assert_eq!(out, [3, -3, 0]);
    for zero in [Argument::from(Number::Int(0)), Argument::from(&[1_i32, 0, 1][..])] {
        let refused = divided(rules, zero, &mut out);
        assert!(matches!(refused, Err(Error::Call(CallError::DivisionByZero))), "{refused:?}");
        assert_eq!(out, [3, -3, 0], "untouched");
    }
    rules
        .binary_in_place(Op::Divide, SliceMut::new(&mut out), Argument::from(Number::Int(-2)))
        .expect("not by zero");
    assert_eq!(out, [-1, 1, 0]);
    divided(Floors::new().rule_set(), Argument::from(Number::Int(0)), &mut out).expect("ones");
    assert_eq!(out, [-1; 3]);
}

/// Numbers next to the ends of a dtype and to zero.
fn elements(dtype: DType) -> Vec<ScalarValue> {
    let (low, high): (i128, i128) = match dtype {
        DType::U8 => (0, u8::MAX.into()),
        DType::U32 => (0, u32::MAX.into()),
        DType::U64 => (0, u64::MAX.into()),
        DType::I8 => (i8::MIN.into(), i8::MAX.into()),
        DType::I16 => (i16::MIN.into(), i16::MAX.into()),
        DType::I32 => (i32::MIN.into(), i32::MAX.into()),
        _ => (i64::MIN.into(), i64::MAX.into()),
    };
    let near = [low, low + 1, low / 2 - 1, -7, -2, -1, 0, 1, 2, 3, 7, 100, high / 3, high - 1, high];
    let held = near.into_iter().filter(|x| (low..=high).contains(x));
    held.map(|x| ScalarValue::from_number(Number::Int(x), dtype).expect("an element")).collect()
}

/// Compares the results of every pair of elements, without divisions by zero if these are errors.
fn compare(rules: RuleSet, op: Op, level: Level, a: DType, b: DType) -> usize {
    let types = rules.op_types(op, &[Operand::Array(a), Operand::Array(b)]).expect("integers divide");
    let lanes = |x| elements(b).into_iter().map(move |y| (x, y));
    let lanes: Vec<_> = elements(a).into_iter().flat_map(lanes).collect();
    let lane = |(x, y): (ScalarValue, ScalarValue)| {
        evaluate(&rules, op, &[Value::Array(x), Value::Array(y)], &Options::default()).ok().map(|z| (x, y, z))
    };
    let expected: Vec<_> = lanes.into_iter().filter_map(lane).collect();
    let column = |take: fn(&(ScalarValue, ScalarValue, ScalarValue)) -> ScalarValue| {
        Aligned::of(&expected.iter().map(take).collect::<Vec<_>>())
    };
    let (x, y) = (column(|lane| lane.0), column(|lane| lane.1));
    let table = rules.tables().ops.iter().find(|table| table.op == op).expect("an op of the set");
    let kernel = table.kernel.expect("an op with kernels");
    let operands = ((a, Enters::Common), (b, Enters::Common));
    let blocked =
        Kernel::find_pipeline(level, promote::__private::KERNELS, kernel, operands.0, operands.1, types);
    for kernel in [rules.kernel_at(level, op, a, b).expect("a kernel"), blocked.expect("a kernel")] {
        let mut out = Aligned::new(expected.len() * types.output.size().expect("whole bytes"));
        let slice = |dtype, bytes| Slice::from_bytes(dtype, bytes).expect("whole elements");
        let target = SliceMut::from_bytes(types.output, out.bytes_mut()).expect("whole elements");
        kernel.call_slices(slice(a, x.bytes()), slice(b, y.bytes()), target).expect("no zeros");
        for ((x, y, wanted), found) in expected.iter().zip(out.values(types.output)) {
            let (wanted, found) = (wanted.number(), found.number());
            assert_eq!(
                found,
                wanted,
                "{op} of {:?} and {:?} in {a} and {b} at {level}",
                x.number(),
                y.number()
            );
        }
    }
    expected.len()
}

#[test]
fn kernels_of_every_level_divide_as_the_reference_does() {
    let integers = [DType::U8, DType::I8, DType::I16, DType::I32, DType::U32, DType::I64, DType::U64];
    let mut lanes = 0;
    for rules in [Sql::new().rule_set(), Floors::new().rule_set()] {
        for op in [Op::Divide, Op::FloorDivide, Op::DivideTrunc] {
            for level in Level::ALL.iter().copied().filter(|level| *level <= Level::best()) {
                for a in integers {
                    lanes += integers.iter().map(|&b| compare(rules, op, level, a, b)).sum::<usize>();
                }
            }
        }
    }
    assert!(lanes > 10_000, "only {lanes} lanes");
}

#[test]
fn an_iteration_finds_no_float_for_integers_that_divide_as_integers() {
    let (rules, array) = (Sql::new().rule_set(), [1_i32, 2]);
    let mut config = IterationConfig::new();
    config.add_input(&array[..]).add_input(&array[..]).promote_inputs_to_common_dtype(true);
    config.add_new_output().promote_integer_inputs_to_float(true);
    let refused = config.build(&rules).err();
    assert_eq!(refused, Some(Error::Iteration(IterationError::NoFloat { common: DType::I32 })));
    let iteration = config.lowest_dtype(DType::F32).build(&rules).expect("a float");
    assert_eq!(iteration.common_dtype(), Some(DType::F64));
}
