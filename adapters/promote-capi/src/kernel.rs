//! Kernels that are looked up once and called often.

use std::ffi::c_void;

use arrayvec::ArrayVec;
use promote::{Argument, CallError, CastKernel, DType, Kernel, PromoteError, Slice, SliceMut};

use crate::error::{Failure, PromoteStatus, guard};
use crate::names::{PromoteDType, PromoteOp, dtype, dtype_number, op};
use crate::operand::{PROMOTE_MAX_INPUTS, PromoteOperand, PromoteOutput, arguments};
use crate::pointer::{Place, get, list};
use crate::rules::{PromoteRules, rules};

/// A kernel for inputs and an output of fixed dtypes. All threads may use it at once.
pub struct PromoteKernel {
    held: Held,
    inputs: ArrayVec<DType, PROMOTE_MAX_INPUTS>,
    output: DType,
}

enum Held {
    Op(Kernel),
    Cast(CastKernel),
}

const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<PromoteKernel>();
};

/// The dtypes of a kernel.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PromoteKernelInfo {
    /// The number of inputs: the operands of the op, then its extra inputs, such as the condition of `where`.
    pub count: usize,
    /// The dtype of each input; those after `count` are -1.
    pub inputs: [PromoteDType; PROMOTE_MAX_INPUTS],
    /// The dtype of the output.
    pub output: PromoteDType,
}

/// Looks up the kernel of an op on arrays of these dtypes, one for each operand of the op. Extra inputs, such
/// as the condition of `where`, have no dtype here; `promote_kernel_info` tells theirs.
///
/// # Safety
///
/// `rules` is null or comes from this library. `dtypes` is null or points to `count` numbers. `kernel` is
/// null or points to memory for a pointer, which is set to a kernel that `promote_kernel_free` frees.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn promote_kernel_new(
    rules: *const PromoteRules,
    op: PromoteOp,
    dtypes: *const PromoteDType,
    count: usize,
    kernel: *mut *mut PromoteKernel,
) -> PromoteStatus {
    guard(|| {
        // SAFETY: as the caller promises.
        let (rules, dtypes, place) =
            unsafe { (self::rules(rules)?, list(dtypes, count, "dtypes")?, Place::new(kernel, "kernel")?) };
        let op = self::op(op)?;
        let kernel = match *dtypes {
            [a] => rules.unary_kernel(op, dtype(a)?)?,
            [a, b] => rules.kernel(op, dtype(a)?, dtype(b)?)?,
            _ => return Err(PromoteError::Arity { op: Some(op), expected: op.arity(), found: count }.into()),
        };
        let inputs = (0..kernel.inputs()).map(|i| kernel.input_dtype(i)).collect();
        let [.., output] = kernel.dtypes();
        place.write(Box::into_raw(Box::new(PromoteKernel { held: Held::Op(kernel), inputs, output })));
        Ok(())
    })
}

/// Looks up the kernel of a cast. Integers wrap, floats are rounded to nearest even, and the rule set decides
/// what a float becomes that an integer dtype cannot hold.
///
/// # Safety
///
/// As for `promote_kernel_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn promote_kernel_new_cast(
    rules: *const PromoteRules,
    from: PromoteDType,
    to: PromoteDType,
    kernel: *mut *mut PromoteKernel,
) -> PromoteStatus {
    guard(|| {
        // SAFETY: as the caller promises.
        let (rules, place) = unsafe { (self::rules(rules)?, Place::new(kernel, "kernel")?) };
        let (from, to) = (dtype(from)?, dtype(to)?);
        let held = Held::Cast(rules.cast_kernel(from, to)?);
        let inputs = ArrayVec::from_iter([from]);
        place.write(Box::into_raw(Box::new(PromoteKernel { held, inputs, output: to })));
        Ok(())
    })
}

/// Frees a kernel. Null is ignored.
///
/// # Safety
///
/// `kernel` is null, or comes from `promote_kernel_new` or `promote_kernel_new_cast` and is not used any
/// more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn promote_kernel_free(kernel: *mut PromoteKernel) {
    if !kernel.is_null() {
        guard(|| {
            // SAFETY: the pointer comes from a box, and the caller gives it up.
            drop(unsafe { Box::from_raw(kernel) });
            Ok(())
        });
    }
}

/// Tells the dtypes of a kernel.
///
/// # Safety
///
/// `kernel` is null or was not freed. `info` is null or points to memory for a `PromoteKernelInfo`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn promote_kernel_info(
    kernel: *const PromoteKernel,
    info: *mut PromoteKernelInfo,
) -> PromoteStatus {
    guard(|| {
        // SAFETY: as the caller promises; nothing writes to kernels.
        let (kernel, info) = unsafe { (get(kernel, "kernel")?, Place::new(info, "info")?) };
        let mut inputs = [-1; PROMOTE_MAX_INPUTS];
        for (number, dtype) in inputs.iter_mut().zip(&kernel.inputs) {
            *number = dtype_number(*dtype)?;
        }
        let (count, output) = (kernel.inputs.len(), dtype_number(kernel.output)?);
        info.write(PromoteKernelInfo { count, inputs, output });
        Ok(())
    })
}

