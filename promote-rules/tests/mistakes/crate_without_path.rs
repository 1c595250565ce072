promote::rules! {
    crate = ;
    rules R;
    dtypes bool i33;
    promote { any, any => join; }
}

fn main() {}
