promote::rules! {
    rules R;
    dtypes bool f16 f32;
    promote { any, any => least; }
    op axpy = crate::Axpy { bool => refuse "a truth value is no number"; f16 => c in f16; }
}

fn main() {}
