//! Broadcast operands: the results are those of operands that were copied to the shape of `out` first,
//! whichever way a kernel reads them.

use fastrand::Rng;
use promote::{Argument, Kernel, ScalarValue, Slice, SliceMut};
use promote::{DType, Level, Op, TensorView, TensorViewMut, Torch};

use crate::aligned::Aligned;
use crate::random::{random_bytes, same, unravel};

/// Cheap ops, which have loops in place and with a broadcast operand, and some ops without such loops.
const OPS: &[Op] = &[
    Op::Add,
    Op::Subtract,
    Op::Multiply,
    Op::Divide,
    Op::Maximum,
    Op::Minimum,
    Op::BitwiseAnd,
    Op::BitwiseOr,
    Op::BitwiseXor,
    Op::Less,
    Op::GreaterEqual,
    Op::Hypot,
    Op::FloorDivide,
];

const DTYPES: &[DType] = &[
    DType::Bool,
    DType::U8,
    DType::I8,
    DType::I16,
    DType::I32,
    DType::I64,
    DType::F16,
    DType::BF16,
    DType::F32,
    DType::F64,
    DType::C64,
];

/// Shapes of `out` and of an operand that is broadcast along rows, along columns or along both.
const SHAPES: &[(&[usize], &[usize])] = &[
    (&[7, 300], &[7, 1]),
    (&[7, 300], &[300]),
    (&[7, 30], &[7, 1]),
    (&[7, 30], &[30]),
    (&[5, 270], &[1, 1]),
    (&[4, 3, 70], &[4, 1, 70]),
    (&[4, 3, 70], &[1, 3, 1]),
];

/// Shapes in which the broadcast part is larger than a block, along one axis or several.
const LARGE: &[(&[usize], &[usize])] = &[
    (&[6, 9001], &[9001]),
    (&[9001, 6], &[9001, 1]),
    (&[3, 5, 5003], &[3, 1, 5003]),
    (&[70, 4, 130], &[70, 1, 130]),
    (&[3, 2100, 4, 2], &[3, 2100, 1, 2]),
];

/// A call of a kernel.
struct Case<'a> {
    kernel: &'a Kernel,
    shape: &'a [usize],
    /// The shapes of the operands.
    shapes: [&'a [usize]; 2],
    /// True if `out` has the memory order of its transpose.
    turned: bool,
    in_place: bool,
}

fn elements(shape: &[usize]) -> usize {
    shape.iter().product()
}

/// Returns the strides in bytes of a contiguous array, or of its transpose if `turned`.
fn strides(shape: &[usize], size: usize, turned: bool) -> Vec<isize> {
    let mut strides = vec![0; shape.len()];
    let mut next = size as isize;
    let mut stride = |axis: usize| {
        strides[axis] = next;
        next *= shape[axis] as isize;
    };
    if turned {
        (0..shape.len()).for_each(&mut stride);
    } else {
        (0..shape.len()).rev().for_each(&mut stride);
    }
    strides
}

