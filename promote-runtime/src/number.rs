//! Numbers without a width, such as a literal of Python's.

/// A number with a kind and no width.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Number {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// A real number.
    Float(f64),
    /// A complex number: real and imaginary part.
    Complex(f64, f64),
}

/// The kind of a [`Number`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NumberKind {
    /// `True`
    Bool,
    /// `3`
    Int,
    /// `2.5`
    Float,
    /// `1j`
    Complex,
}

impl NumberKind {
    /// All of them, lowest first: the order of their places in the tables.
    pub const ALL: [NumberKind; 4] =
        [NumberKind::Bool, NumberKind::Int, NumberKind::Float, NumberKind::Complex];

    /// The name of the kind.
    pub const fn name(self) -> &'static str {
        match self {
            NumberKind::Bool => "bool",
            NumberKind::Int => "int",
            NumberKind::Float => "float",
            NumberKind::Complex => "complex",
        }
    }
}

impl Number {
    /// What kind of number it is.
    pub const fn kind(self) -> NumberKind {
        match self {
            Number::Bool(_) => NumberKind::Bool,
            Number::Int(_) => NumberKind::Int,
            Number::Float(_) => NumberKind::Float,
            Number::Complex(..) => NumberKind::Complex,
        }
    }
}

macro_rules! from {
    ($($ty:ty => $variant:ident)*) => {$(
        impl From<$ty> for Number {
            fn from(value: $ty) -> Self {
                Number::$variant(value.into())
            }
        }
    )*};
}

from! { bool => Bool u8 => Int u16 => Int u32 => Int u64 => Int i8 => Int i16 => Int i32 => Int i64 => Int f32 => Float f64 => Float }

/// The type of a weak result: of `T`, but it yields to a dtype of the same or a higher kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
#[repr(transparent)]
pub struct Weak<T>(pub T);
