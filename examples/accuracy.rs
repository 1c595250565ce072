//! Measures the errors of the mathematical functions, and checks that all SIMD levels give equal bits or NaN.
//! Writes `docs/accuracy.md`.
//!
//! `cargo run --release --features jax,paddle --example accuracy` takes one to three minutes on two cores;
//! `-- --full` takes every `f32`, and half an hour or more.

#[path = "../promote-runtime/tests/math/oracle.rs"]
mod oracle;

use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, thread};

use half::{bf16, f16};
use num_complex::Complex;
use oracle::{
    BINARY, ComplexPoint, F32, Format, Random, UNARY, binary, pairs, recorded, recorded_complex, ulp, unary,
    unit, unit_f32,
};
use promote::{Argument, Kernel, Slice, SliceMut};
use promote::{DType, Element, Jax, Level, Op, Paddle, Torch};

const F16: Format = Format { digits: 11, least: -14, most: 15 };
const BF16: Format = Format { digits: 8, least: -126, most: 127 };

/// The stride through the inputs in `f32`. It is odd, so that every low digit occurs.
const STRIDE: u64 = 17;
/// The number of pairs of each of six kinds.
const PAIRS: usize = 1 << 17;
const FULL_PAIRS: usize = 1 << 21;
/// With `--full`, one of so many blocks is also computed at the scalar level, which is slow.
const SCALAR_BLOCKS: usize = 64;
const BLOCK: usize = 1 << 16;

/// The measurements of a function in a dtype.
#[derive(Default)]
struct Cell {
    inputs: u64,
    /// The greatest error, in units in the last place.
    error: f64,
    at: Vec<f64>,
}

impl Cell {
    fn see(&mut self, error: f64, at: &[f64]) {
        self.inputs += 1;
        if error > self.error {
            (self.error, self.at) = (error, at.to_vec());
        }
    }

    fn told(&self) -> String {
        let at: Vec<String> = self.at.iter().map(|x| format!("{x:e}")).collect();
        if at.is_empty() {
            format!("{:.3}", self.error)
        } else {
            format!("{:.3} at {}", self.error, at.join(", "))
        }
    }
}

/// A result element of a kernel.
trait Found: Element + Copy + Default {
    /// Returns true for equal bits, or if both are NaN.
    fn same(self, other: Self) -> bool;
}

/// A real element that a kernel computes with.
trait Lane: Found {
    fn wide(self) -> f64;
    fn narrow(x: f64) -> Self;
}

macro_rules! lanes {
    ($($ty:ty: $wide:expr, $narrow:expr;)*) => {$(
        impl Lane for $ty {
            fn wide(self) -> f64 {
                $wide(self)
            }
            fn narrow(x: f64) -> Self {
                $narrow(x)
            }
        }

        impl Found for $ty {
            fn same(self, other: Self) -> bool {
                self.to_bits() == other.to_bits() || self.is_nan() && other.is_nan()
            }
        }
    )*};
}

lanes! {
    f16: f16::to_f64, f16::from_f64;
    bf16: bf16::to_f64, bf16::from_f64;
    f32: f64::from, |x| x as f32;
    f64: |x| x, |x| x;
}

impl<T: Found> Found for Complex<T>
where
    Complex<T>: Element,
{
    fn same(self, other: Self) -> bool {
        self.re.same(other.re) && self.im.same(other.im)
    }
}

/// Returns the levels of this machine, the best one first.
fn levels() -> Vec<Level> {
    Level::ALL.iter().rev().copied().filter(|level| *level <= Level::best()).collect()
}

/// Returns a kernel at each level, from the first of several rule sets that has it.
fn kernels(op: Op, dtype: DType) -> Option<Vec<(Level, Kernel)>> {
    // JAX has `angle` and `logaddexp2` of complex numbers, Paddle `abs`.
    let sets = [Torch::new().rule_set(), Jax::new().rule_set(), Paddle::new().rule_set()];
    sets.iter().find_map(|rules| {
        let find = |level| match op.arity() {
            1 => rules.unary_kernel_at(level, op, dtype),
            _ => rules.kernel_at(level, op, dtype, dtype),
        };
        levels().into_iter().map(|level| Some((level, find(level).ok()?))).collect()
    })
}

