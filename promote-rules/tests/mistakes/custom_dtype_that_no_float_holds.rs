promote::rules! {
    rules R;
    dtypes bool i32 f32 f64;
    dtype money: int 64;
    promote { same => a; money, any => refuse "cast it first"; any, any => least or refuse "no"; }
    op sqrt { bool | int => least float; }
}

fn main() {}
