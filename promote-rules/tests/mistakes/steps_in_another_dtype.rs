promote::rules! {
    rules R;
    dtypes bf16 f32;
    promote { any, any => least; }
    op nextafter { bf16 => c in f32; any => c in c; }
    op add;
    opmath { bf16 => f32; }
}

fn main() {}
