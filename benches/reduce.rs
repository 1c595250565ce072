//! Measures reductions beside a loop that only reads the same bytes (their sum as `u64`).
//!
//! 1. Contiguous arrays of 32 Ki (cache) and 16 Mi (memory) elements: GB/s, and the ratio to the reading
//!    loop.
//! 2. Matrices of f32 along either axis: the ratio to the reading loop.
//!
//! `cargo bench --bench reduce`

use std::hint::black_box;

use promote::{Axes, DType, NumPy, Op, Tensor, TensorView};
use promote_measure::paired;

/// Reads all bytes, and returns the sum of the words.
fn read(bytes: &[u8]) -> u64 {
    let mut sums = [0_u64; 32];
    for row in bytes.chunks_exact(256) {
        for (sum, word) in sums.iter_mut().zip(row.as_chunks::<8>().0) {
            *sum = sum.wrapping_add(u64::from_ne_bytes(*word));
        }
    }
    sums.iter().fold(0, |all, sum| all.wrapping_add(*sum))
}

fn line(name: &str, op: Op, a: &Tensor, view: &TensorView<'_>, axes: Axes<'_>) {
    let rules = NumPy::new().rule_set();
    let both = paired(
        || {
            black_box(rules.prepare(op, &[black_box(view).into()]).axes(axes).run())
                .expect("NumPy has the op");
        },
        || {
            black_box(read(black_box(a.as_bytes())));
        },
    );
    println!(
        "{op:>6} {name:<30} {:>12.1} ns  {:6.1} GB/s  {:4.2} of the speed of reading",
        both.ours,
        a.as_bytes().len() as f64 / both.ours,
        both.ratio
    );
}

fn main() {
    use DType::{Bool, C64, F16, F32, F64, I8, I16, I32, I64, U8};
    for n in [1 << 15, 1 << 24] {
        for (op, dtypes) in [
            (Op::Sum, &[F64, F32, F16, C64, I64, I32, I16, I8, Bool][..]),
            (Op::Mean, &[F32, I32]),
            (Op::Prod, &[F64, F32, I32]),
            (Op::Max, &[F64, F32, F16, I64, I32, U8]),
            (Op::Argmax, &[F64, F32, F16, I32, U8]),
            (Op::All, &[Bool, F32]),
            (Op::Any, &[Bool, F32]),
        ] {
            for dtype in dtypes {
                let fill = u8::from(op == Op::All);
                let mut a = Tensor::zeros(*dtype, &[n]).expect("memory");
                let size = dtype.size().expect("a standard dtype");
                let mut bytes = vec![fill; n * size];
                if op != Op::Any && op != Op::All && !matches!(dtype, Bool) {
                    // Bytes below 0x40 are small numbers in every dtype.
                    bytes.iter_mut().enumerate().for_each(|(i, byte)| *byte = (i * 7 % 61) as u8);
                }
                let filled = promote::Slice::from_bytes(*dtype, &bytes).expect("whole elements");
                a = Tensor::new(filled, a.shape()).expect("memory");
                line(&format!("{dtype} {n}"), op, &a, &a.view(), Axes::All);
            }
        }
    }
    for (rows, columns) in [(4096, 4096), (1 << 20, 16), (16, 1 << 20), (1 << 22, 4)] {
        let a = Tensor::new(&vec![0.5_f32; rows * columns][..], &[rows, columns]).expect("memory");
        for axis in [0, 1] {
            for op in [Op::Sum, Op::Max, Op::Argmax] {
                let name = format!("f32 {rows} x {columns}, axis {axis}");
                line(&name, op, &a, &a.view(), Axes::Of(&[axis]));
            }
        }
    }
    let side = 4096;
    let a = Tensor::new(&vec![0.5_f32; side * side][..], &[side, side]).expect("memory");
    let (shape, strides) = ([side / 2, side / 2], [8 * side as isize, 8]);
    let every_other = TensorView::byte_strided(a.elements(), &shape, &strides, 0).expect("within");
    line("f32 every other of 4096 x 4096", Op::Sum, &a, &every_other, Axes::All);
}
