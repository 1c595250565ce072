promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote {
        bool, any => leest;
        i32, any  => leest or refuse "no";
        any, any  => refuze "no";
    }
}

fn main() {}
