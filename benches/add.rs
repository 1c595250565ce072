//! Measures `add` of two dtypes beside a loop written by hand over the same bytes, for every pair.
//!
//! The pairs are those of twelve dtypes of PyTorch. The three arrays together have 24 KiB (L1), 384 KiB (L2)
//! and 256 MiB (memory). A figure is the time of the loop by hand over that of a kernel handle, the median
//! over interleaved rounds. The loop by hand knows its types, converts to the common type, adds in PyTorch's
//! compute type, rounds once, and is compiled for the same instructions. Both take every byte of a bool
//! except 0 for true, because views may contain any byte; a loop that trusts bytes to be 0 or 1 is up to a
//! tenth faster in L1. The last rows are the costs of a call on 8 elements: at run time, on a kernel handle,
//! typed, and on views.
//!
//! `cargo bench --bench add [-- PAIR..]`, where PAIR is as `i8+f32`

use half::{bf16, f16};
use num_complex::Complex;
use promote::{Argument, DType, Element, Level, Op, OpOutput, OpRule, Torch, op};
use promote::{Slice, SliceMut, TensorView, TensorViewMut};
use promote_measure::{Placed, paired};
use std::cell::RefCell;
use std::hint::black_box;
use std::ops::Add;

/// The conversion of f16 at a level: one lane of the instruction, which LLVM packs, or the library's
/// function.
trait Halves {
    fn widen(x: f16) -> f32;
    fn narrow(x: f32) -> f16;
}

struct ByLibrary;

impl Halves for ByLibrary {
    fn widen(x: f16) -> f32 {
        x.to_f32()
    }

    fn narrow(x: f32) -> f16 {
        f16::from_f32(x)
    }
}

/// Conversion in functions that are compiled with F16C.
#[cfg(target_arch = "x86_64")]
struct ByInstruction;

#[cfg(target_arch = "x86_64")]
#[allow(
    clippy::inline_always,
    reason = "it is one instruction where it is inlined, and a call where it is not"
)]
impl Halves for ByInstruction {
    #[inline(always)]
    fn widen(x: f16) -> f32 {
        use core::arch::x86_64::{_mm_cvtph_ps, _mm_cvtsi32_si128, _mm_cvtss_f32};
        // SAFETY: `v3` and `v4` alone use this, and both run where there is F16C.
        unsafe { _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(x.to_bits() as i32))) }
    }

    #[inline(always)]
    fn narrow(x: f32) -> f16 {
        use core::arch::x86_64::{_mm_cvtps_ph, _mm_cvtsi128_si32, _mm_set_ss};
        // SAFETY: as above.
        f16::from_bits(unsafe { _mm_cvtsi128_si32(_mm_cvtps_ph::<0>(_mm_set_ss(x))) } as u16)
    }
}

/// A conversion as a programmer would write it.
trait To<T>: Copy {
    fn to<H: Halves>(self) -> T;
}

macro_rules! to {
    ($($from:ty: $($to:ty)*, |$x:ident| $value:expr;)*) => {$($(
        impl To<$to> for $from {
            #[inline(always)]
            #[allow(trivial_numeric_casts, clippy::inline_always, reason = "a macro, and a loop that must become vector code")]
            fn to<H: Halves>(self) -> $to {
                let $x = self;
                $value as $to
            }
        }
    )*)*};
}

/// A bool as a byte; every byte but 0 is true.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Truth(u8);

impl<T> To<T> for Truth
where
    bool: To<T>,
{
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "a loop that must become vector code")]
    fn to<H: Halves>(self) -> T {
        (self.0 != 0).to::<H>()
    }
}

/// The type as which a loop by hand reads elements.
///
/// # Safety
///
/// Every element is one of `As`, of the same size and alignment.
unsafe trait Read: Element {
    type As: Copy;

    fn read(elements: &[Self]) -> &[Self::As] {
        // SAFETY: as this trait promises, they are the same.
        unsafe { core::slice::from_raw_parts(elements.as_ptr().cast(), elements.len()) }
    }
}

macro_rules! read {
    ($($ty:ty => $read:ty),*) => {$(
        // SAFETY: the same type, or a byte for a bool, which is one.
        unsafe impl Read for $ty {
            type As = $read;
        }
    )*};
}

read! {
    bool => Truth, u8 => u8, i8 => i8, i16 => i16, i32 => i32, i64 => i64, f16 => f16, bf16 => bf16, f32 => f32, f64 => f64,
    Complex<f32> => Complex<f32>, Complex<f64> => Complex<f64>
}

