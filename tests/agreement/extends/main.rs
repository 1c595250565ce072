//! A rule set extends another one, and a third extends that: its clauses come first, and cells that they do
//! not match keep their dtypes.

#![allow(clippy::float_cmp, reason = "the values are exact")]

use half::bf16;
use promote::{DType, Number, Op, Operand, Promoted, RuleSet, Torch};

mod f64s;
mod strict;
mod twins;
mod wide;

use f64s::TorchF64;
use strict::Strict;
use wide::Wide;

/// The tests of several rule sets fit in one module.
mod agree {
    promote::agreement! { crate::wide::Wide = "extends/wide.rs", "../../rules/torch.rs" }
    promote::agreement! { crate::strict::Strict = "extends/strict.rs", "extends/wide.rs", "../../rules/torch.rs" }
    promote::agreement! { crate::f64s::TorchF64 = "extends/f64s.rs", "../../rules/torch.rs" }
}

#[test]
fn clauses_of_the_extension_come_first() {
    let sum: Promoted<i32, bf16, Wide> = Wide::add(257_i32, bf16::ONE);
    assert_eq!(sum, 258.0_f32);
    assert_eq!(Torch::add(257_i32, bf16::ONE), bf16::from_f32(256.0), "PyTorch rounds 257 first");
    assert_eq!(Wide::add(100_i8, bf16::ONE), bf16::from_f32(101.0));
}

#[test]
fn an_extension_changes_only_the_cells_of_its_clauses() {
    let (torch, wide) = (Torch::new().rule_set(), Wide::new().rule_set());
    let halves = [DType::F16, DType::BF16];
    let changed =
        |a: DType, b: DType| halves.contains(&b) && a.bits() >= 32 && a.name().starts_with(['i', 'u']);
    let ask = |rules: RuleSet, a, b| rules.promote_types(a, b).ok();
    let mut moved = 0;
    for &a in torch.tables().dtypes {
        for &b in torch.tables().dtypes {
            if changed(a, b) || changed(b, a) {
                moved += 1;
                assert_eq!(ask(wide, a, b), Some(DType::F32), "{a} {b}");
            } else {
                assert_eq!(ask(wide, a, b), ask(torch, a, b), "{a} {b}");
            }
        }
    }
    assert_eq!(moved, 2 * 2 * 4);
}

#[test]
fn ops_and_other_categories_change_only_where_the_clauses_say() {
    let (torch, wide) = (Torch::new().rule_set(), Wide::new().rule_set());
    let ints = |d: DType| d.bits() >= 32 && d.name().starts_with(['i', 'u']);
    let spoken_of = |a: DType, b: DType| ints(a) && [DType::F16, DType::BF16].contains(&b);
    let kinds = [Operand::Array as fn(DType) -> Operand, |dtype| Operand::ZeroDim(dtype, None)];
    for &op in Op::STANDARD {
        for &a in torch.tables().dtypes {
            for &b in torch.tables().dtypes {
                for (x, y) in kinds.iter().flat_map(|x| kinds.iter().map(move |y| (x(a), y(b)))) {
                    let (before, now) = (torch.op_types(op, &[x, y]), wide.op_types(op, &[x, y]));
                    if !spoken_of(a, b) && !spoken_of(b, a) {
                        assert_eq!(before.ok(), now.ok(), "{op} {x:?} {y:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn an_extension_can_be_extended() {
    let strict = Strict::new().rule_set();
    let refused = strict.promote_types(DType::I64, DType::F32).expect_err("the third set refuses it");
    assert_eq!(
        refused.to_string(),
        "`i64` and `f32` do not promote under Strict: f32 has 24 digits: cast one first (tests/agreement/extends/strict.rs:8)"
    );
    assert_eq!(strict.promote_types(DType::I32, DType::BF16), Ok(DType::F32), "as in the second");
    assert_eq!(strict.promote_types(DType::U8, DType::I8), Ok(DType::I16), "as in the first");
    assert_eq!(Strict::divide(1_i64, 4_i64), 0.25_f64);
    let other = strict.promote_types(DType::U16, DType::I32).expect_err("the first set refuses it");
    assert!(other.to_string().contains("cast one first (rules/torch.rs:"), "{other}");
}

#[test]
fn named_settings_are_types() {
    let quotient: f64 = TorchF64::divide(1_i32, 3_i32);
    assert_eq!(quotient, 1.0 / 3.0);
    let operands = [Operand::Array(DType::I32), Operand::Number(Number::Float(2.5))];
    assert_eq!(TorchF64::new().result_type(&operands).map(|found| found.dtype), Ok(DType::F64));
    assert_eq!(TorchF64::new().op_types(Op::Add, &operands).map(|types| types.output), Ok(DType::F64));
}
