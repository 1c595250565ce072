//! Fuzzes views of arbitrary shapes, strides and offsets.
//!
//! A view is refused exactly if it reaches outside its memory, or if it is mutable and two elements overlap.
//! Calls on valid views have the results of calls on contiguous copies. Bytes outside the output are
//! unchanged, and after an error all bytes are.
#![no_main]

mod common;

use libfuzzer_sys::fuzz_target;
use promote::{
    Argument, Axes, Casting, CustomDType, DType, Element, Error, IterationConfig, Kind, Level, NumPy, Op,
    Operand, RuleSet, Tensor, TensorView, TensorViewMut, Torch, ViewError,
};
use promote::{ScalarValue, Slice, SliceMut};

use common::{Aligned, Bytes, equal, normal, size};

/// The size in bytes of the buffer that contains all views.
const ROOM: usize = 4096;

/// The greatest number of elements of a call.
const MOST: usize = 4096;

/// Numbers near the limits at which products and sums overflow.
const WILD: &[i64] = &[
    i64::MIN,
    i64::MIN + 1,
    i64::MIN / 2,
    -(1 << 40),
    -(1 << 32) - 1,
    -1,
    1 << 31,
    1 << 32,
    1 << 60,
    1 << 61,
    3 << 60,
    i64::MAX / 2,
    i64::MAX / 2 + 1,
    i64::MAX - 1,
    i64::MAX,
];

/// A dtype of 3 bytes, a size for which there is no specialised copy.
static ODD: CustomDType = CustomDType::new("odd", 24, 1);
/// A dtype of size 0 and without a valid alignment.
static NOTHING: CustomDType = CustomDType::new("nothing", 0, 0);

/// The layout of a view in the buffer.
#[derive(Clone, Debug)]
struct Place {
    dtype: DType,
    shape: Vec<usize>,
    strides: Vec<isize>,
    offset: usize,
}

impl Place {
    fn read(bytes: &mut Bytes<'_>, base: &[usize]) -> Place {
        let (choice, dtype) = (bytes.next(), bytes.next());
        let dtype = match dtype {
            255 => DType::Custom(&ODD),
            254 => DType::Custom(&NOTHING),
            253 => DType::STANDARD[DType::STANDARD.len() - 1],
            dtype => DType::WITH_TYPE[dtype % DType::WITH_TYPE.len()],
        };
        let shape = match choice & 3 {
            0 | 1 => base.to_vec(),
            2 => {
                let (from, ones) = (bytes.next() % (base.len() + 1), bytes.next());
                let one = |(i, len): (usize, &usize)| if ones >> (i % 8) & 1 == 1 { 1 } else { *len };
                base[from..].iter().enumerate().map(one).collect()
            }
            _ => shape(bytes),
        };
        let mut place = Place { dtype, strides: vec![0; shape.len()], shape, offset: 0 };
        let step = dtype.size().unwrap_or(1) as isize;
        let mut next = step;
        for axis in (0..place.shape.len()).rev() {
            // Most views have layouts as in real programs.
            let how = if choice & 4 == 0 { 0 } else { bytes.next() };
            place.strides[axis] = match how % 8 {
                0 | 1 => next,
                2 => next.wrapping_neg(),
                3 => 0,
                4 => next.wrapping_add(step),
                5 => next.wrapping_add((how >> 3) as isize),
                6 => (how >> 3) as isize - 16,
                _ if how & 8 == 0 => step.wrapping_mul((how >> 4) as isize),
                _ => bytes.of(WILD) as isize,
            };
            next = place.strides[axis].wrapping_abs().wrapping_mul(place.shape[axis].max(1) as isize);
        }
        if choice & 8 != 0 && place.shape.len() > 1 {
            let (i, j) = (bytes.next() % place.shape.len(), bytes.next() % place.shape.len());
            place.strides.swap(i, j);
        }
        if choice & 16 != 0 && bytes.next() == 0 {
            place.strides.push(0);
        }
        let (first, end) = place.extent();
        place.offset = match choice >> 5 {
            // At an offset where the view fits, if there is one.
            0..=5 => {
                let slack = (ROOM as i128).saturating_sub(end.saturating_sub(first)).clamp(0, ROOM as i128);
                let at = bytes.below(slack as usize + 1);
                let at = if choice & 32 == 0 { at & !15 } else { at };
                usize::try_from((at as i128).saturating_sub(first)).unwrap_or(0)
            }
            6 => bytes.below(ROOM + 200),
            _ => bytes.of(WILD) as usize,
        };
        place
    }

