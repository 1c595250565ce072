/* The C interface of promote. Made by cbindgen: change the sources in `src`, not this file. */

#ifndef PROMOTE_H
#define PROMOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * The dtypes, as numbers of the type `PromoteDType`.
 */
enum {
  PROMOTE_DTYPE_BOOL = 0,
  PROMOTE_DTYPE_U8 = 1,
  PROMOTE_DTYPE_U16 = 2,
  PROMOTE_DTYPE_U32 = 3,
  PROMOTE_DTYPE_U64 = 4,
  PROMOTE_DTYPE_I8 = 5,
  PROMOTE_DTYPE_I16 = 6,
  PROMOTE_DTYPE_I32 = 7,
  PROMOTE_DTYPE_I64 = 8,
  PROMOTE_DTYPE_F8E4M3FN = 9,
  PROMOTE_DTYPE_F8E5M2 = 10,
  PROMOTE_DTYPE_F16 = 11,
  PROMOTE_DTYPE_BF16 = 12,
  PROMOTE_DTYPE_F32 = 13,
  PROMOTE_DTYPE_F64 = 14,
  PROMOTE_DTYPE_C32 = 15,
  PROMOTE_DTYPE_C64 = 16,
  PROMOTE_DTYPE_C128 = 17,
  PROMOTE_DTYPE_BC32 = 18,
  PROMOTE_DTYPE_F8E4M3 = 19,
  PROMOTE_DTYPE_F8E3M4 = 20,
  PROMOTE_DTYPE_F8E4M3FNUZ = 21,
  PROMOTE_DTYPE_F8E5M2FNUZ = 22,
  PROMOTE_DTYPE_F8E4M3B11FNUZ = 23,
  PROMOTE_DTYPE_F8E8M0FNU = 24,
  PROMOTE_DTYPE_F6E2M3FN = 25,
  PROMOTE_DTYPE_F6E3M2FN = 26,
  PROMOTE_DTYPE_F4E2M1FN = 27,
  PROMOTE_DTYPE_NF4 = 28,
  PROMOTE_DTYPE_U1 = 29,
  PROMOTE_DTYPE_U2 = 30,
  PROMOTE_DTYPE_U3 = 31,
  PROMOTE_DTYPE_U4 = 32,
  PROMOTE_DTYPE_U5 = 33,
  PROMOTE_DTYPE_U6 = 34,
  PROMOTE_DTYPE_U7 = 35,
  PROMOTE_DTYPE_I1 = 36,
  PROMOTE_DTYPE_I2 = 37,
  PROMOTE_DTYPE_I3 = 38,
  PROMOTE_DTYPE_I4 = 39,
  PROMOTE_DTYPE_I5 = 40,
  PROMOTE_DTYPE_I6 = 41,
  PROMOTE_DTYPE_I7 = 42,
};

/**
 * The ops, as numbers of the type `PromoteOp`.
 */
