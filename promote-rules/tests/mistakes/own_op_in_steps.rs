promote::rules! {
    rules R;
    dtypes bool f16 f32;
    promote { any, any => join; }
    op axpy = crate::Axpy { bool => refuse "bool is not a numeric type"; f16 => common stepwise; }
}

fn main() {}
