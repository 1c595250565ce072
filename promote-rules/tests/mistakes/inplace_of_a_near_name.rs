promote::rules! {
    rules R;
    dtypes bool i32 f32;
    promote { any, any => join; }
    op add;
    inplace resul;
    law commutative;
}

fn main() {}
