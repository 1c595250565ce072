//! Calls whose results bypass the caches, compared with calls on single rows.
//!
//! Results bypass a last-level cache of up to 45 MiB. With a larger one these are tests of large arrays.

#![allow(clippy::float_cmp, reason = "the bits are what is tested")]

use promote::SliceMut;
use promote::{Argument, DType, Element, Number, Op, RuleSet, TensorView, TensorViewMut, Torch};

const ROWS: usize = 1024;
const COLUMNS: usize = 4099;
const SHAPE: [usize; 2] = [ROWS, COLUMNS];

fn torch() -> RuleSet {
    Torch::new().rule_set()
}

fn whole<T: Copy>(count: usize, number: impl Fn(usize) -> T) -> Vec<T> {
    // The numbers have no short period and are not sorted.
    (0..count).map(|i| number(i.wrapping_mul(0x9E37_79B9) >> 5 & 0xFFFF)).collect()
}

/// Calls `op` for a matrix at once and row by row, and compares.
fn check<'a, O: Element + PartialEq + Default>(
    op: Op,
    a: &TensorView<'_>,
    b: Argument<'_>,
    row: impl Fn(usize) -> [TensorView<'a>; 2],
) {
    // The results begin within a cache line.
    let mut room: Vec<O> = core::iter::repeat_n(O::default(), ROWS * COLUMNS + 1).collect();
    let out = TensorViewMut::new(&mut room[1..], &SHAPE).expect("a matrix");
    torch().prepare(op, &[a.into(), b]).out(out).run().expect("PyTorch has it");
    let mut expected = vec![O::default(); COLUMNS];
    for r in 0..ROWS {
        let [a, b] = row(r);
        torch()
            .prepare(op, &[(&a).into(), (&b).into()])
            .out(SliceMut::new(&mut expected[..]))
            .run()
            .expect("PyTorch has it");
        assert!(room[1 + r * COLUMNS..][..COLUMNS] == expected, "{op:?}, row {r}");
    }
}

fn rows_of<'a, T: Element>(elements: &'a [T]) -> impl Fn(usize) -> TensorView<'a> {
    move |r| TensorView::new(&elements[r * COLUMNS..][..COLUMNS], &SHAPE[1..]).expect("a row")
}

#[test]
fn large_calls_give_the_results_of_their_rows() {
    let a = &whole(ROWS * COLUMNS, |i| i as f64)[..];
    let b = &whole(ROWS * COLUMNS, |i| i as f32 / 7.0)[..];
    let (a_view, b_view) = (TensorView::new(a, &SHAPE).unwrap(), TensorView::new(b, &SHAPE).unwrap());
    let (a_rows, b_rows) = (rows_of(a), rows_of(b));
    check::<f64>(Op::Subtract, &a_view, (&b_view).into(), |r| [a_rows(r), b_rows(r)]);
    check::<bool>(Op::Less, &a_view, (&b_view).into(), |r| [a_rows(r), b_rows(r)]);
    // A pipeline computes this pair, because no loop takes both dtypes.
    check::<f64>(Op::Hypot, &a_view, (&b_view).into(), |r| [a_rows(r), b_rows(r)]);

    let first = TensorView::new(&b[..COLUMNS], &SHAPE[1..]).unwrap();
    check::<f64>(Op::Multiply, &a_view, (&first).into(), |r| [a_rows(r), b_rows(0)]);
    let column = TensorView::new(&b[..ROWS], &[ROWS, 1]).unwrap();
    let one = |r: usize| TensorView::byte_strided(b, &SHAPE[1..], &[0], 4 * r).unwrap();
    check::<f64>(Op::Add, &a_view, (&column).into(), |r| [a_rows(r), one(r)]);
    let half = &[0.5_f64][..];
    let halves = || TensorView::byte_strided(half, &SHAPE[1..], &[0], 0).unwrap();
    check::<f64>(Op::Maximum, &a_view, Number::Float(0.5).into(), |r| [a_rows(r), halves()]);
}

#[test]
fn large_results_can_be_strided() {
    const SHORT: [usize; 2] = [20_000, 100];
    let a = whole(SHORT[0] * SHORT[1], |i| i as f64);
    let view = TensorView::new(&a[..], &SHORT).unwrap();
    let mut room = vec![-1.0_f64; SHORT[0] * 128];
    let out = TensorViewMut::byte_strided(&mut room[..], &SHORT, &[8 * 128, 8], 0).unwrap();
    torch().prepare(Op::Add, &[(&view).into(), (&view).into()]).out(out).run().unwrap();
    for (row, out) in a.chunks(SHORT[1]).zip(room.chunks(128)) {
        assert!(row.iter().zip(out).all(|(x, sum)| *sum == x + x));
        assert!(out[SHORT[1]..].iter().all(|free| *free == -1.0));
    }
}

