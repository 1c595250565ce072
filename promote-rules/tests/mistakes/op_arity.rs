promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { any, any => join; }
    op conv (3);
    op add (2);
    op wide (5);
    op none (0);
    op qr (1);
    op qr (2);
    op pow (b, a);
    op svd = crate::Svd (1);
}

fn main() {}
