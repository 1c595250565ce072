promote::rules! {
    rules R;
    kinds bool < int < own < float < complex;
    dtypes bool i32;
    dtype q0: own 8 = crate::Q;
    dtype q1: own 8 = crate::Q;
    dtype q2: own 8 = crate::Q;
    dtype q3: own 8 = crate::Q;
    dtype q4: own 8 = crate::Q;
    dtype q5: own 8 = crate::Q;
    dtype q6: own 8 = crate::Q;
    dtype q7: own 8 = crate::Q;
    dtype q8: own 8 = crate::Q;
    dtype q9: own 8 = crate::Q;
    dtype q10: own 8 = crate::Q;
    dtype q11: own 8 = crate::Q;
    dtype q12: own 8 = crate::Q;
    dtype q13: own 8 = crate::Q;
    dtype q14: own 8 = crate::Q;
    promote { own, any => refuse "cast it first"; any, any => join; }
}

fn main() {}
