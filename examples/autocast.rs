//! The dtypes of the layers of a small model, without `torch.autocast` and with it.
//!
//! `cargo run --example autocast --features torch-autocast`
//!
//! The command says why a layer has its dtype:
//! `promote explain torch-autocast --set device=cpu --set dtype=bf16 --op conv f32 f32`

use promote::{CustomOp, DType, Op, Operand, PromoteError, RuleSet, Torch, TorchAutocast};

// Ops that the program computes by other means. The rule sets have their dtypes.
static CONV: CustomOp = CustomOp::without_kernels("conv", 2);
static BATCH_NORM: CustomOp = CustomOp::without_kernels("batch_norm", 1);
static ATTENTION: CustomOp = CustomOp::without_kernels("attention", 3);
static LINEAR: CustomOp = CustomOp::without_kernels("linear", 2);
static SOFTMAX: CustomOp = CustomOp::without_kernels("softmax", 1);

/// A layer: its op, and how many arrays of weights follow its input.
const LAYERS: [(Op, usize); 8] = [
    (Op::Custom(&CONV), 1),
    (Op::Custom(&BATCH_NORM), 0),
    (Op::Exp, 0),
    (Op::Custom(&ATTENTION), 2),
    (Op::Custom(&LINEAR), 1),
    (Op::Custom(&SOFTMAX), 0),
    (Op::MseLoss, 1),
    (Op::Sum, 0),
];

/// Returns the dtype of each layer's output, for an input and weights of these dtypes.
fn dtypes(rules: RuleSet, input: DType, weights: DType) -> Result<Vec<DType>, PromoteError> {
    let mut dtype = input;
    let layers = LAYERS.iter().map(|(op, arrays)| {
        let mut operands = vec![Operand::Array(dtype)];
        operands.resize(1 + arrays, Operand::Array(weights));
        dtype = rules.op_types(*op, &operands)?.output;
        Ok(dtype)
    });
    layers.collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let autocast = TorchAutocast::new().rule_set();
    let on_cpu = autocast.with("device", "cpu").and_then(|rules| rules.with("dtype", "bf16"));
    let on_cpu = on_cpu.ok_or("the parameters of the rule set")?;
    let sets = [("torch", Torch::new().rule_set()), ("on CUDA", autocast), ("on the CPU", on_cpu)];

    // Without autocast, weights of f32 and an input of f16 are refused.
    let refused = dtypes(sets[0].1, DType::F16, DType::F32);
    println!("{}\n", refused.expect_err("two dtypes"));

    print!("{:12}", "");
    for (name, _) in sets {
        print!("{name:12}");
    }
    println!();
    let found = sets.map(|(_, rules)| dtypes(rules, DType::F32, DType::F32));
    let [torch, cuda, cpu] = found;
    let (torch, cuda, cpu) = (torch?, cuda?, cpu?);
    for (at, (op, _)) in LAYERS.iter().enumerate() {
        println!("{:12}{:12}{:12}{:12}", op.name(), torch[at].name(), cuda[at].name(), cpu[at].name());
    }

    let f32s = [DType::F32; 8];
    assert_eq!(torch, f32s);
    // On CUDA, `exp`, `softmax`, losses and sums are computed in f32.
    let (low, full) = (DType::F16, DType::F32);
    assert_eq!(cuda, [low, low, full, low, low, full, full, full]);
    // On the CPU only the losses are.
    let low = DType::BF16;
    assert_eq!(cpu, [low, low, low, low, low, low, full, full]);
    Ok(())
}