enum {
  PROMOTE_OP_ADD = 0,
  PROMOTE_OP_SUBTRACT = 1,
  PROMOTE_OP_MULTIPLY = 2,
  PROMOTE_OP_DIVIDE = 3,
  PROMOTE_OP_EQUAL = 4,
  PROMOTE_OP_NOT_EQUAL = 5,
  PROMOTE_OP_LESS = 6,
  PROMOTE_OP_LESS_EQUAL = 7,
  PROMOTE_OP_GREATER = 8,
  PROMOTE_OP_GREATER_EQUAL = 9,
  PROMOTE_OP_MAXIMUM = 10,
  PROMOTE_OP_MINIMUM = 11,
  PROMOTE_OP_FLOOR_DIVIDE = 12,
  PROMOTE_OP_DIVIDE_TRUNC = 13,
  PROMOTE_OP_REMAINDER = 14,
  PROMOTE_OP_FMOD = 15,
  PROMOTE_OP_POW = 16,
  PROMOTE_OP_FLOAT_POWER = 17,
  PROMOTE_OP_FMAX = 18,
  PROMOTE_OP_FMIN = 19,
  PROMOTE_OP_CLAMP_MIN = 20,
  PROMOTE_OP_WHERE = 21,
  PROMOTE_OP_LOGICAL_AND = 22,
  PROMOTE_OP_LOGICAL_OR = 23,
  PROMOTE_OP_LOGICAL_XOR = 24,
  PROMOTE_OP_BITWISE_AND = 25,
  PROMOTE_OP_BITWISE_OR = 26,
  PROMOTE_OP_BITWISE_XOR = 27,
  PROMOTE_OP_LEFT_SHIFT = 28,
  PROMOTE_OP_RIGHT_SHIFT = 29,
  PROMOTE_OP_GCD = 30,
  PROMOTE_OP_LCM = 31,
  PROMOTE_OP_ATAN2 = 32,
  PROMOTE_OP_HYPOT = 33,
  PROMOTE_OP_COPYSIGN = 34,
  PROMOTE_OP_NEXTAFTER = 35,
  PROMOTE_OP_HEAVISIDE = 36,
  PROMOTE_OP_LOGADDEXP = 37,
  PROMOTE_OP_LOGADDEXP2 = 38,
  PROMOTE_OP_XLOGY = 39,
  PROMOTE_OP_LDEXP = 40,
  PROMOTE_OP_LERP = 41,
  PROMOTE_OP_ADDCMUL = 42,
  PROMOTE_OP_L1_LOSS = 43,
  PROMOTE_OP_MSE_LOSS = 44,
  PROMOTE_OP_HUBER_LOSS = 45,
  PROMOTE_OP_SMOOTH_L1_LOSS = 46,
  PROMOTE_OP_POISSON_NLL_LOSS = 47,
  PROMOTE_OP_BINARY_CROSS_ENTROPY = 48,
  PROMOTE_OP_NEGATIVE = 49,
  PROMOTE_OP_ABS = 50,
  PROMOTE_OP_SIGN = 51,
  PROMOTE_OP_SQUARE = 52,
  PROMOTE_OP_RECIPROCAL = 53,
  PROMOTE_OP_SQRT = 54,
  PROMOTE_OP_EXP = 55,
  PROMOTE_OP_EXPM1 = 56,
  PROMOTE_OP_EXP2 = 57,
  PROMOTE_OP_LOG = 58,
  PROMOTE_OP_LOG1P = 59,
  PROMOTE_OP_LOG2 = 60,
  PROMOTE_OP_LOG10 = 61,
  PROMOTE_OP_SIN = 62,
  PROMOTE_OP_COS = 63,
  PROMOTE_OP_TAN = 64,
  PROMOTE_OP_ASIN = 65,
  PROMOTE_OP_ACOS = 66,
  PROMOTE_OP_ATAN = 67,
  PROMOTE_OP_SINH = 68,
  PROMOTE_OP_COSH = 69,
  PROMOTE_OP_TANH = 70,
  PROMOTE_OP_ASINH = 71,
  PROMOTE_OP_ACOSH = 72,
  PROMOTE_OP_ATANH = 73,
  PROMOTE_OP_SIGMOID = 74,
  PROMOTE_OP_FLOOR = 75,
  PROMOTE_OP_CEIL = 76,
  PROMOTE_OP_TRUNC = 77,
  PROMOTE_OP_ROUND = 78,
  PROMOTE_OP_ISNAN = 79,
  PROMOTE_OP_ISINF = 80,
  PROMOTE_OP_ISFINITE = 81,
  PROMOTE_OP_LOGICAL_NOT = 82,
  PROMOTE_OP_BITWISE_NOT = 83,
  PROMOTE_OP_CONJ = 84,
  PROMOTE_OP_REAL = 85,
  PROMOTE_OP_IMAG = 86,
  PROMOTE_OP_ANGLE = 87,
  PROMOTE_OP_DOT = 88,
  PROMOTE_OP_MATMUL = 89,
  PROMOTE_OP_OUTER = 90,
  PROMOTE_OP_CONCATENATE = 91,
  PROMOTE_OP_STACK = 92,
  PROMOTE_OP_ISIN = 93,
  PROMOTE_OP_ASTYPE = 94,
  PROMOTE_OP_SUM = 95,
  PROMOTE_OP_PROD = 96,
  PROMOTE_OP_MEAN = 97,
  PROMOTE_OP_STD = 98,
  PROMOTE_OP_VAR = 99,
  PROMOTE_OP_CUMSUM = 100,
  PROMOTE_OP_CUMPROD = 101,
  PROMOTE_OP_MAX = 102,
  PROMOTE_OP_MIN = 103,
  PROMOTE_OP_AMAX = 104,
  PROMOTE_OP_AMIN = 105,
  PROMOTE_OP_ANY = 106,
  PROMOTE_OP_ALL = 107,
  PROMOTE_OP_ARGMAX = 108,
  PROMOTE_OP_ARGMIN = 109,
  PROMOTE_OP_MEDIAN = 110,
  PROMOTE_OP_NANSUM = 111,
  PROMOTE_OP_NORM = 112,
  PROMOTE_OP_LOGSUMEXP = 113,
  PROMOTE_OP_POSITIVE = 114,
  PROMOTE_OP_SIGNBIT = 115,
  PROMOTE_OP_RSQRT = 116,
  PROMOTE_OP_CBRT = 117,
  PROMOTE_OP_ERF = 118,
  PROMOTE_OP_ERFC = 119,
  PROMOTE_OP_RELU = 120,
  PROMOTE_OP_THRESHOLD = 121,
  PROMOTE_OP_CLAMP = 122,
  PROMOTE_OP_ISCLOSE = 123,
  PROMOTE_OP_SILU = 124,
  PROMOTE_OP_SOFTPLUS = 125,
  PROMOTE_OP_GELU = 126,
  PROMOTE_OP_GELU_TANH = 127,
  PROMOTE_OP_ADD_SCALED = 128,
  PROMOTE_OP_SUBTRACT_SCALED = 129,
};


