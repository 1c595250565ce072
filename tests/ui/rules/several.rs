promote::rules! {
    rules Mine;

    dtypes bool i32 f23;
    promote {
        bool, ayn => b;
        int, float => b
    }
    op ad;
}

fn main() {
    let _ = Mine::new();
}
