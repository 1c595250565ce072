//! Containers that derive `Promote`: what each becomes stands in `containers.expanded.rs`.

/// For all rule sets.
#[derive(Promote)]
pub struct Vec3<T> {
    pub x: T,
    pub y: T,
    pub z: T,
}

/// One operator: by value and by reference.
#[derive(Promote)]
#[promote(ops(Add))]
pub struct Complex<T> {
    re: T,
    im: T,
}

/// Everything at once: what is shared by all sides, what is computed place by place, by its own operators, by
/// a function.
#[derive(Promote)]
#[promote(crate = house, rules(house::Jax, Own), ops(rules = Own, Sub, Neg, AddAssign, PartialEq, PartialOrd))]
pub struct Body<'a, T: Copy, RhsT, const N: usize>
where
    RhsT: Clone,
{
    at: [Vec3<T>; N],
    weight: (T, [T; 2]),
    unit: PhantomData<T>,
    #[promote(skip)]
    tag: RhsT,
    #[promote(skip)]
    name: &'a str,
    #[promote(with = newest, bound(T: Default))]
    revision: u32,
}

/// With numbers that have no width.
#[derive(Promote)]
#[promote(weak(Mul, DivAssign))]
pub struct Samples<T, const N: usize>([T; N]);
