promote::rules! {
    rules R;
    dtypes bool f16 f32;
    promote { any, any => join; }
    opmath { f16 => f32; }
    names {
        bool;
        f16: half;
        f32: "float", "single";
        bool: "bool_"
    }
}

fn main() {}
