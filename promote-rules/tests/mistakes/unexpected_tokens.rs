promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { any, any => join; }
    let x = !bool;
    let = bool;
    param p = true;
    param q: bool;
    holds f64 = i32;
    dtype money int 64;
    dtype cash: int;
    op 3;
    op !add;
    law;
    fold;
    cast { }
    op add { bool | !f64 => a; bool => ; 3 => a; any if => a; any => !a; overflow: 3; }
    = 3;
}

fn main() {}
