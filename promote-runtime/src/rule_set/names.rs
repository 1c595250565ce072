//! The names that the system of a rule set has for dtypes.

use crate::DType;
use crate::rule_set::RuleSet;

impl RuleSet {
    /// Returns the names that the system has for a dtype, as the rule file lists them. The first is the one
    /// that [`name_of`](RuleSet::name_of) returns; there is none if the file has no names for the dtype.
    ///
    /// ```
    /// use promote::{DType, Torch};
    ///
    /// let names = Torch::new().rule_set().names_of(DType::F16);
    /// assert_eq!(names[..2], ["torch.float16", "torch.half"]);
    /// assert!(names.contains(&"half"));
    /// ```
    pub fn names_of(&self, dtype: DType) -> &'static [&'static str] {
        let at = self.tables.dtypes.iter().position(|known| *known == dtype);
        at.and_then(|at| self.tables.names.get(at)).copied().unwrap_or_default()
    }

    /// Returns the name by which the system shows a dtype, or the name of `promote` if the rule file has
    /// none.
    ///
    /// ```
    /// use promote::{DType, NumPy};
    ///
    /// assert_eq!(NumPy::new().rule_set().name_of(DType::F16), "float16");
    /// ```
    pub fn name_of(&self, dtype: DType) -> &'static str {
        self.names_of(dtype).first().copied().unwrap_or(dtype.name())
    }

    /// Returns the dtype that has this name in the system; `None` if no dtype of the rule set has it.
    ///
    /// The names of `promote` are accepted only for dtypes for which the rule file has no names, since a
    /// system may give them another meaning: in NumPy, `i8` has eight bytes. So every name that
    /// [`name_of`](RuleSet::name_of) returns is read as the dtype for which it was returned.
    ///
    /// ```
    /// use promote::{DType, NumPy, Torch};
    ///
    /// let (torch, numpy) = (Torch::new().rule_set(), NumPy::new().rule_set());
    /// assert_eq!(torch.dtype_named("torch.half"), Some(DType::F16));
    /// assert_eq!(numpy.dtype_named("<f2"), Some(DType::F16));
    /// assert_eq!(numpy.dtype_named("i8"), Some(DType::I64));
    /// assert_eq!(numpy.dtype_named("f16"), None);
    /// ```
    pub fn dtype_named(&self, name: &str) -> Option<DType> {
        let named = |dtype: &DType| self.names_of(*dtype).contains(&name);
        let unnamed = |dtype: &DType| dtype.name() == name && self.names_of(*dtype).is_empty();
        let mut dtypes = self.tables.dtypes.iter().copied();
        dtypes.clone().find(named).or_else(|| dtypes.find(unnamed))
    }
}
