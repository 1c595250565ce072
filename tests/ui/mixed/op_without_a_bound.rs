//! `NumOps` covers `+ - * /` and no other op.

use promote::{NumOps, mixed};

fn relu<R: NumOps<(T,)>, T>(x: T) -> R::Value {
    let (x,) = R::promote((x,));
    mixed! { R => maximum(x, 0) }
}

fn main() {}
