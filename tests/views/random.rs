//! Random views (any rank up to 6, strides, offsets, dtypes, overlaps), compared with the op on single
//! elements.

use fastrand::Rng;
use promote::{Argument, DType, Error, ExtraKind, Op, RuleSet, TensorView, TensorViewMut};
use promote::{ScalarValue, Slice, SliceMut};

use crate::aligned::Aligned;

/// The number of cases, unless the variable `PROMOTE_CASES` sets another one.
const CASES: usize = 4000;

#[test]
fn ops_on_random_views_equal_ops_on_single_elements() {
    let cases = std::env::var("PROMOTE_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(CASES);
    let sets: Vec<RuleSet> = rule_sets();
    let mut computed = 0;
    for seed in 0..cases as u64 {
        let mut random = Rng::with_seed(seed);
        let rules = *random.choice(&sets).expect("there are rule sets");
        computed += usize::from(Case::new(&mut random, rules).check(seed));
    }
    // Rule sets refuse some dtypes; the others are compared.
    assert!(computed * 3 > cases, "{computed} of {cases} cases were computed");
}

pub(crate) fn rule_sets() -> Vec<RuleSet> {
    let sets = [promote::Torch::new().rule_set(), promote::NumPy::new().rule_set()];
    #[allow(unused_mut, reason = "with the set")]
    let mut sets = sets.to_vec();
    #[cfg(feature = "jax")]
    sets.push(promote::Jax::new().rule_set());
    sets
}

/// The layout of an operand's elements in a buffer.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) dtype: DType,
    pub(crate) shape: Vec<usize>,
    pub(crate) strides: Vec<isize>,
    /// The position of the first element, in bytes.
    pub(crate) offset: usize,
    pub(crate) buffer: usize,
}

/// The use of the first operand and the result of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Into,
    InPlace,
}

#[derive(Debug)]
struct Case {
    rules: RuleSet,
    op: Op,
    form: Form,
    inputs: Vec<Layout>,
    out: Layout,
    /// The bytes of every buffer. `out` has the last one, or shares that of an input.
    buffers: Vec<Vec<u8>>,
}

impl Case {
    fn new(random: &mut Rng, rules: RuleSet) -> Case {
        let ops: Vec<Op> =
            rules.tables().ops.iter().filter(|table| table.kernel.is_some()).map(|table| table.op).collect();
        let op = *random.choice(&ops).expect("there are ops");
        let form = if random.u8(..4) == 0 && op != Op::Where { Form::InPlace } else { Form::Into };
        let shape = random_shape(random);
        let count = required(op);
        let dtypes: Vec<DType> = (0..count)
            .map(|k| if op == Op::Where && k == 0 { DType::Bool } else { random_dtype(random) })
            .collect();
        let kinds: Vec<promote::Operand> = dtypes[usize::from(op == Op::Where)..][..op.arity()]
            .iter()
            .map(|dtype| promote::Operand::Array(*dtype))
            .collect();
        let own = rules.op_types(op, &kinds).map_or(dtypes[0], |types| types.output);
        let out_dtype = match form {
            Form::InPlace => dtypes[0],
            Form::Into if random.u8(..10) == 0 => random_dtype(random),
            Form::Into => own,
        };
        let mut buffers = Vec::new();
        let inputs = dtypes
            .iter()
            .map(|dtype| {
                let shape = if random.u8(..3) == 0 { narrowed(random, &shape) } else { shape.clone() };
                random_layout(random, *dtype, shape, true, &mut buffers)
            })
            .collect::<Vec<_>>();
        let mut out = random_layout(random, out_dtype, shape.clone(), false, &mut buffers);
        // Half of the calls in place, and some others, overlap an operand.
        if let Some(shared) = inputs.first().filter(|_| random.u8(..3) == 0) {
            let room = buffers[shared.buffer].len();
            if let Some(moved) = moved_into(random, &out, shared, room) {
                out = moved;
            }
        }
        Case { rules, op, form, inputs, out, buffers }
    }

