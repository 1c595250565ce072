//! Prints a table of time and memory beside the naive way: `to_dtype`, then candle's own op.
//!
//! `cargo run --release --example naive_candle`

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};

use candle_core::{DType, Device, Result, Tensor};
use promote_candle::MixedOps;

/// The system's allocator, which counts the bytes that are allocated.
struct Counting;

static ALLOCATED: AtomicUsize = AtomicUsize::new(0);

// SAFETY: all memory is that of the system's allocator, which is called as the caller promises.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATED.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        ALLOCATED.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATED.fetch_add(size, Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Returns the bytes that a call allocates.
fn allocated(call: impl Fn() -> Result<Tensor>) -> Result<usize> {
    let before = ALLOCATED.load(Ordering::Relaxed);
    let result = call()?;
    let bytes = ALLOCATED.load(Ordering::Relaxed) - before;
    drop(result);
    Ok(bytes)
}

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
            let both = promote_measure::paired(
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
                allocated(naive)?,
                allocated(mixed)?,
            );
        }
    }
    Ok(())
}

/// Returns the processor's name, where Linux tells it.
fn processor() -> String {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    name.map_or("unknown processor", |(_, name)| name.trim()).to_owned()
}
