//! What generic code asks of a rule set: ops, common types, sums, lists of types, and that nothing is lost.

use crate::__private::t;
use promote_runtime::{Cast, Compute, ConvertTo, Element, OpRule, Reduce, RuleSet, op};

use crate::__private::lists::{JoinAll, Joins, List};
use crate::{OpOutput, Promote, Promoted};

/// A rule set as a type: what generic code calls, with one bound for each op.
///
/// [`rules!`](crate::rules!) implements it.
///
/// ```
/// use promote::{Compute, OpOutput, Rules, Torch, op};
///
/// /// `a · x + y`, each op rounding as if called alone.
/// fn axpy<R, A, X, Y>(a: A, x: X, y: Y) -> OpOutput<op::Add, (OpOutput<op::Multiply, (A, X), R>, Y), R>
/// where
///     R: Rules + Compute<op::Multiply, (A, X)> + Compute<op::Add, (OpOutput<op::Multiply, (A, X), R>, Y)>,
/// {
///     R::apply(op::Add, (R::apply(op::Multiply, (a, x)), y))
/// }
/// assert_eq!(axpy::<Torch, _, _, _>(2_i8, 1.5_f32, 1_i64), 4.0_f32);
/// ```
pub trait Rules: Sized + 'static {
    /// The rule set as data, with the default values of its parameters.
    fn data() -> RuleSet;

    /// Computes `op` of single elements and rounds the result once: `R::apply(op::Add, (a, b))`.
    ///
    /// # Panics
    ///
    /// As [`Compute::compute`].
    #[inline]
    fn apply<Op, Args>(_op: Op, args: Args) -> OpOutput<Op, Args, Self>
    where
        Self: Compute<Op, Args>,
    {
        <Self as Compute<Op, Args>>::compute(args)
    }

    /// Both elements as what they promote to, with one rounding each.
    ///
    /// ```
    /// use promote::{Rules, Torch};
    /// assert_eq!(Torch::common(3_u8, -1_i8), (3_i16, -1_i16));
    /// ```
    #[inline]
    fn common<A, B>(a: A, b: B) -> (Promoted<A, B, Self>, Promoted<A, B, Self>)
    where
        A: CastCommon<B, Self>,
    {
        A::cast_common(a, b)
    }

    /// The sum of elements: each is converted as the rule set's `sum` says, added in its compute type, and
    /// rounded once. Integers wrap.
    ///
    /// Runs of 128 elements are added one after the other, and these pair by pair: with u the unit roundoff
    /// of the compute type, the error of n elements is below `(128 + log2(n / 128)) · u` of the sum of their
    /// magnitudes. NaN where an element is; 0 of none. `RuleSet::call`, over arrays, adds floats in `f64`,
    /// so that the last bits may differ.
    ///
    /// ```
    /// use promote::{Rules, Torch};
    /// let sum: i64 = Torch::sum([200_u8, 100]); // PyTorch adds integers in i64
    /// assert_eq!(sum, 300);
    /// ```
    ///
    /// In generic code [`Reduce`] is the bound:
    ///
    /// ```
    /// use promote::{OpOutput, Reduce, Rules, Torch, op};
    /// fn total<R: Rules + Reduce<op::Sum, (A,)>, A: Copy>(a: &[A]) -> OpOutput<op::Sum, (A,), R> {
    ///     R::sum(a.iter().copied())
    /// }
    /// assert_eq!(total::<Torch, _>(&[200_u8, 100]), 300_i64);
    /// ```
    #[inline]
    fn sum<A>(items: impl IntoIterator<Item = A>) -> <Self as OpRule<op::Sum, (A,)>>::Output
    where
        Self: Reduce<op::Sum, (A,)>,
    {
        <Self as Reduce<op::Sum, (A,)>>::reduce(items.into_iter().map(|item| (item,)))
    }

    /// The dot product of elements of two types: each is converted as the rule set's `dot` says, products and
    /// sums are those of its compute type, and the result is rounded once. Integers wrap.
    ///
    /// Products are rounded, and added as those of [`Rules::sum`]. The shorter of the two decides how many
    /// there are.
    ///
    /// ```
    /// use promote::{Rules, Torch};
    /// let dot: f32 = Torch::dot([1.5_f32, 2.0], [2.0_f32, 4.0]);
    /// assert_eq!(dot, 11.0);
    /// ```
    ///
    /// In generic code [`Reduce`] is the bound: `R: Rules + Reduce<op::Dot, (A, B)>`.
    #[inline]
    fn dot<A, B>(
        a: impl IntoIterator<Item = A>,
        b: impl IntoIterator<Item = B>,
    ) -> OpOutput<op::Dot, (A, B), Self>
    where
        Self: Reduce<op::Dot, (A, B)>,
    {
        <Self as Reduce<op::Dot, (A, B)>>::reduce(a.into_iter().zip(b))
    }
}