/**
 * The largest number of inputs that an op has.
 */
#define PROMOTE_MAX_INPUTS 4

/**
 * The version of this interface in the header. It changes if programs have to be compiled again, or changed.
 */
#define PROMOTE_API_MAJOR 1

/**
 * The version of this interface in the header. It grows if functions or numbers are added.
 */
#define PROMOTE_API_MINOR 0

/**
 * The outcome of a function. If it is not `PROMOTE_STATUS_OK`, `promote_last_error_message` has the reason,
 * and outputs are unchanged.
 */
enum PromoteStatus
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * The function succeeded.
   */
  PROMOTE_STATUS_OK = 0,
  /**
   * An argument of the function is invalid: a null pointer, an unknown number or an unknown name.
   */
  PROMOTE_STATUS_INVALID_ARGUMENT = 1,
  /**
   * The rule set refuses the operands or the cast, or it does not have the dtype or the op.
   */
  PROMOTE_STATUS_REFUSED = 2,
  /**
   * There is no kernel, or the operands do not fit it or one another: their dtypes, their shapes, or a
   * value, such as a divisor of 0 where the rule set makes that an error.
   */
  PROMOTE_STATUS_CALL = 3,
  /**
   * The allocator did not have enough memory.
   */
  PROMOTE_STATUS_OUT_OF_MEMORY = 4,
  /**
   * The library has another version of this interface than the header.
   */
  PROMOTE_STATUS_VERSION = 5,
  /**
   * A bug in the library: it panicked. Elements of an output may have been written. Please report it.
   */
  PROMOTE_STATUS_PANIC = 6,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum PromoteStatus PromoteStatus;
#else
typedef int32_t PromoteStatus;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A kernel for inputs and an output of fixed dtypes. All threads may use it at once.
 */
typedef struct PromoteKernel PromoteKernel;

/**
 * A rule set with values for its parameters. It lives as long as the program: do not free it. All threads
 * may use it at once.
 */
typedef struct PromoteRules PromoteRules;

/**
 * An op: one of the numbers `PROMOTE_OP_..`.
 */
