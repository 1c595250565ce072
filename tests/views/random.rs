//! Random views (any rank up to 6, strides, offsets, dtypes, overlaps) against the same op on one element at
//! a time.

use fastrand::Rng;
use promote::{Argument, DType, Error, ExtraKind, Op, RuleSet, TensorView, TensorViewMut};
use promote::{ScalarValue, Slice, SliceMut};

use crate::aligned::Aligned;

/// So many cases where nothing is said; `PROMOTE_CASES` says another number.
const CASES: usize = 4000;

#[test]
fn every_op_on_random_views_is_the_op_on_their_elements() {
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
pub(crate) struct Place {
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
    inputs: Vec<Place>,
    out: Place,
    /// The bytes of every buffer; of `out`, the last, or that which an input lies in too.
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
                random_place(random, *dtype, shape, true, &mut buffers)
            })
            .collect::<Vec<_>>();
        let mut out = random_place(random, out_dtype, shape.clone(), false, &mut buffers);
        // Half of those in place, and some others, lie where an operand does.
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
        let at = |place: &Place| bases[place.buffer].wrapping_add(place.offset);
        let views: Vec<TensorView<'_>> = self
            .inputs
            .iter()
            // SAFETY: the places lie within their buffers, which outlive the views; only the call writes to
            // them.
            .map(|place| unsafe {
                TensorView::from_raw_parts(place.dtype, at(place), &place.shape, &place.strides)
            })
            .map(|view| view.expect("a view that fits its buffer"))
            .collect();
        let out = &self.out;
        // SAFETY: as above; the elements are initialised.
        let out = unsafe { TensorViewMut::from_raw_parts(out.dtype, at(out), &out.shape, &out.strides) };
        let out = out.expect("no two places of `out` share a byte");
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

    /// All buffers after the call, computed element by element from copies.
    fn expected(&self, before: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, Error> {
        let mut after = before.to_vec();
        let count: usize = self.out.shape.iter().product();
        let alone = |place: &Place, index: &[usize]| {
            let at = place.byte(index);
            let size = place.dtype.size().expect("a standard dtype");
            ScalarValue::from_bytes(place.dtype, &before[place.buffer][at..at + size]).expect("an element")
        };
        let mut errors = None;
        // Without elements the dtypes are still asked for.
        for i in 0..count.max(1) {
            let index = unravel(i, &self.out.shape);
            let values: Vec<Option<ScalarValue>> = self
                .inputs
                .iter()
                .map(|place| {
                    (count > 0 || place.shape.is_empty()).then(|| alone(place, &place.seen_from(&index)))
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

impl Place {
    /// Returns the position of the element at an index in its buffer.
    pub(crate) fn byte(&self, index: &[usize]) -> usize {
        let by: isize = index.iter().zip(&self.strides).map(|(at, stride)| *at as isize * stride).sum();
        (self.offset as isize + by) as usize
    }

    /// The index of the element that broadcasts to one of `out`.
    pub(crate) fn seen_from(&self, index: &[usize]) -> Vec<usize> {
        let own = &index[index.len() - self.shape.len()..];
        own.iter().zip(&self.shape).map(|(at, len)| if *len == 1 { 0 } else { *at }).collect()
    }
}

/// Two elements of one dtype, of which NaN is NaN.
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

/// Mostly short axes; now and then one that is longer than a block, or two that make a tile.
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

/// A shape that broadcasts to another one.
pub(crate) fn narrowed(random: &mut Rng, shape: &[usize]) -> Vec<usize> {
    let from = random.usize(..=shape.len());
    shape[from..].iter().map(|len| if random.u8(..3) == 0 { 1 } else { *len }).collect()
}

/// A place in a buffer of its own: axes in any order, with gaps, backwards, and, where it is only read, with
/// strides of 0 and elements that share bytes.
pub(crate) fn random_place(
    random: &mut Rng,
    dtype: DType,
    shape: Vec<usize>,
    read: bool,
    buffers: &mut Vec<Vec<u8>>,
) -> Place {
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
    // The first address of all is aligned where the view shall be.
    let back = if misaligned { back } else { (back + 15) / 16 * 16 };
    let offset = lead + back as usize;
    let len = offset + (span(1) + size) as usize + random.usize(..20);
    buffers.push(random_bytes(random, dtype, len));
    Place { dtype, shape, strides, offset, buffer: buffers.len() - 1 }
}

/// The place of `out` in the buffer of an input: exactly where that lies, or anywhere it fits.
pub(crate) fn moved_into(random: &mut Rng, out: &Place, shared: &Place, room: usize) -> Option<Place> {
    if random.bool() && shared.dtype.size() == out.dtype.size() && shared.shape == out.shape {
        let (strides, offset, buffer) = (shared.strides.clone(), shared.offset, shared.buffer);
        let moved = Place { strides, offset, buffer, ..out.clone() };
        // Strides that are only to be read make no `out`.
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
    Some(Place { offset: out.offset - first + begin, buffer: shared.buffer, ..out.clone() })
}

/// Bytes that are often small numbers of the dtype, and sometimes anything.
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
