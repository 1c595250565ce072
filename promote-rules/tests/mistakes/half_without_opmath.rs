promote::rules! {
    rules R;
    dtypes bool f16 f32;
    promote { any, any => least; }
    op add;
    op multiply { f16 => c in f16; }
}

fn main() {}
