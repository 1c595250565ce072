promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { any, any => join; }
    let few = i32;
    op few = crate::Few;
    op ordering = crate::Ordering;
    op join = crate::Least;
}

fn main() {}
