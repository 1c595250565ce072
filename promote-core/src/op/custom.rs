//! Custom ops: kernels that users define, and ops that have dtypes alone.

use core::any::Any;
use core::fmt;

use super::Op;

/// A custom op: a kernel that a user defines, or an op that has dtypes and no kernels.
///
/// Two custom ops with kernels are equal when they are the same `static`: equality is by address. Two ops
/// [without kernels](CustomOp::without_kernels) are equal when they have the same name and arity.
pub struct CustomOp {
    name: &'static str,
    arity: usize,
    like: Option<Op>,
    has_kernels: bool,
    /// The kernels, in a type that only the run time knows.
    kernels: Option<&'static (dyn Any + Send + Sync)>,
}

// The kernels are addresses, as the casts of a custom dtype are.
impl fmt::Debug for CustomOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {} inputs", self.name, self.arity)
    }
}

impl CustomOp {
    /// The largest number of inputs.
    pub const MAX_INPUTS: usize = 4;

    /// Creates an op from its name, as rule files spell it, and its number of operands.
    ///
    /// Its dtypes are those that a rule set gives the op `like`. If `like` is `None`, the rule file names
    /// this op and gives its dtypes.
    ///
    /// ```
    /// # use promote_core as promote;
    /// use promote::{CustomOp, Op};
    ///
    /// static AXPY: CustomOp = CustomOp::new("axpy", 3, None);
    /// assert_eq!((Op::Custom(&AXPY).name(), Op::Custom(&AXPY).arity()), ("axpy", 3));
    /// ```
    pub const fn new(name: &'static str, arity: usize, like: Option<Op>) -> CustomOp {
        CustomOp { name, arity, like, has_kernels: true, kernels: None }
    }

    /// Creates an op without kernels. Rule files that declare it give its dtypes, and the program computes it
    /// by other means.
    ///
    /// ```
    /// # use promote_core as promote;
    /// use promote::{CustomOp, Op};
    ///
    /// static SOFTMAX: CustomOp = CustomOp::without_kernels("softmax", 1);
    /// static SAME: CustomOp = CustomOp::without_kernels("softmax", 1);
    /// assert_eq!(Op::Custom(&SOFTMAX), Op::Custom(&SAME));
    /// ```
    pub const fn without_kernels(name: &'static str, arity: usize) -> CustomOp {
        CustomOp { has_kernels: false, ..CustomOp::new(name, arity, None) }
    }

    /// Creates an op that is known by its name alone, from a rule file that was read at run time. It takes
    /// any number of operands, and its kernels are not known.
    pub const fn named(name: &'static str) -> CustomOp {
        CustomOp::new(name, 0, None)
    }

    /// Returns the canonical name.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the number of operands, or 0 if only the name is known.
    pub const fn arity(&self) -> usize {
        self.arity
    }

    /// Returns true if the op may have kernels, false if it has dtypes alone.
    pub const fn has_kernels(&self) -> bool {
        self.has_kernels
    }

    /// Returns the op whose dtypes this op shares; `None` if rule sets name this op themselves.
    pub const fn like(&self) -> Option<Op> {
        self.like
    }

    /// Attaches the kernels, which only the run time knows.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_kernels(self, kernels: &'static (dyn Any + Send + Sync)) -> CustomOp {
        CustomOp { kernels: Some(kernels), ..self }
    }

    /// Returns the kernels, if there are any.
    #[doc(hidden)]
    pub const fn kernels(&self) -> Option<&'static (dyn Any + Send + Sync)> {
        self.kernels
    }
}