    /// Returns true if the dtype has elements, their number fits in `isize`, and each axis has a stride.
    fn is_sound(&self) -> bool {
        let counted = self.shape.iter().filter(|len| **len > 0).try_fold(1_i128, |product, len| {
            product.checked_mul(*len as i128).filter(|product| *product <= isize::MAX as i128)
        });
        let has_elements = match self.dtype {
            DType::Custom(own) => own.bits() > 0,
            dtype => dtype.has_type(),
        };
        has_elements && counted.is_some() && self.shape.len() == self.strides.len()
    }

    /// Returns true if the product of the element size and the lengths of all axes that are not empty fits in
    /// `isize`.
    fn has_room(&self, size: usize) -> bool {
        let lengths = self.shape.iter().filter(|len| **len > 0);
        lengths.fold(size as i128, |product, len| product.saturating_mul(*len as i128)) <= isize::MAX as i128
    }

    /// Returns the number of elements.
    fn len(&self) -> i128 {
        self.shape.iter().fold(1, |product: i128, len| product.saturating_mul(*len as i128))
    }

    /// Returns the number of elements if it is small.
    fn count(&self) -> Option<usize> {
        usize::try_from(self.len()).ok().filter(|count| *count <= MOST)
    }

    /// Returns the range of bytes from the lowest to the highest element, relative to the first one.
    fn extent(&self) -> (i128, i128) {
        let (mut first, mut end) = (0_i128, self.dtype.size().unwrap_or(1) as i128);
        for (len, stride) in self.shape.iter().zip(&self.strides) {
            let span = (*len as i128 - 1).max(0).saturating_mul(*stride as i128);
            if span < 0 {
                first = first.saturating_add(span);
            } else {
                end = end.saturating_add(span);
            }
        }
        (first, end)
    }

    /// Returns true if all elements are inside a buffer of this size.
    fn lies_within(&self, room: usize) -> bool {
        let (first, end) = self.extent();
        let at = self.offset as i128;
        self.is_sound()
            && (self.len() == 0 || at.saturating_add(first) >= 0 && at.saturating_add(end) <= room as i128)
    }

    fn index(&self, mut i: usize) -> Vec<usize> {
        unravel(&mut i, &self.shape)
    }

    /// Returns the offset of the element at an index.
    fn byte(&self, index: &[usize]) -> usize {
        let by: isize = index.iter().zip(&self.strides).map(|(at, stride)| *at as isize * stride).sum();
        self.offset.wrapping_add_signed(by)
    }

    /// Returns the offsets of all elements of a small view inside the buffer.
    fn bytes(&self) -> Vec<usize> {
        (0..self.count().unwrap_or(0)).map(|i| self.byte(&self.index(i))).collect()
    }

    /// Returns true if two elements of a small view share a byte.
    fn is_aliased(&self) -> bool {
        let mut bytes = self.bytes();
        bytes.sort_unstable();
        bytes.windows(2).any(|two| two[0] + size(self.dtype) > two[1])
    }

    /// Returns a contiguous copy of the elements, broadcast to a shape.
    fn copied(&self, memory: &[u8], shape: &[usize]) -> Vec<u8> {
        let mut all = Vec::new();
        let lead = shape.len() - self.shape.len();
        for i in 0..shape.iter().product() {
            let index = unravel(&mut { i }, shape);
            let own: Vec<usize> = index[lead..]
                .iter()
                .zip(&self.shape)
                .map(|(at, len)| if *len == 1 { 0 } else { *at })
                .collect();
            let at = self.byte(&own);
            all.extend(normal(self.dtype, &memory[at..at + size(self.dtype)]));
        }
        all
    }

    fn has_kernels(&self) -> bool {
        !matches!(self.dtype, DType::Custom(_))
    }
}

fn unravel(i: &mut usize, shape: &[usize]) -> Vec<usize> {
    let mut index = vec![0; shape.len()];
    for (at, len) in index.iter_mut().zip(shape).rev() {
        *at = *i % len.max(&1);
        *i /= len.max(&1);
    }
    index
}

fn shape(bytes: &mut Bytes<'_>) -> Vec<usize> {
    let rank = bytes.of(&[0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 5, 6, 6, 64, 70]);
    let wild = bytes.next() % 8 == 0;
    let most = [1, 300, 40, 12, 6, 4, 4][rank.min(6)];
    let length = |bytes: &mut Bytes<'_>| match bytes.next() {
        len if wild && len >= 128 => bytes.of(WILD) as usize,
        len if rank > 6 => [1, 1, 1, 2, 1, 1, 1, 0][len % 8],
        len => len % (most + 1),
    };
    (0..rank).map(|_| length(bytes)).collect()
}

