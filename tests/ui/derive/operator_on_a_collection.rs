use promote::Promote;

#[derive(Promote)]
#[promote(ops(Add))]
struct Samples<T> {
    values: Vec<T>,
    last: Option<T>,
}

fn main() {}
