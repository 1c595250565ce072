promote::rules! {
    rules R;
    dtypes bool i32 f64
    let wide = i32 | f64
    param exact: bool = true
    promote {
        same => a
        bool, any => b
        any, any => join;
    }
    op add
    op leess -> bool
    law commutative
}

fn main() {}