/// Returns the shape to which shapes broadcast; `None` if they do not.
fn broadcast(shapes: &[&[usize]]) -> Option<Vec<usize>> {
    let rank = shapes.iter().map(|shape| shape.len()).max().unwrap_or(0);
    let mut out = vec![1; rank];
    for shape in shapes {
        for (to, len) in out.iter_mut().rev().zip(shape.iter().rev()) {
            match (*to, *len) {
                (to, len) if to == len || len == 1 => {}
                (1, len) => *to = len,
                _ => return None,
            }
        }
    }
    Some(out)
}

/// Reads the elements by every method that returns them.
fn look_at(view: &TensorView<'_>, place: &Place, memory: &[u8]) {
    assert_eq!((view.dtype(), view.shape(), view.rank()), (place.dtype, &place.shape[..], place.shape.len()));
    assert_eq!(view.len() as i128, place.len(), "{place:?}");
    assert_eq!(view.is_empty(), place.len() == 0);
    for axis in 0..view.rank() {
        // The stride of an axis of length 1 has no effect.
        let taken = place.shape[axis] > 1 && !view.is_empty();
        assert!(!taken || view.stride(axis) == place.strides[axis], "{place:?}");
    }
    let last: Vec<usize> = place.shape.iter().map(|len| len.wrapping_sub(1)).collect();
    let first = vec![0; place.shape.len()];
    for index in [&first, &last] {
        let found = view.get(index);
        if view.is_empty() || !place.has_kernels() {
            assert!(found.is_none());
            continue;
        }
        let at = place.byte(index);
        let expected = normal(place.dtype, &memory[at..at + size(place.dtype)]);
        assert!(found.is_some_and(|found| found.as_bytes() == expected), "{place:?} at {index:?}");
    }
    assert!(view.get(&place.shape).is_none() || place.shape.is_empty());
    if let Some(slice) = view.as_slice() {
        assert_eq!(slice.len(), view.len());
        typed::<bool>(&slice);
        typed::<u8>(&slice);
        typed::<i16>(&slice);
        typed::<u32>(&slice);
        typed::<f32>(&slice);
        typed::<f64>(&slice);
    }
}

fn typed<T: Element>(slice: &Slice<'_>) {
    if let Some(found) = slice.as_slice::<T>() {
        assert_eq!(found.len(), slice.len());
        assert!(found.as_ptr().is_aligned());
    }
}

fn typed_mut<T: Element>(slice: &mut SliceMut<'_>) {
    let len = slice.len();
    if let Some(found) = slice.as_mut_slice::<T>() {
        assert_eq!(found.len(), len);
        assert!(found.as_ptr().is_aligned());
    }
}

/// The function that is called.
#[derive(Clone, Copy, Debug)]
enum Form {
    New,
    Into,
    InPlace,
    Cast,
    CastNew,
    Reduce,
    ReduceInto,
    Dot,
    Iterate,
}

const FORMS: &[Form] = &[
    Form::New,
    Form::Into,
    Form::Into,
    Form::InPlace,
    Form::Cast,
    Form::CastNew,
    Form::Reduce,
    Form::ReduceInto,
    Form::Dot,
    Form::Iterate,
    Form::Iterate,
];

/// A call with its operands, and the bytes of the buffer before it.
struct Call<'a> {
    rules: RuleSet,
    op: Op,
    inputs: &'a [Place],
    views: &'a [TensorView<'a>],
    out: &'a Place,
    before: &'a [u8],
}