typedef int32_t PromoteOp;

/**
 * What an operand is beside its dtype: one of the numbers `PROMOTE_CATEGORY_..`.
 */
typedef int32_t PromoteCategory;

/**
 * The dtype of elements: one of the numbers `PROMOTE_DTYPE_..`.
 *
 * Elements of `bool` are bytes, and each byte other than 0 is true. Complex numbers are two floats, the real
 * part first. All others are as C and C++ have them; `f16` and `bf16` are two bytes.
 */
typedef int32_t PromoteDType;

/**
 * The kind of a number: one of the numbers `PROMOTE_NUMBER_..`.
 */
typedef int32_t PromoteNumberKind;

/**
 * A number without a width. Only the fields of its kind are read.
 */
typedef struct PromoteNumber {
  /**
   * The kind.
   */
  PromoteNumberKind kind;
  /**
   * The value of a bool or an integer.
   */
  int64_t integer;
  /**
   * The value of a float, or the real part of a complex number.
   */
  double real;
  /**
   * The imaginary part of a complex number.
   */
  double imaginary;
} PromoteNumber;

/**
 * An operand. Functions such as `promote_array` make one.
 *
 * Queries look at the category, at the dtype and, of an element or a number, at the value. Calls read the
 * elements. Only the fields that the category has are read: of a number, `number`; of others, `dtype` and
 * `data`; of an array and a weak array also `rank`, `shape` and `strides`.
 */
typedef struct PromoteOperand {
  /**
   * The category.
   */
  PromoteCategory category;
  /**
   * The dtype of the elements.
   */
  PromoteDType dtype;
  /**
   * The element whose indices are all 0. It need not be aligned. In queries it may be null.
   */
  const void *data;
  /**
   * The number of axes.
   */
  size_t rank;
  /**
   * The lengths of the axes: `rank` numbers.
   */
  const size_t *shape;
  /**
   * The distances in bytes from one element to the next along each axis: `rank` numbers, which may be
   * negative, 0, or no multiple of the element's size. If null, the elements are contiguous, and the last
   * index runs fastest.
   */
  const ptrdiff_t *strides;
  /**
   * The value of a number.
   */
  struct PromoteNumber number;
} PromoteOperand;

/**
 * Memory that a call writes a result to.
 */
typedef struct PromoteOutput {
  /**
   * The dtype of the elements.
   */
  PromoteDType dtype;
  /**
   * The element whose indices are all 0. It need not be aligned.
   */
  void *data;
  /**
   * The number of axes.
   */
  size_t rank;
  /**
   * The lengths of the axes, as in `PromoteOperand`.
   */
  const size_t *shape;
  /**
   * The strides in bytes, as in `PromoteOperand`. No two elements may overlap.
   */
  const ptrdiff_t *strides;
} PromoteOutput;

/**
 * A casting level, which says how much a cast may lose: one of the numbers `PROMOTE_CASTING_..`.
 */
typedef int32_t PromoteCasting;

/**
 * The dtypes of a kernel.
 */
typedef struct PromoteKernelInfo {
  /**
   * The number of inputs: the operands of the op, then its extra inputs, such as the condition of `where`.
   */
  size_t count;
  /**
   * The dtype of each input; those after `count` are -1.
   */
  PromoteDType inputs[PROMOTE_MAX_INPUTS];
  /**
   * The dtype of the output.
   */
  PromoteDType output;
} PromoteKernelInfo;

/**
 * What operands promote to.
 */
typedef struct PromoteResultType {
  /**
   * The dtype.
   */
  PromoteDType dtype;
  /**
   * True if the result is weak: it yields to the dtype of other operands, as the rule set says.
   */
  bool weak;
} PromoteResultType;

/**
 * The dtypes of an op for its operands.
 */
typedef struct PromoteOpTypes {
  /**
   * The dtype that the operands are converted to.
   */
  PromoteDType common;
  /**
   * The dtype that the op computes in.
   */
  PromoteDType compute;
  /**
   * The dtype of the result.
   */
  PromoteDType output;
} PromoteOpTypes;

