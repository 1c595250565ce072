promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { same => a; any, any => a above b or refuse "narrow"; }
    law commutative;
}

fn main() {}