impl Call<'_> {
    fn arguments(&self) -> Vec<Argument<'_>> {
        self.views.iter().map(Argument::from).collect()
    }

    /// Computes the op on contiguous copies. Returns the bytes of the results.
    fn of_copies(&self, dtype: DType, shape: &[usize], in_place: bool) -> Result<Vec<u8>, Error> {
        let held: Vec<Aligned> =
            self.inputs.iter().map(|place| Aligned::copy(&place.copied(self.before, shape), 0)).collect();
        let arguments: Vec<Argument<'_>> = self
            .inputs
            .iter()
            .zip(&held)
            .map(|(place, held)| {
                // Without results, nothing is copied.
                let element = place.shape.is_empty().then(|| place.copied(self.before, &[]));
                match element.map(|element| ScalarValue::from_bytes(place.dtype, &element)) {
                    Some(Ok(element)) => Argument::ZeroDim(element),
                    _ => Argument::Slice(Slice::from_bytes(place.dtype, held.bytes()).expect("elements")),
                }
            })
            .collect();
        let count: usize = shape.iter().product();
        let room = if in_place { self.out.copied(self.before, shape) } else { vec![0; count * size(dtype)] };
        let mut room = Aligned::copy(&room, 0);
        let out = SliceMut::from_bytes(dtype, room.bytes_mut()).expect("elements");
        if in_place {
            let whole = [count];
            let own = if shape.is_empty() { &[][..] } else { &whole[..] };
            let out = TensorViewMut::new(out, own).expect("as many elements");
            self.rules.prepare(self.op, &arguments).in_place(out).run()?;
        } else {
            self.rules.prepare(self.op, &arguments).out(out).run()?;
        }
        Ok(room.bytes().to_vec())
    }

    /// Returns true if `found` is the buffer after these results were stored.
    fn check(&self, found: &[u8], results: &Result<Vec<u8>, Error>, result: &Result<(), Error>) {
        let told = || format!("{:?} of {:?} to {:?}: {result:?}", self.op, self.inputs, self.out);
        assert_eq!(result.is_ok(), results.is_ok(), "{}, and of copies {results:?}", told());
        let Ok(results) = results else {
            assert_eq!(result.as_ref().err(), results.as_ref().err(), "{}", told());
            assert!(found == self.before, "written, and refused: {}", told());
            return;
        };
        let (mut expected, step) = (self.before.to_vec(), size(self.out.dtype));
        for (at, result) in self.out.bytes().into_iter().zip(results.chunks(step)) {
            assert!(
                equal(self.out.dtype, &found[at..at + step], result),
                "{} at {at}: {:?} for {result:?}",
                told(),
                &found[at..at + step]
            );
            expected[at..at + step].copy_from_slice(&found[at..at + step]);
        }
        assert!(found == expected, "written beside: {}", told());
    }
}

