//! The door through which `run.py` times our kernels in its own process, on its own arrays.
//!
//! A call is what a framework's back end would make: rule set, op and dtypes known at run time, the kernel found each time.

use std::ffi::{CStr, c_char};
use std::hint::black_box;
use std::time::Instant;

use promote::kernel::{SliceMut, SliceRef};
use promote::{Argument, DType, Op, RuleSet};

/// An array as Python hands it over: the name of its dtype, and its elements.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Array {
    /// The canonical name, or null where there is no such array.
    dtype: *const c_char,
    data: *mut u8,
}

/// What can be wrong with a call: the negative of the result of `promote_time`.
#[repr(u8)]
enum Mistake {
    /// No such rule set, op or dtype.
    Name = 1,
    /// The rule set refuses, or gives another dtype than that of `out`.
    Refused = 2,
}

fn rules(name: &str) -> Option<RuleSet> {
    Some(match name {
        "jax" => promote::Jax::new().rule_set(),
        "numpy" => promote::NumPy::new().rule_set(),
        "torch" => promote::Torch::new().rule_set(),
        _ => return None,
    })
}

/// The text behind a pointer.
///
/// # Safety
///
/// It points to bytes that end with a zero and stay as they are for `'a`.
unsafe fn text<'a>(pointer: *const c_char) -> &'a str {
    // SAFETY: as the caller promises.
    unsafe { CStr::from_ptr(pointer) }.to_str().unwrap_or_default()
}

/// The elements of an array.
///
/// # Safety
///
/// The name is a text; the data hold `n` elements of that dtype, aligned, which nobody changes during `'a`.
unsafe fn input<'a>(array: Array, n: usize) -> Option<Argument<'a>> {
    // SAFETY: as the caller promises.
    let dtype: DType = unsafe { text(array.dtype) }.parse().ok()?;
    // SAFETY: as the caller promises.
    let bytes = unsafe { std::slice::from_raw_parts(array.data, n * dtype.size()?) };
    Some(Argument::Array(SliceRef::from_bytes(dtype, bytes).ok()?))
}

/// Nanoseconds of `calls` calls of an op over `n` elements, under a rule set; a negative mistake where it cannot be called (1: a name, 2: refused).
///
/// # Safety
///
/// The names are texts that end with a zero; `inputs` points to `count` arrays of `n` elements, `out` has room for `n` elements of
/// its dtype, all of them aligned; `out` overlaps no input.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn promote_time(
    set: *const c_char,
    op: *const c_char,
    inputs: *const Array,
    count: usize,
    out: Array,
    n: usize,
    calls: u64,
) -> f64 {
    let name = -f64::from(Mistake::Name as u8);
    // SAFETY: as the caller promises.
    let (set, op) = unsafe { (text(set), text(op)) };
    let (Some(rules), Ok(op)) = (rules(set), op.parse::<Op>()) else { return name };
    // SAFETY: as the caller promises.
    let inputs = unsafe { std::slice::from_raw_parts(inputs, count) };
    let mut operands = Vec::new();
    for array in inputs {
        // SAFETY: as the caller promises.
        let Some(operand) = (unsafe { input(*array, n) }) else { return name };
        operands.push(operand);
    }
    // SAFETY: as the caller promises.
    let Ok(dtype) = unsafe { text(out.dtype) }.parse::<DType>() else { return name };
    let Some(size) = dtype.size() else { return name };
    // SAFETY: as the caller promises.
    let bytes = unsafe { std::slice::from_raw_parts_mut(out.data, n * size) };
    let mut call = || {
        let out = SliceMut::from_bytes(dtype, bytes).ok()?;
        rules.elementwise(op, &operands, out).ok()
    };
    let start = Instant::now();
    for _ in 0..calls {
        if black_box(&mut call)().is_none() {
            return -f64::from(Mistake::Refused as u8);
        }
    }
    start.elapsed().as_secs_f64() * 1e9
}
