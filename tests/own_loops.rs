//! Loops that a rule file asks for by `kernels ..;`, and loops for another crate's rule set by `kernels!`.

use std::ops::{Add, Mul, Sub};

use promote::{Argument, DType, Element, Error, Level, Op, Operand, RuleSet, SliceMut, TensorView};

/// A newtype of f32.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Element)]
#[element(via = f32, from(Q15))]
#[repr(transparent)]
pub struct Volt(f32);

/// A newtype of i16. Its sum does not commute, so an exchange of operands would show.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Element)]
#[element(via = f64)]
#[repr(transparent)]
pub struct Q15(i16);

impl From<f32> for Volt {
    fn from(x: f32) -> Volt {
        Volt(x)
    }
}

impl From<Q15> for Volt {
    fn from(x: Q15) -> Volt {
        Volt(f32::from(x.0) / 32768.0)
    }
}

impl From<Volt> for f32 {
    fn from(x: Volt) -> f32 {
        x.0
    }
}

impl Add for Volt {
    type Output = Volt;

    fn add(self, b: Volt) -> Volt {
        Volt(self.0 + b.0)
    }
}

impl Sub for Volt {
    type Output = Volt;

    fn sub(self, b: Volt) -> Volt {
        Volt(self.0 - b.0)
    }
}

impl Mul for Volt {
    type Output = Volt;

    fn mul(self, b: Volt) -> Volt {
        Volt(self.0 * b.0)
    }
}

impl From<f64> for Q15 {
    fn from(x: f64) -> Q15 {
        Q15((x * 32768.0) as i16)
    }
}

impl From<Q15> for f64 {
    fn from(x: Q15) -> f64 {
        f64::from(x.0) / 32768.0
    }
}

impl Add for Q15 {
    type Output = Q15;

    fn add(self, b: Q15) -> Q15 {
        Q15(self.0.wrapping_add(b.0.wrapping_mul(3)))
    }
}

impl Sub for Q15 {
    type Output = Q15;

    fn sub(self, b: Q15) -> Q15 {
        Q15(self.0.wrapping_sub(b.0))
    }
}

impl Mul for Q15 {
    type Output = Q15;

    fn mul(self, b: Q15) -> Q15 {
        Q15(((i32::from(self.0) * i32::from(b.0)) >> 15) as i16)
    }
}

mod lab {
    promote::rules! {
        rules Lab;
        kinds bool < int < fixed < float < voltage < complex;
        dtypes bool u8 i16 i32 f16 f32 f64;
        dtype q15: fixed 16 = crate::Q15;
        dtype volt: voltage 32 = crate::Volt;
        holds f32 | f64 | volt: q15;
        opmath { f16 => f32; }
        promote {
            voltage, any          => a;
            fixed, bool | int     => a;
            fixed | float, float  => join or refuse "no dtype holds both";
            float, any            => a;
            any, any              => join;
        }
        op add multiply;
        op subtract { bool => refuse "a truth value is no number"; }
        op less greater equal -> bool;
        op maximum where;

        kernels add multiply: u8 i16 f16 f32 q15 volt;
        kernels less greater maximum where: i16 f32 q15 volt;
    }
}
use lab::Lab;

mod extended {
    promote::rules! {
        rules Extended extends crate::lab::Lab;
        dtypes i8;
        kernels subtract: i8 q15;
    }
}
use extended::Extended;

mod other {
    promote::rules! {
        rules Other;
        dtypes i16 f32;
        promote { any, any => join or refuse "no dtype holds both"; }
        op add;
    }
}

promote::kernels!(static DIFFERENCES = lab::Lab: subtract equal; i16 f32 q15 volt);

/// The levels of this machine.
fn levels() -> impl Iterator<Item = Level> {
    Level::ALL.iter().copied().filter(|level| *level <= Level::best())
}

trait Sample: Element {
    fn sample(i: usize) -> Self;
    fn bits(self) -> u64;
}

macro_rules! samples {
    ($($ty:ty: |$i:ident| $sample:expr, |$x:ident| $bits:expr;)*) => {$(
        impl Sample for $ty {
            fn sample($i: usize) -> Self {
                let $i = $i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
                $sample
            }

            fn bits(self) -> u64 {
                let $x = self;
                $bits as u64
            }
        }
    )*};
}

