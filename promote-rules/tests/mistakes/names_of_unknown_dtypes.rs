promote::rules! {
    rules R;
    dtypes bool f16 f32;
    let wide = f16 | f32;
    promote { any, any => join; }
    opmath { f16 => f32; }
    names {
        f23: "half";
        wide: "float";
        f64: "double";
        add: "plus";
        float16: "half";
    }
}

fn main() {}