/**
 * No cast at all: the dtypes are equal.
 */
#define PROMOTE_CASTING_NO 0

/**
 * Casts that change the order of bytes only.
 */
#define PROMOTE_CASTING_EQUIV 1

/**
 * Casts that lose no value.
 */
#define PROMOTE_CASTING_SAFE 2

/**
 * Casts within a kind, which may lose values.
 */
#define PROMOTE_CASTING_SAME_KIND 3

/**
 * Any cast.
 */
#define PROMOTE_CASTING_UNSAFE 4

/**
 * The level of a system that has only one.
 */
#define PROMOTE_CASTING_DEFAULT 5

/**
 * No level, for `promote_cast`: every cast is allowed, under each rule set.
 */
#define PROMOTE_CASTING_ANY -1

/**
 * An array. One without axes counts as zero-dimensional.
 */
#define PROMOTE_CATEGORY_ARRAY 0

/**
 * A zero-dimensional array: one element with a dtype.
 */
#define PROMOTE_CATEGORY_ZERO_DIM 1

/**
 * A number without a width, such as a literal of Python.
 */
#define PROMOTE_CATEGORY_NUMBER 2

/**
 * A weakly typed array, for rule sets that have such arrays (JAX).
 */
#define PROMOTE_CATEGORY_WEAK 3

/**
 * True or false: true if `integer` is not 0.
 */
#define PROMOTE_NUMBER_BOOL 0

/**
 * The signed integer `integer`.
 */
#define PROMOTE_NUMBER_INT 1

/**
 * The unsigned integer that `integer` becomes when it is converted to `uint64_t`.
 */
#define PROMOTE_NUMBER_UINT 2

/**
 * The float `real`.
 */
#define PROMOTE_NUMBER_FLOAT 3

/**
 * The complex number of `real` and `imaginary`.
 */
#define PROMOTE_NUMBER_COMPLEX 4

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Computes an op, and writes the result to `out`, which has the shape of the result.
 *
 * Operands broadcast. The condition of `where` comes first, and other extra inputs follow the operands;
 * those that have a default may be left out. The result is cast to the dtype of `out` if the rule set allows
 * it. Reductions reduce all axes.
 *
 * `out` may be one of the operands, and may overlap them in any other way: the result is that of operands
 * which were copied first.
 *
 * # Safety
 *
 * `rules` is null or comes from this library. `operands` is null or points to `count` operands. Of each
 * array, `shape` is null or points to `rank` numbers, `strides` is null or points to `rank` numbers, and
 * `data` is null or there is an initialised element at each index, all in one allocation. `out` is null or
 * points to an output with such pointers, whose elements need not be initialised. During the call nothing
 * else writes to the elements of operands, and nothing else reads or writes those of `out`, which may
 * overlap elements of operands, but no operand itself, no shape and no strides.
 */
PromoteStatus promote_call(const struct PromoteRules *rules,
                           PromoteOp op,
                           const struct PromoteOperand *operands,
                           size_t count,
                           const struct PromoteOutput *out);

/**
 * Computes an op in place, as in `a += b`: `a` is the first operand and receives the result. `operands` are
 * those after it, which broadcast to its shape.
 *
 * The result is cast to the dtype of `a` if the rule set allows it. Operands may overlap `a`: the result is
 * that of operands which were copied first.
 *
 * # Safety
 *
 * As for `promote_call`, with initialised elements of `a`.
 */
PromoteStatus promote_call_in_place(const struct PromoteRules *rules,
                                    PromoteOp op,
                                    const struct PromoteOutput *a,
                                    const struct PromoteOperand *operands,
                                    size_t count);

/**
 * Reduces an array along axes, such as by `PROMOTE_OP_SUM`. A negative axis counts from the last, which is
 * -1. If `axes` is null, all axes are reduced.
 *
 * In `out` the reduced axes have length 1 or are missing. The result is cast to the dtype of `out` if the
 * rule set allows it; `promote_op_types` tells its own dtype.
 *
 * # Safety
 *
 * As for `promote_call`, with one operand. `axes` is null or points to `count` numbers.
 */
