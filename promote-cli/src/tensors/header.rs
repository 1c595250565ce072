//! The header of a `.safetensors` file: JSON with a description of each tensor.
//!
//! The `safetensors` crate parses it into a map, which would keep the last of two tensors of one name.

use std::collections::HashSet;
use std::fmt;

use safetensors::tensor::{Metadata, TensorInfo};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};

use super::RESERVED;
use crate::failure::Failure;
use crate::memory;

/// An upper bound of the bytes that are allocated for a byte of the header while it is parsed. The parsers
/// abort if an allocation fails. The length of an axis takes 2 bytes of text, and up to 24 in a growing
/// vector.
const PARSED: usize = 16;

/// Parses and validates a header.
///
/// # Errors
/// Returns an error if the JSON is not valid, if it names a tensor twice, or if there are gaps between
/// tensors.
pub(super) fn parse(text: &[u8]) -> Result<Metadata, Failure> {
    let bad = |error: &dyn fmt::Display| Failure::new(format!("its header is not understood: {error}"));
    memory::check("the tensors of its header", text.len().saturating_mul(PARSED))?;
    let Tensors(mut tensors) = serde_json::from_slice(text).map_err(|error| bad(&error))?;
    let mut known = HashSet::new();
    if let Some((twice, _)) = tensors.iter().find(|(name, _)| !known.insert(name)) {
        return Err(Failure::new(format!("its header names the tensor `{twice}` twice"))
            .help("write the file again with a name for each tensor"));
    }
    tensors.sort_by_key(|(_, info)| info.data_offsets);
    Metadata::new(None, tensors).map_err(|error| bad(&error))
}

/// All tensors in the order of the text, duplicates included.
struct Tensors(Vec<(String, TensorInfo)>);

impl<'de> Deserialize<'de> for Tensors {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(TensorsVisitor)
    }
}

struct TensorsVisitor;

impl<'de> Visitor<'de> for TensorsVisitor {
    type Value = Tensors;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map of tensors")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tensors, A::Error> {
        let (mut tensors, mut about) = (Vec::new(), false);
        while let Some(name) = map.next_key::<String>()? {
            if name == RESERVED {
                if std::mem::replace(&mut about, true) {
                    return Err(A::Error::duplicate_field(RESERVED));
                }
                map.next_value::<Option<About>>()?;
            } else {
                tensors.push((name, map.next_value()?));
            }
        }
        Ok(Tensors(tensors))
    }
}

/// The text about the file. It is checked and not kept.
struct About;

impl<'de> Deserialize<'de> for About {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(AboutVisitor)
    }
}

struct AboutVisitor;

impl<'de> Visitor<'de> for AboutVisitor {
    type Value = About;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map of strings")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<About, A::Error> {
        while map.next_entry::<Text, Text>()?.is_some() {}
        Ok(About)
    }
}

/// A string that is not kept.
struct Text;

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TextVisitor)
    }
}

struct TextVisitor;

impl Visitor<'_> for TextVisitor {
    type Value = Text;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E>(self, _: &str) -> Result<Text, E> {
        Ok(Text)
    }
}
