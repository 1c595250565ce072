promote::rules! {
    rules R;
    dtypes bool f16 f32;
    promote { any, any => join; }
    op axpy = crate::Axpy { bool => refuse "a truth value is no number"; f16 => common stepwise; }
}

fn main() {}
