promote::rules! {
    rules R;
    dtypes bf16 f32;
    promote { any, any => join; }
    op nextafter { bf16 => common in f32; any => common stepwise; }
    op add;
    opmath { bf16 => f32; }
}

fn main() {}
