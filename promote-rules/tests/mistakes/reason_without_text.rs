promote::rules! {
    rules R;
    dtypes bool i32 f32;
    reason truth: "bool is not a numeric type";
    reason numbers = no;
    promote { bool, any => refuse truth; any, any => join; }
}

fn main() {}
