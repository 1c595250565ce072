//! Prints time and memory of sums of mixed dtypes, compared with a cast and ndarray's own `+`.
//!
//! `cargo run --release --example naive_ndarray` prints the table of the README.

use std::hint::black_box;
use std::time::{Duration, Instant};

use ndarray::{Array1, Array2};
use promote::Torch;
use promote::half::f16;
use promote_measure::allocations;
use promote_ndarray::NdOps;

/// Returns the shortest time of a call, from many runs that alternate with those of another.
fn times<T, U>(ours: &dyn Fn() -> T, naive: &dyn Fn() -> U, elements: usize) -> (Duration, Duration) {
    let repeats = (1_usize << 20).div_ceil(elements).min(64);
    let one = |call: &dyn Fn()| {
        let start = Instant::now();
        for _ in 0..repeats {
            call();
        }
        start.elapsed() / u32::try_from(repeats).unwrap_or(1)
    };
    let mut best = (Duration::MAX, Duration::MAX);
    for _ in 0..100 {
        best.0 = best.0.min(one(&|| drop(black_box(ours()))));
        best.1 = best.1.min(one(&|| drop(black_box(naive()))));
    }
    best
}

/// Prints a row, after comparing the values.
fn row<T, D>(
    name: &str,
    elements: usize,
    ours: &dyn Fn() -> ndarray::Array<T, D>,
    naive: &dyn Fn() -> ndarray::Array<T, D>,
) where
    T: PartialEq + std::fmt::Debug,
    D: ndarray::Dimension,
{
    assert_eq!(ours(), naive(), "{name}");
    let (time, naive_time) = times(ours, naive, elements);
    let ratio = naive_time.as_secs_f64() / time.as_secs_f64();
    println!(
        "| {name} | {elements} | {:.1} µs | {:.1} µs | {ratio:.1} | {} KiB | {} KiB |",
        time.as_secs_f64() * 1e6,
        naive_time.as_secs_f64() * 1e6,
        allocations(ours).1.bytes / 1024,
        allocations(naive).1.bytes / 1024,
    );
}

fn main() {
    println!("| sum | elements | promote | cast, then `+` | ratio | allocated | by the naive way |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for n in [4 << 10, 1 << 20] {
        let bytes = Array1::from_shape_fn(n, |i| u8::try_from(i % 256).unwrap().cast_signed());
        let halves = bytes.mapv(|x| f16::from_f32(f32::from(x) / 8.0));
        let floats = bytes.mapv(|x| f32::from(x) / 16.0);
        row("i8 + f32", n, &|| Torch::add_nd(&bytes, &floats).unwrap(), &|| bytes.mapv(f32::from) + &floats);
        row("f16 + f32", n, &|| Torch::add_nd(&halves, &floats).unwrap(), &|| {
            halves.mapv(f32::from) + &floats
        });
        let whole = bytes.mapv(i8::cast_unsigned);
        row("u8 + i8, an i16", n, &|| Torch::add_nd(&whole, &bytes).unwrap(), &|| {
            whole.mapv(i16::from) + bytes.mapv(i16::from)
        });
        row("f32 + i8", n, &|| Torch::add_nd(&floats, &bytes).unwrap(), &|| &floats + bytes.mapv(f32::from));
        let side = n.isqrt();
        let square = |a: &Array1<i8>| a.clone().into_shape_with_order((side, side)).unwrap();
        let (matrix, other): (Array2<i8>, Array2<f32>) = (square(&bytes), square(&bytes).mapv(f32::from));
        let transposed = matrix.t();
        row("i8, transposed, + f32", n, &|| Torch::add_nd(transposed, &other).unwrap(), &|| {
            transposed.mapv(f32::from) + &other
        });
        let line = floats.slice(ndarray::s![..side]);
        row("i8 + f32, a row", n, &|| Torch::add_nd(&matrix, line).unwrap(), &|| {
            matrix.mapv(f32::from) + line
        });
    }
}