/// Types that promote, and whose elements can be made what they promote to: the one bound of
/// [`Rules::common`].
pub trait CastCommon<Rhs, R>: Promote<Rhs, R> + Sized {
    /// Both as what they promote to, with one rounding each.
    fn cast_common(self, rhs: Rhs) -> (Self::Output, Self::Output);
}

impl<A, B, R> CastCommon<B, R> for A
where
    A: Promote<B, R> + ConvertTo<Promoted<A, B, R>>,
    B: ConvertTo<Promoted<A, B, R>>,
    Promoted<A, B, R>: Element,
{
    #[inline]
    fn cast_common(self, rhs: B) -> (Self::Output, Self::Output) {
        (self.cast(), rhs.cast())
    }
}

/// What all types of a tuple promote to, or those of an array.
///
/// They are joined as `result_type` joins arrays at run time: from the first to the last, or, where the rule
/// file says `fold by_kind` as NumPy's does, those of the highest kind first. A tuple has at most six types;
/// numbers without a width have a place in it only where the rule set promotes them among themselves, as
/// JAX's does. Of concrete types, and with numbers among them, [`promoted!`](crate::promoted!) does the same.
///
/// ```
/// use promote::{PromoteAll, Torch};
///
/// fn widest<T: PromoteAll<Torch>>(_: T) -> usize {
///     size_of::<T::Output>()
/// }
/// assert_eq!(widest((1_u8, 1_i8, 1.0_f64)), 8);
/// assert_eq!(widest([1_u8; 3]), 1);
/// ```
///
/// ```
/// # #[cfg(feature = "numpy")] {
/// use promote::{NumPy, PromoteAll};
/// use half::f16;
///
/// fn widest<T: PromoteAll<NumPy>>(_: T) -> usize {
///     size_of::<T::Output>()
/// }
/// // i8 and f16 are f16, which holds every u8; u8 and i8 would be i16, and an f32 beside an f16.
/// assert_eq!(widest((1_u8, 1_i8, f16::ONE)), 2);
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no list of types that promote under `{R}`",
    label = "a list is a tuple of one to six types that promote, or an array",
    note = "of concrete types `promoted!(R: A, B, C)` joins as many as there are"
)]
pub trait PromoteAll<R> {
    /// The type of the result.
    type Output;
}

impl<T: Promote<T, R>, const N: usize, R> PromoteAll<R> for [T; N] {
    type Output = Promoted<T, T, R>;
}

impl<A: Promote<A, R>, R> PromoteAll<R> for (A,) {
    type Output = Promoted<A, A, R>;
}

impl<A, B, R> PromoteAll<R> for (A, B)
where
    A: Promote<A, R> + Promote<B, R>,
    B: Promote<B, R>,
{
    type Output = Promoted<A, B, R>;
}

macro_rules! tuples {
    ($($($all:ident)*;)*) => {$(
        impl<R, $($all),*> PromoteAll<R> for ($($all,)*)
        where
            R: Joins,
            ($($all,)*): JoinAll<R::Way, R>,
        {
            type Output = <($($all,)*) as JoinAll<R::Way, R>>::Output;
        }
    )*};
}

tuples! {
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
}

/// Converts the values of a tuple, or of an array, to the type that all of them promote to.
///
/// ```
/// use promote::{CastAll, NumPy};
///
/// let all: (f64, f64, f64) = CastAll::<NumPy>::cast_all((1_u8, -2_i32, 0.5_f32));
/// assert_eq!(all, (1.0, -2.0, 0.5));
/// ```
pub trait CastAll<R>: PromoteAll<R> + List {
    /// Converts each value, with one rounding each.
    fn cast_all(self) -> Self::Of<Self::Output>;
}

impl<T, R, const N: usize> CastAll<R> for [T; N]
where
    [T; N]: PromoteAll<R, Output: Element>,
    T: ConvertTo<<[T; N] as PromoteAll<R>>::Output>,
{
    #[inline]
    fn cast_all(self) -> [Self::Output; N] {
        self.map(Cast::cast)
    }
}

macro_rules! cast_all {
    ($($all:ty: $($ty:ident $x:ident)*;)*) => {$(
        impl<R, $($ty),*> CastAll<R> for $all
        where
            $all: PromoteAll<R, Output: Element>,
            $($ty: ConvertTo<<$all as PromoteAll<R>>::Output>,)*
        {
            #[inline]
            fn cast_all(self) -> Self::Of<Self::Output> {
                let ($($x,)*) = self;
                ($($x.cast(),)*)
            }
        }
    )*};
}

