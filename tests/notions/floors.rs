//! Quotients of integers are rounded down, and a division by zero gives the integer of which every bit is 1.
promote::rules! {
    rules Floors extends crate::sql::Sql;

    op divide { rounding: floor; by_zero: ones; }
}
