//! The rule file does not name the operand's type.
use promote::Torch;

struct Money(i64);

fn main() {
    let _ = Torch::multiply(Money(1), 2.0_f32);
    let _ = Money(1).0;
}
