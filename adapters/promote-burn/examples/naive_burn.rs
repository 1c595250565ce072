//! Prints a table of time and memory beside the naive way: `cast`, then burn's own op, on one thread.
//!
//! `cargo run --release --example naive_burn`

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};

use burn_tensor::{DType, Device, FloatDType, Int, Tensor};
use promote_burn::{MixedKind, MixedOps};

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
fn allocated<T>(call: impl Fn() -> T) -> usize {
    let before = ALLOCATED.load(Ordering::Relaxed);
    let result = call();
    let bytes = ALLOCATED.load(Ordering::Relaxed) - before;
    drop(result);
    bytes
}

/// Prints a row, after a comparison of the values.
fn row<const D: usize, K: MixedKind>(
    name: &str,
    len: i64,
    naive: impl Fn() -> Tensor<D, K>,
    mixed: impl Fn() -> Tensor<D, K>,
) {
    let values = |tensor: Tensor<D, K>| tensor.try_into_vec_as::<f64>().expect("elements");
    assert_eq!(values(mixed()), values(naive()), "{name}");
    let both = promote_measure::paired(|| drop(black_box(mixed())), || drop(black_box(naive())));
    println!(
        "| {name} | {} Ki | {:.1} µs | {:.1} µs | {:.2} | {} B | {} B |",
        len >> 10,
        both.theirs / 1e3,
        both.ours / 1e3,
        both.ratio,
        allocated(naive),
        allocated(mixed),
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

/// Returns the processor's name, where Linux tells it.
fn processor() -> String {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    name.map_or("unknown processor", |(_, name)| name.trim()).to_owned()
}
