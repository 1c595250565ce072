//! The library through which `run.py` times kernels in its own process, on its own arrays.
//!
//! A call is that of a framework's backend: rule set, op and dtypes are known at run time, and the kernel is
//! looked up each time.

use std::ffi::{CStr, CString, c_char};
use std::hint::black_box;
use std::sync::OnceLock;
use std::time::Instant;

use promote::{Argument, DType, Level, Op, RuleSet, TensorView, TensorViewMut};

/// An array that Python passes: the name of its dtype, and its elements.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Array {
    /// The canonical name, or null if there is no such array.
    dtype: *const c_char,
    /// The element whose indices are all 0.
    data: *mut u8,
    rank: usize,
    shape: *const usize,
    /// The strides in bytes.
    strides: *const isize,
}

/// The errors of a call: `promote_time` returns the negative number.
#[repr(u8)]
enum Mistake {
    /// There is no such rule set, op or dtype.
    Name = 1,
    /// The rule set refuses the call, or its result has another dtype than `out`.
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

/// Returns the text at a pointer.
///
/// # Safety
///
/// The pointer leads to bytes that end with a zero and do not change for `'a`.
unsafe fn text<'a>(pointer: *const c_char) -> &'a str {
    // SAFETY: as the caller promises.
    unsafe { CStr::from_ptr(pointer) }.to_str().unwrap_or_default()
}

impl Array {
    /// Returns the dtype, the shape and the strides.
    ///
    /// # Safety
    ///
    /// The name is a text; there are as many lengths and strides as the rank says, which nobody changes
    /// during `'a`.
    unsafe fn layout<'a>(self) -> Option<(DType, &'a [usize], &'a [isize])> {
        // SAFETY: as the caller promises.
        let dtype: DType = unsafe { text(self.dtype) }.parse().ok()?;
        if self.rank == 0 {
            // The pointers may be dangling.
            return Some((dtype, &[], &[]));
        }
        // SAFETY: as the caller promises.
        let shape = unsafe { std::slice::from_raw_parts(self.shape, self.rank) };
        // SAFETY: as the caller promises.
        let strides = unsafe { std::slice::from_raw_parts(self.strides, self.rank) };
        Some((dtype, shape, strides))
    }
}

/// Returns the name of the SIMD level in use, a text that ends with a zero.
#[unsafe(no_mangle)]
pub extern "C" fn promote_level() -> *const c_char {
    static NAME: OnceLock<CString> = OnceLock::new();
    NAME.get_or_init(|| CString::new(Level::active().to_string()).unwrap_or_default()).as_ptr()
}

/// Returns the nanoseconds of `calls` calls of an op under a rule set, or a negative error (1: unknown name,
/// 2: refused). A reduction or a scan is along `axis`, or if that is null along all axes.
///
/// # Safety
///
/// The names are texts that end with a zero; `inputs` points to `count` arrays; shapes and strides of these
/// and of `out` lead to elements of their dtypes, which nobody else touches during the call; `axis` is null
/// or points to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn promote_time(
    set: *const c_char,
    op: *const c_char,
    inputs: *const Array,
    count: usize,
    out: Array,
    axis: *const isize,
    calls: u64,
) -> f64 {
    let name = -f64::from(Mistake::Name as u8);
    // SAFETY: as the caller promises.
    let (set, op) = unsafe { (text(set), text(op)) };
    let (Some(rules), Ok(op)) = (rules(set), op.parse::<Op>()) else { return name };
    // SAFETY: as the caller promises.
    let inputs = unsafe { std::slice::from_raw_parts(inputs, count) };
    let mut views = Vec::new();
    for array in inputs {
        // SAFETY: as the caller promises.
        let Some((dtype, shape, strides)) = (unsafe { array.layout() }) else { return name };
        // SAFETY: as the caller promises.
        let Ok(view) = (unsafe { TensorView::from_raw_parts(dtype, array.data, shape, strides) }) else {
            return name;
        };
        views.push(view);
    }
    let operands: Vec<Argument<'_>> = views.iter().map(Argument::from).collect();
    // SAFETY: as the caller promises.
    let Some((dtype, shape, strides)) = (unsafe { out.layout() }) else { return name };
    // SAFETY: as the caller promises.
    let axis = unsafe { axis.as_ref() };
    let mut call = || {
        // SAFETY: as the caller promises; a call is over before the next one begins.
        let out = unsafe { TensorViewMut::from_raw_parts(dtype, out.data, shape, strides) };
        let call = rules.prepare(op, &operands);
        axis.map_or(call, |axis| call.axis(*axis)).out(out.ok()?).run().ok()
    };
    let start = Instant::now();
    for _ in 0..calls {
        if black_box(&mut call)().is_none() {
            return -f64::from(Mistake::Refused as u8);
        }
    }
    start.elapsed().as_secs_f64() * 1e9
}
