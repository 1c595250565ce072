promote::rules! {
    rules R;
    dtypes i32 f32;
    promote { zero_dim as array; any, any => join; }
    yield array > zero_dim { any, any => promote(a, b); }
    op add { zero_dim as number; }
}

fn main() {}