    /// Returns true if the op was computed, and false if it was refused.
    fn check(&self, seed: u64) -> bool {
        let mut memory: Vec<Aligned> = self.buffers.iter().map(|bytes| Aligned::copy(bytes)).collect();
        let before: Vec<Vec<u8>> = self.buffers.clone();
        let bases: Vec<*mut u8> = memory.iter_mut().map(|buffer| buffer.bytes_mut().as_mut_ptr()).collect();
        let at = |layout: &Layout| bases[layout.buffer].wrapping_add(layout.offset);
        let views: Vec<TensorView<'_>> = self
            .inputs
            .iter()
            // SAFETY: the views lie within their buffers, which outlive the views; only the call writes to
            // them.
            .map(|layout| unsafe {
                TensorView::from_raw_parts(layout.dtype, at(layout), &layout.shape, &layout.strides)
            })
            .map(|view| view.expect("a view that fits its buffer"))
            .collect();
        let out = &self.out;
        // SAFETY: as above; the elements are initialised.
        let out = unsafe { TensorViewMut::from_raw_parts(out.dtype, at(out), &out.shape, &out.strides) };
        let out = out.expect("no two elements of `out` overlap");
        let arguments: Vec<Argument<'_>> = views.iter().map(Argument::from).collect();
        let found = match self.form {
            Form::Into => self.rules.prepare(self.op, &arguments).out(out).run(),
            Form::InPlace => self.rules.prepare(self.op, &arguments[1..]).in_place(out).run(),
        };
        let expected = self.expected(&before);
        let after: Vec<&[u8]> = memory.iter().map(Aligned::bytes).collect();
        match (&found, &expected) {
            (Ok(()), Ok(expected)) => {
                for (buffer, (found, expected)) in after.iter().zip(expected).enumerate() {
                    self.compare(seed, buffer, found, expected);
                }
                true
            }
            (Err(error), Err(expected)) => {
                assert_eq!(error, expected, "seed {seed}: {self:?}");
                assert!(
                    after.iter().zip(&before).all(|(after, before)| after == before),
                    "seed {seed}: written, and {error}"
                );
                false
            }
            _ => {
                panic!("seed {seed}: {found:?}, and element by element {:?}: {self:?}", expected.map(|_| ()))
            }
        }
    }

    /// Returns all buffers as the call should leave them, computed element by element from copies.
    fn expected(&self, before: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, Error> {
        let mut after = before.to_vec();
        let count: usize = self.out.shape.iter().product();
        let alone = |layout: &Layout, index: &[usize]| {
            let at = layout.byte(index);
            let size = layout.dtype.size().expect("a standard dtype");
            ScalarValue::from_bytes(layout.dtype, &before[layout.buffer][at..at + size]).expect("an element")
        };
        let mut errors = None;
        // A call without elements also checks its dtypes.
        for i in 0..count.max(1) {
            let index = unravel(i, &self.out.shape);
            let values: Vec<Option<ScalarValue>> = self
                .inputs
                .iter()
                .map(|layout| {
                    (count > 0 || layout.shape.is_empty()).then(|| alone(layout, &layout.seen_from(&index)))
                })
                .collect();
            let cells: Vec<Aligned> = values
                .iter()
                .map(|value| value.map_or(Aligned::new(0), |value| Aligned::of(&[value])))
                .collect();
            let argument = |k: usize| match (self.inputs[k].shape.is_empty(), values[k]) {
                (true, Some(value)) => Argument::ZeroDim(value),
                _ => Argument::Slice(
                    Slice::from_bytes(self.inputs[k].dtype, cells[k].bytes()).expect("an element"),
                ),
            };
            let arguments: Vec<Argument<'_>> = (0..values.len()).map(argument).collect();
            let size = self.out.dtype.size().expect("a standard dtype");
            let mut result = Aligned::new(if count == 0 { 0 } else { size });
            if self.form == Form::InPlace && count > 0 {
                let old = alone(&self.out, &index);
                result.bytes_mut().copy_from_slice(old.as_bytes());
            }
            let shape = vec![count.min(1); self.out.shape.len().min(1)];
            let out = SliceMut::from_bytes(self.out.dtype, result.bytes_mut()).expect("an element");
            let out = TensorViewMut::new(out, &shape).expect("one element");
            let computed = match self.form {
                Form::Into => self.rules.prepare(self.op, &arguments).out(out).run(),
                Form::InPlace => self.rules.prepare(self.op, &arguments[1..]).in_place(out).run(),
            };
            match computed {
                Ok(()) if count > 0 => {
                    let at = self.out.byte(&index);
                    after[self.out.buffer][at..at + size].copy_from_slice(result.bytes());
                }
                Ok(()) => {}
                Err(error) => {
                    errors.get_or_insert(error);
                }
            }
        }
        errors.map_or(Ok(after), Err)
    }

    fn compare(&self, seed: u64, buffer: usize, found: &[u8], expected: &[u8]) {
        if found == expected {
            return;
        }
        // A NaN may have any payload, so elements of `out` are compared by value; every other byte is as it
        // was.
        let size = self.out.dtype.size().expect("a standard dtype");
        let (mut found, mut expected) = (found.to_vec(), expected.to_vec());
        if buffer == self.out.buffer {
            for i in 0..self.out.shape.iter().product() {
                let at = self.out.byte(&unravel(i, &self.out.shape));
                let value = |bytes: &[u8]| {
                    ScalarValue::from_bytes(self.out.dtype, &bytes[at..at + size]).expect("an element")
                };
                let (a, b) = (value(&found), value(&expected));
                assert!(
                    same(&a, &b),
                    "seed {seed}: element {i} is {:?} and should be {:?}: {self:?}",
                    a.number(),
                    b.number()
                );
                found[at..at + size].fill(0);
                expected[at..at + size].fill(0);
            }
        }
        assert!(found == expected, "seed {seed}: bytes beside the elements of `out` were written: {self:?}");
    }
}

impl Layout {
    /// Returns the position of the element at an index in its buffer.
    pub(crate) fn byte(&self, index: &[usize]) -> usize {
        let by: isize = index.iter().zip(&self.strides).map(|(at, stride)| *at as isize * stride).sum();
        (self.offset as isize + by) as usize
    }