PromoteStatus promote_reduce(const struct PromoteRules *rules,
                             PromoteOp op,
                             const struct PromoteOperand *operand,
                             const ptrdiff_t *axes,
                             size_t count,
                             const struct PromoteOutput *out);

/**
 * Casts an array to the dtype of `out`, and broadcasts it to its shape.
 *
 * `casting` is a casting level at which the rule set must allow the cast, or `PROMOTE_CASTING_ANY`. Integers
 * wrap, floats are rounded to nearest even, and the rule set decides what a float becomes that an integer
 * dtype cannot hold.
 *
 * # Safety
 *
 * As for `promote_call`, with one operand.
 */
PromoteStatus promote_cast(const struct PromoteRules *rules,
                           const struct PromoteOperand *operand,
                           PromoteCasting casting,
                           const struct PromoteOutput *out);

/**
 * Returns the message of the last function of this library that failed on this thread; an empty text if
 * none did.
 *
 * Functions that succeed leave it as it is, so read it only after a status that is not
 * `PROMOTE_STATUS_OK`. The text belongs to the library: do not free it. It is valid until the next function
 * of this library fails on this thread, or until the thread ends.
 */
const char *promote_last_error_message(void);

/**
 * Looks up the kernel of an op on arrays of these dtypes, one for each operand of the op. Extra inputs, such
 * as the condition of `where`, have no dtype here; `promote_kernel_info` tells theirs.
 *
 * # Safety
 *
 * `rules` is null or comes from this library. `dtypes` is null or points to `count` numbers. `kernel` is
 * null or points to memory for a pointer, which is set to a kernel that `promote_kernel_free` frees.
 */
PromoteStatus promote_kernel_new(const struct PromoteRules *rules,
                                 PromoteOp op,
                                 const PromoteDType *dtypes,
                                 size_t count,
                                 struct PromoteKernel **kernel);

/**
 * Looks up the kernel of a cast. Integers wrap, floats are rounded to nearest even, and the rule set decides
 * what a float becomes that an integer dtype cannot hold.
 *
 * # Safety
 *
 * As for `promote_kernel_new`.
 */
PromoteStatus promote_kernel_new_cast(const struct PromoteRules *rules,
                                      PromoteDType from,
                                      PromoteDType to,
                                      struct PromoteKernel **kernel);

/**
 * Frees a kernel. Null is ignored.
 *
 * # Safety
 *
 * `kernel` is null, or comes from `promote_kernel_new` or `promote_kernel_new_cast` and is not used any
 * more.
 */
void promote_kernel_free(struct PromoteKernel *kernel);

/**
 * Tells the dtypes of a kernel.
 *
 * # Safety
 *
 * `kernel` is null or was not freed. `info` is null or points to memory for a `PromoteKernelInfo`.
 */
PromoteStatus promote_kernel_info(const struct PromoteKernel *kernel,
                                  struct PromoteKernelInfo *info);

/**
 * Computes `out` from contiguous inputs, all of `len` elements. `count` is the number of inputs.
 *
 * The addresses need not be aligned. `out` may be the address of an input, to compute in place, and may
 * overlap inputs in any other way: the result is that of inputs which were copied first.
 *
 * # Safety
 *
 * `kernel` is null or was not freed. `inputs` is null or points to `count` addresses, each of which is null
 * or points to `len` initialised elements of the kernel's dtype for it. `out` is null or points to memory
 * for `len` elements of the output dtype. During the call nothing else writes to the inputs, and nothing
 * else reads or writes `out`.
 */
PromoteStatus promote_kernel_call(const struct PromoteKernel *kernel,
                                  const void *const *inputs,
                                  size_t count,
                                  size_t len,
                                  void *out);

/**
 * Computes `out` from inputs of any shape and strides, which broadcast to the shape of `out`.
 *
 * Arrays have the dtypes of the kernel. Numbers are converted to them. `out` may be an input, to compute in
 * place, and may overlap inputs in any other way: the result is that of inputs which were copied first.
 *
 * # Safety
 *
 * `kernel` is null or was not freed. `operands` and `out` are as for `promote_call`.
 */
