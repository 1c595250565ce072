promote::rules! {
    rules R;
    dtypes i32 f16 f32;
    promote { int, float => b; any, any => join; }
    yield array > zero_dim by kind { any, any => promote(a, b); }
    opmath { f16 => f32; }
    op add { zero_dim as array; array, zero_dim => a; }
}

fn main() {}