cast_all! {
    (A,): A a;
    (A, B): A a B b;
    (A, B, C): A a B b C c;
    (A, B, C, D): A a B b C c D d;
    (A, B, C, D, E): A a B b C c D d E e;
    (A, B, C, D, E, F): A a B b C c D d E e F f;
}

/// The four ops on `A` and `B`: sums, differences and products are of the type `Out`, quotients of `Quotient`.
pub trait FourOps<A, B, Out, Quotient>:
    Compute<op::Add, (A, B), Output = Out>
    + Compute<op::Subtract, (A, B), Output = Out>
    + Compute<op::Multiply, (A, B), Output = Out>
    + Compute<op::Divide, (A, B), Output = Quotient>
{
}

impl<R, A, B, Out, Quotient> FourOps<A, B, Out, Quotient> for R where
    R: Compute<op::Add, (A, B), Output = Out>
        + Compute<op::Subtract, (A, B), Output = Out>
        + Compute<op::Multiply, (A, B), Output = Out>
        + Compute<op::Divide, (A, B), Output = Quotient>
{
}

/// `+`, `-`, `*` and `/` under a rule set: the one bound of generic arithmetic.
///
/// `Args` is a tuple of types that promote together, as for [`PromoteAll`]. [`promote`](NumOps::promote)
/// converts values of them to [`Value`](NumOps::Value), the type that all of them promote to. Sums,
/// differences and products of it are of that type again; integers wrap. A quotient is a
/// [`Quotient`](NumOps::Quotient): the same type for floats, and under most rule sets a float for integers.
/// The two compute with one another in `Quotient`. Call the ops by [`Rules::apply`], or write them with
/// [`mixed!`](crate::mixed!).
///
/// ```
/// use promote::{NumOps, Torch, mixed};
///
/// /// `a · x + y`.
/// fn axpy<R: NumOps<(A, X, Y)>, A, X, Y>(a: A, x: X, y: Y) -> R::Value {
///     let (a, x, y) = R::promote((a, x, y));
///     mixed! { R => a * x + y }
/// }
///
/// /// The variance of a population; NaN if it is empty.
/// fn variance<R: NumOps<(T,)>, T: Copy>(population: &[T]) -> R::Quotient {
///     let n = R::number(population.len() as f64);
///     let values = || population.iter().map(|&x| R::promote((x,)).0);
///     let sum = values().fold(R::number(0.0), |sum, x| mixed! { R => sum + x });
///     let mean = mixed! { R => sum / n };
///     let squares = values().fold(R::number(0.0), |sum, x| {
///         let difference = mixed! { R => x - mean };
///         mixed! { R => sum + difference * difference }
///     });
///     mixed! { R => squares / n }
/// }
///
/// assert_eq!(axpy::<Torch, _, _, _>(2_i8, 1.5_f32, 1_i64), 4.0_f32);
/// assert_eq!(axpy::<Torch, _, _, _>(2_i8, 3_u8, 1_i64), 7_i64);
/// assert_eq!(variance::<Torch, _>(&[1_i32, 2, 3, 4]), 1.25_f32);
/// assert_eq!(variance::<Torch, _>(&[1.0_f64, 2.0, 3.0, 4.0]), 1.25_f64);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not compute `{Args}` with `+`, `-`, `*` and `/`",
    label = "these types do not promote together, or the rule set refuses one of the ops",
    note = "in generic code, write the bound `{Self}: NumOps<{Args}>`, with a tuple of one to six types"
)]
pub trait NumOps<Args: List>:
    Rules
    + FourOps<
        <Self as NumOps<Args>>::Value,
        <Self as NumOps<Args>>::Value,
        <Self as NumOps<Args>>::Value,
        <Self as NumOps<Args>>::Quotient,
    > + FourOps<
        <Self as NumOps<Args>>::Value,
        <Self as NumOps<Args>>::Quotient,
        <Self as NumOps<Args>>::Quotient,
        <Self as NumOps<Args>>::Quotient,
    > + FourOps<
        <Self as NumOps<Args>>::Quotient,
        <Self as NumOps<Args>>::Value,
        <Self as NumOps<Args>>::Quotient,
        <Self as NumOps<Args>>::Quotient,
    > + FourOps<
        <Self as NumOps<Args>>::Quotient,
        <Self as NumOps<Args>>::Quotient,
        <Self as NumOps<Args>>::Quotient,
        <Self as NumOps<Args>>::Quotient,
    >
{
    /// The type that all types of `Args` promote to.
    type Value: Element;
    /// The type of a quotient.
    type Quotient: Element;

    /// Converts each value to the common type, with one rounding each.
    fn promote(args: Args) -> Args::Of<Self::Value>;

    /// Converts a number to the type of a quotient, rounded once.
    fn number(number: f64) -> Self::Quotient;
}