/// Returns true if the result of a reduction does not depend on how its elements are split.
fn is_exact(op: Op, dtype: DType) -> bool {
    dtype.kind() < Kind::Float || matches!(op, Op::Max | Op::Amax | Op::Min | Op::Amin)
}

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes(data);
    let choices = bytes.next();
    let rules = if choices & 1 == 0 { Torch::new().rule_set() } else { NumPy::new().rule_set() };
    Level::set(Level::ALL[(choices >> 1 & 3) % Level::ALL.len()]);
    // All views are in one buffer, or the output has a buffer of its own.
    let shared = choices & 8 != 0;
    let form = bytes.of(FORMS);
    let op = match form {
        Form::Reduce | Form::ReduceInto => bytes.of(&[
            Op::Sum,
            Op::Mean,
            Op::Norm,
            Op::Prod,
            Op::Max,
            Op::Amin,
            Op::Argmax,
            Op::Argmin,
            Op::Any,
            Op::All,
        ]),
        Form::Dot => Op::Dot,
        _ => bytes.of(Op::STANDARD),
    };
    let base = shape(&mut bytes);
    let count = match form {
        Form::Cast | Form::CastNew | Form::Reduce | Form::ReduceInto => 1,
        Form::Dot => 2,
        Form::Iterate => bytes.next() % 10,
        Form::InPlace => op.inputs().saturating_sub(1) + usize::from(choices & 16 != 0),
        _ => op.inputs() + usize::from(choices >> 4 == 15),
    };
    let inputs: Vec<Place> = (0..count).map(|_| Place::read(&mut bytes, &base)).collect();
    let mut out = Place::read(&mut bytes, &base);
    let operands: Vec<Operand> = inputs
        .iter()
        .skip(usize::from(op == Op::Where))
        .take(op.arity())
        .map(|place| Operand::Array(place.dtype))
        .collect();
    if choices & 32 == 0
        && !matches!(form, Form::InPlace | Form::Cast)
        && let Ok(types) = rules.op_types(op, &operands)
    {
        out.dtype = types.output;
    }
    let room = if choices & 64 == 0 { ROOM } else { bytes.below(ROOM + 1) };
    let (axes, words) = ([bytes.next(), bytes.next(), bytes.next()], bytes.next() << 8 | bytes.next());
    let target = DType::WITH_TYPE[bytes.next() % DType::WITH_TYPE.len()];

    let memory: Vec<u8> = bytes.0.iter().copied().chain([1, 0, 3, 128]).cycle().take(ROOM).collect();
    let (held, mut arena) = (Aligned::copy(&memory, 0), Aligned::copy(&memory, 0));
    let before = &memory[..];

    // Constructors accept exactly the valid views.
    for place in &inputs {
        let found = TensorView::from_bytes(
            place.dtype,
            &held.bytes()[..room],
            &place.shape,
            &place.strides,
            place.offset,
        );
        assert_eq!(found.is_ok(), place.lies_within(room), "{place:?} in {room} bytes: {:?}", found.err());
        if let Ok(view) = &found {
            look_at(view, place, before);
        }
    }
    {
        let mut other = Aligned::copy(&memory, 0);
        let memory = &mut other.bytes_mut()[..room];
        let found = TensorViewMut::from_bytes(out.dtype, memory, &out.shape, &out.strides, out.offset);
        let fits = out.lies_within(room);
        // Overlap is not computed for large views.
        let (few, distinct) = (out.len() <= 64, out.count().is_some() && fits && !out.is_aliased());
        assert!(found.is_err() || distinct, "{out:?} in {room} bytes");
        assert!(found.is_ok() || !few || !distinct, "{out:?} in {room} bytes: {:?}", found.err());
        if let Ok(mut view) = found {
            if let Some(view) = view.as_view() {
                look_at(&view, &out, before);
            }
            if let Some(mut slice) = view.as_mut_slice() {
                typed_mut::<bool>(&mut slice);
                typed_mut::<u8>(&mut slice);
                typed_mut::<i16>(&mut slice);
                typed_mut::<f32>(&mut slice);
                typed_mut::<f64>(&mut slice);
            }
        }
    }

    // Small views inside the buffer are computed.
    if !inputs.iter().all(|place| place.lies_within(ROOM) && place.len() <= MOST as i128) {
        return;
    }
    let pointer = arena.bytes_mut().as_mut_ptr();
    let views: Vec<TensorView<'_>> = inputs
        .iter()
        .map(|place| {
            let found = if shared {
                // SAFETY: the elements lie within the buffer, which outlives the views; only the calls below
                // write there.
                unsafe {
                    TensorView::from_raw_parts(
                        place.dtype,
                        pointer.wrapping_add(place.offset),
                        &place.shape,
                        &place.strides,
                    )
                }
            } else {
                TensorView::from_bytes(place.dtype, held.bytes(), &place.shape, &place.strides, place.offset)
            };
            found.expect("it lies within the buffer")
        })
        .collect();
    let call = Call { rules, op, inputs: &inputs, views: &views, out: &out, before };
    let writable = out.lies_within(ROOM) && out.count().is_some() && !out.is_aliased();
    let room_of = |place| {
        // SAFETY: the range is written only where it lies within the buffer, which outlives the view; calls
        // alone read and write there.
        unsafe { destination(pointer, place) }
    };
    let after = || {
        // SAFETY: all of it is initialised, and nobody writes there now.
        unsafe { std::slice::from_raw_parts(pointer, ROOM) }
    };
    let computes = inputs.iter().all(Place::has_kernels);
    let shapes: Vec<&[usize]> = inputs.iter().map(|place| &place.shape[..]).collect();
    let to_out: Vec<&[usize]> = shapes.iter().copied().chain([&out.shape[..]]).collect();
    let fits = broadcast(&to_out).is_some_and(|shape| shape == out.shape);
    match form {
        Form::New => new(&call, broadcast(&shapes), computes),
        Form::Into | Form::InPlace | Form::Cast if !writable => {}
        Form::Into | Form::InPlace => {
            let Ok(view) = room_of(&out) else { return };
            let in_place = matches!(form, Form::InPlace);
            let result = if in_place {
                rules.prepare(op, &call.arguments()).in_place(view).run()
            } else {
                rules.prepare(op, &call.arguments()).out(view).run()
            };
            if !fits || !computes || !out.has_kernels() {
                assert!(result.is_err(), "{op:?} of {inputs:?} to {out:?}");
                assert!(after() == before, "{op:?} of {inputs:?} to {out:?}: written, and refused");
                return;
            }
            call.check(after(), &call.of_copies(out.dtype, &out.shape, in_place), &result);
        }
        Form::Cast => {
            let Ok(view) = room_of(&out) else { return };
            let casting = Casting::ALL.get(axes[0] % 8).copied();
            let result = rules.astype_into(&views[0], casting, view);
            if !fits || !computes || !out.has_kernels() {
                assert!(result.is_err(), "{inputs:?} to {out:?}");
                assert!(after() == before, "{inputs:?} to {out:?}: written, and refused");
                return;
            }
            let allowed =
                casting.is_none_or(|level| rules.can_cast(inputs[0].dtype, out.dtype, level).is_ok());
            assert_eq!(result.is_ok(), allowed, "{inputs:?} to {out:?}: {result:?}");
            if allowed {
                call.check(after(), &Ok(cast(&call, out.dtype, &out.shape)), &result);
            }
        }
        Form::CastNew => {
            let found = rules.astype(&views[0], target, None);
            let fits = computes && inputs[0].has_room(size(target));
            assert_eq!(found.is_ok(), fits, "{inputs:?} to {target}");
            if let Ok(found) = found {
                assert_eq!((found.dtype(), found.shape()), (target, &inputs[0].shape[..]));
                assert!(
                    equal(target, found.as_bytes(), &cast(&call, target, &inputs[0].shape)),
                    "{inputs:?} to {target}"
                );
            }
        }
        Form::Reduce | Form::ReduceInto => {
            let axes: Vec<isize> = axes.iter().take(words & 3).map(|axis| *axis as isize % 9 - 4).collect();
            let axes = if words & 4 == 0 { Axes::All } else { Axes::Of(&axes) };
            let into = (matches!(form, Form::ReduceInto) && writable).then(|| room_of(&out));
            reduce(&call, axes, words & 8 != 0, into.and_then(Result::ok), after);
        }
        Form::Dot => {
            let found = rules.call(Op::Dot, &[(&views[0]).into(), (&views[1]).into()]);
            let lines =
                inputs.iter().all(|place| place.shape.len() == 1) && inputs[0].shape == inputs[1].shape;
            assert!(lines || found.is_err());
            if let (Ok(found), true) = (&found, lines && computes) {
                let copies: Vec<Aligned> = inputs
                    .iter()
                    .map(|place| Aligned::copy(&place.copied(before, &place.shape), 1))
                    .collect();
                let slices: Vec<TensorView<'_>> = inputs
                    .iter()
                    .zip(&copies)
                    .map(|(place, copy)| {
                        Slice::from_bytes(place.dtype, copy.bytes()).expect("elements").into()
                    })
                    .collect();
                let expected = rules
                    .call(Op::Dot, &[(&slices[0]).into(), (&slices[1]).into()])
                    .expect("of views it is one");
                assert!(
                    equal(found.dtype(), found.as_bytes(), expected.as_bytes()),
                    "{inputs:?}: {found:?}, {expected:?}"
                );
            }
        }
        Form::Iterate => iterate(&call, words, writable.then(|| room_of(&out)).and_then(Result::ok), after),
    }
});

