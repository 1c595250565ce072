//! An extension gives a reason of its base, and gives another reason of the base a text of its own.
promote::rules! {
    rules Further extends crate::operands::Operands;

    reason integers = "integers only";

    op gcd { bool => refuse integers; float => refuse integers; }
    op sqrt { bool | int => refuse floats; }
}
