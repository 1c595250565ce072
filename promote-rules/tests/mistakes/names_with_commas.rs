promote::rules! {
    rules R;
    dtypes bool, i32, f64;
    promote { any, any => join; }
    op divide, floor_divide { bool | int => f64; }
    op add | multiply, ad;
}

fn main() {}
