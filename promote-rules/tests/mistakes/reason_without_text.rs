promote::rules! {
    rules R;
    dtypes bool i32 f32;
    reason truth: "a truth value is no number";
    reason numbers = no;
    promote { bool, any => refuse truth; any, any => join; }
}

fn main() {}
