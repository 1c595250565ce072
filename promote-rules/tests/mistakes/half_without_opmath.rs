promote::rules! {
    rules R;
    dtypes bool f16 f32;
    promote { any, any => join; }
    op add;
    op multiply { f16 => common stepwise; }
}

fn main() {}
