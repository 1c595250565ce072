//! Operators between containers: the rule set computes each field, by value and by reference.

use core::cmp::Ordering;
use core::marker::PhantomData;
use core::ops::{Add, Neg, Sub};

use half::f16;
use promote::{Compute, NumPy, OpOutput, Promote, Torch, op};

#[derive(Clone, Copy, Debug, Promote)]
#[promote(ops(
    Add, Sub, Mul, Div, Rem, Neg, AddAssign, SubAssign, MulAssign, DivAssign, RemAssign, PartialEq,
    PartialOrd
))]
struct Vec2<T> {
    x: T,
    y: T,
}

fn vec2<T>(x: T, y: T) -> Vec2<T> {
    Vec2 { x, y }
}

/// The components `(x, y)` of two vectors under a rule set's own functions.
macro_rules! by_function {
    ($function:ident, $a:expr, $b:expr) => {
        (Torch::$function($a.x, $b.x), Torch::$function($a.y, $b.y))
    };
}

#[test]
fn fields_are_computed_by_the_rule_set() {
    let (a, b) = (vec2(7_i32, -7), vec2(2_u8, 3));
    let parts = |v: Vec2<i32>| (v.x, v.y);
    assert_eq!(parts(a + b), by_function!(add, a, b));
    assert_eq!(parts(a - b), by_function!(subtract, a, b));
    assert_eq!(parts(a * b), by_function!(multiply, a, b));
    assert_eq!(parts(a % b), by_function!(remainder, a, b));
    let quotient: Vec2<f32> = a / b; // PyTorch divides integers in its default dtype
    assert_eq!((quotient.x, quotient.y), by_function!(divide, a, b));
    assert_eq!(parts(-a), (-7, 7));
    // PyTorch's remainder has the sign of the divisor.
    assert_eq!((a % b).y, 2);
}

#[test]
fn operands_are_values_or_references_in_any_order() {
    let (a, b) = (vec2(1_i32, 2), vec2(0.5_f32, 0.25));
    let sum = vec2(1.5_f32, 2.25);
    assert!(a + b == sum && a + &b == sum && &a + b == sum && &a + &b == sum);
    assert!(-b == -&b);
}

#[test]
fn the_result_may_be_named_before_the_types_are_known() {
    fn total<A, B>(a: Vec2<A>, b: Vec2<B>) -> Vec2<OpOutput<op::Add, (A, B)>>
    where
        Torch: Compute<op::Add, (A, B)>,
        A: Copy,
        B: Copy,
    {
        a + b
    }
    assert!(total(vec2(true, false), vec2(2_u8, 3)) == vec2(3_u8, 3));
}

#[test]
fn assignment_needs_a_result_of_the_left_type() {
    let mut a = vec2(1.0_f32, 2.0);
    a += vec2(1_i64, 1);
    a -= &vec2(0.5_f32, 0.5);
    a *= vec2(2_u8, 4);
    a /= vec2(2_i32, 2);
    assert!(a == vec2(1.5_f32, 5.0));
    a %= vec2(1_i32, 2);
    assert!(a == vec2(0.5_f32, 1.0));
}

#[test]
fn containers_of_different_elements_compare() {
    assert!(vec2(1_i32, 2) == vec2(1.0_f64, 2.0));
    assert!(vec2(1_u8, 2) != vec2(1_i8, -2));
    assert!(vec2(1_u8, 2) > vec2(1_i8, -2));
    assert_eq!(vec2(1_i32, 2).partial_cmp(&vec2(1.5_f32, 0.0)), Some(Ordering::Less));
    assert_eq!(vec2(2_i32, 2).partial_cmp(&vec2(2.0_f32, 2.0)), Some(Ordering::Equal));
}

#[test]
fn the_first_field_that_differs_decides_and_nan_has_no_order() {
    let nan = f32::NAN;
    assert_eq!(vec2(0_i32, 1).partial_cmp(&vec2(1.0, nan)), Some(Ordering::Less));
    assert_eq!(vec2(1_i32, 1).partial_cmp(&vec2(1.0, nan)), None);
    assert_eq!(vec2(1_i32, 1).partial_cmp(&vec2(nan, 1.0)), None);
    assert!(vec2(nan, 1.0) != vec2(nan, 1.0));
}

/// Fields of every shape.
#[derive(Clone, Debug, Promote)]
#[promote(ops(Add, Sub, Neg, AddAssign, PartialEq, PartialOrd))]
struct Body<T, Unit, Tag: Clone, const N: usize> {
    corners: [Vec2<T>; N],
    weight: (T, [[T; 2]; 1]),
    unit: PhantomData<Unit>,
    #[promote(skip)]
    tag: Tag,
    #[promote(with = newest)]
    revision: u32,
}

fn newest<Op>(_: Op, a: &u32, b: &u32) -> u32 {
    *a.max(b)
}

fn body<T: Copy>(x: T, tag: &str, revision: u32) -> Body<T, Metres, String, 1> {
    let corners = [vec2(x, x)];
    Body { corners, weight: (x, [[x, x]]), unit: PhantomData, tag: tag.to_owned(), revision }
}

#[derive(Clone, Debug)]
struct Metres;

