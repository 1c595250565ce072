promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { smae => a; bool, any => least holdng a; i32, any => least float orr refuse "no"; aray bool, any => b; any, any => least; }
}

fn main() {}