/// Computes a block at every level, and checks that the bits are equal. The scalar level runs only if
/// `scalar` is true.
fn computed<T: Element + Copy, R: Found>(
    kernels: &[(Level, Kernel)],
    scalar: bool,
    columns: &[&[T]],
) -> Vec<R> {
    let inputs: Vec<Argument<'_>> =
        columns.iter().map(|column| Argument::Slice(Slice::new(column))).collect();
    let run = |kernel: &Kernel| {
        let mut out = vec![R::default(); columns[0].len()];
        kernel.call_inputs(&inputs, SliceMut::new(&mut out)).expect("a kernel of these dtypes");
        out
    };
    let best = run(&kernels[0].1);
    for (level, kernel) in kernels[1..].iter().filter(|(level, _)| scalar || *level != Level::Scalar) {
        for (i, (one, other)) in best.iter().zip(run(kernel)).enumerate() {
            assert!(one.same(other), "lane {i} of {:?} at {level} is not that of {}", kernel, kernels[0].0);
        }
    }
    best
}

/// Calls a function with blocks of all bit patterns of 16 bits, or of those of 32 bits at the stride.
fn every<T: Lane>(bits: u32, stride: u64, from_bits: fn(u32) -> T) -> impl Iterator<Item = Vec<T>> {
    let count = (1_u64 << bits).div_ceil(stride);
    (0..count).step_by(BLOCK).map(move |begin| {
        (begin..count.min(begin + BLOCK as u64)).map(|i| from_bits((i * stride) as u32)).collect()
    })
}

fn of_one<T: Lane>(
    kernels: &[(Level, Kernel)],
    name: &str,
    format: Format,
    blocks: impl Iterator<Item = Vec<T>>,
    full: bool,
) -> Cell {
    let (exact, mut cell) = (unary(name), Cell::default());
    for (i, block) in blocks.enumerate() {
        let found: Vec<T> = computed(kernels, !full || i % SCALAR_BLOCKS == 0, &[&block]);
        for (x, found) in block.iter().zip(found) {
            cell.see(ulp(format, found.wide(), exact(x.wide())), &[x.wide()]);
        }
    }
    cell
}

/// Returns pairs of all kinds in a dtype.
fn columns<T: Lane>(n: usize) -> [Vec<T>; 2] {
    let (a, b) = pairs(n);
    [a, b].map(|column| column.into_iter().map(|x| T::narrow(x.into())).collect())
}

fn of_two<T: Lane>(kernels: &[(Level, Kernel)], name: &str, format: Format, n: usize, full: bool) -> Cell {
    let (exact, [a, b], mut cell) = (binary(name), columns::<T>(n), Cell::default());
    for (i, (a, b)) in a.chunks(BLOCK).zip(b.chunks(BLOCK)).enumerate() {
        let found: Vec<T> = computed(kernels, !full || i % SCALAR_BLOCKS == 0, &[a, b]);
        for ((a, b), found) in a.iter().zip(b).zip(found) {
            cell.see(ulp(format, found.wide(), exact(a.wide(), b.wide())), &[a.wide(), b.wide()]);
        }
    }
    cell
}

/// A function from a complex number to a real number.
fn of_parts<T: Lane>(
    kernels: &[(Level, Kernel)],
    format: Format,
    n: usize,
    exact: fn(f64, f64) -> f64,
) -> Cell
where
    Complex<T>: Element,
{
    let ([re, im], mut cell) = (columns::<T>(n), Cell::default());
    for (re, im) in re.chunks(BLOCK).zip(im.chunks(BLOCK)) {
        let z: Vec<Complex<T>> = re.iter().zip(im).map(|(re, im)| Complex::new(*re, *im)).collect();
        let found: Vec<T> = computed(kernels, true, &[&z]);
        for (z, found) in z.iter().zip(found) {
            cell.see(ulp(format, found.wide(), exact(z.re.wide(), z.im.wide())), &[z.re.wide(), z.im.wide()]);
        }
    }
    cell
}

