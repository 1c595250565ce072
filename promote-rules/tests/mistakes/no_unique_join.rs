promote::rules! {
    rules R;
    dtypes f8e4m3fn f8e5m2 f16 bf16;
    promote { any, any => join; }
}

fn main() {}