samples! {
    bool: |i| i % 2 == 1, |x| x;
    u8: |i| i as u8, |x| x;
    i16: |i| i as i16, |x| x;
    i32: |i| i as i32, |x| x;
    promote::half::f16: |i| promote::half::f16::from_f32((i % 4001) as f32 / 8.0 - 250.0), |x| x.to_bits();
    f32: |i| (i % 100_003) as f32 / 64.0 - 700.0, |x| x.to_bits();
    f64: |i| (i % 100_003) as f64 / 64.0 - 700.0, |x| x.to_bits();
    Q15: |i| Q15(i as i16), |x| x.0;
    Volt: |i| Volt((i % 10_007) as f32 / 16.0 - 300.0), |x| x.0.to_bits();
}

/// Lengths below, at and beyond those of vectors and blocks.
const LENGTHS: [usize; 6] = [0, 1, 7, 64, 1000, 5003];

fn samples<T: Sample>(n: usize, seed: usize) -> Vec<T> {
    (0..n).map(|i| T::sample(i + seed)).collect()
}

fn bits<T: Sample>(values: &[T]) -> Vec<u64> {
    values.iter().map(|x| x.bits()).collect()
}

/// Checks one op on one pair: at every level the bits are those of the function of single elements.
fn check<A: Sample, B: Sample, O: Sample>(
    rules: RuleSet,
    op: Op,
    single: impl Fn(A, B) -> O,
    whole: impl Fn(&[A], &[B], &mut [O]),
) {
    for n in LENGTHS {
        let (a, b) = (samples::<A>(n, 1), samples::<B>(n, 77));
        let expected: Vec<O> = a.iter().zip(&b).map(|(a, b)| single(*a, *b)).collect();
        let name = format!("{op} of {} and {}, {n} elements", A::DTYPE, B::DTYPE);
        for level in levels() {
            let kernel = rules.kernel_at(level, op, A::DTYPE, B::DTYPE).unwrap();
            let mut out = samples::<O>(n, 3);
            kernel.call_slices((&a).into(), (&b).into(), SliceMut::new(&mut out)).unwrap();
            assert_eq!(bits(&out), bits(&expected), "{name}, {level}");
        }
        let mut out = samples::<O>(n, 3);
        whole(&a, &b, &mut out);
        assert_eq!(bits(&out), bits(&expected), "{name}, typed");
        let mut out = samples::<O>(n, 3);
        rules.binary(op, (&a).into(), (&b).into(), SliceMut::new(&mut out)).unwrap();
        assert_eq!(bits(&out), bits(&expected), "{name}, by the rule set");
    }
}

macro_rules! every_two {
    ($name:ident($op:ident $into:ident): $a:ty, $($rest:ty),+) => {
        every_two!(@ $name $op $into [$a, $($rest),+] [$a, $($rest),+]);
    };
    (@ $name:ident $op:ident $into:ident [$($a:ty),+] $all:tt) => {
        $(every_two!(@one $name $op $into $a, $all);)+
    };
    (@one $name:ident $op:ident $into:ident $a:ty, [$($b:ty),+]) => {$(
        check::<$a, $b, _>(
            Lab::new().rule_set(),
            Op::$name,
            |a, b| Lab::$op(a, b),
            |a, b, out| Lab::$into(a, b, out).unwrap(),
        );
    )+};
}

#[test]
fn loops_give_the_bits_of_single_elements_at_every_level() {
    use promote::half::f16;
    every_two!(Add(add add_into): u8, i16, f16, f32, Q15, Volt);
    every_two!(Multiply(multiply multiply_into): u8, i16, f16, f32, Q15, Volt);
    every_two!(Less(less less_into): i16, f32, Q15, Volt);
    every_two!(Greater(greater greater_into): i16, f32, Q15, Volt);
    every_two!(Maximum(maximum maximum_into): i16, f32, Q15, Volt);
}

#[test]
fn each_pair_has_a_loop() {
    let rules = Lab::new().rule_set();
    let of = |names: &[&str]| -> Vec<DType> {
        let named = |name: &&str| *rules.dtypes().iter().find(|dtype| dtype.name() == *name).unwrap();
        names.iter().map(named).collect()
    };
    let wide = of(&["u8", "i16", "f16", "f32", "q15", "volt"]);
    let narrow = of(&["i16", "f32", "q15", "volt"]);
    let asked = [
        (Op::Add, &wide),
        (Op::Multiply, &wide),
        (Op::Less, &narrow),
        (Op::Greater, &narrow),
        (Op::Maximum, &narrow),
        (Op::Where, &narrow),
    ];
    for (op, dtypes) in asked {
        for a in dtypes {
            for b in dtypes {
                // The pipeline is faster for an operand that is rounded to f16.
                let common = rules.op_types(op, &[Operand::Array(*a), Operand::Array(*b)]).unwrap().common;
                if common == DType::F16 && a != b {
                    continue;
                }
                for level in levels().filter(|level| *level != Level::Scalar) {
                    let kernel = rules.kernel_at(level, op, *a, *b).unwrap();
                    assert!(kernel.is_fused(), "{op} of {a} and {b} at {level}");
                }
            }
        }
    }
    // No statement asks for these.
    let subtract = rules.kernel(Op::Subtract, Q15::DTYPE, Volt::DTYPE).unwrap();
    assert!(!subtract.is_fused());
}

