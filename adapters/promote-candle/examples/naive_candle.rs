//! Prints a table of time and memory beside the naive way: `to_dtype`, then candle's own op.
//!
//! `cargo run --release --example naive_candle`

use std::hint::black_box;

use candle_core::{DType, Device, Result, Tensor};
use promote_candle::MixedOps;
use promote_measure::{allocations, paired, processor};

fn numbers(dtype: DType, len: u32) -> Result<Tensor> {
    (Tensor::arange(0, len, &Device::Cpu)?.to_dtype(DType::F32)? / 64.0)?.to_dtype(dtype)
}

fn main() -> Result<()> {
    println!("{}\n", processor());
    println!("| sum | elements | naive | `mixed_add` | ratio | naive allocates | `mixed_add` allocates |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (a, b) in [(DType::F16, DType::F32), (DType::I64, DType::F32)] {
        for len in [4 << 10, 1 << 20] {
            let (x, y) = (numbers(a, len)?, numbers(b, len)?);
            let mixed = || x.mixed_add(&y);
            let naive = || x.to_dtype(b)? + &y;
            assert_eq!(mixed()?.to_vec1::<f32>()?, naive()?.to_vec1::<f32>()?);
            let both = paired(
                || drop(black_box(mixed().expect("a sum"))),
                || drop(black_box(naive().expect("a sum"))),
            );
            println!(
                "| {} + {} | {} Ki | {:.1} µs | {:.1} µs | {:.2} | {} B | {} B |",
                a.as_str(),
                b.as_str(),
                len >> 10,
                both.theirs / 1e3,
                both.ours / 1e3,
                both.ratio,
                allocations(naive).1.bytes,
                allocations(mixed).1.bytes,
            );
        }
    }
    Ok(())
}
