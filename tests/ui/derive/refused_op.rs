#[derive(promote::Promote)]
#[promote(ops(Sub))]
struct Mask<T>([T; 4]);

fn main() {
    let _ = Mask([true; 4]) - Mask([false; 4]);
}
