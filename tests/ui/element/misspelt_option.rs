//! The error names the misspelt option of the type, and nothing in the rule file.
use promote::Element;

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[element(viaa = f64, name = "q16")]
#[repr(transparent)]
pub struct Q16(pub i32);

mod rules {
    promote::rules! {
        rules Fixed;
        kinds bool < int < fixed < float < complex;
        dtypes bool f64;
        dtype q16: fixed 32 = super::Q16;
        promote { same => a; bool, any => b; fixed, any => b; }
    }
}

fn main() {}