/// Returns the recorded points of a function of `f64`. `swapped` is true if the kernel takes the operands as
/// the parts of a complex number.
fn of_points(kernels: &[(Level, Kernel)], op: Op, name: &str) -> Cell {
    let (points, mut cell) = (recorded(name), Cell::default());
    let (a, b): (Vec<f64>, Vec<f64>) = points.iter().map(|point| (point.a, point.b)).unzip();
    let found: Vec<f64> = match op {
        Op::Abs => computed(
            kernels,
            true,
            &[&a.iter().zip(&b).map(|(a, b)| Complex::new(*a, *b)).collect::<Vec<_>>()],
        ),
        Op::Angle => computed(
            kernels,
            true,
            &[&a.iter().zip(&b).map(|(a, b)| Complex::new(*b, *a)).collect::<Vec<_>>()],
        ),
        _ if op.arity() == 1 => computed(kernels, true, &[&a]),
        _ => computed(kernels, true, &[&a, &b]),
    };
    for (point, found) in points.iter().zip(found) {
        let at = [point.a, point.b];
        cell.see(point.error(found), if op.arity() == 1 && a != b { &at } else { &at[..op.arity()] });
    }
    cell
}

/// Returns the recorded points of a function of complex numbers whose operands are elements; `None` if it is
/// not recorded.
fn of_complex_points<T: Lane>(
    kernels: &[(Level, Kernel)],
    op: Op,
    name: &str,
    unit: fn(f64) -> i32,
) -> Option<Cell>
where
    Complex<T>: Element,
{
    let narrow = |z: Complex<f64>| Complex { re: T::narrow(z.re), im: T::narrow(z.im) };
    let wide = |z: Complex<T>| Complex { re: z.re.wide(), im: z.im.wide() };
    let (mut points, mut cell) = (recorded_complex(name)?.0, Cell::default());
    points.retain(|point| {
        let overflows = point.exact.iter().any(|part| T::narrow(part.nearest).wide().is_infinite());
        [point.a, point.b].iter().all(|z| wide(narrow(*z)) == *z) && !overflows
    });
    let (a, b): (Vec<_>, Vec<_>) = points.iter().map(|point| (narrow(point.a), narrow(point.b))).unzip();
    let found: Vec<Complex<T>> = computed(kernels, true, &[&a[..], &b][..op.arity()]);
    for (point, found) in points.iter().zip(found) {
        let at = [point.a.re, point.a.im, point.b.re, point.b.im];
        let error = point.error(wide(found), unit) / if is_sum(op) { beside(op, point) } else { 1.0 };
        cell.see(error, &at[..2 * op.arity()]);
    }
    Some(cell)
}

/// Returns true if the result is a sum of an operand and a logarithm.
fn is_sum(op: Op) -> bool {
    matches!(op, Op::Logaddexp | Op::Logaddexp2)
}

/// Returns the terms that add to the unit of the error: the greater operand, and, where the powers cancel, 1
/// over what remains of the greater power.
fn beside(op: Op, point: &ComplexPoint) -> f64 {
    let [re, im] = [0, 1].map(|i| point.exact[i].nearest);
    let exponent = point.a.re.max(point.b.re) - re;
    let left = if op == Op::Logaddexp { exponent.exp() } else { exponent.exp2() };
    (point.a.norm().max(point.b.norm()) + left) / re.abs().max(im.abs()).max(f64::MIN_POSITIVE) + 1.0
}

