//! Ops that depend on both operands, at the type level.
//!
//! A rule set has a [`PairRule`] for each pair of types: most pairs depend on their common dtype only, some
//! are refused, and a few have result types of their own. Ops with equal rules share a table. Dtypes with
//! equal rules in a table form a class. The row of a left operand is a type with a parameter for each class
//! of right operands, so a table needs an impl for each dtype and not for each pair.

use promote_runtime::__private::{OpDTypes, OpMap, OpRow};
use promote_runtime::Element;

use crate::Promote;

/// The class of a dtype in the table `Pairs`.
#[diagnostic::on_unimplemented(
    message = "the rule set does not know `{Self}`, or refuses it for this op",
    label = "convert it first to a type that the rule set knows",
    note = "a rule set knows the standard types and those that its file names"
)]
pub trait OpClass<Pairs> {
    /// The row of the left operand: a [`RowOf`] every class of right operands.
    type Left;
    /// The [`Class`] of the right operand.
    type Right;
}

/// A row of a table: the rule for a left operand with right operands of a class.
pub trait RowOf<Right> {
    /// A type that implements [`PairRule`].
    type Rule;
}

/// A class of a table, by its number.
pub enum Class<const N: usize> {}

/// The dtypes of an op on `A` and `B` under the rule set `R`. `Map` is the op's map of common dtypes.
pub trait PairRule<Map, A, B, R> {
    /// The type of [`promote_runtime::OpRule::Common`].
    type Common: Element;
    /// The type of [`promote_runtime::OpRule::Compute`].
    type Compute: Element;
    /// The type of [`promote_runtime::OpRule::Output`].
    type Output: Element;
}

/// The rule of a pair whose common dtype decides.
pub enum ByCommon {}

impl<Map, A, B, R> PairRule<Map, A, B, R> for ByCommon
where
    A: Promote<B, R>,
    Map: OpMap<A::Output>,
{
    type Common = <Map::Row as OpRow>::Common;
    type Compute = <Map::Row as OpRow>::Compute;
    type Output = <Map::Row as OpRow>::Output;
}

/// The rule of a pair whose left operand decides.
pub enum Left {}

impl<Map, A: Element, B, R> PairRule<Map, A, B, R> for Left {
    type Common = A;
    type Compute = A::Reg;
    type Output = A;
}

// The rule of a pair with types of its own.
impl<Map, A, B, R, X: Element, Y: Element, Z: Element> PairRule<Map, A, B, R> for OpDTypes<X, Y, Z> {
    type Common = X;
    type Compute = Y;
    type Output = Z;
}