#[test]
fn large_strided_operands_give_the_results_of_their_rows() {
    const STRIDES: [isize; 2] = [16 * COLUMNS as isize, 16];
    let a = &whole(2 * ROWS * COLUMNS, |i| i as i64)[..];
    let b = &whole(ROWS * COLUMNS, |i| i as i16)[..];
    let view = TensorView::byte_strided(a, &SHAPE, &STRIDES, 8).unwrap();
    let other = TensorView::new(b, &SHAPE).unwrap();
    let b_rows = rows_of(b);
    let a_row =
        |r: usize| TensorView::byte_strided(a, &SHAPE[1..], &STRIDES[1..], 8 + 16 * COLUMNS * r).unwrap();
    check::<i64>(Op::Add, &view, (&other).into(), |r| [a_row(r), b_rows(r)]);
}

#[test]
fn large_calls_of_short_rows_give_the_results_of_their_rows() {
    // A row ends within a cache line, so some lines hold results of two rows.
    const SHORT: [usize; 2] = [30_000, 101];
    let a = whole(SHORT[0] * SHORT[1], |i| i as f64);
    let b = whole(SHORT[1], |i| i as f64 / 3.0);
    let (view, row) =
        (TensorView::new(&a[..], &SHORT).unwrap(), TensorView::new(&b[..], &SHORT[1..]).unwrap());
    let mut room = vec![-1.0_f64; SHORT[0] * SHORT[1] + 2];
    let end = room.len() - 1;
    let out = TensorViewMut::new(&mut room[1..end], &SHORT).unwrap();
    torch().prepare(Op::Subtract, &[(&view).into(), (&row).into()]).out(out).run().unwrap();
    for (r, (a, out)) in a.chunks(SHORT[1]).zip(room[1..end].chunks(SHORT[1])).enumerate() {
        let expected = a.iter().zip(&b).map(|(x, y)| x - y);
        assert!(expected.eq(out.iter().copied()), "row {r}");
    }
    assert!(room[0] == -1.0 && room[end] == -1.0, "nothing else is written");
}

/// Results wait in a block, so each element of `out` is read before it is overwritten.
#[test]
fn large_results_can_replace_the_second_operand() {
    let a = whole(SHAPE[0] * SHAPE[1], |i| i as f64);
    let b = whole(SHAPE[1], |i| i as f64 / 3.0);
    let row = || TensorView::new(&b[..], &SHAPE[1..]).unwrap();
    let rows = || a.iter().zip(b.iter().cycle());

    let mut room = a.clone();
    let out = TensorViewMut::new(&mut room[..], &SHAPE).unwrap();
    let kernel = torch().kernel(Op::Subtract, DType::F64, DType::F64).unwrap();
    kernel.call_views(&[Argument::Array(&row()), Argument::InPlace(out.dtype())], out).unwrap();
    assert!(rows().map(|(x, y)| y - x).eq(room.iter().copied()));

    let mut room = a.clone();
    let out = TensorViewMut::new(&mut room[..], &SHAPE).unwrap();
    torch().prepare(Op::Greater, &[(&row()).into()]).in_place(out).run().unwrap();
    assert!(rows().map(|(x, y)| f64::from(u8::from(x > y))).eq(room.iter().copied()));
}

#[test]
fn large_ops_of_one_operand_give_the_results_of_their_rows() {
    let a = whole(ROWS * COLUMNS, |i| i as f64 - 3e4);
    let view = TensorView::new(&a[..], &SHAPE).unwrap();
    let mut out = vec![0.0_f64; a.len() + 1];
    let into = TensorViewMut::new(&mut out[1..], &SHAPE).unwrap();
    torch().prepare(Op::Negative, &[(&view).into()]).out(into).run().unwrap();
    assert!(out[1..].iter().zip(&a).all(|(found, a)| *found == -a) && out[0] == 0.0);

    // From strided rows into contiguous results.
    let size = size_of::<f64>().cast_signed();
    let (shape, strides) = ([ROWS, COLUMNS - 1], [COLUMNS.cast_signed() * size, size]);
    let apart = TensorView::byte_strided(&a[..], &shape, &strides, 0).unwrap();
    let mut squares = vec![0.0_f64; ROWS * (COLUMNS - 1)];
    let into = TensorViewMut::new(&mut squares[..], &shape).unwrap();
    torch().prepare(Op::Square, &[(&apart).into()]).out(into).run().unwrap();
    let row = |r: usize| &a[r * COLUMNS..][..COLUMNS - 1];
    assert!((0..ROWS).flat_map(row).zip(&squares).all(|(a, found)| *found == a * a));

    let mut in_place = a.clone();
    torch()
        .prepare(Op::Abs, &[])
        .in_place(TensorViewMut::new(&mut in_place[..], &SHAPE).unwrap())
        .run()
        .unwrap();
    assert!(in_place.iter().zip(&a).all(|(found, a)| *found == a.abs()));
}
