promote::rules! {
    rules R;
    dtypes bool i32;
    let few = i32;
    dtype few: int 8;
    dtype any: int 8;
    promote { any, any => join; }
}

fn main() {}
