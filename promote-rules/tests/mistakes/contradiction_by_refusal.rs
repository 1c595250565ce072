promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { same => a; any, any => least a holding b or refuse "narrow"; }
    law commutative;
}

fn main() {}
