//! Random iterations (several inputs and outputs of any shapes, strides, dtypes and overlaps), compared with
//! loops over single elements.

use fastrand::Rng;
use promote::{Argument, DType, IterationConfig, RuleSet, TensorView, TensorViewMut};
use promote::{ScalarValue, Slice, SliceMut};

use crate::aligned::Aligned;
use crate::random::{Layout, moved_into, narrowed, random_dtype, random_layout, random_shape, same, unravel};

#[test]
fn functions_see_every_element_exactly_once() {
    let mut computed = 0;
    for seed in 0..1500 {
        let mut random = Rng::with_seed(seed);
        let rules =
            if random.bool() { promote::Torch::new().rule_set() } else { promote::NumPy::new().rule_set() };
        computed += usize::from(Case::new(&mut random, rules).check(seed));
    }
    // Rule sets refuse to promote some dtypes.
    assert!(computed > 750, "{computed} cases were computed");
}

struct Case {
    rules: RuleSet,
    inputs: Vec<Layout>,
    outputs: Vec<Layout>,
    promote: bool,
    buffers: Vec<Vec<u8>>,
}

impl Case {
    fn new(random: &mut Rng, rules: RuleSet) -> Case {
        let shape = random_shape(random);
        let mut buffers = Vec::new();
        let alike = random.bool().then(|| random_dtype(random));
        let inputs: Vec<Layout> = (0..random.usize(1..=3))
            .map(|_| {
                let dtype = alike.unwrap_or_else(|| random_dtype(random));
                let shape = if random.u8(..3) == 0 { narrowed(random, &shape) } else { shape.clone() };
                random_layout(random, dtype, shape, true, &mut buffers)
            })
            .collect();
        let mut outputs: Vec<Layout> = (0..random.usize(1..=3))
            .map(|_| {
                let dtype = alike.filter(|_| random.bool()).unwrap_or_else(|| random_dtype(random));
                random_layout(random, dtype, shape.clone(), false, &mut buffers)
            })
            .collect();
        let shared = &inputs[0];
        if random.u8(..3) == 0
            && let Some(moved) = moved_into(random, &outputs[0], shared, buffers[shared.buffer].len())
        {
            outputs[0] = moved;
        }
        Case { rules, inputs, outputs, promote: random.u8(..4) > 0, buffers }
    }

    /// Returns true if the op was computed, and false if promotion refused it.
    fn check(&self, seed: u64) -> bool {
        let mut memory: Vec<Aligned> = self.buffers.iter().map(|bytes| Aligned::copy(bytes)).collect();
        let bases: Vec<*mut u8> = memory.iter_mut().map(|buffer| buffer.bytes_mut().as_mut_ptr()).collect();
        let at = |layout: &Layout| bases[layout.buffer].wrapping_add(layout.offset);
        let views: Vec<TensorView<'_>> = self
            .inputs
            .iter()
            // SAFETY: the views lie within their buffers, which outlive the views; only calls write to them.
            .map(|layout| unsafe {
                TensorView::from_raw_parts(layout.dtype, at(layout), &layout.shape, &layout.strides)
            })
            .map(|view| view.expect("a view that fits its buffer"))
            .collect();
        let mut config = IterationConfig::new();
        for view in &views {
            config.add_input(Argument::Array(view));
        }
        for layout in &self.outputs {
            // SAFETY: as above; the elements are initialised.
            let out = unsafe {
                TensorViewMut::from_raw_parts(layout.dtype, at(layout), &layout.shape, &layout.strides)
            };
            config.add_output(out.expect("no two elements overlap"));
        }
        config
            .check_all_same_dtype(false)
            .promote_inputs_to_common_dtype(self.promote)
            .cast_common_dtype_to_outputs(self.promote)
            .resize_outputs(false)
            .set_check_mem_overlap(false);
        let Ok(mut iteration) = config.build(&self.rules) else { return false };
        let dtypes: Vec<DType> = (0..views.len()).map(|k| iteration.input_dtype(k)).collect();
        let results: Vec<DType> = (0..self.outputs.len()).map(|j| iteration.result_dtype(j)).collect();
        let rules = &self.rules;
        let done = iteration.for_each(|inputs, outputs| {
            assert!(
                inputs
                    .iter()
                    .map(Slice::len)
                    .chain(outputs.iter().map(SliceMut::len))
                    .all(|n| n == inputs[0].len())
            );
            for (j, out) in outputs.iter_mut().enumerate() {
                // The function copies input j to output j, cyclically.
                let input = inputs[j % inputs.len()];
                assert_eq!(
                    (input.dtype(), out.dtype()),
                    (dtypes[j % inputs.len()], results[j]),
                    "seed {seed}"
                );
                rules.cast_kernel(input.dtype(), out.dtype()).unwrap().call(input, out.reborrow()).unwrap();
            }
        });
        done.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let mut expected = self.buffers.clone();
        let after: Vec<Vec<u8>> = memory.iter().map(|buffer| buffer.bytes().to_vec()).collect();
        let count: usize = self.outputs[0].shape.iter().product();
        for i in 0..count {
            let index = unravel(i, &self.outputs[0].shape);
            for (j, layout) in self.outputs.iter().enumerate() {
                let k = j % self.inputs.len();
                let value = Case::element(&self.inputs[k], &self.buffers, &index);
                let value = self.cast(self.cast(self.cast(value, dtypes[k]), results[j]), layout.dtype);
                let (byte, size) = (layout.byte(&index), value.as_bytes().len());
                let found = Case::element(layout, &after, &index);
                assert!(
                    same(&found, &value),
                    "seed {seed}, output {j} at {index:?}: {found:?} for {value:?}"
                );
                expected[layout.buffer][byte..byte + size]
                    .copy_from_slice(&after[layout.buffer][byte..byte + size]);
            }
        }
        for (found, expected) in after.iter().zip(&expected) {
            assert!(found == expected, "seed {seed}: something else was written");
        }
        true
    }

    /// Returns the element that broadcasts to `index`.
    fn element(layout: &Layout, buffers: &[Vec<u8>], index: &[usize]) -> ScalarValue {
        let (byte, size) =
            (layout.byte(&layout.seen_from(index)), layout.dtype.size().expect("a standard dtype"));
        ScalarValue::from_bytes(layout.dtype, &buffers[layout.buffer][byte..byte + size]).expect("an element")
    }

    fn cast(&self, value: ScalarValue, to: DType) -> ScalarValue {
        let mut room = Aligned::new(to.size().expect("a standard dtype"));
        let from = Aligned::of(&[value]);
        let from = Slice::from_bytes(value.dtype(), from.bytes()).unwrap();
        let out = SliceMut::from_bytes(to, room.bytes_mut()).unwrap();
        self.rules.cast_kernel(value.dtype(), to).unwrap().call(from, out).unwrap();
        ScalarValue::from_bytes(to, room.bytes()).unwrap()
    }
}
