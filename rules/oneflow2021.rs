//! OneFlow as its article "Automatic Type Promotion in OneFlow" of November 2021 has it. What the article
//! does not say is as in `OneFlow`.
promote::rules! {
    rules OneFlow2021 extends crate::OneFlow;

    // A zero-dimensional array counts as a Python number does: only if its kind is higher, and then as the
    // dtype that a number of that kind has alone.
    yield array > zero_dim > number {
        array, zero_dim | number no_higher => a;
        array bool, zero_dim int           => default(int);
        array, zero_dim float              => default(float);
    }

    // Names

    // The article's tables of integers count bytes.
    names {
        u8:  "u1" "flow.uint8";
        i8:  "i1" "flow.int8";
        i16: "i2" "flow.int16";
        i32: "i4" "flow.int32";
        i64: "i8" "flow.int64";
    }
}