/// Creates the output view in the buffer that begins at an address.
///
/// # Safety
///
/// The view is inside the buffer, which outlives it. Only calls that receive views read or write the buffer.
unsafe fn destination<'a>(first: *mut u8, place: &'a Place) -> Result<TensorViewMut<'a>, ViewError> {
    let at = first.wrapping_add(place.offset);
    // SAFETY: the caller promises this, and every byte of the buffer is initialised.
    unsafe { TensorViewMut::from_raw_parts(place.dtype, at, &place.shape, &place.strides) }
}

/// Checks a call that returns a new array.
fn new(call: &Call<'_>, shape: Option<Vec<usize>>, computes: bool) {
    let Call { rules, op, inputs, .. } = call;
    let total = shape.iter().flatten().fold(16_i128, |product, len| product.saturating_mul(*len as i128));
    let huge = total > isize::MAX as i128;
    if total > 16 * MOST as i128 && !huge {
        return;
    }
    let found = rules.call(*op, &call.arguments());
    let Some(shape) = shape.filter(|_| !huge && computes) else {
        assert!(found.is_err(), "{op:?} of {inputs:?}");
        return;
    };
    if let Ok(found) = found {
        assert_eq!(found.shape(), shape, "{op:?} of {inputs:?}");
        let expected = call.of_copies(found.dtype(), &shape, false);
        let expected = expected.unwrap_or_else(|error| panic!("{op:?} of {inputs:?}: of copies {error}"));
        assert!(equal(found.dtype(), found.as_bytes(), &expected), "{op:?} of {inputs:?}");
        assert!(
            found.dtype() != DType::Bool || found.as_bytes().iter().all(|byte| *byte < 2),
            "{op:?} of {inputs:?}"
        );
    }
}

/// Casts the elements of the first input one by one.
fn cast(call: &Call<'_>, to: DType, shape: &[usize]) -> Vec<u8> {
    let place = &call.inputs[0];
    let kernel = call.rules.cast_kernel(place.dtype, to).expect("every dtype is cast");
    let mut all = Vec::new();
    for element in place.copied(call.before, shape).chunks(size(place.dtype)) {
        let (from, mut room) = (Aligned::copy(element, 0), Aligned::copy(&[0; 16][..size(to)], 0));
        let from = Slice::from_bytes(place.dtype, from.bytes()).expect("an element");
        kernel.call(from, SliceMut::from_bytes(to, room.bytes_mut()).expect("an element")).expect("a cast");
        all.extend(room.bytes());
    }
    all
}

