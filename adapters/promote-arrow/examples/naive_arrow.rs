//! Compares calls with the naive way: Arrow's `cast` where types differ, then Arrow's own kernel.
//!
//! `cargo run --release --example naive_arrow` prints the time of a call and the memory that it allocates.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "figures that are printed, and small numbers"
)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use arrow_arith::numeric;
use arrow_array::types::{Float16Type, Float32Type, Float64Type, Int8Type, Int64Type};
use arrow_array::{ArrayRef, ArrowPrimitiveType, BooleanArray, Float32Array, PrimitiveArray};
use arrow_cast::cast;
use arrow_ord::cmp;
use arrow_select::zip::zip;
use promote::{Op, Torch};
use promote_arrow::{arrow_array, call, if_else, promote};
use promote_measure::{Allocations, allocations, processor};

/// Returns the least time of a call in nanoseconds, of several samples of about a millisecond each.
fn time(run: &dyn Fn() -> ArrayRef) -> f64 {
    let calls = |n: u32| {
        let start = Instant::now();
        for _ in 0..n {
            black_box(run());
        }
        start.elapsed().as_secs_f64() * 1e9 / f64::from(n)
    };
    let n = (1e6 / calls(10).max(1.0)).clamp(1.0, 1e6) as u32;
    (0..100).map(|_| calls(n)).fold(f64::INFINITY, f64::min)
}

/// Makes a column of small numbers.
fn column<T: ArrowPrimitiveType>(len: usize, value: impl Fn(i8) -> T::Native) -> ArrayRef {
    let values = (0..len).map(|i| value((i % 100) as i8));
    Arc::new(PrimitiveArray::<T>::from_iter_values(values))
}

/// A way to compute a result from a mask and two columns.
type Way<'a> = &'a dyn Fn(&BooleanArray, &ArrayRef, &ArrayRef) -> ArrayRef;

/// Measures two ways, which give equal results, and prints a row of the table.
fn compare(name: &str, rows: usize, a: &ArrayRef, b: &ArrayRef, naive: Way<'_>, ours: Way<'_>) {
    let mask: BooleanArray = (0..rows).map(|i| Some(i % 3 == 0)).collect();
    let (naive, ours) = (|| naive(&mask, a, b), || ours(&mask, a, b));
    assert_eq!(&naive(), &ours());
    let (naive, ours) = ((time(&naive), allocations(naive).1), (time(&ours), allocations(ours).1));
    let cell = |(time, found): (f64, Allocations)| {
        let (total, peak) = (found.bytes as f64 / 1024.0, found.peak as f64 / 1024.0);
        format!("{:.1} µs, {total:.1} KiB, {peak:.1} KiB", time / 1e3)
    };
    let (rows, ratio) = (rows / 1024, naive.0 / ours.0);
    println!("| {name} | {rows} Ki | {} | {} | {ratio:.2} |", cell(naive), cell(ours));
}

fn main() {
    let rules = Torch::new().rule_set();
    println!("processor: {}, level {:?}\n", processor(), promote::Level::active());
    println!("| operation | rows | naive: time, allocated, peak | promote: time, allocated, peak | ratio |");
    println!("| --- | --- | --- | --- | --- |");
    // PyTorch gives the type of the float column for each of these pairs.
    let to_right = |a: &ArrayRef, b: &ArrayRef| cast(a, b.data_type()).expect("a cast that Arrow has");
    let op = |op, a: &ArrayRef, b: &ArrayRef| {
        call(&rules, op, &[a.into(), b.into()]).expect("a pair that promotes")
    };
    for rows in [4096, 8192, 1 << 20] {
        let add = |name, a: ArrayRef, b: ArrayRef| {
            let naive: Way<'_> = &|_, a, b| numeric::add(&to_right(a, b), b).expect("arrays of one type");
            compare(name, rows, &a, &b, naive, &|_, a, b| op(Op::Add, a, b));
        };
        let (bytes, floats) = (column::<Int8Type>(rows, |x| x), column::<Float32Type>(rows, f32::from));
        add("Float32 + Float32", floats.clone(), floats.clone());
        add("Int8 + Float32", bytes.clone(), floats.clone());
        add("Float16 + Float32", column::<Float16Type>(rows, half::f16::from), floats.clone());
        let doubles = column::<Float64Type>(rows, f64::from);
        add("Int64 + Float64", column::<Int64Type>(rows, i64::from), doubles);
        let number = Float32Array::new_scalar(2.5);
        let times = |name, a: &ArrayRef| {
            let naive: Way<'_> =
                &|_, a, b| numeric::mul(&to_right(a, b), &number).expect("arrays of one type");
            let ours: Way<'_> =
                &|_, a, _| call(&rules, Op::Multiply, &[a.into(), 2.5.into()]).expect("a pair that promotes");
            compare(name, rows, a, &floats, naive, ours);
        };
        times("Float32 * 2.5", &floats);
        times("Int8 * 2.5", &bytes);
        let naive: Way<'_> = &|_, a, b| Arc::new(cmp::lt(&to_right(a, b), b).expect("arrays of one type"));
        compare("Int8 < Float32", rows, &bytes, &floats, naive, &|_, a, b| op(Op::Less, a, b));
        let naive: Way<'_> = &|mask, a, b| zip(mask, &to_right(a, b), b).expect("arrays of one type");
        let ours: Way<'_> = &|mask, a, b| if_else(&rules, mask, a, b).expect("a pair that promotes");
        compare("if_else of Int8 and Float32", rows, &bytes, &floats, naive, ours);
    }
}
