//! Random columns, nulls and slices, compared with a computation of one row at a time.

use super::*;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Int32Type};
use arrow_array::{Array, Float32Array, Int8Array, Int32Array};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use fastrand::Rng;
use promote::Op;
use promote_arrow::{arrow_buffer, call, if_else};

/// A column with its offset: `None` where a row is null, though there is a value under the null.
struct Column<A> {
    array: A,
    rows: Vec<Option<i32>>,
}

/// Returns random nulls, or none; and the part of a column that is used.
fn shape(random: &mut Rng, len: usize, offset: usize) -> (usize, Option<NullBuffer>) {
    let all = len + offset + random.usize(..9);
    let density = random.f64();
    let nulls = random.bool().then(|| (0..all).map(|_| random.f64() < density).collect::<Vec<_>>().into());
    (all, nulls)
}

fn column<A: Array + Clone>(
    random: &mut Rng,
    len: usize,
    value: fn(&mut Rng) -> i8,
    make: impl FnOnce(&[i8], Option<NullBuffer>) -> A,
    slice: impl FnOnce(&A, usize, usize) -> A,
) -> Column<A> {
    let offset = random.usize(..80);
    let (all, nulls) = shape(random, len, offset);
    let values: Vec<i8> = (0..all).map(|_| value(random)).collect();
    let rows = (offset..offset + len).map(|i| {
        nulls.as_ref().is_none_or(|nulls: &NullBuffer| nulls.is_valid(i)).then_some(i32::from(values[i]))
    });
    let rows = rows.collect();
    Column { array: slice(&make(&values, nulls), offset, len), rows }
}

fn bytes(random: &mut Rng, len: usize) -> Column<Int8Array> {
    let make = |values: &[i8], nulls| Int8Array::new(values.to_vec().into(), nulls);
    column(random, len, |random| random.i8(..), make, Int8Array::slice)
}

fn floats(random: &mut Rng, len: usize) -> Column<Float32Array> {
    let make = |values: &[i8], nulls| {
        Float32Array::new(values.iter().map(|x| f32::from(*x)).collect::<Vec<_>>().into(), nulls)
    };
    column(random, len, |random| random.i8(..), make, Float32Array::slice)
}

/// Divisors, of which many are 0.
fn divisors(random: &mut Rng, len: usize) -> Column<Int32Array> {
    let make = |values: &[i8], nulls| {
        Int32Array::new(values.iter().map(|x| i32::from(*x)).collect::<Vec<_>>().into(), nulls)
    };
    column(random, len, |random| random.i8(-2..3), make, Int32Array::slice)
}

fn mask(random: &mut Rng, len: usize) -> Column<BooleanArray> {
    let make = |values: &[i8], nulls| {
        let bits: Vec<bool> = values.iter().map(|x| *x != 0).collect();
        BooleanArray::new(BooleanBuffer::from(bits), nulls)
    };
    column(random, len, |random| random.i8(0..2), make, BooleanArray::slice)
}

fn both<T>(a: &[Option<i32>], b: &[Option<i32>], f: impl Fn(i32, i32) -> T) -> Vec<Option<T>> {
    a.iter().zip(b).map(|(a, b)| Some(f((*a)?, (*b)?))).collect()
}

#[test]
fn random_columns_equal_one_row_at_a_time() {
    let mut random = Rng::with_seed(59);
    let [torch, numpy] = rule_sets();
    let mut lengths = vec![0, 1, 7, 64, 65, 1000, 4095, 4096, 4097, 9000];
    lengths.extend((0..300).map(|_| random.usize(..200)));
    for len in lengths {
        let (a, b, m) = (bytes(&mut random, len), floats(&mut random, len), mask(&mut random, len));
        let d = divisors(&mut random, len);

        let sum = call(&torch, Op::Add, &[(&a.array).into(), (&b.array).into()]).unwrap();
        let expected: Float32Array = both(&a.rows, &b.rows, |a, b| (a + b) as f32).into();
        assert_eq!(*sum, expected);

        let less = call(&torch, Op::Less, &[(&b.array).into(), (&a.array).into()]).unwrap();
        assert_eq!(*less, BooleanArray::from(both(&b.rows, &a.rows, |b, a| b < a)));

        let product = call(&torch, Op::Multiply, &[(&m.array).into(), (&a.array).into()]).unwrap();
        let expected: Int8Array = both(&m.rows, &a.rows, |m, a| i8::try_from(m * a).unwrap()).into();
        assert_eq!(*product, expected);

        let chosen = if_else(&torch, &m.array, &a.array, &b.array).unwrap();
        let rows = m.rows.iter().zip(a.rows.iter().zip(&b.rows));
        let expected: Vec<_> = rows.map(|(m, (a, b))| if *m == Some(1) { *a } else { *b }).collect();
        let expected: Float32Array = expected.into_iter().map(|x| x.map(|x| x as f32)).collect();
        assert_eq!(chosen.as_primitive::<Float32Type>(), &expected);

        // Divisors that are 0 are refused if a row has one that is not null.
        let quotients = call(&torch, Op::FloorDivide, &[(&a.array).into(), (&d.array).into()]);
        let trapped = a.rows.iter().zip(&d.rows).any(|(a, d)| a.is_some() && *d == Some(0));
        assert_eq!(quotients.is_err(), trapped, "{quotients:?}");
        let floor = |a: i32, d: i32| if d == 0 { 0 } else { (f64::from(a) / f64::from(d)).floor() as i32 };
        let floors: Int32Array = both(&a.rows, &d.rows, floor).into();
        if let Ok(quotients) = quotients {
            assert_eq!(quotients.as_primitive::<Int32Type>(), &floors);
        }
        // NumPy gives 0 there.
        let quotients = call(&numpy, Op::FloorDivide, &[(&a.array).into(), (&d.array).into()]).unwrap();
        assert_eq!(*quotients, floors);
    }
}
