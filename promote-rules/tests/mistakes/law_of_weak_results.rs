promote::rules! {
    rules R;
    dtypes f32 f64;
    promote { same => a; any, any => weak f64; }
    law associative;
}

fn main() {}
