promote::rules! {
    rules R;
    dtypes bool i32 f64;
    numbers { bool => bool; int => i32; float => f64; complex => refuse "no"; }
    promote { any, any => join; }
    yield array > zero_dim > number { any, no_higher => a; any, any => promote(a, b); }
    op divide { array bool | int => f64; }
}

fn main() {}
