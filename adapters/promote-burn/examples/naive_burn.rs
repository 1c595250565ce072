//! Prints a table of time and memory beside the naive way: `cast`, then burn's own op, on one thread.
//!
//! `cargo run --release --example naive_burn`

use std::hint::black_box;

use burn_tensor::{DType, Device, FloatDType, Int, Tensor};
use promote_burn::{MixedKind, MixedOps};
use promote_measure::{allocations, paired, processor};

/// Prints a row, after a comparison of the values.
fn row<const D: usize, K: MixedKind>(
    name: &str,
    len: i64,
    naive: impl Fn() -> Tensor<D, K>,
    mixed: impl Fn() -> Tensor<D, K>,
) {
    let values = |tensor: Tensor<D, K>| tensor.try_into_vec_as::<f64>().expect("elements");
    assert_eq!(values(mixed()), values(naive()), "{name}");
    let both = paired(|| drop(black_box(mixed())), || drop(black_box(naive())));
    println!(
        "| {name} | {} Ki | {:.1} µs | {:.1} µs | {:.2} | {} B | {} B |",
        len >> 10,
        both.theirs / 1e3,
        both.ours / 1e3,
        both.ratio,
        allocations(naive).1.bytes,
        allocations(mixed).1.bytes,
    );
}

/// Returns a matrix of 64 columns.
fn numbers(len: i64, dtype: DType) -> Tensor<2> {
    let count = Tensor::<1, Int>::arange(0..len, &Device::flex());
    (count.cast(FloatDType::F32) / 64.0).cast(dtype).reshape([-1, 64])
}

fn main() {
    println!("{}\n", processor());
    println!("| op | elements | naive | `mixed_..` | ratio | naive allocates | `mixed_..` allocates |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for len in [4 << 10, 1 << 20] {
        let (halves, floats) = (numbers(len, DType::F16), numbers(len, DType::F32));
        let brains = numbers(len, DType::BF16);
        let integers = Tensor::<1, Int>::arange(0..len, (&Device::flex(), DType::I64)).reshape([-1, 64]);
        let line = halves.clone().narrow(0, 0, 1);
        let cast = |tensor: &Tensor<2>| tensor.clone().cast(FloatDType::F32);
        row(
            "F16 + F32",
            len,
            || cast(&halves) + floats.clone(),
            || halves.mixed_add(&floats).expect("a sum"),
        );
        row(
            "I64 + F32",
            len,
            || integers.clone().cast(FloatDType::F32) + floats.clone(),
            || integers.mixed_add(&floats).expect("a sum"),
        );
        row(
            "BF16 + F16",
            len,
            || cast(&brains) + cast(&halves),
            || brains.mixed_add(&halves).expect("a sum"),
        );
        row(
            "F16 < F32",
            len,
            || cast(&halves).lower(floats.clone()),
            || halves.mixed_lower(&floats).expect("a mask"),
        );
        row(
            "F32 · a row of F16",
            len,
            || floats.clone() * cast(&line),
            || floats.mixed_mul(&line).expect("a product"),
        );
    }
}
