//! `nextafter` of narrow floats steps to the next value of their own dtype: recorded answers of NumPy with
//! `ml_dtypes`, beside the kernels of every level and the scalar reference.

#[path = "common/aligned.rs"]
mod aligned;
#[path = "common/bundled.rs"]
mod bundled;

use aligned::Aligned;
use bundled::bundled;
use promote::{DType, Level, MlDtypes, Number, Op, Operand, RuleSet};
use promote::{ScalarValue, Slice, SliceMut};
use promote_reference::{Options, Value, evaluate};
use safetensors::SafeTensors;

const NARROW: [DType; 4] = [DType::F8E4M3FN, DType::F8E5M2, DType::F16, DType::BF16];

/// Left operands, right operands, and what NumPy gives of each pair, as columns.
struct Recorded {
    left: Vec<ScalarValue>,
    right: Vec<ScalarValue>,
    next: Vec<ScalarValue>,
}

impl Recorded {
    fn read(dtype: DType) -> Recorded {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/nextafter_ml_dtypes.safetensors");
        let file = std::fs::read(path).expect("the data lie in the repository");
        let tensors = SafeTensors::deserialize(&file).expect("a safetensors file");
        let elements = |name: &str| -> Vec<ScalarValue> {
            let tensor = tensors.tensor(&format!("{name}.{dtype}")).expect("a tensor");
            let codes = tensor.data().chunks_exact(dtype.size().expect("whole bytes"));
            codes.map(|code| ScalarValue::from_bytes(dtype, code).expect("an element")).collect()
        };
        let (left, right, next) = (elements("left"), elements("right"), elements("next"));
        assert_eq!((left.len(), next.len()), (256, 256 * right.len()), "{dtype}");
        Recorded {
            left: left.iter().flat_map(|x| right.iter().map(|_| *x)).collect(),
            right: left.iter().flat_map(|_| right.iter().copied()).collect(),
            next,
        }
    }
}

fn same(a: ScalarValue, b: ScalarValue) -> bool {
    let nan = |x: ScalarValue| matches!(x.number(), Some(Number::Float(x)) if x.is_nan());
    a.dtype() == b.dtype() && (a.bytes() == b.bytes() || nan(a) && nan(b))
}

fn by_kernel(rules: &RuleSet, level: Level, left: &[ScalarValue], right: &[ScalarValue]) -> Vec<ScalarValue> {
    let dtype = left[0].dtype();
    let kernel = rules.kernel_at(level, Op::Nextafter, dtype, dtype).expect("a kernel");
    let (a, b) = (Aligned::of(left), Aligned::of(right));
    let mut out = Aligned::new(a.bytes().len());
    kernel
        .call_slices(
            Slice::from_bytes(dtype, a.bytes()).expect("whole elements"),
            Slice::from_bytes(dtype, b.bytes()).expect("whole elements"),
            SliceMut::from_bytes(dtype, out.bytes_mut()).expect("whole elements"),
        )
        .expect("equal lengths");
    out.values(dtype)
}

#[test]
fn narrow_floats_step_as_recorded_at_every_level() {
    let rules = MlDtypes::new().rule_set();
    for dtype in NARROW {
        let Recorded { left, right, next } = Recorded::read(dtype);
        let levels = Level::ALL.iter().copied().filter(|level| *level <= Level::best());
        let ways = levels.map(|level| (format!("at {level}"), by_kernel(&rules, level, &left, &right)));
        let lane = |(a, b): (&ScalarValue, &ScalarValue)| {
            let operands = [Value::Array(*a), Value::Array(*b)];
            evaluate(&rules, Op::Nextafter, &operands, &Options::default()).expect("a value")
        };
        let reference = ("by the reference".to_owned(), left.iter().zip(&right).map(lane).collect());
        for (how, found) in ways.chain([reference]) {
            for (i, (found, wanted)) in found.iter().zip(&next).enumerate() {
                let operands = (left[i].number(), right[i].number());
                assert!(
                    same(*found, *wanted),
                    "{dtype} {operands:?} {how}: {:?}, NumPy {:?}",
                    found.number(),
                    wanted.number()
                );
            }
        }
    }
}

#[test]
fn every_rule_set_steps_in_the_dtype_of_the_result() {
    let mut sets = 0;
    for rules in bundled() {
        let asked = NARROW.iter().filter_map(|&dtype| {
            let types = rules.op_types(Op::Nextafter, &[Operand::Array(dtype); 2]).ok()?;
            Some((dtype, types))
        });
        let mut found = 0;
        for (dtype, types) in asked {
            assert_eq!(types.compute, types.common, "{}, {dtype}", rules.name());
            assert_eq!(types.output, types.common, "{}, {dtype}", rules.name());
            found += 1;
        }
        sets += usize::from(found > 0);
    }
    assert!(sets >= 6, "only {sets} rule sets step in narrow floats");
}
