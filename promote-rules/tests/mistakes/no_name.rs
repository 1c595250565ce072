promote::rules! {
    dtypes bool;
}

fn main() {}
