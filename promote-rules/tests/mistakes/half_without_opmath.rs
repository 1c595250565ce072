promote::rules! {
    rules R;
    dtypes bool f16 f32;
    promote { any, any => least; }
    op add;
}

fn main() {}