/// Computes `out` from contiguous inputs, all of `len` elements. `count` is the number of inputs.
///
/// The addresses need not be aligned. `out` may be the address of an input, to compute in place, and may
/// overlap inputs in any other way: the result is that of inputs which were copied first.
///
/// # Safety
///
/// `kernel` is null or was not freed. `inputs` is null or points to `count` addresses, each of which is null
/// or points to `len` initialised elements of the kernel's dtype for it. `out` is null or points to memory
/// for `len` elements of the output dtype. During the call nothing else writes to the inputs, and nothing
/// else reads or writes `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn promote_kernel_call(
    kernel: *const PromoteKernel,
    inputs: *const *const c_void,
    count: usize,
    len: usize,
    out: *mut c_void,
) -> PromoteStatus {
    guard(|| {
        // SAFETY: as the caller promises; nothing writes to kernels.
        let (kernel, inputs) = unsafe { (get(kernel, "kernel")?, list(inputs, count, "inputs")?) };
        if count != kernel.inputs.len() {
            return Err(CallError::Inputs { expected: kernel.inputs.len(), found: count }.into());
        }
        check(out.cast(), kernel.output, len, "`out`")?;
        // SAFETY: the caller promises memory for `len` elements.
        let out = unsafe { SliceMut::from_raw_parts(kernel.output, out.cast(), len)? };
        let mut slices = ArrayVec::<_, PROMOTE_MAX_INPUTS>::new();
        for (input, dtype) in inputs.iter().zip(&kernel.inputs) {
            check(input.cast(), *dtype, len, "an address in `inputs`")?;
            // SAFETY: the caller promises `len` elements. The call writes to them only as elements of `out`.
            slices.push(unsafe { Slice::from_raw_parts(*dtype, input.cast(), len)? });
        }
        match (&kernel.held, &slices[..]) {
            (Held::Op(kernel), [a, b]) => kernel.call_slices(*a, *b, out)?,
            (Held::Op(kernel), slices) => {
                let inputs = slices.iter().map(|slice| Argument::Slice(*slice));
                kernel.call_inputs(&inputs.collect::<ArrayVec<_, PROMOTE_MAX_INPUTS>>(), out)?;
            }
            (Held::Cast(kernel), slices) => kernel.call(slices[0], out)?,
        }
        Ok(())
    })
}

/// Checks that an address is not null and that the size of its elements does not overflow.
fn check(address: *const u8, dtype: DType, len: usize, name: &str) -> Result<(), Failure> {
    if address.is_null() && len > 0 {
        return Err(Failure::argument(format!("{name} is a null pointer; help: pass {len} elements")));
    }
    if len > isize::MAX.cast_unsigned() / dtype.size().unwrap_or(1) {
        return Err(Failure::argument(format!("{len} elements of {dtype} exceed the address space")));
    }
    Ok(())
}

/// Computes `out` from inputs of any shape and strides, which broadcast to the shape of `out`.
///
/// Arrays have the dtypes of the kernel. Numbers are converted to them. `out` may be an input, to compute in
/// place, and may overlap inputs in any other way: the result is that of inputs which were copied first.
///
/// # Safety
///
/// `kernel` is null or was not freed. `operands` and `out` are as for `promote_call`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn promote_kernel_call_arrays(
    kernel: *const PromoteKernel,
    operands: *const PromoteOperand,
    count: usize,
    out: *const PromoteOutput,
) -> PromoteStatus {
    guard(|| {
        // SAFETY: as the caller promises; nothing writes to kernels.
        let (kernel, out) = unsafe { (get(kernel, "kernel")?, get(out, "out")?) };
        let call = |arguments: &[Argument<'_>]| {
            // SAFETY: as the caller promises.
            let out = unsafe { out.view()? };
            match (&kernel.held, arguments) {
                (Held::Op(kernel), _) => kernel.call_views(arguments, out)?,
                (Held::Cast(kernel), [Argument::Array(a) | Argument::Weak(a)]) => {
                    kernel.call_views(a, out)?;
                }
                (Held::Cast(_), [_]) => return Err(not_an_array()),
                (Held::Cast(_), _) => return Err(CallError::Inputs { expected: 1, found: count }.into()),
            }
            Ok(())
        };
        // SAFETY: as the caller promises.
        unsafe { arguments(operands, count, kernel.inputs.len(), call) }
    })
}

pub(crate) fn not_an_array() -> Failure {
    Failure::argument("the operand of a cast is a number; help: pass an array or a zero-dimensional array")
}