#[test]
fn arrays_and_tuples_are_computed_by_element_and_containers_by_their_operators() {
    let sum = body(1_u8, "left", 1) + &body(0.5_f32, "right", 2);
    assert!(sum.corners[0] == vec2(1.5_f32, 1.5));
    assert_eq!(sum.weight, (1.5_f32, [[1.5, 1.5]]));
    let _: PhantomData<Metres> = sum.unit;
    let opposite = -&sum;
    assert!(opposite.corners[0] == vec2(-1.5_f32, -1.5));
    assert_eq!((opposite.weight.0, opposite.revision), (-1.5, 2));
}

#[test]
fn skipped_fields_come_from_the_left_operand_and_functions_compute_theirs() {
    let (a, b) = (body(1_u8, "left", 1), body(0.5_f32, "right", 2));
    let sum = &a + &b;
    assert_eq!((&*sum.tag, sum.revision), ("left", 2));
    let mut place = b;
    place += a;
    assert_eq!((&*place.tag, place.revision, place.weight.0), ("right", 2, 1.5));
}

#[test]
fn fields_without_equality_are_not_compared() {
    let (a, b) = (body(1_u8, "left", 1), body(1_i64, "right", 2));
    assert!(a == b);
    assert_eq!(a.partial_cmp(&b), Some(Ordering::Equal));
    assert!(a < body(1.5_f64, "", 0));
}

#[test]
fn a_function_computes_what_has_no_operators() {
    #[derive(Promote)]
    #[promote(ops(Add, Sub))]
    struct Ion<T> {
        mass: T,
        #[promote(with = both, bound(T: Copy))]
        charge: Option<T>,
    }
    fn both<Op, A: Copy, B: Copy>(_: Op, a: &Option<A>, b: &Option<B>) -> Option<OpOutput<Op, (A, B)>>
    where
        Torch: Compute<Op, (A, B)>,
    {
        Some(<Torch as Compute<Op, (A, B)>>::compute(((*a)?, (*b)?)))
    }

    let (a, b) = (Ion { mass: 1_u8, charge: Some(2) }, Ion { mass: 1_i8, charge: Some(-2) });
    let found = &a - &b;
    assert_eq!((found.mass, found.charge), (0_i16, Some(4)));
    assert_eq!((a + Ion { mass: 1_i8, charge: None }).charge, None);
}

#[test]
fn fields_may_be_containers_with_operators_written_by_hand() {
    #[derive(Clone, Copy)]
    struct Angle<T>(T);
    impl<A: Copy, B: Copy> Add<&Angle<B>> for &Angle<A>
    where
        Torch: Compute<op::Add, (A, B)>,
    {
        type Output = Angle<OpOutput<op::Add, (A, B)>>;

        fn add(self, other: &Angle<B>) -> Self::Output {
            Angle(<Torch as Compute<op::Add, (A, B)>>::compute((self.0, other.0)))
        }
    }
    #[derive(Promote)]
    #[promote(ops(Add))]
    struct Pose<T> {
        at: Vec2<T>,
        towards: Angle<T>,
    }

    let (a, b) =
        (Pose { at: vec2(1_u8, 2), towards: Angle(3) }, Pose { at: vec2(1.0, 2.0), towards: Angle(0.5_f64) });
    let pose = a + b;
    assert!(pose.at == vec2(2.0, 4.0));
    assert!((pose.towards.0 - 3.5).abs() < f64::EPSILON);
}

#[test]
fn operators_compute_in_the_rule_set_that_is_named() {
    #[derive(Clone, Copy, Promote)]
    #[promote(rules(NumPy), ops(Div))]
    struct One<T>(T);
    #[derive(Clone, Copy, Promote)]
    #[promote(rules(Torch, NumPy), ops(rules = NumPy, Div))]
    struct Two<T>(T);
    #[derive(Clone, Copy, Promote)]
    #[promote(ops(rules = NumPy, Div))]
    struct Any<T>(T);

    let third = 1.0_f64 / 3.0;
    let One(one) = One(1_i32) / One(3_i32);
    let Two(two) = Two(1_i32) / Two(3_i32);
    let Any(any) = Any(1_i32) / Any(3_i32);
    assert_eq!([one, two, any].map(f64::to_bits), [third.to_bits(); 3]);
    let Any(half): Any<f16> = Any(f16::ONE) / Any(2_i8);
    assert_eq!(half, f16::from_f32(0.5));
}

#[test]
fn order_accepts_any_implementation_of_equality() {
    #[derive(PartialEq, Promote)]
    #[promote(ops(PartialOrd))]
    struct Height<T>(T);

    assert!(Height(1_i32) < Height(2));
    assert!(Height(f32::NAN).partial_cmp(&Height(1.0)).is_none());
}

#[test]
fn structs_without_fields_have_operators() {
    #[derive(Clone, Copy, Debug, Promote)]
    #[promote(ops(Sub, Neg, PartialEq, PartialOrd))]
    struct Origin;

    fn twice<A: Sub<A, Output = A> + Neg<Output = A> + Copy>(a: A) -> A {
        -(a - a)
    }
    assert!(twice(Origin) <= Origin);
}
