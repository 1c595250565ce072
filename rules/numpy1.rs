//! NumPy 1.26, which looks at values.
promote::rules! {
    rules NumPy1 extends crate::NumPy;

    // Promotion

    // Next to an array, a number and a zero-dimensional array count by their values, unless their kind is
    // higher; float and complex are one kind in this. Among themselves they count by their dtypes.
    yield array > zero_dim > number {
        zero_dim, any  => promote(a, b);
        any, no_higher => join(a, value(b));
        float, complex => complex above a, value(b);
    }

    // Truth

    op logical_and logical_or logical_xor { any, number => common; }    // beside an f16, 1e-10 is zero

    // Functions

    op floor ceil trunc { bool | int => float above common; }   // integers stay as they are since NumPy 2.1

    // Laws

    law commutative;

    // Names

    names {
        bool: "bool" "np.bool_" "np.bool8" "b1" "|b1" "?";
        u64:  "uint64" "np.uint64" "np.uint" "np.ulonglong" "np.uintp" "uint0" "ulong" "u8" "<u8" "L" "P" "Q";
        i64:  "int64" "np.int64" "np.int_" "int" "np.longlong" "np.intp" "int0" "long" "i8" "<i8" "l" "p" "q";
        f64:  "float64" "np.float64" "np.float_" "np.double" "float" "f8" "<f8" "d";
        c64:  "complex64" "np.complex64" "np.csingle" "np.singlecomplex" "c8" "<c8" "F";
        c128: "complex128" "np.complex128" "np.complex_" "np.cdouble" "np.cfloat" "complex" "c16" "<c16" "D";
    }
}
