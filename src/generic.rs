//! Traits for generic code: ops of a rule set, common types, reductions, lists of types, lossless promotion.

use crate::__private::{NoPartner, t};
use promote_runtime::__private::{NoDType, NoWidthOfItsOwn, Reference};
use promote_runtime::{Cast, Compute, ConvertTo, Element, OpRule, Reduce, RuleSet, Weak, op};

use crate::__private::lists::{JoinAll, Joins, List};
use crate::{OpOutput, Promote, Promoted};

/// A rule set as a type, whose functions generic code calls. Each op needs a [`Compute`] bound.
///
/// [`rules!`](crate::rules!) implements this trait for every rule set.
///
/// ```
/// use promote::{Compute, OpOutput, Rules, Torch, op};
///
/// /// Computes `a · x + y`, with a rounding after each op.
/// fn axpy<R, A, X, Y>(a: A, x: X, y: Y) -> OpOutput<op::Add, (OpOutput<op::Multiply, (A, X), R>, Y), R>
/// where
///     R: Rules + Compute<op::Multiply, (A, X)> + Compute<op::Add, (OpOutput<op::Multiply, (A, X), R>, Y)>,
/// {
///     R::apply(op::Add, (R::apply(op::Multiply, (a, x)), y))
/// }
/// assert_eq!(axpy::<Torch, _, _, _>(2_i8, 1.5_f32, 1_i64), 4.0_f32);
/// ```
pub trait Rules: Sized + 'static {
    /// Returns the rule set as data, with the default values of its parameters.
    fn data() -> RuleSet;

    /// Computes `op` of single elements and rounds the result once: `R::apply(op::Add, (a, b))`.
    ///
    /// # Panics
    ///
    /// Panics if [`Compute::compute`] does, for example for an integer divided by zero under some rule sets.
    #[inline]
    fn apply<Op, Args>(_op: Op, args: Args) -> OpOutput<Op, Args, Self>
    where
        Self: Compute<Op, Args>,
    {
        <Self as Compute<Op, Args>>::compute(args)
    }

    /// Converts both elements to the type that they promote to, with one rounding each.
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

    /// Returns the sum of elements, by the rules for `sum`.
    ///
    /// Each element is converted to the common type, the elements are added in the compute type, and the
    /// result is rounded once. Integers wrap. The sum of no elements is 0.
    ///
    /// Blocks of 128 elements are added in order, and the block sums pair by pair. With `u` the unit roundoff
    /// of the compute type, the error of `n` elements is below `(128 + log2(n / 128)) · u` of the sum of
    /// their magnitudes. `RuleSet::call` adds the floats of arrays in `f64`, so the last bits may differ.
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

    /// Returns the dot product of elements, by the rules for `dot`.
    ///
    /// Elements are converted to the common type, products and sums are computed in the compute type, and the
    /// result is rounded once. Integers wrap. Each product is rounded, and the products are added as in
    /// [`Rules::sum`]. The shorter operand decides the number of products.
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

/// Conversion of two values to the type that they promote to: the bound of [`Rules::common`].
///
/// ```
/// use promote::{CastCommon, Torch};
///
/// assert_eq!(CastCommon::<_, Torch>::cast_common(3_u8, -1_i8), (3_i16, -1_i16));
/// ```
pub trait CastCommon<Rhs, R>: Promote<Rhs, R> + Sized {
    /// Converts both values to the type that they promote to, with one rounding each.
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

/// The type that all types of a tuple, or the items of an array, promote to.
///
/// The types are joined like arrays in `RuleSet::result_type`: from the first to the last, or, if the rule
/// file says `fold by_kind` as NumPy's does, those of the highest kind first. A tuple has at most six types.
/// It may contain numbers without a width only if the rule set promotes these among themselves, as JAX's
/// does. A [`ZeroDim`](crate::ZeroDim) is joined at its position, and comes after the arrays. For concrete
/// types, also with such numbers and in any order, use [`promoted!`](crate::promoted!). [`CastAll`] converts
/// values.
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
/// // NumPy joins i8 and f16 first, to f16, which holds every u8. From left to right it would be f32.
/// assert_eq!(widest((1_u8, 1_i8, f16::ONE)), 2);
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of types that promote under `{R}`",
    label = "a list is a tuple of one to six types that promote, or an array",
    note = "`promoted!(R: A, B, C)` joins any number of concrete types"
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
        #[doc(hidden)]
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

/// The ops `+`, `-`, `*` and `/` on `A` and `B`. Results have the type `Out`, and quotients the type
/// `Quotient`.
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

/// Arithmetic with `+`, `-`, `*` and `/` under a rule set, as one bound for generic code.
///
/// `Args` is a tuple of types that promote together, as for [`PromoteAll`]. [`promote`](NumOps::promote)
/// converts values of these types to their common type, [`Value`](NumOps::Value). Sums, differences and
/// products of `Value` have the type `Value`; integers wrap. Quotients have the type
/// [`Quotient`](NumOps::Quotient), which is `Value` for floats, and under most rule sets a float for
/// integers. Ops on a `Value` and a `Quotient` give a `Quotient`.
///
/// Call the ops by [`Rules::apply`], or write them with [`mixed!`](crate::mixed!).
/// Literals in `mixed!` are numbers without a width, which this bound does not cover: write
/// [`R::number(2.0)`](NumOps::number) for `2`.
///
/// ```
/// use promote::{NumOps, Torch, mixed};
///
/// /// Computes `a · x + y`.
/// fn axpy<R: NumOps<(A, X, Y)>, A, X, Y>(a: A, x: X, y: Y) -> R::Value {
///     let (a, x, y) = R::promote((a, x, y));
///     mixed! { R => a * x + y }
/// }
///
/// /// Returns the variance of a population; NaN if it is empty.
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

/// Lossless promotion: the type that `Self` and `Rhs` promote to holds every value of both, apart from NaN
/// and the sign of zero.
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
    message = "promotion of `{Self}` and `{Rhs}` under `{R}` can lose digits or range",
    label = "the type that they promote to does not hold every value of both",
    note = "convert one operand first, to a type that holds both, or remove the bound `Lossless`"
)]
pub trait Lossless<Rhs, R>: Promote<Rhs, R> {}

