//! Membership: `isin`.

use core::cmp::Ordering;

use num_complex::Complex;

use super::{Entered, read};
use crate::dispatch::Error;
use crate::element::Element;
use crate::error::call::CallError;
use crate::memory::allocation::room_for;
use crate::memory::{Argument, Slice, Tensor};
use crate::rule_set::RuleSet;
use crate::{DType, Op, types};

impl RuleSet {
    /// Returns for each element of the first operand whether the second one has an equal element. NaN equals
    /// no element.
    pub(super) fn isin(&self, [a, b]: [&Argument<'_>; 2], target: Option<DType>) -> Result<Tensor, Error> {
        let types = self.types_of_whole(Op::Isin, [a.operand(), b.operand()], target)?;
        let found = [self.entered(a, types)?, self.entered(b, types)?];
        let [elements, among] = found.each_ref().map(Entered::slice);
        let mut flags = Tensor::zeros(DType::Bool, a.shape())?;
        let out = flags.as_mut_bytes();
        macro_rules! of_dtype {
            ({} bool $bool:tt integer [$($integer:ident)*] float [$($float:ident)*] complex [$($complex:ident)*]) => {
                match elements.dtype() {
                    $(found if found == <types::$integer>::DTYPE => search::<types::$integer>(elements, among, out)?,)*
                    $(found if found == <types::$float>::DTYPE => search::<types::$float>(elements, among, out)?,)*
                    $(found if found == <types::$complex>::DTYPE => search::<types::$complex>(elements, among, out)?,)*
                    compute => return Err(Error::Call(CallError::NoKernel { op: Op::Isin, compute })),
                }
            };
        }
        promote_core::__register_dtypes! { of_dtype {} }
        if types.output == DType::Bool { Ok(flags) } else { self.astype(&flags.view(), types.output, None) }
    }
}

/// Elements that have an order, but for NaN.
trait Ordered: Element {
    /// Returns the order of two elements; `None` if one is NaN.
    fn order(self, other: Self) -> Option<Ordering>;
}

macro_rules! ordered {
    ({} bool $bool:tt integer [$($integer:ident)*] float [$($float:ident)*] complex $complex:tt) => {
        $(ordered! { $integer })*
        $(
            ordered! { $float }

            impl Ordered for Complex<$float> {
                fn order(self, other: Self) -> Option<Ordering> {
                    let of_parts = (self.im.partial_cmp(&other.im)?, self.re.partial_cmp(&other.re)?);
                    Some(of_parts.1.then(of_parts.0))
                }
            }
        )*
    };
    ($ty:ident) => {
        impl Ordered for $ty {
            fn order(self, other: Self) -> Option<Ordering> {
                self.partial_cmp(&other)
            }
        }
    };
}

promote_core::__register_dtypes! { ordered {} }

/// Writes 1 for each element that is among others, and leaves the 0 of each other one.
fn search<T: Ordered>(elements: Slice<'_>, among: Slice<'_>, out: &mut [u8]) -> Result<(), CallError> {
    let (elements, among) = (read::<T>(elements)?, read::<T>(among)?);
    let mut sorted = room_for(among.len())?;
    sorted.extend(among.iter().copied().filter(|x| x.order(*x).is_some()));
    sorted.sort_unstable_by(|x: &T, y| x.order(*y).unwrap_or(Ordering::Equal));
    for (flag, x) in out.iter_mut().zip(elements) {
        let equal = |y: &T| y.order(*x).unwrap_or(Ordering::Less);
        *flag = sorted.binary_search_by(equal).is_ok().into();
    }
    Ok(())
}