/// Reduces a view and a contiguous copy, and compares the results.
fn reduce<'a>(
    call: &Call<'_>,
    axes: Axes<'_>,
    keepdims: bool,
    into: Option<TensorViewMut<'_>>,
    after: impl Fn() -> &'a [u8],
) {
    let Call { rules, op, inputs, views, out, before } = *call;
    let place = &inputs[0];
    let rank = place.shape.len() as isize;
    let along = |axis: isize| match axes {
        Axes::All => true,
        Axes::One(own) => own == axis || own + rank == axis,
        Axes::Of(axes) => axes.iter().any(|own| *own == axis || *own + rank == axis),
        other => panic!("unknown axes: {other:?}"),
    };
    let lengths = (0..rank).zip(&place.shape);
    let left: Vec<usize> = lengths
        .filter_map(|(axis, len)| if along(axis) { keepdims.then_some(1) } else { Some(*len) })
        .collect();
    let results = left.iter().fold(16_i128, |product, len| product.saturating_mul(*len as i128));
    if results > 16 * MOST as i128 && results <= isize::MAX as i128 {
        return;
    }
    let found = rules.prepare(op, &[(&views[0]).into()]).axes(axes).keep_dims(keepdims).run();
    if place.has_kernels() {
        let copy =
            Aligned::copy(&if place.len() == 0 { vec![] } else { place.copied(before, &place.shape) }, 0);
        let elements = Slice::from_bytes(place.dtype, copy.bytes()).expect("elements");
        if let Ok(view) = TensorView::new(elements, &place.shape) {
            let expected = rules.prepare(op, &[(&view).into()]).axes(axes).keep_dims(keepdims).run();
            assert_eq!(found.as_ref().err(), expected.as_ref().err(), "{op:?} of {place:?} along {axes:?}");
            if let (Ok(found), Ok(expected)) = (&found, &expected) {
                assert_eq!((found.dtype(), found.shape()), (expected.dtype(), expected.shape()));
                let exact = is_exact(op, found.dtype());
                assert!(
                    !exact || equal(found.dtype(), found.as_bytes(), expected.as_bytes()),
                    "{op:?} of {place:?} along {axes:?}"
                );
            }
        }
    }
    if let Ok(found) = &found {
        assert_eq!(found.shape(), left, "{op:?} of {place:?} along {axes:?}");
    }
    let Some(into) = into else { return };
    let dropped: Vec<usize> =
        (0..rank).zip(&place.shape).filter(|(axis, _)| !along(*axis)).map(|(_, len)| *len).collect();
    let kept: Vec<usize> =
        (0..rank).zip(&place.shape).map(|(axis, len)| if along(axis) { 1 } else { *len }).collect();
    let result = rules.prepare(op, &[(&views[0]).into()]).axes(axes).out(into).run();
    match (&found, &result) {
        (Ok(found), Ok(())) => {
            assert!(out.shape == dropped || out.shape == kept, "{op:?} of {place:?} to {out:?}");
            // Results are cast to the dtype of the output.
            if out.dtype == found.dtype() && is_exact(op, found.dtype()) {
                call.check(after(), &Ok(found.as_bytes().to_vec()), &result);
            }
        }
        (Ok(found), Err(_)) => {
            assert!(
                out.shape != left || out.dtype != found.dtype(),
                "{op:?} of {place:?} to {out:?}: {result:?}"
            );
        }
        (Err(_), Ok(())) => assert!(out.shape.contains(&0), "{op:?} of {place:?} to {out:?}"),
        (Err(_), Err(_)) => {}
    }
    assert!(result.is_ok() || after() == before, "{op:?} of {place:?} to {out:?}: written after {result:?}");
}

