promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote {
        bool, any => jion;
        i32, any  => jion or refuse "no";
        any, any  => refuze "no";
    }
}

fn main() {}
