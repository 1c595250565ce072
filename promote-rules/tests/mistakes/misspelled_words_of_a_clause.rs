promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { smae => a; bool, any => float abve a; i32, any => join orr refuse "no"; aray bool, any => b; any, any => join; }
}

fn main() {}
