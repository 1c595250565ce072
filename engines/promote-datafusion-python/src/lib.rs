//! The functions of `promote-datafusion` for DataFusion's Python package.

use pyo3::prelude::*;

#[pymodule]
mod promote_datafusion {
    use ::promote_datafusion as rust;
    use pyo3::exceptions::{PyKeyError, PyValueError};
    use pyo3::prelude::*;
    use pyo3::types::PyCapsule;
    use rust::ffi::{ScalarUDF, export};

    /// An op of a rule set, such as `promote_torch_add`. `datafusion.udf` makes a function of it.
    #[pyclass(frozen)]
    struct Function(ScalarUDF);

    #[pymethods]
    impl Function {
        /// The name by which SQL calls the function.
        #[getter]
        fn name(&self) -> &str {
            self.0.name()
        }

        fn __repr__(&self) -> String {
            format!("Function({})", self.0.name())
        }

        fn __datafusion_scalar_udf__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
            PyCapsule::new_with_value(py, export(self.0.clone()), c"datafusion_scalar_udf")
        }
    }

    /// Returns the functions of a rule set, by its name or by the path of a rule file.
    #[pyfunction]
    fn functions(rules: &str) -> PyResult<Vec<Function>> {
        let functions =
            rust::functions_of(rules).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(functions.into_iter().map(Function).collect())
    }

    /// Returns the function with this name, such as `promote_torch[default_dtype=f64]_divide`.
    #[pyfunction]
    fn function(name: &str) -> PyResult<Function> {
        let missing = || {
            PyKeyError::new_err(format!(
                "there is no function `{name}`; help: `functions(\"torch\")` lists those of a rule set"
            ))
        };
        rust::function(name).map(Function).ok_or_else(missing)
    }
}