    /// Returns the index of the operand's element that broadcasts to an index of `out`.
    pub(crate) fn seen_from(&self, index: &[usize]) -> Vec<usize> {
        let own = &index[index.len() - self.shape.len()..];
        own.iter().zip(&self.shape).map(|(at, len)| if *len == 1 { 0 } else { *at }).collect()
    }
}

/// Returns true if two elements are equal or both NaN.
pub(crate) fn same(a: &ScalarValue, b: &ScalarValue) -> bool {
    fn parts(value: &ScalarValue) -> Option<[f64; 2]> {
        match value.number()? {
            promote::Number::Float(x) => Some([x, 0.0]),
            promote::Number::Complex(re, im) => Some([re, im]),
            _ => None,
        }
    }
    match (parts(a), parts(b)) {
        (Some(a), Some(b)) => {
            a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan())
        }
        _ => a.as_bytes() == b.as_bytes(),
    }
}

/// Returns the number of inputs that a call needs.
fn required(op: Op) -> usize {
    let extras = op.extras().iter().filter(|extra| {
        extra.default.is_none()
            && matches!(extra.kind, ExtraKind::Condition | ExtraKind::Operand | ExtraKind::Weight)
    });
    op.arity() + extras.count()
}

pub(crate) fn unravel(mut i: usize, shape: &[usize]) -> Vec<usize> {
    let mut index = vec![0; shape.len()];
    for (at, len) in index.iter_mut().zip(shape).rev() {
        *at = i % (*len).max(1);
        i /= (*len).max(1);
    }
    index
}

pub(crate) fn random_dtype(random: &mut Rng) -> DType {
    *random.choice(DType::WITH_TYPE).expect("there are dtypes")
}

/// Returns a shape with short axes, sometimes with an axis longer than a block or with two that form a tile.
pub(crate) fn random_shape(random: &mut Rng) -> Vec<usize> {
    match random.u8(..24) {
        0 => vec![random.usize(..5000)],
        1 => vec![random.usize(1..4), random.usize(250..1200)],
        2 => vec![random.usize(30..70), random.usize(30..150)],
        3 => vec![0, random.usize(..3)],
        _ => {
            let rank = random.usize(..=6);
            let most = [40, 40, 12, 6, 4, 3, 3][rank];
            (0..rank).map(|_| if random.u8(..20) == 0 { 0 } else { random.usize(1..=most) }).collect()
        }
    }
}

/// Returns a shape that broadcasts to `shape`.
pub(crate) fn narrowed(random: &mut Rng, shape: &[usize]) -> Vec<usize> {
    let from = random.usize(..=shape.len());
    shape[from..].iter().map(|len| if random.u8(..3) == 0 { 1 } else { *len }).collect()
}