#[test]
fn conditions_select_converted_elements() -> Result<(), Error> {
    let rules = Lab::new().rule_set();
    let (steps, volts) = (samples::<i16>(1000, 1), samples::<Volt>(1000, 2));
    let condition: Vec<bool> = samples(1000, 3);
    let expected: Vec<Volt> =
        (0..1000).map(|i| if condition[i] { Volt(f32::from(steps[i])) } else { volts[i] }).collect();
    let mut out = vec![Volt(0.0); 1000];
    Lab::where_into(&condition, &steps, &volts, &mut out)?;
    assert_eq!(out, expected);
    let found =
        rules.call(Op::Where, &[(&condition[..]).into(), (&steps[..]).into(), (&volts[..]).into()])?;
    assert_eq!(found.into_vec::<Volt>().unwrap(), expected);
    Ok(())
}

#[test]
fn loops_work_in_place_on_views_and_with_scalars() -> Result<(), Error> {
    let rules = Lab::new().rule_set();
    let (mut volts, steps) = (samples::<Volt>(999, 1), samples::<i16>(999, 2));
    let expected: Vec<Volt> = volts.iter().zip(&steps).map(|(a, b)| Lab::add(*a, *b)).collect();
    let kernel = rules.kernel(Op::Add, Volt::DTYPE, DType::I16)?;
    kernel.call(Argument::InPlace(Volt::DTYPE), (&steps).into(), SliceMut::new(&mut volts))?;
    assert_eq!(bits(&volts), bits(&expected));

    let mut out = vec![Volt(0.0); 999];
    let three = Argument::ZeroDim(3_i16.into());
    rules.binary(Op::Multiply, (&volts).into(), three, SliceMut::new(&mut out))?;
    let expected: Vec<Volt> = volts.iter().map(|x| Volt(x.0 * 3.0)).collect();
    assert_eq!(bits(&out), bits(&expected));

    // Every third element, backwards.
    let view = TensorView::strided(&volts, &[333], &[-3], 998)?;
    let found = rules.call(Op::Add, &[(&view).into(), (&steps[..333]).into()])?;
    let expected: Vec<Volt> = (0..333).map(|i| Lab::add(volts[998 - 3 * i], steps[i])).collect();
    assert_eq!(bits(&found.into_vec::<Volt>().unwrap()), bits(&expected));
    Ok(())
}

#[test]
fn extensions_inherit_loops_and_add_their_own() -> Result<(), Error> {
    let rules = Extended::new().rule_set();
    assert!(rules.kernel(Op::Add, Q15::DTYPE, Volt::DTYPE)?.is_fused());
    assert!(rules.kernel(Op::Subtract, Q15::DTYPE, DType::I8)?.is_fused());
    Ok(())
}

#[test]
fn loops_of_another_crate_come_before_those_of_the_set() -> Result<(), Error> {
    const RULES: RuleSet = Lab::new().rule_set().with_kernels(&DIFFERENCES);
    let before = Lab::new().rule_set();
    for (op, a, b) in [
        (Op::Subtract, Volt::DTYPE, DType::I16),
        (Op::Subtract, Q15::DTYPE, Volt::DTYPE),
        (Op::Equal, DType::F32, Q15::DTYPE),
    ] {
        assert!(!before.kernel(op, a, b)?.is_fused(), "{op} of {a} and {b}");
        assert!(RULES.kernel(op, a, b)?.is_fused(), "{op} of {a} and {b}");
    }
    // Those of the rule file stay.
    assert!(RULES.kernel(Op::Add, Q15::DTYPE, Volt::DTYPE)?.is_fused());

    let (a, b) = (samples::<Volt>(1000, 1), samples::<i16>(1000, 2));
    let expected: Vec<Volt> = a.iter().zip(&b).map(|(a, b)| Lab::subtract(*a, *b)).collect();
    for _ in 0..2 {
        let mut out = vec![Volt(0.0); 1000];
        RULES.binary(Op::Subtract, (&a).into(), (&b).into(), SliceMut::new(&mut out))?;
        assert_eq!(bits(&out), bits(&expected));
    }
    Ok(())
}

#[test]
#[should_panic(expected = "these loops are for another rule set")]
fn loops_of_another_set_are_refused() {
    let _ = other::Other::new().rule_set().with_kernels(&DIFFERENCES);
}
