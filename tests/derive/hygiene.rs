//! Generated code does not collide with the user's names: raw identifiers, names of generated parameters,
//! types of other modules, and items that shadow the prelude. `tests/chain/first` is a crate without prelude
//! and `std` that renames this one.

use promote::{Promote, Promoted, weak};

#[test]
fn derives_accept_raw_identifiers() {
    #[allow(non_camel_case_types, reason = "a keyword, to see what becomes of it")]
    #[derive(Clone, Copy, Promote)]
    #[promote(ops(Add, AddAssign, Neg, PartialEq, PartialOrd), weak(Mul))]
    struct r#struct<r#type> {
        r#fn: r#type,
    }

    let sum = -(r#struct { r#fn: 1_u8 } + r#struct { r#fn: 2_i16 }) * weak(2);
    assert!(sum == r#struct { r#fn: -6_i16 });
}

#[test]
fn derives_accept_types_with_the_names_of_generated_parameters() {
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Rules(u8);
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct OutT;
    type RhsT = u8;
    #[allow(non_upper_case_globals, reason = "a constant named as what operators give")]
    #[derive(Clone, Copy, Promote)]
    #[promote(ops(Add), weak(Mul))]
    struct Op<T, Number, const Output: usize> {
        value: [T; Output],
        number: Number,
        #[promote(skip)]
        others: (Rules, OutT, RhsT),
    }

    let op = Op { value: [1_u8], number: 1_i64, others: (Rules(1), OutT, 7) };
    let sum = (op + op) * weak(0.5);
    assert_eq!((sum.value, sum.number, sum.others), ([1.0_f32], 1.0_f32, (Rules(1), OutT, 7)));
    let _: Promoted<Op<u8, i64, 1>, Op<i8, bool, 1>> =
        Op { value: [1_i16], number: 1_i64, others: op.others };
}

#[test]
fn derives_ignore_names_that_shadow_the_prelude() {
    #![allow(dead_code, non_camel_case_types, reason = "there to be in the way")]
    struct bool;
    struct Some;
    struct Copy;
    struct Clone;
    trait Add {}
    trait PartialEq {}
    #[derive(Promote)]
    #[promote(ops(Add, AddAssign, PartialEq, PartialOrd))]
    struct Inner<T>(T);
    #[derive(Promote)]
    #[promote(ops(Add, AddAssign, PartialEq, PartialOrd))]
    struct Outer<T> {
        inner: Inner<T>,
        array: [T; 1],
    }

    let one = || Outer { inner: Inner(1_u8), array: [1] };
    let mut sum = one() + one();
    sum += one();
    assert!(sum == Outer { inner: Inner(3_i64), array: [3] } && sum > one());
}

mod made_by_a_macro {
    macro_rules! container {
        ($name:ident<$param:ident> { $($field:ident: $ty:ty),* }) => {
            #[derive(Clone, Copy, Debug, promote::Promote)]
            #[promote(ops(Add, PartialEq))]
            pub(super) struct $name<$param> {
                $(pub(super) $field: $ty),*
            }
        };
    }

    container! { Segment<T> { from: [T; 2], to: (T, T), length: T } }
}

#[test]
fn derives_accept_types_passed_by_a_macro() {
    use made_by_a_macro::Segment;

    let sum = Segment { from: [1_u8; 2], to: (1, 2), length: 3 }
        + Segment { from: [0.5_f32; 2], to: (0.5, 0.5), length: 1.0 };
    assert!(sum == Segment { from: [1.5; 2], to: (1.5, 2.5), length: 4.0_f64 });
}

#[test]
fn derives_accept_a_path_to_the_facade() {
    mod renamed {
        pub(super) use promote as house;
    }
    #[derive(Promote)]
    #[promote(crate = renamed::house, ops(Sub))]
    struct Point<T>(T);

    assert_eq!((Point(3_u8) - Point(1_i8)).0, 2_i16);
}
