promote::rules! {
    rules R;
    dtypes bool i32 f32;
    promote { any, any => join; }
    fold by_kind;
    fold by_kind;
    law commutative;
}

fn main() {}