to! {
    bool: bool u8 i8 i16 i32 i64, |x| x;
    bool: f32 f64, |x| u8::from(x);
    u8: u8 i16 i32 i64 f32 f64, |x| x;
    i8: i8 i16 i32 i64 f32 f64, |x| x;
    i16: i16 i32 i64 f32 f64, |x| x;
    i32: i32 i64 f32 f64, |x| x;
    i64: i64 f32 f64, |x| x;
    f32: f32 f64, |x| x;
    f64: f64, |x| x;
}

/// Types that convert to `f32` convert to a half through it, and to a complex number with an imaginary part
/// of 0.
macro_rules! by_way {
    ($($from:ty)*) => {$(
        by_way! { @one $from, f16, |x: f32| H::narrow(x) }
        by_way! { @one $from, bf16, |x: f32| round(x) }
        by_way! { @one $from, Complex<f32>, |x: f32| Complex { re: x, im: 0.0 } }
        by_way! { @one $from, Complex<f64>, |x: f64| Complex { re: x, im: 0.0 } }
    )*};
    (@one $from:ty, $to:ty, |$x:ident: $way:ty| $value:expr) => {
        impl To<$to> for $from {
            #[inline(always)]
            #[allow(clippy::inline_always, reason = "as above")]
            fn to<H: Halves>(self) -> $to {
                let $x: $way = To::<$way>::to::<H>(self);
                $value
            }
        }
    };
}

by_way! { bool u8 i8 i16 i32 i64 f32 }

macro_rules! one {
    ($($from:ty => $to:ty, |$x:ident| $value:expr;)*) => {$(
        impl To<$to> for $from {
            #[inline(always)]
            #[allow(clippy::inline_always, reason = "as above")]
            fn to<H: Halves>(self) -> $to {
                let $x = self;
                $value
            }
        }
    )*};
}

one! {
    f16 => f16, |x| x;
    f16 => f32, |x| H::widen(x);
    f16 => f64, |x| H::widen(x).into();
    f16 => Complex<f32>, |x| Complex { re: H::widen(x), im: 0.0 };
    f16 => Complex<f64>, |x| Complex { re: H::widen(x).into(), im: 0.0 };
    bf16 => bf16, |x| x;
    bf16 => f32, |x| f32::from_bits((x.to_bits() as u32) << 16);
    bf16 => f64, |x| f32::from_bits((x.to_bits() as u32) << 16).into();
    bf16 => Complex<f32>, |x| Complex { re: f32::from_bits((x.to_bits() as u32) << 16), im: 0.0 };
    bf16 => Complex<f64>, |x| Complex { re: f32::from_bits((x.to_bits() as u32) << 16).into(), im: 0.0 };
    f64 => Complex<f64>, |x| Complex { re: x, im: 0.0 };
    Complex<f32> => Complex<f32>, |x| x;
    Complex<f32> => Complex<f64>, |x| Complex { re: x.re.into(), im: x.im.into() };
    Complex<f64> => Complex<f64>, |x| x;
}

/// Rounds to the nearest bf16, ties to even. NaN stays NaN.
#[inline(always)]
#[allow(clippy::inline_always, reason = "as above")]
fn round(x: f32) -> bf16 {
    let bits = x.to_bits();
    let nearest = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
    bf16::from_bits(if x.is_nan() { bits >> 16 | 0x40 } else { nearest } as u16)
}

/// A sum as in PyTorch: `or` of bools, integers wrap.
trait Sum: Copy {
    fn sum(self, other: Self) -> Self;
}

macro_rules! sum {
    ($($ty:ty: |$a:ident, $b:ident| $value:expr;)*) => {$(
        impl Sum for $ty {
            #[inline(always)]
            #[allow(clippy::inline_always, reason = "as above")]
            fn sum(self, other: Self) -> Self {
                let ($a, $b) = (self, other);
                $value
            }
        }
    )*};
}

sum! {
    bool: |a, b| a | b;
    u8: |a, b| a.wrapping_add(b);
    i8: |a, b| a.wrapping_add(b);
    i16: |a, b| a.wrapping_add(b);
    i32: |a, b| a.wrapping_add(b);
    i64: |a, b| a.wrapping_add(b);
    f32: |a, b| a.add(b);
    f64: |a, b| a.add(b);
    Complex<f32>: |a, b| a.add(b);
    Complex<f64>: |a, b| a.add(b);
}

/// The common, compute and output type of a pair under PyTorch.
type Common<A, B> = <Torch as OpRule<op::Add, (A, B)>>::Common;
type Computed<A, B> = <Torch as OpRule<op::Add, (A, B)>>::Compute;
type Out<A, B> = OpOutput<op::Add, (A, B), Torch>;

