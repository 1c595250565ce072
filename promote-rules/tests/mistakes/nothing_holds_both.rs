promote::rules! {
    rules R;
    dtypes u64 i64 bool;
    promote { any, any => join; }
}

fn main() {}
