//! What an op that looks at its two operands makes of them, at the type level.
//!
//! A rule set says of each pair *how* the op does it ([`How`]): most pairs go by their common dtype, some are
//! refused, a few give a type of their own. Pairs that several ops treat alike are one table. Dtypes that a
//! table treats alike are a class, and what it says of a left operand is one type, its row, with a parameter
//! for each class of right operands: so a table has an impl a dtype, and not one a pair.

use promote_runtime::{Element, OpDTypes, OpMap, OpRow};

use crate::Promote;

/// The class of a dtype in the table `Pairs`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no dtype that this op of the rule set knows",
    label = "convert it first to a type of the rule set",
    note = "a rule set knows the standard types and those that its file names"
)]
pub trait OpClass<Pairs> {
    /// As a left operand: its row, a [`RowOf`] every class of right operands.
    type Left;
    /// As a right operand: a [`Class`].
    type Right;
}

/// A row of a table: how a left operand is treated with the class `Right`.
pub trait RowOf<Right> {
    /// One that implements [`How`].
    type How;
}

/// A class of a table: its number.
pub enum Class<const N: usize> {}

/// What comes of `A` and `B` under the rule set `R` for an op that makes `Map` of a common dtype.
pub trait How<Map, A, B, R> {
    /// As [`promote_runtime::OpRule::Common`].
    type Common: Element;
    /// As [`promote_runtime::OpRule::Compute`].
    type Compute: Element;
    /// As [`promote_runtime::OpRule::Output`].
    type Output: Element;
}

/// The op looks at what the two promote to.
pub enum ByCommon {}

impl<Map, A, B, R> How<Map, A, B, R> for ByCommon
where
    A: Promote<B, R>,
    Map: OpMap<A::Output>,
{
    type Common = <Map::Row as OpRow>::Common;
    type Compute = <Map::Row as OpRow>::Compute;
    type Output = <Map::Row as OpRow>::Output;
}

/// The left operand decides.
pub enum Left {}

impl<Map, A: Element, B, R> How<Map, A, B, R> for Left {
    type Common = A;
    type Compute = A::Reg;
    type Output = A;
}

/// Types of their own: a row of a map says the same of a common dtype.
impl<Map, A, B, R, X: Element, Y: Element, Z: Element> How<Map, A, B, R> for OpDTypes<X, Y, Z> {
    type Common = X;
    type Compute = Y;
    type Output = Z;
}
