promote::rules! {
    rules R extends other::Base;
    dtypes i8;
}

fn main() {}