/// Returns a layout in a new buffer, with axes in any order, gaps and negative strides. A layout that is only
/// read may also have strides of 0 and elements that overlap.
pub(crate) fn random_layout(
    random: &mut Rng,
    dtype: DType,
    shape: Vec<usize>,
    read: bool,
    buffers: &mut Vec<Vec<u8>>,
) -> Layout {
    let size = dtype.size().expect("a standard dtype") as isize;
    let mut order: Vec<usize> = (0..shape.len()).collect();
    if random.bool() {
        random.shuffle(&mut order);
    }
    let misaligned = random.u8(..6) == 0;
    let mut strides = vec![0_isize; shape.len()];
    let mut next = size;
    for axis in order.into_iter().rev() {
        let gap = match random.u8(..8) {
            0 => size,
            1 if misaligned => 1,
            2 => 64 * size,
            _ => 0,
        };
        strides[axis] = next + gap;
        next = strides[axis] * shape[axis].max(1) as isize;
        match random.u8(..10) {
            0 | 1 => strides[axis] = -strides[axis],
            2 if read => strides[axis] = 0,
            3 if read => strides[axis] = size,
            _ => {}
        }
    }
    let span = |sign: isize| -> isize {
        let axes = shape.iter().zip(&strides).filter(|(len, stride)| **len > 0 && stride.signum() == sign);
        axes.map(|(len, stride)| (*len as isize - 1) * stride.abs()).sum()
    };
    let lead = if misaligned { random.usize(..17) } else { 16 * random.usize(..3) };
    let back = span(-1);
    // An aligned view starts at a multiple of 16 bytes.
    let back = if misaligned { back } else { (back + 15) / 16 * 16 };
    let offset = lead + back as usize;
    let len = offset + (span(1) + size) as usize + random.usize(..20);
    buffers.push(random_bytes(random, dtype, len));
    Layout { dtype, shape, strides, offset, buffer: buffers.len() - 1 }
}

/// Moves `out` into the buffer of an input: to the elements of the input, or to any offset where it fits.
pub(crate) fn moved_into(random: &mut Rng, out: &Layout, shared: &Layout, room: usize) -> Option<Layout> {
    if random.bool() && shared.dtype.size() == out.dtype.size() && shared.shape == out.shape {
        let (strides, offset, buffer) = (shared.strides.clone(), shared.offset, shared.buffer);
        let moved = Layout { strides, offset, buffer, ..out.clone() };
        // An output must not overlap itself.
        let distinct: std::collections::BTreeSet<usize> =
            (0..out.shape.iter().product()).map(|i| moved.byte(&unravel(i, &moved.shape))).collect();
        let size = out.dtype.size().unwrap_or(1);
        let apart = distinct.iter().zip(distinct.iter().skip(1)).all(|(a, b)| a + size <= *b);
        return (distinct.len() == out.shape.iter().product::<usize>() && apart).then_some(moved);
    }
    let bytes: Vec<usize> =
        (0..out.shape.iter().product()).map(|i| out.byte(&unravel(i, &out.shape))).collect();
    let (first, last) = (*bytes.iter().min()?, *bytes.iter().max()?);
    let extent = last - first + out.dtype.size()?;
    let slack = room.checked_sub(extent)?;
    let begin = random.usize(..=slack);
    Some(Layout { offset: out.offset - first + begin, buffer: shared.buffer, ..out.clone() })
}

/// Returns bytes that are mostly small numbers of the dtype, and sometimes arbitrary.
pub(crate) fn random_bytes(random: &mut Rng, dtype: DType, len: usize) -> Vec<u8> {
    let size = dtype.size().expect("a standard dtype");
    if random.u8(..6) == 0 {
        return (0..len).map(|_| random.u8(..)).collect();
    }
    let mut bytes = Vec::with_capacity(len + size);
    while bytes.len() < len {
        let number = match dtype.kind() {
            promote::Kind::Bool => promote::Number::Bool(random.bool()),
            promote::Kind::Unsigned | promote::Kind::Signed => promote::Number::Int(random.i128(1..20)),
            _ => promote::Number::Float(random.f64() * 4.0 - 1.0),
        };
        let value = ScalarValue::from_number(number, dtype).expect("a small number");
        bytes.extend_from_slice(value.as_bytes());
    }
    bytes.truncate(len);
    bytes
}
