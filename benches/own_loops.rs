//! Measures loops that a user's crate compiles beside the bundled loops over the same bytes.
//!
//! Two comparisons: `kernels!` compiles the loops of PyTorch's rules that the build has as well, and a rule
//! file asks for those of a newtype of f32, beside the bundled ones of f32. All arrays together have 24 KiB
//! (L1), 384 KiB (L2) and 256 MiB (memory). A figure is the time of the bundled loop over that of the
//! user's, on kernel handles, the median over interleaved rounds.
//!
//! `cargo bench --bench own_loops`

use std::cell::RefCell;
use std::hint::black_box;
use std::ops::{Add, Mul};

use promote::{Element, Kernel, Level, Op, RuleSet, Slice, SliceMut, Torch};
use promote_measure::{Placed, paired};

/// A newtype of f32, with its arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Element)]
#[element(via = f32)]
#[repr(transparent)]
pub struct Volt(f32);

impl From<f32> for Volt {
    fn from(x: f32) -> Volt {
        Volt(x)
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

impl Mul for Volt {
    type Output = Volt;

    fn mul(self, b: Volt) -> Volt {
        Volt(self.0 * b.0)
    }
}

promote::rules! {
    rules Lab extends promote::Torch;
    kinds bool < int < float < voltage < complex;
    dtype volt: voltage 32 = crate::Volt;
    promote { voltage, complex => refuse "a voltage is real"; voltage, any => a; }
    op sqrt elementary inspection rounding { voltage => common in f32; }
    kernels add multiply less: u8 i16 f32 volt;
}

promote::kernels!(static MINE = promote::Torch: add multiply less; u8 i16 i32 f32 f64);

/// Times one op on one pair; `ours` may have another element type of the same size in the place of f32.
fn compare<A, B, C, D, O, P>(
    name: &str,
    ours: (&RuleSet, Op),
    bundled: &RuleSet,
    values: (A, B, O),
    theirs: (C, D, P),
) -> Vec<f64>
where
    A: Element,
    B: Element,
    C: Element,
    D: Element,
    O: Element,
    P: Element,
{
    let (rules, op) = ours;
    let kernel = |rules: &RuleSet, a, b| -> Kernel { rules.kernel(op, a, b).expect("the pair promotes") };
    let (mine, other) = (kernel(rules, A::DTYPE, B::DTYPE), kernel(bundled, C::DTYPE, D::DTYPE));
    assert!(mine.is_fused() && other.is_fused(), "{name}");
    let mut ratios = Vec::new();
    print!("{name:>24}:");
    for (place, bytes) in [("L1", 24 << 10), ("L2", 384 << 10), ("memory", 256 << 20)] {
        let n = bytes / (size_of::<A>() + size_of::<B>() + size_of::<O>()) / 64 * 64;
        let (mut a, mut b) = (Placed::new(values.0, n, 0), Placed::new(values.1, n, 1344));
        let (mut c, mut d) = (Placed::new(theirs.0, n, 0), Placed::new(theirs.1, n, 1344));
        let (mut out, mut other_out) = (Placed::new(values.2, n, 704), Placed::new(theirs.2, n, 704));
        let (a, b, c, d) = (&*a.elements(), &*b.elements(), &*c.elements(), &*d.elements());
        let (out, other_out) = (RefCell::new(out.elements()), RefCell::new(other_out.elements()));
        let found = paired(
            || {
                let mut out = out.borrow_mut();
                let (a, b) = (Slice::new(black_box(a)), Slice::new(black_box(b)));
                mine.call_slices(a, b, SliceMut::new(black_box(&mut out[..]))).expect("equal lengths");
            },
            || {
                let mut out = other_out.borrow_mut();
                let (c, d) = (Slice::new(black_box(c)), Slice::new(black_box(d)));
                other.call_slices(c, d, SliceMut::new(black_box(&mut out[..]))).expect("equal lengths");
            },
        );
        print!("  {place} {:.2} ({:.0} and {:.0} ns)", found.ratio, found.ours, found.theirs);
        ratios.push(found.ratio);
    }
    println!();
    ratios
}

fn main() {
    println!("SIMD level: {}; bundled / ours", Level::active());
    let (torch, lab) = (Torch::new().rule_set(), Lab::new().rule_set());
    let mine = torch.with_kernels(&MINE);
    let (mut same, mut newtype) = (Vec::new(), Vec::new());
    for op in [Op::Add, Op::Multiply] {
        let name = |pair: &str| format!("{op} of {pair}");
        same.extend(compare(
            &name("i16 and f32"),
            (&mine, op),
            &torch,
            (3_i16, 0.5_f32, 0.0_f32),
            (3_i16, 0.5_f32, 0.0_f32),
        ));
        same.extend(compare(
            &name("u8 and i32"),
            (&mine, op),
            &torch,
            (3_u8, 5_i32, 0_i32),
            (3_u8, 5_i32, 0_i32),
        ));
        same.extend(compare(
            &name("f32 and f64"),
            (&mine, op),
            &torch,
            (0.5_f32, 2.5_f64, 0.0_f64),
            (0.5_f32, 2.5_f64, 0.0_f64),
        ));
        newtype.extend(compare(
            &name("i16 and volt"),
            (&lab, op),
            &torch,
            (3_i16, Volt(0.5), Volt(0.0)),
            (3_i16, 0.5_f32, 0.0_f32),
        ));
        newtype.extend(compare(
            &name("volt and u8"),
            (&lab, op),
            &torch,
            (Volt(0.5), 3_u8, Volt(0.0)),
            (0.5_f32, 3_u8, 0.0_f32),
        ));
    }
    let mean =
        |ratios: &[f64]| (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
    println!("geometric means: {:.3} for equal dtypes, {:.3} for a newtype", mean(&same), mean(&newtype));
}
