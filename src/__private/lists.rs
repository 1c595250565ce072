//! Promotion of lists of types, in the order in which the rule set joins them.

use promote_runtime::__private::table::order;
use promote_runtime::DType;

use crate::{Promote, Promoted};

/// The order in which a rule set promotes a list of types.
pub trait Joins {
    /// [`InOrder`] or [`ByKind`], as the rule file declares.
    type Way;
}

/// Promotes a list from the first type to the last.
pub enum InOrder {}

/// Promotes the types of the highest kind first, and those of one kind from the first to the last.
pub enum ByKind {}

/// The promotion of a tuple of types under the rule set `R`, in the order `Way`.
pub trait JoinAll<Way, R> {
    /// The type of the result.
    type Output;
}

/// The kind of a type under the rule set `R`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a dtype of `{R}`",
    label = "a list takes only dtypes of the rule set",
    note = "`promoted!(R: A, B, C)` joins numbers without a width, too"
)]
pub trait OfKind<R> {
    /// A [`Kind`].
    type Kind;
}

/// A kind, by its rank; 0 is the lowest.
pub enum Kind<const RANK: usize> {}

/// Returns the rank of a dtype's kind.
pub const fn kind(dtype: DType) -> usize {
    order(dtype) as usize
}

/// A choice between two types by the order of two kinds.
pub trait Beside<Other> {
    /// `This` if the kind is not lower than `Other`, else `That`.
    type Choose<This, That>;
}

macro_rules! kinds {
    ($($kind:literal: [$($lower:literal)*] [$($higher:literal)*];)*) => {$(
        impl Beside<Kind<$kind>> for Kind<$kind> {
            type Choose<This, That> = This;
        }
        $(
            impl Beside<Kind<$lower>> for Kind<$kind> {
                type Choose<This, That> = This;
            }
        )*
        $(
            impl Beside<Kind<$higher>> for Kind<$kind> {
                type Choose<This, That> = That;
            }
        )*
    )*};
}

kinds! {
    0: [] [1 2 3 4];
    1: [0] [2 3 4];
    2: [0 1] [3 4];
    3: [0 1 2] [4];
    4: [0 1 2 3] [];
}

/// A list sorted by kind, the highest first, into which `New` is inserted. It comes before types of its own
/// kind, because lists are sorted from their end.
pub trait Insert<New, R> {
    /// The list.
    type List;
}

impl<New, R> Insert<New, R> for () {
    type List = (New, ());
}

impl<New, First, Rest, R> Insert<New, R> for (First, Rest)
where
    New: OfKind<R, Kind: Beside<First::Kind>>,
    First: OfKind<R>,
    Rest: Insert<New, R>,
{
    type List = <New::Kind as Beside<First::Kind>>::Choose<(New, (First, Rest)), (First, Rest::List)>;
}

/// The promotion of `Joined` with the types of a list, from the first to the last.
pub trait JoinTo<Joined, R> {
    /// The type of the result.
    type Output;
}

impl<Joined, R> JoinTo<Joined, R> for () {
    type Output = Joined;
}

impl<Joined, Next, Rest, R> JoinTo<Joined, R> for (Next, Rest)
where
    Joined: Promote<Next, R>,
    Rest: JoinTo<Promoted<Joined, Next, R>, R>,
{
    type Output = Rest::Output;
}

/// A list that is not empty.
pub trait JoinList<R> {
    /// The promotion of its types, from the first to the last.
    type Output;
}

impl<First, Rest, R> JoinList<R> for (First, Rest)
where
    Rest: JoinTo<First, R>,
{
    type Output = Rest::Output;
}

/// Sorts a list of types by kind.
macro_rules! sorted {
    ($r:ident) => { () };
    ($r:ident $first:ident $($rest:ident)*) => { <sorted!($r $($rest)*) as Insert<$first, $r>>::List };
}

macro_rules! tuples {
    ($first:ident $second:ident $($rest:ident)*) => {
        tuples! { @one $first $second $($rest)*; [Promoted<$first, $second, R>] [$first: Promote<$second, R>,] $($rest)* }
        tuples! { @sorted $first $second $($rest)*; [] $first $second $($rest)* }
    };
    (@one $($all:ident)*; [$joined:ty] [$($bounds:tt)*] $next:ident $($rest:ident)*) => {
        tuples! { @one $($all)*; [Promoted<$joined, $next, R>] [$($bounds)* $joined: Promote<$next, R>,] $($rest)* }
    };
    (@one $($all:ident)*; [$joined:ty] [$($bounds:tt)*]) => {
        impl<R, $($all),*> JoinAll<InOrder, R> for ($($all,)*)
        where
            $($all: Promote<$all, R>,)*
            $($bounds)*
        {
            type Output = $joined;
        }
    };
    (@sorted $($all:ident)*; [$($bounds:tt)*] $first:ident $($rest:ident)*) => {
        tuples! { @sorted $($all)*; [$($bounds)* sorted!(R $($rest)*): Insert<$first, R>,] $($rest)* }
    };
    (@sorted $($all:ident)*; [$($bounds:tt)*]) => {
        impl<R, $($all),*> JoinAll<ByKind, R> for ($($all,)*)
        where
            $($all: Promote<$all, R>,)*
            $($bounds)*
            sorted!(R $($all)*): JoinList<R>,
        {
            type Output = <sorted!(R $($all)*) as JoinList<R>>::Output;
        }
    };
}

// The bound that each type promotes with itself excludes numbers without a width. At run time these are
// joined after all arrays, and here they would be joined at their position.
tuples! { A B C }
tuples! { A B C D }
tuples! { A B C D E }
tuples! { A B C D E F }

/// A tuple of one to six types, or an array, which [`CastAll`](crate::CastAll) converts.
pub trait List {
    /// The tuple or array with `T` in place of each type.
    type Of<T>;
}

impl<A, const N: usize> List for [A; N] {
    type Of<T> = [T; N];
}

macro_rules! lists {
    ($($($ty:ident $same:ident)*;)*) => {$(
        impl<$($ty),*> List for ($($ty,)*) {
            type Of<T> = ($($same,)*);
        }
    )*};
}

lists! {
    A T;
    A T B T;
    A T B T C T;
    A T B T C T D T;
    A T B T C T D T E T;
    A T B T C T D T E T F T;
}
