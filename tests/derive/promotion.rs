//! Types: each parameter that a field uses is promoted; everything else has to be equal on both sides.

use core::marker::PhantomData;

use half::f16;
use promote::{NumPy, Promote, Promoted, Torch};

#[derive(Clone, Copy, Debug, PartialEq, Promote)]
struct Vec3<T> {
    x: T,
    y: T,
    z: T,
}

/// The sides are of the same type: only one value fits.
fn same<T>(_: T, _: T) {}

#[test]
fn a_container_promotes_as_its_parameter_does_under_every_rule_set() {
    let of_torch: Promoted<Vec3<i32>, Vec3<f16>> = Vec3 { x: f16::ONE, y: f16::ONE, z: f16::ONE };
    let of_numpy: Promoted<Vec3<i32>, Vec3<f16>, NumPy> = Vec3 { x: 1.0_f64, y: 1.0, z: 1.0 };
    same(of_torch.x, f16::ONE);
    same(of_numpy.x, 1.0_f64);
}

#[test]
fn generic_code_promotes_containers_as_it_promotes_numbers() {
    fn widened<A: Promote<B, R>, B, R>(_: A, _: B) -> usize {
        size_of::<A::Output>()
    }
    let (a, b) = (Vec3 { x: 1_u8, y: 2, z: 3 }, Vec3 { x: 1_i8, y: 2, z: 3 });
    assert_eq!(widened::<_, _, Torch>(1_u8, 1_i8), 2);
    assert_eq!(widened::<_, _, Torch>(a, b), 6);
}

#[test]
fn several_parameters_promote_each_with_its_own_partner() {
    #[derive(Promote)]
    struct Pair<A, B>(A, [B; 2]);

    let Pair(a, [b, _]): Promoted<Pair<u8, bool>, Pair<i8, f32>> = Pair(1, [1.0, 2.0]);
    same(a, 1_i16);
    same(b, 1_f32);
}

#[test]
fn parameters_are_found_in_containers_arrays_tuples_and_options() {
    #[derive(Promote)]
    struct Scene<T, const N: usize> {
        corners: [Vec3<T>; N],
        middle: Option<(u8, Vec3<T>)>,
    }

    let scene: Promoted<Scene<i16, 1>, Scene<u8, 1>> =
        Scene { corners: [Vec3 { x: 1, y: 2, z: 3 }], middle: None };
    same(scene.corners[0].x, 1_i16);
    assert!(scene.middle.is_none());
}

#[test]
fn lifetimes_constants_markers_and_skipped_fields_are_equal_on_both_sides() {
    struct Metres;
    #[derive(Promote)]
    struct Length<'a, T, Unit, Tag, const N: usize> {
        values: &'a [T; N],
        unit: PhantomData<Unit>,
        #[promote(skip)]
        tag: Tag,
    }

    let values = [1.5_f64];
    let length: Promoted<Length<f64, Metres, char, 1>, Length<i64, Metres, char, 1>> =
        Length { values: &values, unit: PhantomData, tag: 'm' };
    assert_eq!((length.values[0], length.tag), (1.5, 'm'));
    let _: PhantomData<Metres> = length.unit;
}

#[test]
fn bounds_of_the_struct_hold_for_both_sides_and_the_result() {
    trait Scalar: Copy {
        const ZERO: Self;
    }
    impl Scalar for i32 {
        const ZERO: i32 = 0;
    }
    impl Scalar for f32 {
        const ZERO: f32 = 0.0;
    }
    #[derive(Promote)]
    #[promote(bound(T: PartialOrd))]
    struct Bounded<T: Scalar = f32, S = T>(T, S)
    where
        S: Into<T>;

    fn zero<T: Scalar, S: Into<T>>(of: Bounded<T, S>) -> T {
        let Bounded(_, second) = of;
        let _: T = second.into();
        T::ZERO
    }
    let out: Promoted<Bounded<i32, i32>, Bounded<f32, f32>> = Bounded(1.0, 2.0);
    same(zero(out), 0_f32);
}

#[test]
fn unsized_parameters_promote_if_they_are_sized() {
    #[derive(Promote)]
    struct Behind<'a, T: ?Sized, Unit>(&'a T, PhantomData<Unit>)
    where
        Unit: ?Sized;

    let out: Promoted<Behind<u8, str>, Behind<i8, str>> = Behind(&1_i16, PhantomData);
    same(*out.0, 1_i16);
    let _: Behind<[u8], str> = Behind(&[1], PhantomData);
}

#[test]
fn a_struct_without_parameters_promotes_with_itself() {
    #[derive(Debug, PartialEq, Promote)]
    struct Unit;
    #[derive(Promote)]
    struct Named {
        name: &'static str,
    }

    let unit: Promoted<Unit, Unit> = Unit;
    let named: Promoted<Named, Named, NumPy> = Named { name: "n" };
    assert_eq!((unit, named.name), (Unit, "n"));
}

/// Returns true if an impl exists: the method of the type wins over that of the trait, if its bounds hold.
struct Asks<A, R>(PhantomData<(A, R)>);
trait Else {
    fn promotes(&self) -> bool {
        false
    }
}
impl<A, R> Else for Asks<A, R> {}
impl<A: Promote<A, R>, R> Asks<A, R> {
    #[expect(clippy::unused_self, reason = "a method, as the other one is")]
    fn promotes(&self) -> bool {
        true
    }
}

#[test]
fn named_rule_sets_are_the_only_ones() {
    #[derive(Promote)]
    #[promote(rules(NumPy, Torch))]
    struct Both<T>(T);
    #[derive(Promote)]
    #[promote(rules(NumPy))]
    struct Only<T>(T);

    let Both(torch): Promoted<Both<i32>, Both<f32>> = Both(1.0);
    let Both(numpy): Promoted<Both<i32>, Both<f32>, NumPy> = Both(1.0);
    same((torch, numpy), (1_f32, 1_f64));

    assert!(Asks::<Only<i32>, NumPy>(PhantomData).promotes());
    assert!(!Asks::<Only<i32>, Torch>(PhantomData).promotes());
}
