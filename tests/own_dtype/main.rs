//! Dtypes of a user's own: fixed-point numbers with saturating arithmetic, an angle.

mod rules;

use std::ops::{Add, Mul, Neg, Sub, Div};
use promote::{Element, Promoted, DType, Op, Argument};
use promote::kernel::{SliceMut, SliceRef};
use rules::Fixed;

/// A number from -1 up to 1 in 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Element)]
#[element(via = f32)]
#[repr(transparent)]
pub struct Q15(pub i16);

/// A number from -1 up to 1 in 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Element)]
#[element(via = f64, from(Q15))]
#[repr(transparent)]
pub struct Q31(pub i32);

/// An angle.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Element)]
#[element(via = f32)]
#[repr(transparent)]
pub struct Degrees(pub f32);

impl From<f32> for Q15 { fn from(x: f32) -> Q15 { Q15((x * 32768.0).round_ties_even() as i16) } }
impl From<Q15> for f32 { fn from(x: Q15) -> f32 { x.0 as f32 / 32768.0 } }
impl From<f64> for Q31 { fn from(x: f64) -> Q31 { Q31((x * 2147483648.0).round_ties_even() as i32) } }
impl From<Q31> for f64 { fn from(x: Q31) -> f64 { x.0 as f64 / 2147483648.0 } }
impl From<Q15> for Q31 { fn from(x: Q15) -> Q31 { Q31((x.0 as i32) << 16) } }
impl From<f32> for Degrees { fn from(x: f32) -> Degrees { Degrees(x) } }
impl From<Degrees> for f32 { fn from(x: Degrees) -> f32 { x.0 } }
impl Add for Q15 { type Output = Q15; fn add(self, b: Q15) -> Q15 { Q15(self.0.saturating_add(b.0)) } }
impl Sub for Q15 { type Output = Q15; fn sub(self, b: Q15) -> Q15 { Q15(self.0.saturating_sub(b.0)) } }
impl Neg for Q15 { type Output = Q15; fn neg(self) -> Q15 { Q15(self.0.saturating_neg()) } }
impl Mul for Q15 { type Output = Q15; fn mul(self, b: Q15) -> Q15 { Q15(((self.0 as i32 * b.0 as i32 + (1 << 14)) >> 15).min(32767) as i16) } }

#[test]
fn first() {
    let q = Q15(0x4000);
    let sum: Promoted<Q15, i8, Fixed> = Fixed::add(q, 0_i8);
    assert_eq!(sum, q);
    let d = Fixed::add(q, 1.0_f32);
    assert_eq!(d, 1.5_f32);
    let e: Q31 = Fixed::maximum(q, Q31(5));
    assert_eq!(e, Q31(0x4000_0000));
    assert!(Fixed::less(Q31(4), Q31(5)));
    let mut out = [Q15(0); 3];
    Fixed::add_into(&[q; 3], &[0_i8, 1, -1], &mut out).unwrap();
    assert_eq!(out, [q, Q15(32767), Q15(-16384)]);
    Fixed::new().rule_set().binary(Op::Add, (&[q; 3][..]).into(), (&[q; 3][..]).into(), SliceMut::new(&mut out)).unwrap();
    assert_eq!(out, [Q15(32767); 3]);
    let e = Fixed::exp(q);
    println!("{e:?} {}", Q15::DTYPE);
}
