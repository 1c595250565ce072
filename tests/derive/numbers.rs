//! Numbers without a width on either side: they reach every field, and promote as the rule set says.

use promote::{Promote, weak};

#[derive(Clone, Copy, Debug, Promote)]
#[promote(ops(Add, MulAssign, PartialEq), weak(Mul, Div, Sub, MulAssign))]
struct Vec2<T> {
    x: T,
    y: T,
}

#[derive(Clone, Copy, Debug, Promote)]
#[promote(ops(Mul, MulAssign, PartialEq), weak)]
struct Lens<T, const N: usize> {
    at: Vec2<T>,
    focus: ([T; N], T),
    #[promote(skip)]
    glass: char,
}

#[test]
fn a_number_of_the_same_kind_takes_the_dtype_of_the_container() {
    let v = Vec2 { x: 1.5_f32, y: 2.0 };
    let twice: Vec2<f32> = v * weak(2.0_f64);
    assert!(twice == Vec2 { x: 3.0, y: 4.0 });
    let bytes: Vec2<u8> = &Vec2 { x: 1_u8, y: 2 } * weak(3);
    assert!(bytes == Vec2 { x: 3, y: 6 });
}

#[test]
fn numbers_of_a_higher_kind_decide_the_kind() {
    let scaled: Vec2<f32> = Vec2 { x: 1_i64, y: 2 } * weak(2.5);
    assert!(scaled == Vec2 { x: 2.5, y: 5.0 });
}

#[test]
fn numbers_can_be_the_left_operand() {
    let v = Vec2 { x: 1.0_f32, y: 4.0 };
    let inverse: Vec2<f32> = weak(1) / &v;
    assert!(inverse == Vec2 { x: 1.0, y: 0.25 });
    assert!(weak(1) - v == Vec2 { x: 0.0, y: -3.0 });
}

#[test]
fn skipped_fields_keep_their_types() {
    let mut v = Vec2 { x: 1_i16, y: 2 };
    v *= weak(3);
    v *= Vec2 { x: 2_u8, y: 1 };
    assert!(v == Vec2 { x: 6_i16, y: 6 });
}

#[test]
fn weak_without_a_list_covers_all_operators() {
    let lens = Lens { at: Vec2 { x: 1_i32, y: 2 }, focus: ([3, 4], 5), glass: 'g' };
    let mut scaled = &lens * weak(0.5);
    assert!(scaled == Lens { at: Vec2 { x: 0.5_f32, y: 1.0 }, focus: ([1.5, 2.0], 2.5), glass: ' ' });
    scaled *= weak(true);
    assert!(weak(2) * scaled == lens * weak(1));
    assert_eq!((weak(2) * scaled).glass, 'g');
}
