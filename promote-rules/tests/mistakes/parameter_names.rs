promote::rules! {
    rules R;
    dtypes bool i32 f64;
    param r#type: x | y = x;
    param p: _ | x = x;
    param q: x | x = x;
    param t: _1 | bb = bb;
    param s: self_ | Self = self_;
    promote { any, any => join; }
}

fn main() {}