impl<A, B, R> Lossless<B, R> for A
where
    A: Promote<B, R> + FitsIn<Promoted<A, B, R>, R>,
    B: FitsIn<Promoted<A, B, R>, R>,
{
}

/// Types whose values are all representable in `T`.
///
/// Standard types implement this trait under every rule set. For custom dtypes the `holds` statements of the
/// rule file decide.
///
/// ```
/// use promote::{FitsIn, Torch};
///
/// fn check<A: FitsIn<B, Torch>, B>() {}
/// check::<u8, i16>();
/// check::<i16, f32>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{T}` does not hold every value of `{Self}`",
    label = "promotion would lose digits or range here",
    note = "convert one operand first, to a type that holds both, or remove the bound `Lossless`"
)]
pub trait FitsIn<T, R> {}

promote_macros::__fits_in! {}

/// A bound that never holds: its message says that `Self` is text. `Element` is a supertrait, so that rustc
/// does not also report that `Self` is not an element.
#[cfg(feature = "std")]
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is text, and promotion takes numbers",
    label = "convert it first, as in `x.parse::<f64>()`"
)]
pub trait Numeric<'x>: Element {}

/// Types that are refused together with another type.
#[doc(hidden)]
pub trait Partner {}

impl<T> Partner for Weak<T> {}

impl<T: ?Sized> Partner for &T {}

// A refused pair promotes to `f32`, in which every op computes, so that rustc reports only the refusal. rustc
// meets the failed bound in several places, but reports it once, because the bound does not name the other
// type.
//
// The other operand may be a literal, whose type rustc chooses last. If several impls fit a literal and the
// bounds of all of them fail, rustc reports the pair and not the bound. Therefore one impl covers all types
// on a side where that is possible. Elsewhere two impls without a bound give a type without values. rustc
// then waits until it knows more.
macro_rules! refused {
    (@pair [$($generics:tt)*] $left:ty, $right:ty, $($bound:tt)*) => {
        #[doc(hidden)]
        impl<$($generics)* R> Promote<$right, R> for $left
        where
            $($bound)*
        {
            type Output = f32;
        }
    };
    (@left [$($generics:tt)*] $left:ty, $($bound:tt)*) => {
        refused! { @pair [$($generics)* B: Partner,] $left, B, $($bound)* }
        refused! { @unbounded [$($generics)*] $left, NoPartner<0> }
        refused! { @unbounded [$($generics)*] $left, NoPartner<1> }
    };
    (@unbounded [$($generics:tt)*] $left:ty, $right:ty) => {
        #[doc(hidden)]
        #[diagnostic::do_not_recommend]
        impl<$($generics)* R> Promote<$right, R> for $left {
            type Output = NoPartner<0>;
        }
    };
    ($ty:ty, $($bound:tt)*) => {
        refused! { @left [] $ty, $($bound)* }
        refused! { @pair [A: Partner,] A, $ty, $($bound)* }
    };
}

macro_rules! refused_types {
    ({} machine $machine:tt wide $wide:tt other [$($other:ident)*]) => {
        // A pair of types from both groups gets impls without a bound, so that rustc waits until it knows
        // both types.
        refused_types! { $machine, NoWidthOfItsOwn, $wide }
        refused_types! { $wide, NoDType, $machine }
        promote_core::__dtypes! { refused_references { $wide } }
        $(refused! { $other, for<'x> &'x (): NoDType<$other> })*
    };
    ([$($ty:ident)*], $why:ident, $waits:tt) => {$(
        impl Partner for $ty {}
        promote_core::__dtypes! { refused_types { $ty, $why } }
        refused! { @pair [] $ty, $ty, for<'x> &'x (): $why<$ty> }
        refused_types! { @waits $ty $waits }
    )*};
    (@waits $ty:ident [$($other:ident)*]) => {
        $(refused! { @unbounded [] $ty, $other })*
    };
    (
        { $ty:ty, $why:ident }
        typed [$($group:ident [$($variant:ident $other:ident $row:tt)*])*]
        $($rest:tt)*
    ) => {$($(
        refused! { @pair [] $ty, t::$other, for<'x> &'x (): $why<$ty> }
        refused! { @pair [] t::$other, $ty, for<'x> &'x (): $why<$ty> }
    )*)*};
}

macro_rules! refused_references {
    (
        { [$($wide:ident)*] }
        typed [$($group:ident [$($variant:ident $ty:ident $row:tt)*])*]
        $($rest:tt)*
    ) => {
        $($(
            impl Partner for t::$ty {}
            refused! { @pair ['a, T: ?Sized + 'static,] t::$ty, &'a T, for<'x> &'x (): Reference<T> }
        )*)*
        refused! { @pair ['a, T: ?Sized + 'static, K,] Weak<K>, &'a T, for<'x> &'x (): Reference<T> }
        refused! { @left ['a, T: ?Sized + 'static,] &'a T, for<'x> &'x (): Reference<T> }
        $(refused! { @unbounded ['a, T: ?Sized,] $wide, &'a T })*
    };
}

promote_runtime::__refused_types! { refused_types {} }

#[cfg(feature = "std")]
refused! { std::string::String, for<'x> std::string::String: Numeric<'x> }
