//! The numbers of dtypes, ops and casting levels in C, and their names.

use std::ffi::{CString, c_char};
use std::ptr;
use std::sync::LazyLock;

use promote::{Casting, DType, Op};

use crate::error::{Failure, PromoteStatus, guard};
use crate::pointer::{Place, text};

/// The dtype of elements: one of the numbers `PROMOTE_DTYPE_..`.
///
/// Elements of `bool` are bytes, and each byte other than 0 is true. Complex numbers are two floats, the real
/// part first. All others are as C and C++ have them; `f16` and `bf16` are two bytes.
pub type PromoteDType = i32;

/// An op: one of the numbers `PROMOTE_OP_..`.
pub type PromoteOp = i32;

/// A casting level, which says how much a cast may lose: one of the numbers `PROMOTE_CASTING_..`.
pub type PromoteCasting = i32;

/// No cast at all: the dtypes are equal.
pub const PROMOTE_CASTING_NO: PromoteCasting = 0;
/// Casts that change the order of bytes only.
pub const PROMOTE_CASTING_EQUIV: PromoteCasting = 1;
/// Casts that lose no value.
pub const PROMOTE_CASTING_SAFE: PromoteCasting = 2;
/// Casts within a kind, which may lose values.
pub const PROMOTE_CASTING_SAME_KIND: PromoteCasting = 3;
/// Any cast.
pub const PROMOTE_CASTING_UNSAFE: PromoteCasting = 4;
/// The level of a system that has only one.
pub const PROMOTE_CASTING_DEFAULT: PromoteCasting = 5;
/// No level, for `promote_cast`: every cast is allowed, under each rule set.
pub const PROMOTE_CASTING_ANY: PromoteCasting = -1;

macro_rules! list {
    ($ty:ident: $($variant:ident)*) => { &[$($ty::$variant),*] };
}

/// The dtypes, each at the position that is its number in C. A number never changes: new dtypes go to the
/// end.
pub const DTYPES: &[DType] = list! { DType:
    Bool U8 U16 U32 U64 I8 I16 I32 I64 F8E4M3FN F8E5M2 F16 BF16 F32 F64 C32 C64 C128 BC32 F8E4M3 F8E3M4
    F8E4M3FNUZ F8E5M2FNUZ F8E4M3B11FNUZ F8E8M0FNU F6E2M3FN F6E3M2FN F4E2M1FN NF4 U1 U2 U3 U4 U5 U6 U7 I1 I2 I3
    I4 I5 I6 I7
};

/// The ops, each at the position that is its number in C. A number never changes: new ops go to the end.
pub const OPS: &[Op] = list! { Op:
    Add Subtract Multiply Divide Equal NotEqual Less LessEqual Greater GreaterEqual Maximum Minimum
    FloorDivide DivideTrunc Remainder Fmod Pow FloatPower Fmax Fmin ClampMin Where LogicalAnd LogicalOr
    LogicalXor BitwiseAnd BitwiseOr BitwiseXor LeftShift RightShift Gcd Lcm Atan2 Hypot Copysign Nextafter
    Heaviside Logaddexp Logaddexp2 Xlogy Ldexp Lerp Addcmul L1Loss MseLoss HuberLoss SmoothL1Loss
    PoissonNllLoss BinaryCrossEntropy Negative Abs Sign Square Reciprocal Sqrt Exp Expm1 Exp2 Log Log1p Log2
    Log10 Sin Cos Tan Asin Acos Atan Sinh Cosh Tanh Asinh Acosh Atanh Sigmoid Floor Ceil Trunc Round Isnan
    Isinf Isfinite LogicalNot BitwiseNot Conj Real Imag Angle Dot Matmul Outer Concatenate Stack Isin Astype
    Sum Prod Mean Std Var Cumsum Cumprod Max Min Amax Amin Any All Argmax Argmin Median Nansum Norm Logsumexp
    Positive Signbit Rsqrt Cbrt Erf Erfc Relu Threshold Clamp Isclose Silu Softplus Gelu GeluTanh
    AddScaled SubtractScaled
};

/// The casting levels, each at the position that is its number in C.
pub const CASTINGS: &[Casting] = list! { Casting: No Equiv Safe SameKind Unsafe Default };

/// Returns the item with a number; `None` for a number that no item has.
fn at<T: Copy>(items: &[T], number: i32) -> Option<T> {
    items.get(usize::try_from(number).ok()?).copied()
}

/// Returns the number of an item; `None` for an item without one, as a custom dtype is.
fn number_of<T: PartialEq>(items: &[T], item: &T) -> Option<i32> {
    items.iter().position(|own| own == item)?.try_into().ok()
}

fn unknown(what: &str, number: i32, prefix: &str) -> Failure {
    Failure::argument(format!("no {what} has the number {number}; help: pass one of `{prefix}_..`"))
}

pub(crate) fn dtype(number: PromoteDType) -> Result<DType, Failure> {
    at(DTYPES, number).ok_or_else(|| unknown("dtype", number, "PROMOTE_DTYPE"))
}