PromoteStatus promote_kernel_call_arrays(const struct PromoteKernel *kernel,
                                         const struct PromoteOperand *operands,
                                         size_t count,
                                         const struct PromoteOutput *out);

/**
 * Returns the name of a dtype, such as `f32`; null if no dtype has this number. Do not free it.
 */
const char *promote_dtype_name(PromoteDType dtype);

/**
 * Returns the name of an op, such as `floor_divide`; null if no op has this number. Do not free it.
 */
const char *promote_op_name(PromoteOp op);

/**
 * Returns the name of a casting level, such as `same_kind`; null if no level has this number. Do not free
 * it.
 */
const char *promote_casting_name(PromoteCasting casting);

/**
 * Finds the dtype with a name, such as `f32`. The error for a name of another library suggests one.
 *
 * # Safety
 *
 * `name` is null or a C string. `dtype` is null or points to memory for a number.
 */
PromoteStatus promote_dtype_from_name(const char *name, PromoteDType *dtype);

/**
 * Finds the op with a name, such as `floor_divide`. The error for a name of another library suggests one.
 *
 * # Safety
 *
 * `name` is null or a C string. `op` is null or points to memory for a number.
 */
PromoteStatus promote_op_from_name(const char *name,
                                   PromoteOp *op);

/**
 * Finds the casting level with a name, such as `same_kind`.
 *
 * # Safety
 *
 * `name` is null or a C string. `casting` is null or points to memory for a number.
 */
PromoteStatus promote_casting_from_name(const char *name, PromoteCasting *casting);

/**
 * Returns the size of an element in bytes; 0 if no dtype has this number, or if no array can have the dtype,
 * because it exists in tables only.
 */
size_t promote_dtype_size(PromoteDType dtype);

/**
 * Returns an array as an operand of calls and queries. `strides` may be null. Nothing is checked or read
 * before the operand is used.
 */
struct PromoteOperand promote_array(PromoteDType dtype,
                                    const void *data,
                                    size_t rank,
                                    const size_t *shape,
                                    const ptrdiff_t *strides);

/**
 * Returns an array of unknown elements, as an operand of queries.
 */
struct PromoteOperand promote_array_of(PromoteDType dtype);

/**
 * Returns a zero-dimensional array as an operand. In queries `data` may be null; the value matters under
 * rule sets that look at values (NumPy 1).
 */
struct PromoteOperand promote_zero_dim(PromoteDType dtype,
                                       const void *data);

/**
 * Returns an integer without a width as an operand.
 */
struct PromoteOperand promote_int(int64_t value);

/**
 * Returns a float without a width as an operand.
 */
struct PromoteOperand promote_float(double value);

/**
 * Returns a complex number without a width as an operand.
 */
struct PromoteOperand promote_complex(double real, double imaginary);

/**
 * Returns an output. `strides` may be null. Nothing is checked before the output is used.
 */
struct PromoteOutput promote_output(PromoteDType dtype,
                                    void *data,
                                    size_t rank,
                                    const size_t *shape,
                                    const ptrdiff_t *strides);

/**
 * Finds the dtype that operands promote to. If the rule set refuses them, the message has its reason.
 *
 * # Safety
 *
 * `rules` is null or comes from this library. `operands` is null or points to `count` operands; `data` of
 * those that are zero-dimensional is null or points to an element. `result` is null or points to memory for
 * a `PromoteResultType`.
 */
PromoteStatus promote_result_type(const struct PromoteRules *rules,
                                  const struct PromoteOperand *operands,
                                  size_t count,
                                  struct PromoteResultType *result);

/**
 * Finds the dtypes of an op for its operands. Extra inputs, such as the condition of `where`, are not among
 * these.
 *
 * # Safety
 *
 * `rules` is null or comes from this library. `operands` is null or points to `count` operands; `data` of
 * those that are zero-dimensional is null or points to an element. `types` is null or points to memory for a
 * `PromoteOpTypes`.
 */