/// Runs an iteration that casts its inputs to the outputs, or an op.
fn iterate<'a>(call: &Call<'_>, words: usize, into: Option<TensorViewMut<'_>>, after: impl Fn() -> &'a [u8]) {
    let Call { rules, op, inputs, views, out, before } = *call;
    let is = |bit: usize| words >> bit & 1 == 1;
    let shapes: Vec<&[usize]> = inputs.iter().map(|place| &place.shape[..]).collect();
    let shape = broadcast(&shapes);
    let total = shape.iter().flatten().fold(16_i128, |product, len| product.saturating_mul(*len as i128));
    // Large iterations would take long; those whose size overflows are refused.
    let huge = total > isize::MAX as i128 * 16;
    if total > 16 * MOST as i128 && !huge {
        return;
    }
    let mut tensor = Tensor::zeros(out.dtype, &[2, 3]).ok().filter(|_| is(0));
    let writes = into.is_some();
    let mut config = IterationConfig::new();
    for view in views {
        config.add_input(view);
    }
    if let Some(into) = into {
        if is(1) {
            config.add_in_place(into);
        } else {
            config.add_output(into);
        }
    }
    if let Some(tensor) = &mut tensor {
        config.add_output_tensor(tensor);
    }
    // Sometimes more than the buffer can hold.
    for _ in 0..(words >> 14) * usize::from(is(2)) * 2 {
        config.add_new_output();
    }
    if words >> 11 & 7 == 7 {
        config.add_in_place(&mut [][..] as &mut [f64]);
    }
    config
        .promote_inputs_to_common_dtype(is(3))
        .cast_common_dtype_to_outputs(is(4))
        .check_all_same_dtype(is(5))
        .promote_integer_inputs_to_float(is(6))
        .enforce_safe_casting_to_output(is(7))
        .resize_outputs(is(8))
        .set_check_mem_overlap(is(9));
    if words & 0x3c00 == 0x2c00 {
        config.lowest_dtype(DType::F32);
    }
    if words & 0x3c00 == 0x1c00 {
        config.declare_static_shape(&out.shape);
    }
    let by_op = is(10) && words & 1 == 0;
    let built = if by_op { config.build_op(&rules, op) } else { config.build(&rules) };
    let Ok(mut iteration) = built else {
        assert!(after() == before, "{inputs:?} to {out:?}: written, and refused");
        return;
    };
    let places = iteration.shape().iter().fold(1_i128, |product, len| product.saturating_mul(*len as i128));
    if places > MOST as i128 && places <= isize::MAX as i128 {
        return;
    }
    if is(10) {
        let result = iteration.op(op);
        assert!(
            result.is_ok() || after() == before,
            "{op:?} of {inputs:?} to {out:?}: written after {result:?}"
        );
        let computed = result.is_ok() && by_op && writes && iteration.outputs() == 1 && !is(1);
        if computed && out.shape.iter().product::<usize>() > 0 {
            call.check(after(), &call.of_copies(out.dtype, &out.shape, false), &result);
        }
        return;
    }
    let dtypes: Vec<DType> = (0..iteration.inputs()).map(|k| iteration.input_dtype(k)).collect();
    let results: Vec<DType> = (0..iteration.outputs()).map(|j| iteration.result_dtype(j)).collect();
    let mut seen = 0_i128;
    let done = iteration.for_each(|inputs, outputs| {
        let lengths: Vec<usize> =
            inputs.iter().map(Slice::len).chain(outputs.iter().map(SliceMut::len)).collect();
        assert!(lengths.iter().all(|len| *len == lengths[0] && *len > 0), "{lengths:?}");
        seen += lengths.first().copied().unwrap_or(1) as i128;
        assert!(inputs.iter().map(Slice::dtype).eq(dtypes.iter().copied()));
        assert!(outputs.iter().map(SliceMut::dtype).eq(results.iter().copied()));
        for input in inputs {
            typed::<bool>(input);
            typed::<f32>(input);
        }
        for (j, out) in outputs.iter_mut().enumerate() {
            typed_mut::<bool>(out);
            typed_mut::<f32>(out);
            if inputs.is_empty() {
                continue;
            }
            let input = inputs[j % inputs.len()];
            if let Ok(kernel) = rules.cast_kernel(input.dtype(), out.dtype()) {
                kernel.call(input, out.reborrow()).expect("both of its dtypes");
            }
        }
    });
    match &done {
        Ok(()) => assert_eq!(seen, places, "{inputs:?} to {out:?}"),
        Err(_) => assert!(after() == before, "{inputs:?} to {out:?}: written after {done:?}"),
    }
    if done.is_ok() && writes && !is(1) && !inputs.is_empty() && inputs[0].has_kernels() && out.has_kernels()
    {
        let Ok(kernels) = [(inputs[0].dtype, dtypes[0]), (dtypes[0], results[0]), (results[0], out.dtype)]
            .map(|(from, to)| rules.cast_kernel(from, to).map(|kernel| (kernel, to)))
            .into_iter()
            .collect::<Result<Vec<_>, _>>()
        else {
            return;
        };
        let mut elements = inputs[0].copied(before, &out.shape);
        let mut dtype = inputs[0].dtype;
        for (kernel, to) in kernels {
            let from = Aligned::copy(&elements, 0);
            let mut room = Aligned::copy(&vec![0; elements.len() / size(dtype) * size(to)], 0);
            let source = Slice::from_bytes(dtype, from.bytes()).expect("elements");
            kernel.call(source, SliceMut::from_bytes(to, room.bytes_mut()).expect("room")).expect("a cast");
            (elements, dtype) = (room.bytes().to_vec(), to);
        }
        call.check(after(), &Ok(elements), &Ok(()));
    }
}