/// The square root is the processor's, which is correctly rounded, so `f64` cannot measure its error.
fn of_roots(kernels: &[(Level, Kernel)]) -> Cell {
    let mut random = Random(3);
    let x: Vec<f64> = (0..1 << 20).map(|_| f64::from_bits(random.bits())).collect();
    let found: Vec<f64> = computed(kernels, true, &[&x]);
    let same = |(x, found): (&f64, &f64)| {
        x.sqrt().to_bits() == found.to_bits() || x.sqrt().is_nan() && found.is_nan()
    };
    assert!(x.iter().zip(&found).all(same), "a root in f64 is not rounded correctly");
    Cell { inputs: x.len() as u64, error: 0.5, at: Vec::new() }
}

/// The dtypes, one for each column.
const DTYPES: [DType; 6] = [DType::F16, DType::BF16, DType::F32, DType::F64, DType::C64, DType::C128];

/// Returns a cell of the table; `None` if there is no kernel.
fn measure(op: Op, dtype: DType, full: bool) -> Option<Cell> {
    let name = if op == Op::FloatPower { "pow" } else { op.name() };
    let kernels = kernels(op, dtype)?;
    let n = if full { FULL_PAIRS } else { PAIRS };
    let one = op.arity() == 1;
    Some(match dtype {
        DType::C64 if op == Op::Abs => of_parts::<f32>(&kernels, F32, n, f64::hypot),
        DType::C64 if op == Op::Angle => of_parts::<f32>(&kernels, F32, n, |re, im| im.atan2(re)),
        DType::C128 if op == Op::Abs => of_points(&kernels, op, "hypot"),
        DType::C128 if op == Op::Angle => of_points(&kernels, op, "atan2"),
        DType::C64 if op == Op::FloatPower => return None,
        DType::C64 => return of_complex_points::<f32>(&kernels, op, name, unit_f32),
        DType::C128 => return of_complex_points::<f64>(&kernels, op, name, unit),
        // These two are exact for real numbers.
        _ if matches!(op, Op::Abs | Op::Angle) => return None,
        DType::F64 if op == Op::Sqrt => of_roots(&kernels),
        DType::F64 => of_points(&kernels, op, name),
        // `float_power` computes in `f64` and `c128` for all operands.
        _ if op == Op::FloatPower => return None,
        DType::F16 if one => {
            of_one(&kernels, name, F16, every(16, 1, |bits| f16::from_bits(bits as u16)), false)
        }
        DType::BF16 if one => {
            of_one(&kernels, name, BF16, every(16, 1, |bits| bf16::from_bits(bits as u16)), false)
        }
        DType::F32 if one => {
            of_one(&kernels, name, F32, every(32, if full { 1 } else { STRIDE }, f32::from_bits), full)
        }
        DType::F16 => of_two::<f16>(&kernels, name, F16, n, full),
        DType::BF16 => of_two::<bf16>(&kernels, name, BF16, n, full),
        _ => of_two::<f32>(&kernels, name, F32, n, full),
    })
}

fn main() -> std::io::Result<()> {
    let full = env::args().any(|argument| argument == "--full");
    let names = UNARY.iter().map(|row| row.0).chain(BINARY.iter().map(|row| row.0)).chain([
        "float_power",
        "abs",
        "angle",
    ]);
    let ops: Vec<Op> = names.map(|name| name.parse().expect("an op")).collect();
    // The longest jobs come first, so that no thread ends with one.
    let mut asked: Vec<(Op, DType)> =
        DTYPES.iter().flat_map(|dtype| ops.iter().map(move |op| (*op, *dtype))).collect();
    asked.sort_by_key(|(_, dtype)| *dtype != DType::F32);
    let (next, cells) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((op, dtype)) = asked.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let cell = measure(*op, *dtype, full);
                    let told = cell.as_ref().map_or(String::new(), Cell::told);
                    eprintln!("{op} {dtype} {told}");
                    cells.lock().expect("no thread panics").push(((op.name(), dtype.name()), cell));
                }
            });
        }
    });
    let cells: std::collections::BTreeMap<_, _> =
        cells.into_inner().expect("no thread panics").into_iter().collect();
    fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/accuracy.md"), page(&ops, &cells, full))
}