/// A pair whose loop can be written by hand.
trait ByHand<B>: Sized {
    type Out: Element;
    fn by_hand(a: &[Self], b: &[B], out: &mut [Self::Out]);
}

impl<A, B> ByHand<B> for A
where
    Torch: OpRule<op::Add, (A, B)>,
    A: Read<As: To<Common<A, B>>>,
    B: Read<As: To<Common<A, B>>>,
    Common<A, B>: To<Computed<A, B>>,
    Computed<A, B>: Sum + To<Out<A, B>>,
{
    type Out = Out<A, B>;

    fn by_hand(a: &[A], b: &[B], out: &mut [Out<A, B>]) {
        let (a, b) = (A::read(a), B::read(b));
        match Level::active() {
            // SAFETY: a level in use is one that the machine has.
            #[cfg(target_arch = "x86_64")]
            Level::V4 => unsafe { v4::<A, B>(a, b, out) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::V3 => unsafe { v3::<A, B>(a, b, out) },
            _ => all::<ByLibrary, A, B>(a, b, out),
        }
    }
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "as above")]
fn all<H, A, B>(a: &[A::As], b: &[B::As], out: &mut [Out<A, B>])
where
    H: Halves,
    Torch: OpRule<op::Add, (A, B)>,
    A: Read<As: To<Common<A, B>>>,
    B: Read<As: To<Common<A, B>>>,
    Common<A, B>: To<Computed<A, B>>,
    Computed<A, B>: Sum + To<Out<A, B>>,
{
    for ((&a, &b), out) in a.iter().zip(b).zip(out) {
        let (a, b) = (a.to::<H>(), b.to::<H>());
        let (a, b): (Computed<A, B>, Computed<A, B>) = (a.to::<H>(), b.to::<H>());
        *out = a.sum(b).to::<H>();
    }
}

macro_rules! level {
    ($name:ident $features:literal) => {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = $features)]
        fn $name<A, B>(a: &[A::As], b: &[B::As], out: &mut [Out<A, B>])
        where
            Torch: OpRule<op::Add, (A, B)>,
            A: Read<As: To<Common<A, B>>>,
            B: Read<As: To<Common<A, B>>>,
            Common<A, B>: To<Computed<A, B>>,
            Computed<A, B>: Sum + To<Out<A, B>>,
        {
            all::<ByInstruction, A, B>(a, b, out);
        }
    };
}

level! { v3 "avx2,fma,f16c" }
level! { v4 "avx2,fma,f16c,avx512f,avx512bw,avx512cd,avx512dq,avx512vl" }

/// The memory that holds the three arrays, and their total size in bytes.
const PLACES: [(&str, usize); 3] = [("L1", 24 << 10), ("L2", 384 << 10), ("memory", 256 << 20)];

/// Prints the ratios of every pair, size by size.
#[derive(Default)]
struct Report {
    ratios: [Vec<f64>; PLACES.len()],
}

impl Report {
    fn pair<A, B>(&mut self, a: A, b: B)
    where
        A: Read + ByHand<B>,
        B: Read,
        A::Out: Copy + Default,
    {
        let name = format!("{}+{}", A::DTYPE, B::DTYPE);
        let mut asked = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).peekable();
        if asked.peek().is_some() && !asked.any(|pair| pair == name) {
            return;
        }
        let kernel = Torch::new().rule_set().kernel(Op::Add, A::DTYPE, B::DTYPE).expect("PyTorch adds them");
        print!("{name:>10}");
        let bytes_each = size_of::<A>() + size_of::<B>() + size_of::<A::Out>();
        for ((_, bytes), ratios) in PLACES.into_iter().zip(&mut self.ratios) {
            let n = bytes / bytes_each;
            // The arrays are adjacent, and no distance is a multiple of 4 KiB: their addresses affect the
            // time of both loops.
            let (mut a, mut b) = (Placed::new(a, n, 0), Placed::new(b, n, 1344));
            let (a, b) = (&*a.elements(), &*b.elements());
            // Both loops write to one destination, for the same reason.
            let mut out = Placed::new(A::Out::default(), n, 2688);
            let out = RefCell::new(out.elements());
            let both = paired(
                || {
                    let mut out = out.borrow_mut();
                    let out = SliceMut::new(black_box(&mut out[..]));
                    let (a, b) = (Slice::new(black_box(a)), Slice::new(black_box(b)));
                    kernel.call_slices(a, b, out).expect("of these dtypes");
                },
                || A::by_hand(black_box(a), black_box(b), black_box(&mut out.borrow_mut()[..])),
            );
            print!("   {:5.2} ({:6.1} GB/s)", both.ratio, (n * bytes_each) as f64 / both.ours);
            ratios.push(both.ratio);
        }
        println!();
    }

    fn tell(&self) {
        for ((place, _), ratios) in PLACES.into_iter().zip(&self.ratios) {
            let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
            let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
            let below = ratios.iter().filter(|ratio| **ratio < 0.95).count();
            println!(
                "{place:>9}: hand / ours {mean:.2} in the geometric mean of {} pairs, {least:.2} at least, {below} below 0.95",
                ratios.len()
            );
        }
    }
}

