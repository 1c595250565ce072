//! The reference's conversions and the run time's, written apart, give the same bits, or NaN.

use promote::ScalarValue;
use promote::{DType, Number, Op, RuleSet};
use promote_reference::{Options, Value, evaluate};

mod rules {
    promote::rules! {
        rules Casts;

        dtypes bool u8 u16 u32 u64 i8 i16 i32 i64 f8e4m3fn f8e5m2 f16 bf16 f32 f64 c32 c64 c128;
        numbers { bool => bool; int => i32; float => f32; complex => c64; }
        promote { same => a; any, any => refuse "one dtype"; }
        yield array > zero_dim > number { any, any => a; }
        op astype;
        opmath { f8e4m3fn | f8e5m2 | f16 | bf16 => f32; c32 => c64; }
    }
}

/// The bit patterns to convert: all of them where there are few, each third where there are more, else one of
/// each exponent with some digits.
fn patterns(dtype: DType) -> Vec<Vec<u8>> {
    let size = dtype.size().expect("whole bytes");
    if size <= 2 {
        return (0..1_u32 << (8 * size))
            .step_by(if size == 1 { 1 } else { 3 })
            .map(|code| code.to_le_bytes()[..size].to_vec())
            .collect();
    }
    let part = if dtype.name().starts_with('c') { size / 2 } else { size };
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 11
    };
    (0..8000)
        .map(|i| {
            // The sign and the exponent, or the bits in their position, then few or many digits.
            let (high, digits) = (u64::from(i % 0x1000_u16), next());
            let digits = if i % 3 == 0 { 0 } else { digits };
            let code = high << 52 | digits >> 1 & ((1 << 52) - 1);
            let code = (code >> (64 - 8 * part as u32)).to_le_bytes();
            [&code[..part], &code[..size - part]].concat()
        })
        .collect()
}

fn bits(element: ScalarValue) -> (Vec<u8>, bool) {
    let nan = match element.number() {
        Some(Number::Float(x)) => x.is_nan(),
        Some(Number::Complex(re, im)) => re.is_nan() || im.is_nan(),
        _ => false,
    };
    // Signs and payloads of NaN are not defined.
    (if nan { Vec::new() } else { element.as_bytes().to_vec() }, nan)
}

#[test]
fn every_dtype_to_every_other_one() {
    let rules: RuleSet = rules::Casts::new().rule_set();
    let mut compared = 0;
    for &from in DType::WITH_TYPE {
        let elements: Vec<ScalarValue> = patterns(from)
            .iter()
            .map(|bytes| ScalarValue::from_bytes(from, bytes).expect("an element"))
            .collect();
        for &to in DType::WITH_TYPE {
            let options = Options { to: Some(to), ..Options::default() };
            for element in &elements {
                let ours = evaluate(&rules, Op::Astype, &[Value::Array(*element)], &options);
                let ours = ours.expect("every standard dtype is converted");
                let theirs = element.cast(to, false).expect("every standard dtype is converted");
                assert_eq!(ours.dtype(), to);
                assert_eq!(bits(ours), bits(theirs), "{:?} from {from} to {to}", element.number());
                compared += 1;
            }
        }
    }
    assert!(compared > 1_000_000, "only {compared} conversions");
}