type Cells = std::collections::BTreeMap<(&'static str, &'static str), Option<Cell>>;

fn page(ops: &[Op], cells: &Cells, full: bool) -> String {
    let found = |op: Op, dtype: DType| cells[&(op.name(), dtype.name())].as_ref();
    let inputs = |arity: usize, dtype: DType| {
        // The square root of `f64` has other inputs.
        let of = ops.iter().filter(|op| op.arity() == arity && (**op, dtype) != (Op::Sqrt, DType::F64));
        let counts = of.filter_map(|op| found(*op, dtype)).map(|cell| cell.inputs);
        counts.min().unwrap_or(0)
    };
    let levels: Vec<String> = levels().iter().map(|level| format!("`{level}`")).collect();
    let command = if full {
        "cargo run --release --features jax,paddle --example accuracy -- --full"
    } else {
        "cargo run --release --features jax,paddle --example accuracy"
    };
    let mut text = String::from("# Accuracy of the mathematical functions\n\n");
    let _ = writeln!(
        text,
        "The greatest error of each function in units in the last place (ULP) of the result's dtype, and the operands\n\
         that have it. A correctly rounded result has an error of at most 0.5 ULP. Written by\n\
         `{command}`, which measures a part of\n\
         the `f32` values unless `--full` is given.\n",
    );
    let _ = writeln!(
        text,
        "- `f16`, `bf16`: all {} inputs; {} pairs.",
        inputs(1, DType::F16),
        inputs(2, DType::F16)
    );
    let share = if full { "all".to_owned() } else { format!("every {STRIDE}th,") };
    let _ = writeln!(
        text,
        "- `f32`: {share} {} inputs; {} pairs, also for `abs` and `angle` of `c64`.",
        inputs(1, DType::F32),
        inputs(2, DType::F32)
    );
    let _ = writeln!(
        text,
        "- `f64`, `c64`, `c128`: recorded points, at least {}, {} and {} for each function, most of them hard: near\n  \
         zeros and poles, on branch cuts, huge angles, terms that cancel. The error of a complex result is its\n  \
         distance from the exact one in units of its greater part; operands are given by their parts. For\n  \
         `logaddexp` and `logaddexp2` the unit is a sum: of the result, of the greater operand, and, where the powers\n  \
         cancel, of 1 over what remains of the greater.",
        inputs(1, DType::F64).min(inputs(2, DType::F64)),
        inputs(1, DType::C64).min(inputs(2, DType::C64)),
        inputs(1, DType::C128).min(inputs(2, DType::C128)),
    );
    let scalar = if full { format!(" (`scalar` on one block in {SCALAR_BLOCKS})") } else { String::new() };
    let _ = writeln!(
        text,
        "- All SIMD levels of the machine ({}) gave equal bits, or NaN, for all inputs{scalar}, so a column\n  \
         covers all levels.\n",
        levels.join(", ")
    );
    text += "Pairs consist of special values, random bits, common numbers, powers near 1, and sums that cancel. `abs` and\n\
             `angle` of real numbers are exact. `float_power` computes in `f64` or `c128`. `sqrt` of `f64` is that of the\n\
             processor. `xlogy` of `f16` and `bf16` rounds the logarithm first, as PyTorch does.\n\n";
    text += "| function |";
    for dtype in DTYPES {
        let _ = write!(text, " {dtype} |");
    }
    text += "\n| --- |";
    text += &" --- |".repeat(DTYPES.len());
    for &op in ops {
        let _ = write!(text, "\n| `{op}` |");
        for dtype in DTYPES {
            let _ = write!(text, " {} |", found(op, dtype).map_or(String::new(), Cell::told));
        }
    }
    text + "\n"
}
