#[derive(promote::Promote)]
#[promote(ops(Add))]
struct Sample<T> {
    value: T,
    count: usize,
}

fn main() {
    let sample = Sample { value: 1_u8, count: 1 };
    let _ = sample + Sample { value: 1_i8, count: 2 };
}
