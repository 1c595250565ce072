//! The Python package `promote_dtypes`: promotion and kernels of any rule set, for NumPy arrays.

mod arrays;
mod error;
mod explain;
mod function;
mod namespace;
mod rules;
mod stubs;

use pyo3::prelude::*;

/// Mixed dtypes by the rules of PyTorch, NumPy, JAX, other systems, or a rule file of your own.
#[pymodule(gil_used = true)]
mod promote_dtypes {
    #[pymodule_export]
    use super::explain::{can_cast, explain, result_type};
    #[pymodule_export]
    use super::function::Function;
    #[pymodule_export]
    use super::namespace::namespace;
    #[pymodule_export]
    use super::rules::rule_sets;
    #[pymodule_export]
    use super::stubs::stubs;
    #[allow(clippy::wildcard_imports, reason = "what the macro of this module needs")]
    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // So that a missing NumPy is an error of `import`, and no panic of the first call.
        module.py().import("numpy")?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
