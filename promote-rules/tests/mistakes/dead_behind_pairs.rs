promote::rules! {
    rules R;
    dtypes i32 f32 f64;
    promote { any, any => join or refuse "none holds both"; }
    op huber_loss (a, b) { float, any => a; any, any => refuse "the left one is a float"; }
    op huber_loss { f64 => f32; }
}

fn main() {}
