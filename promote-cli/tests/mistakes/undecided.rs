//! Nothing is said about a bool with an integer.
promote::rules! {
    rules Wrong;
    dtypes bool i32;
    numbers { bool => bool; int => i32; float | complex => refuse "no floats"; }
    promote { same => a; }
}
