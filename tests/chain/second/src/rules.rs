//! The first crate's rules without truth values among the numbers.
first::house::rules! {
    crate = first::house;
    rules Careful extends first::Fixed;

    promote {
        bool, int | fixed | float | complex => refuse "bool is not a numeric type";
    }
    op axpy { complex => refuse "real numbers here"; }
}
