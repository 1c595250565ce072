//! Lists of types: in which order a rule set joins them.

use promote_runtime::DType;
use promote_runtime::table::order;

use crate::{Promote, Promoted};

/// How a rule set joins a list of types: [`InOrder`] or [`ByKind`], as its file says.
pub trait Joins {
    /// The way.
    type Way;
}

/// From the first to the last.
pub enum InOrder {}

/// Those of the highest kind first, and of one kind from the first to the last.
pub enum ByKind {}

/// What the types of a tuple promote to under the rule set `R`, if they are joined in the order `Way`.
pub trait JoinAll<Way, R> {
    /// The type of the result.
    type Output;
}

/// The place of a type among the kinds of the rule set `R`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no dtype of `{R}`",
    label = "in a list of types there are only dtypes of the rule set",
    note = "`promoted!(R: A, B, C)` joins numbers without a width, too"
)]
pub trait OfKind<R> {
    /// A [`Kind`].
    type Kind;
}

/// A kind by its place, the lowest first.
pub enum Kind<const PLACE: usize> {}

/// The place of a dtype's kind, as the run time has it.
pub const fn kind(dtype: DType) -> usize {
    order(dtype) as usize
}

/// A choice that hangs on the kind beside.
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

/// A list, the highest kind first, with `New` in its place: before those of its kind, since lists are sorted
/// from their end.
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

/// What a type and those of a list promote to, from the first to the last.
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
    /// What its types promote to, from the first to the last.
    type Output;
}

impl<First, Rest, R> JoinList<R> for (First, Rest)
where
    Rest: JoinTo<First, R>,
{
    type Output = Rest::Output;
}

/// The list of `$types` in the order in which they are joined kind by kind.
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

// That each promotes with itself keeps numbers without a width out: at run time they are joined after all
// arrays, and here where they stand.
tuples! { A B C }
tuples! { A B C D }
tuples! { A B C D E }
tuples! { A B C D E F }

/// A tuple of one to six types, or an array: what [`CastAll`](crate::CastAll) converts.
pub trait List {
    /// The same with `T` in place of each type.
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
