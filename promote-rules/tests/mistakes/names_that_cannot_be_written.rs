promote::rules! {
    rules R;
    dtypes bool f16 f32;
    promote { any, any => join; }
    opmath { f16 => f32; }
    names {
        bool: "" "true" "inf";
        f16: "2f" "half*" " half";
        f32: "a,b" "float 32";
    }
}

fn main() {}
