//! Functions for programs that have a DataFusion of their own, such as its Python package.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use datafusion_common::arrow::datatypes::{DataType, FieldRef};
use datafusion_common::{DataFusionError, Result};
pub use datafusion_expr::ScalarUDF;
use datafusion_expr::{ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDFImpl, Signature};
pub use datafusion_ffi::udf::FFI_ScalarUDF;

/// Returns a function as a struct of C, for another library with DataFusion 55.
///
/// A panic of the function becomes an error there, since a panic must not leave a library.
///
/// ```
/// let add = promote_datafusion::function("promote_torch_add_weak_right").expect("a function of this build");
/// let add = promote_datafusion::ffi::export(add);
/// assert_eq!(&*add.name, "promote_torch_add_weak_right");
/// ```
pub fn export(function: ScalarUDF) -> FFI_ScalarUDF {
    FFI_ScalarUDF::from(Arc::new(ScalarUDF::from(Caught(function))))
}

/// A function whose panics are errors.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Caught(ScalarUDF);

impl Caught {
    fn catch<T>(&self, call: impl FnOnce(&dyn ScalarUDFImpl) -> Result<T>) -> Result<T> {
        // A function is only read, so that a panic leaves nothing half done.
        catch_unwind(AssertUnwindSafe(|| call(self.0.inner().as_ref()))).unwrap_or_else(|panic| {
            let texts =
                (panic.downcast_ref::<String>().map(String::as_str), panic.downcast_ref::<&str>().copied());
            let text = texts.0.or(texts.1).unwrap_or_default();
            Err(DataFusionError::Internal(format!("`{}` panicked: {text}", self.0.name())))
        })
    }
}

impl ScalarUDFImpl for Caught {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn aliases(&self) -> &[String] {
        self.0.aliases()
    }

    fn short_circuits(&self) -> bool {
        self.0.short_circuits()
    }

    fn signature(&self) -> &Signature {
        self.0.signature()
    }

    fn coerce_types(&self, arg_types: &[DataType]) -> Result<Vec<DataType>> {
        self.catch(|function| function.coerce_types(arg_types))
    }

    fn return_type(&self, arg_types: &[DataType]) -> Result<DataType> {
        self.catch(|function| function.return_type(arg_types))
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        self.catch(|function| function.return_field_from_args(args))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        self.catch(|function| function.invoke_with_args(args))
    }
}