macro_rules! pairs {
    ($report:ident;) => {};
    ($report:ident; $first:expr, $($rest:expr,)*) => {
        $report.pair($first, $first);
        $($report.pair($first, $rest);)*
        pairs! { $report; $($rest,)* }
    };
}

/// Prints the costs of a call on few elements. `paired` hides the arrays and their lengths from the compiler.
fn calls() {
    let rules = Torch::new().rule_set();
    let (op, a, b) = (Op::Add, &[1_i8; 8][..], &[0.5_f32; 8][..]);
    let (out, again) = (&mut [0.0_f32; 8][..], &mut [0.0_f32; 8][..]);
    let kernel = rules.kernel(Op::Add, DType::I8, DType::F32).expect("PyTorch adds them");
    let run_time = paired(
        || {
            let (a, b) = (Argument::Slice(Slice::new(a)), Argument::Slice(Slice::new(b)));
            rules.binary(op, a, b, SliceMut::new(out)).expect("defined");
        },
        || {
            kernel.call_slices(Slice::new(a), Slice::new(b), SliceMut::new(again)).expect("defined");
        },
    );
    println!(
        "a call on 8 elements: found at run time {:.2} ns, on a kernel found before {:.2} ns",
        run_time.ours, run_time.theirs
    );
    let typed = paired(|| Torch::add_into(a, b, out).expect("defined"), || ByHand::by_hand(a, b, again));
    let around = paired(|| {}, || {});
    println!(
        "typed {:.2} ns, a loop by hand {:.2} ns; of each figure {:.2} ns are what measures it",
        typed.ours, typed.theirs, around.ours
    );
    views();
}

/// Prints the costs of calls on views of few elements, and of calls that look their kernel up in the tables.
fn views() {
    let rules = Torch::new().rule_set();
    let (a, b, out) = ([1_i8; 8], [0.5_f32; 8], &mut [0.0_f32; 8]);
    let contiguous = [TensorView::new(&a[..], &[8]), TensorView::new(&b[..], &[8])].map(Result::unwrap);
    let strided = [
        TensorView::byte_strided(&a[..], &[4], &[2], 0).expect("within"),
        TensorView::byte_strided(&b[..], &[4], &[8], 0).expect("within"),
    ];
    let mut call = |[a, b]: &[TensorView<'_>; 2]| {
        let out = TensorViewMut::new(&mut out[..a.len()], a.shape()).expect("the shape of the result");
        rules.prepare(Op::Add, &[a.into(), b.into()]).out(out).run().expect("defined");
    };
    let on_views = [&contiguous, &strided].map(|views| paired(|| call(views), || {}).ours);
    let new = paired(
        || drop(rules.call(Op::Add, &[(&contiguous[0]).into(), (&contiguous[1]).into()]).expect("defined")),
        || drop(rules.call(Op::Add, &[(&contiguous[0]).into(), 2.into()]).expect("defined")),
    );
    let [mut sums, mut others] = [[0.0_f32; 8]; 2];
    let in_place = paired(
        || rules.prepare(Op::Add, &[(&contiguous[0]).into()]).in_place(&mut sums[..]).run().expect("defined"),
        || rules.prepare(Op::Add, &[2.into()]).in_place(&mut others[..]).run().expect("defined"),
    );
    println!(
        "views of 8 elements, and of every second of 8: {:.0} and {:.0} ns; with a new result: {:.0} ns, and with \
         a number for an operand {:.0} ns; in place: {:.0} ns, and with a number {:.0} ns",
        on_views[0], on_views[1], new.ours, new.theirs, in_place.ours, in_place.theirs
    );
}

fn main() {
    println!("SIMD level: {}; hand / ours in {}", Level::active(), PLACES.map(|(place, _)| place).join(", "));
    let mut report = Report::default();
    pairs! {
        report; true, 3_u8, 3_i8, 3_i16, 3_i32, 3_i64, f16::ONE, bf16::ONE, 0.5_f32, 0.5_f64, Complex::new(0.5_f32, 1.0),
        Complex::new(0.5_f64, 1.0),
    }
    report.tell();
    calls();
}