PromoteStatus promote_op_types(const struct PromoteRules *rules,
                               PromoteOp op,
                               const struct PromoteOperand *operands,
                               size_t count,
                               struct PromoteOpTypes *types);

/**
 * Finds the dtypes of an op whose result is written to memory of a dtype. It is an error if the rule set
 * does not let the result be cast to it.
 *
 * # Safety
 *
 * As for `promote_op_types`.
 */
PromoteStatus promote_out_types(const struct PromoteRules *rules,
                                PromoteOp op,
                                const struct PromoteOperand *operands,
                                size_t count,
                                PromoteDType output,
                                struct PromoteOpTypes *types);

/**
 * Finds the dtypes of an op in place, as in `a += b`, where `a` is the first operand. It is an error if the
 * rule set does not let the result be cast to the dtype of `a`.
 *
 * # Safety
 *
 * As for `promote_op_types`.
 */
PromoteStatus promote_in_place_types(const struct PromoteRules *rules,
                                     PromoteOp op,
                                     const struct PromoteOperand *operands,
                                     size_t count,
                                     struct PromoteOpTypes *types);

/**
 * Checks that a rule set allows a cast at a casting level. The status is `PROMOTE_STATUS_OK` if it does;
 * otherwise the message has the reason.
 *
 * # Safety
 *
 * `rules` is null or comes from this library.
 */
PromoteStatus promote_can_cast(const struct PromoteRules *rules,
                               PromoteDType from,
                               PromoteDType to,
                               PromoteCasting casting);

/**
 * Checks that a rule set allows the result of an op to be cast to the dtype of an output.
 *
 * # Safety
 *
 * `rules` is null or comes from this library.
 */
PromoteStatus promote_can_cast_result(const struct PromoteRules *rules,
                                      PromoteDType from,
                                      PromoteDType to);

/**
 * Finds the shape of the result of an elementwise op: that to which the operands broadcast.
 *
 * Counted from the last axis, each operand has the length of the result or 1, and missing axes count as 1.
 * Numbers and zero-dimensional arrays have no axes. `rank` is set whenever there is such a shape. `shape`
 * has room for `capacity` numbers, and it is an error if the shape has more.
 *
 * # Safety
 *
 * `operands` is null or points to `count` operands, and `shape` of each array is null or points to `rank`
 * numbers. `rank` is null or points to memory for a number, and `shape` to memory for `capacity` numbers.
 */
PromoteStatus promote_broadcast_shape(const struct PromoteOperand *operands,
                                      size_t count,
                                      size_t *shape,
                                      size_t capacity,
                                      size_t *rank);

/**
 * Returns the version of the library, such as `0.1.0`. Do not free it.
 */
const char *promote_version(void);

/**
 * Checks that the library fits the header: `promote_check_api(PROMOTE_API_MAJOR, PROMOTE_API_MINOR)`.
 *
 * The major versions must be equal, and the library must not have a lower minor version.
 */
PromoteStatus promote_check_api(uint32_t major,
                                uint32_t minor);

/**
 * Returns the name of the bundled rule set at a position, counted from 0; null if there are not as many. Do
 * not free it.
 */
const char *promote_rules_name(size_t position);

/**
 * Finds the bundled rule set with a name, such as `torch`, with the default values of its parameters.
 *
 * # Safety
 *
 * `name` is null or a C string. `rules` is null or points to memory for a pointer.
 */
PromoteStatus promote_rules_find(const char *name,
                                 const struct PromoteRules **rules);

/**
 * Finds a rule set with another value of a parameter, such as `default_dtype` and `f64` under PyTorch's
 * rules.
 *
 * # Safety
 *
 * `rules` is null or comes from this library. `parameter` and `value` are null or C strings. `changed` is
 * null or points to memory for a pointer.
 */
PromoteStatus promote_rules_with(const struct PromoteRules *rules,
                                 const char *parameter,
                                 const char *value,
                                 const struct PromoteRules **changed);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PROMOTE_H */
