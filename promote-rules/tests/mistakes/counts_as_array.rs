promote::rules! {
    rules R;
    dtypes i32 f32;
    promote { any, any => join; }
    yield array > zero_dim > number { any, any => promote(a, b); }
    op add { number as array; }
    op subtract { array as array; }
    op multiply { scalar as array; }
    op maximum { zero_dim as array; zero_dim as array; }
}

fn main() {}