impl Case<'_> {
    /// Returns false if the call does not exist: a result in place has the dtype of the first operand.
    fn check(&self, random: &mut Rng) -> bool {
        let [a, b, out] = self.kernel.dtypes();
        let n = elements(self.shape);
        if self.in_place && (a != out || elements(self.shapes[0]) != n) {
            return false;
        }
        let size = |dtype: DType| dtype.size().expect("a standard dtype");
        let own = strides(self.shape, size(out), self.turned);
        let byte = |i: usize| -> usize {
            let index = unravel(i, self.shape);
            index.iter().zip(&own).map(|(at, stride)| at * *stride as usize).sum()
        };
        let held: Vec<Aligned> = [a, b]
            .iter()
            .zip(self.shapes)
            .map(|(dtype, shape)| {
                Aligned::copy(&random_bytes(random, *dtype, elements(shape) * size(*dtype)))
            })
            .collect();
        // The operands, copied to the shape of `out`.
        let whole: Vec<Aligned> = [a, b]
            .iter()
            .enumerate()
            .map(|(k, dtype)| {
                let shape = self.shapes[k];
                let mut whole = Aligned::new(n * size(*dtype));
                for (i, element) in whole.bytes_mut().chunks_exact_mut(size(*dtype)).enumerate() {
                    let index = unravel(i, self.shape);
                    let seen = index[index.len() - shape.len()..].iter().zip(shape);
                    let at = seen.fold(0, |at, (i, len)| at * len + if *len == 1 { 0 } else { *i });
                    element.copy_from_slice(&held[k].bytes()[at * size(*dtype)..][..size(*dtype)]);
                }
                whole
            })
            .collect();
        let mut expected = Aligned::new(n * size(out));
        let slice = |k: usize, dtype: DType| Slice::from_bytes(dtype, whole[k].bytes()).expect("elements");
        let target = SliceMut::from_bytes(out, expected.bytes_mut()).expect("elements");
        if self.kernel.call_slices(slice(0, a), slice(1, b), target).is_err() {
            return false;
        }

        let mut found = Aligned::new(n * size(out));
        if self.in_place {
            for (i, value) in whole[0].bytes().chunks_exact(size(out)).enumerate() {
                found.bytes_mut()[byte(i)..][..size(out)].copy_from_slice(value);
            }
        }
        let views: Vec<TensorView<'_>> = [a, b]
            .iter()
            .enumerate()
            .map(|(k, dtype)| {
                let slice = Slice::from_bytes(*dtype, held[k].bytes()).expect("elements");
                TensorView::new(slice, self.shapes[k]).expect("a view of all elements")
            })
            .collect();
        let first = if self.in_place { Argument::InPlace(out) } else { Argument::Array(&views[0]) };
        let target = SliceMut::from_bytes(out, found.bytes_mut()).expect("elements");
        let target =
            TensorViewMut::byte_strided(target, self.shape, &own, 0).expect("a view of all elements");
        self.kernel.call_views(&[first, Argument::Array(&views[1])], target).expect("what slices do");
        for (i, expected) in expected.values(out).iter().enumerate() {
            let bytes = &found.bytes()[byte(i)..][..size(out)];
            let found = ScalarValue::from_bytes(out, bytes).expect("an element");
            assert!(
                same(&found, expected),
                "{:?}, shapes {:?} to {:?}, turned {}, in place {}: place {i} is {found:?} and should be {expected:?}",
                self.kernel,
                self.shapes,
                self.shape,
                self.turned,
                self.in_place
            );
        }
        true
    }
}

fn check_all(ops: &[Op], dtypes: &[DType], shapes: &[(&[usize], &[usize])]) -> usize {
    let rules = Torch::new().rule_set();
    let mut random = Rng::with_seed(7);
    let mut checked = 0;
    for level in Level::ALL.iter().copied().filter(|level| *level <= Level::best()) {
        for (&op, a, b) in ops
            .iter()
            .flat_map(|op| dtypes.iter().flat_map(move |a| dtypes.iter().map(move |b| (op, *a, *b))))
        {
            // Some pairs of two dtypes do.
            if a != b && random.u8(..6) > 0 {
                continue;
            }
            let Ok(kernel) = rules.kernel_at(level, op, a, b) else { continue };
            for (shape, repeated) in shapes.iter().copied() {
                for (shapes, in_place) in
                    [([shape, repeated], false), ([repeated, shape], false), ([shape, repeated], true)]
                {
                    let turned = random.u8(..4) == 0;
                    let case = Case { kernel: &kernel, shape, shapes, turned, in_place };
                    checked += usize::from(case.check(&mut random));
                }
            }
        }
    }
    checked
}

#[test]
fn broadcast_operands_equal_copied_ones() {
    let checked = check_all(OPS, DTYPES, SHAPES);
    assert!(checked > 2_000, "{checked} calls");
}

#[test]
fn broadcast_operands_longer_than_a_block_equal_copied_ones() {
    let dtypes = [DType::I8, DType::F16, DType::F32, DType::F64];
    let checked = check_all(&[Op::Subtract, Op::Multiply], &dtypes, LARGE);
    assert!(checked > 100, "{checked} calls");
}
