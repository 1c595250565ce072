//! The operators that can be derived.

/// An operator that can be derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    /// A binary operator: its trait, method and op.
    Two(&'static str, &'static str, &'static str),
    /// A binary operator in place: its trait, method and op.
    Assign(&'static str, &'static str, &'static str),
    Neg,
    PartialEq,
    PartialOrd,
}

impl Operator {
    /// All operators, in the order in which messages list them.
    pub(super) const ALL: [Operator; 13] = [
        Operator::Two("Add", "add", "Add"),
        Operator::Two("Sub", "sub", "Subtract"),
        Operator::Two("Mul", "mul", "Multiply"),
        Operator::Two("Div", "div", "Divide"),
        Operator::Two("Rem", "rem", "Remainder"),
        Operator::Neg,
        Operator::Assign("AddAssign", "add_assign", "Add"),
        Operator::Assign("SubAssign", "sub_assign", "Subtract"),
        Operator::Assign("MulAssign", "mul_assign", "Multiply"),
        Operator::Assign("DivAssign", "div_assign", "Divide"),
        Operator::Assign("RemAssign", "rem_assign", "Remainder"),
        Operator::PartialEq,
        Operator::PartialOrd,
    ];

    /// Returns the name of the trait.
    pub(super) fn name(self) -> &'static str {
        match self {
            Operator::Two(name, ..) | Operator::Assign(name, ..) => name,
            Operator::Neg => "Neg",
            Operator::PartialEq => "PartialEq",
            Operator::PartialOrd => "PartialOrd",
        }
    }

    /// Returns true if the operator can have a weak scalar as an operand.
    pub(super) fn takes_weak(self) -> bool {
        matches!(self, Operator::Two(..) | Operator::Assign(..))
    }
}