pub(crate) fn dtype_number(dtype: DType) -> Result<PromoteDType, Failure> {
    let missing =
        || Failure::new(PromoteStatus::Call, format!("`{dtype}` has no number in C; help: cast it"));
    number_of(DTYPES, &dtype).ok_or_else(missing)
}

pub(crate) fn op(number: PromoteOp) -> Result<Op, Failure> {
    at(OPS, number).ok_or_else(|| unknown("op", number, "PROMOTE_OP"))
}

pub(crate) fn casting(number: PromoteCasting) -> Result<Casting, Failure> {
    at(CASTINGS, number).ok_or_else(|| unknown("casting level", number, "PROMOTE_CASTING"))
}

/// Names as C strings, which live as long as the program.
pub(crate) type Names = LazyLock<Vec<CString>>;

pub(crate) fn c_names<'n>(names: impl Iterator<Item = &'n str>) -> Vec<CString> {
    names.map(|name| CString::new(name).unwrap_or_default()).collect()
}

/// Returns the name at a position as a C string; null if there is none.
pub(crate) fn name_at(names: &'static Names, position: Option<usize>) -> *const c_char {
    position.and_then(|position| names.get(position)).map_or(ptr::null(), |name| name.as_ptr())
}

static DTYPE_NAMES: Names = LazyLock::new(|| c_names(DTYPES.iter().map(|dtype| dtype.name())));
static OP_NAMES: Names = LazyLock::new(|| c_names(OPS.iter().map(|op| op.name())));
static CASTING_NAMES: Names = LazyLock::new(|| c_names(CASTINGS.iter().map(|casting| casting.name())));

/// Returns the name of a dtype, such as `f32`; null if no dtype has this number. Do not free it.
#[unsafe(no_mangle)]
pub extern "C" fn promote_dtype_name(dtype: PromoteDType) -> *const c_char {
    name_at(&DTYPE_NAMES, usize::try_from(dtype).ok())
}

/// Returns the name of an op, such as `floor_divide`; null if no op has this number. Do not free it.
#[unsafe(no_mangle)]
pub extern "C" fn promote_op_name(op: PromoteOp) -> *const c_char {
    name_at(&OP_NAMES, usize::try_from(op).ok())
}

/// Returns the name of a casting level, such as `same_kind`; null if no level has this number. Do not free
/// it.
#[unsafe(no_mangle)]
pub extern "C" fn promote_casting_name(casting: PromoteCasting) -> *const c_char {
    name_at(&CASTING_NAMES, usize::try_from(casting).ok())
}

/// Finds the dtype with a name, such as `f32`. The error for a name of another library suggests one.
///
/// # Safety
///
/// `name` is null or a C string. `dtype` is null or points to memory for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn promote_dtype_from_name(
    name: *const c_char,
    dtype: *mut PromoteDType,
) -> PromoteStatus {
    // SAFETY: as the caller promises.
    guard(|| unsafe { from_name(name, DTYPES, (dtype, "dtype")) })
}

/// Finds the op with a name, such as `floor_divide`. The error for a name of another library suggests one.
///
/// # Safety
///
/// `name` is null or a C string. `op` is null or points to memory for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn promote_op_from_name(name: *const c_char, op: *mut PromoteOp) -> PromoteStatus {
    // SAFETY: as the caller promises.
    guard(|| unsafe { from_name(name, OPS, (op, "op")) })
}

/// Finds the casting level with a name, such as `same_kind`.
///
/// # Safety
///
/// `name` is null or a C string. `casting` is null or points to memory for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn promote_casting_from_name(
    name: *const c_char,
    casting: *mut PromoteCasting,
) -> PromoteStatus {
    // SAFETY: as the caller promises.
    guard(|| unsafe { from_name(name, CASTINGS, (casting, "casting")) })
}

/// Writes the number of the item with a name.
///
/// # Safety
///
/// The name is null or a C string, and the pointer is null or points to memory for a number.
unsafe fn from_name<T: std::str::FromStr<Err: std::fmt::Display> + PartialEq>(
    name: *const c_char,
    items: &[T],
    (number, argument): (*mut i32, &str),
) -> Result<(), Failure> {
    // SAFETY: as the caller promises.
    let (name, number) = unsafe { (text(name, "name")?, Place::new(number, argument)?) };
    let invalid = |error: &dyn std::fmt::Display| Failure::argument(format!("`{name}`: {error}"));
    let item = name.parse::<T>().map_err(|error| invalid(&error))?;
    number.write(number_of(items, &item).ok_or_else(|| invalid(&"this name has no number in C"))?);
    Ok(())
}

/// Returns the size of an element in bytes; 0 if no dtype has this number, or if no array can have the dtype,
/// because it exists in tables only.
#[unsafe(no_mangle)]
pub extern "C" fn promote_dtype_size(dtype: PromoteDType) -> usize {
    at(DTYPES, dtype).filter(|dtype| dtype.has_type()).and_then(DType::size).unwrap_or(0)
}
