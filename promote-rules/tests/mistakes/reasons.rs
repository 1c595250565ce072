promote::rules! {
    rules R;
    dtypes bool i32 f32;
    reason unordered = "complex numbers have no order";
    reason truth = "bool is not a numeric type";
    reason truth = "numbers only";
    promote { bool, any => refuse trut; any, any => join or refuse nothing_holds_both; }
    op add { bool => refuse truth; }
}

fn main() {}
