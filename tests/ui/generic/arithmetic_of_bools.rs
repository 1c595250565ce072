use promote::{NumOps, Torch};

fn difference<R: NumOps<(A, B)>, A, B>(a: A, b: B) -> R::Value {
    let (a, b) = R::promote((a, b));
    promote::mixed! { R => a - b }
}

fn main() {
    difference::<Torch, _, _>(true, false);
}
