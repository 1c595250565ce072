#![doc = include_str!("../README.md")]

mod call;
mod error;
mod kernel;
mod names;
mod operand;
mod pointer;
mod query;
mod rules;

pub use call::{promote_call, promote_call_in_place, promote_cast, promote_reduce};
pub use error::{PromoteStatus, promote_last_error_message};
pub use kernel::{
    PromoteKernel, PromoteKernelInfo, promote_kernel_call, promote_kernel_call_arrays, promote_kernel_free,
    promote_kernel_info, promote_kernel_new, promote_kernel_new_cast,
};
pub use names::{
    CASTINGS, DTYPES, OPS, PROMOTE_CASTING_ANY, PROMOTE_CASTING_DEFAULT, PROMOTE_CASTING_EQUIV,
    PROMOTE_CASTING_NO, PROMOTE_CASTING_SAFE, PROMOTE_CASTING_SAME_KIND, PROMOTE_CASTING_UNSAFE,
    PromoteCasting, PromoteDType, PromoteOp, promote_casting_from_name, promote_casting_name,
    promote_dtype_from_name, promote_dtype_name, promote_dtype_size, promote_op_from_name, promote_op_name,
};
pub use operand::{
    PROMOTE_CATEGORY_ARRAY, PROMOTE_CATEGORY_NUMBER, PROMOTE_CATEGORY_WEAK, PROMOTE_CATEGORY_ZERO_DIM,
    PROMOTE_MAX_INPUTS, PROMOTE_NUMBER_BOOL, PROMOTE_NUMBER_COMPLEX, PROMOTE_NUMBER_FLOAT,
    PROMOTE_NUMBER_INT, PROMOTE_NUMBER_UINT, PromoteCategory, PromoteNumber, PromoteNumberKind,
    PromoteOperand, PromoteOutput, promote_array, promote_array_of, promote_complex, promote_float,
    promote_int, promote_output, promote_zero_dim,
};
pub use promote;
pub use query::{
    PromoteOpTypes, PromoteResultType, promote_broadcast_shape, promote_can_cast, promote_can_cast_result,
    promote_in_place_types, promote_op_types, promote_out_types, promote_result_type,
};
pub use rules::{
    PROMOTE_API_MAJOR, PROMOTE_API_MINOR, PromoteRules, promote_check_api, promote_rules_find,
    promote_rules_name, promote_rules_with, promote_version,
};