impl<R, Args, C, Q> NumOps<Args> for R
where
    Args: CastAll<R, Output = C>,
    C: Element,
    Q: Element,
    f64: ConvertTo<Q>,
    R: Rules
        + OpRule<op::Divide, (C, C), Output = Q>
        + FourOps<C, C, C, Q>
        + FourOps<C, Q, Q, Q>
        + FourOps<Q, C, Q, Q>
        + FourOps<Q, Q, Q, Q>,
{
    type Value = C;
    type Quotient = Q;

    #[inline]
    fn promote(args: Args) -> Args::Of<C> {
        args.cast_all()
    }

    #[inline]
    fn number(number: f64) -> Q {
        number.cast()
    }
}

/// That promotion loses nothing: every value of either type is one of what they promote to. NaN and the sign
/// of zero are left aside.
///
/// ```
/// use promote::{Lossless, Rules, Torch, Promoted, Promote, CastCommon};
///
/// fn join<A, B>(a: A, b: B) -> Promoted<A, B, Torch>
/// where
///     A: Lossless<B, Torch> + CastCommon<B, Torch>,
/// {
///     a.cast_common(b).0
/// }
/// assert_eq!(join(7_u8, -1_i8), 7_i16);
/// ```
///
/// ```compile_fail
/// # use promote::{Lossless, Torch};
/// fn join<A: Lossless<B, Torch>, B>(_: A, _: B) {}
/// join(1_i64, 1.0_f32); // an f32 has 24 of the 63 digits of an i64
/// ```
#[diagnostic::on_unimplemented(
    message = "promotion of `{Self}` and `{Rhs}` under `{R}` is not without loss",
    label = "what they promote to does not hold every value of both",
    note = "convert one operand first, to a type that holds both, or leave the bound `Lossless` out"
)]
pub trait Lossless<Rhs, R>: Promote<Rhs, R> {}

impl<A, B, R> Lossless<B, R> for A
where
    A: Promote<B, R> + FitsIn<Promoted<A, B, R>, R>,
    B: FitsIn<Promoted<A, B, R>, R>,
{
}

/// That every value of the type is one of `T`.
///
/// Standard types have it under every rule set; for types of a rule file's own, what the file says they hold.
#[diagnostic::on_unimplemented(
    message = "`{T}` does not hold every value of `{Self}`",
    label = "promotion would lose digits or range here",
    note = "convert one operand first, to a type that holds both, or leave the bound `Lossless` out"
)]
pub trait FitsIn<T, R> {}

promote_macros::__fits_in! {}

/// Nothing implements it: it says why a type is no dtype.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{T}` is no dtype: its width is that of the machine",
    label = "convert it first, to `u64` or `i64` or what is wide enough"
)]
pub trait NoWidthOfItsOwn<T> {}

/// As above.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{T}` is no dtype of any rule set",
    label = "convert it first: a `char` to `u32`, a 128-bit integer to `i64`, `u64` or `f64`"
)]
pub trait NoDType<T> {}

/// As above.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{T}` is a reference, and promotion is of values",
    label = "dereference it: `*x`"
)]
pub trait Reference<T> {}

// What is refused gives an `f32`, with which every op computes: the refusal is all that is wrong.
macro_rules! refused {
    ($($ty:ident by $why:ident;)*) => {$(
        impl<B, R> Promote<B, R> for $ty
        where
            for<'x> &'x (): $why<$ty>,
        {
            type Output = f32;
        }
        promote_core::__dtypes! { refused { $ty $why } }
    )*};
    (
        { $ty:ident $why:ident }
        typed [$({ $doc:literal } $variant:ident $left:ident $bits:literal $align:literal $format:expr;)*]
        $($rest:tt)*
    ) => {$(
        impl<R> Promote<$ty, R> for t::$left
        where
            for<'x> &'x (): $why<$ty>,
        {
            type Output = t::$left;
        }
    )*};
}

refused! {
    usize by NoWidthOfItsOwn;
    isize by NoWidthOfItsOwn;
    char by NoDType;
    i128 by NoDType;
    u128 by NoDType;
}

impl<T, B, R> Promote<B, R> for &T
where
    for<'x> &'x (): Reference<Self>,
{
    type Output = f32;
}

macro_rules! references {
    (
        {}
        typed [$({ $doc:literal } $variant:ident $left:ident $bits:literal $align:literal $format:expr;)*]
        $($rest:tt)*
    ) => {$(
        impl<T, R> Promote<&T, R> for t::$left
        where
            for<'x> &'x (): Reference<T>,
        {
            type Output = t::$left;
        }
    )*};
}

promote_core::__dtypes! { references {} }
