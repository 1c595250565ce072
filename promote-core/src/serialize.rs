//! Serialization by name, for the feature `serde`.
//!
//! Types that have names are strings, spelled as in rule files. A name that is not known is an error that
//! lists the known ones.

use core::fmt;
use core::marker::PhantomData;
use core::str::FromStr;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{self, Serialize, Serializer};

use crate::{Casting, DType, Op};

/// Reads a value from its name.
///
/// # Errors
///
/// Returns an error if the input is not a string, or not one that `T` knows.
#[doc(hidden)]
pub fn from_name<'de, T, D>(deserializer: D, expected: &'static str) -> Result<T, D::Error>
where
    T: FromStr<Err: fmt::Display>,
    D: Deserializer<'de>,
{
    struct Name<T>(&'static str, PhantomData<T>);

    impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for Name<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }

        fn visit_str<E: de::Error>(self, name: &str) -> Result<T, E> {
            name.parse().map_err(|error| E::custom(format_args!("`{name}`: {error}")))
        }
    }

    deserializer.deserialize_str(Name(expected, PhantomData))
}

/// Serializes a standard dtype as its name. A custom dtype is an error, since its name could not be read
/// back.
impl Serialize for DType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let DType::Custom(custom) = self {
            let error = format_args!("`{}` is a custom dtype, which a name does not identify", custom.name());
            return Err(ser::Error::custom(error));
        }
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for DType {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<DType, D::Error> {
        from_name(deserializer, "the name of a standard dtype, such as \"f32\"")
    }
}

/// Serializes a standard op as its name. A custom op is an error, since its name could not be read back.
impl Serialize for Op {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Op::Custom(custom) = self {
            let error = format_args!("`{}` is a custom op, which a name does not identify", custom.name());
            return Err(ser::Error::custom(error));
        }
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Op {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Op, D::Error> {
        from_name(deserializer, "the name of a standard op, such as \"add\"")
    }
}

impl Serialize for Casting {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Casting {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Casting, D::Error> {
        from_name(deserializer, "a level of casting, such as \"same_kind\"")
    }
}
