#[derive(promote::Promote)]
#[promote(ops(Add))]
struct Window<'a, T> {
    values: &'a [T],
}

fn main() {}
