promote::rules! {
    rules R;
    dtypes bool i32 f32 f64;
    dtype money: int 64;
    promote { same => a; money, any => refuse "cast it first"; any, any => join or refuse "no"; }
    op sqrt { bool | int => float above common; }
}

fn main() {}
