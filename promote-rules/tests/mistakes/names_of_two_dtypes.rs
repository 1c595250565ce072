promote::rules! {
    rules R;
    dtypes bool i8 i64 f16 f32;
    promote { any, any => join or refuse "cast one"; }
    opmath { f16 => f32; }
    op add subtract;
    names {
        f16: "half" "half" "torch.f2";
        f32: "np.single" "float" "f2";
        i64: "int64" "i8";
        add: "plus" "subtract";
        f16: "float16";
    }
    names { bool: "bool_"; }
}

fn main() {}
