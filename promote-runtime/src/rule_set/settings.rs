//! The parameters of a rule set, serialized by their names, for the feature `serde`.

use core::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Unexpected, Visitor};
use serde::ser::{Serialize, SerializeMap as _, SerializeStruct as _, Serializer};

use crate::Tables;
use crate::rule_set::RuleSet;
use crate::rule_set::explain::Explanation;
use crate::table::Param;

/// Serializes the name and the parameters. A rule set is not read back, since a name does not identify it.
/// Its type, such as `Torch`, reads its parameters.
impl Serialize for RuleSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("RuleSet", 2)?;
        fields.serialize_field("name", self.name())?;
        fields.serialize_field("parameters", &Parameters { tables: self.tables, setting: self.setting })?;
        fields.end()
    }
}

/// Serializes the result, the dtypes of the op if there is one, and the clauses that decided.
impl Serialize for Explanation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Clauses<'e>(&'e Explanation);

        impl Serialize for Clauses<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_seq(self.0.clauses())
            }
        }

        let mut fields = serializer.serialize_struct("Explanation", 3)?;
        fields.serialize_field("result", &self.result)?;
        fields.serialize_field("types", &self.types)?;
        fields.serialize_field("clauses", &Clauses(self))?;
        fields.end()
    }
}

/// The values of a rule set's parameters, as a map from names to values.
struct Parameters {
    tables: &'static Tables,
    setting: u16,
}

impl Serialize for Parameters {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let params = self.tables.params;
        let mut map = serializer.serialize_map(Some(params.len()))?;
        for (Param { name, .. }, value) in params.iter().zip(self.tables.values(self.setting)) {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// Serializes the parameters of a setting.
pub fn serialize<S: Serializer>(
    tables: &'static Tables,
    setting: u16,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    Parameters { tables, setting }.serialize(serializer)
}

/// Reads the setting with the parameters of a map. Parameters that are missing have their default values.
pub fn deserialize<'de, D: Deserializer<'de>>(
    tables: &'static Tables,
    deserializer: D,
) -> Result<u16, D::Error> {
    deserializer.deserialize_map(Settings(tables))
}

struct Settings(&'static Tables);

impl<'de> Visitor<'de> for Settings {
    type Value = u16;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a map of the parameters of {}", self.0.name)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<u16, A::Error> {
        let Settings(tables) = self;
        let params = tables.params;
        let mut setting = tables.default_setting();
        while let Some(at) = map.next_key_seed(NameOf(&|at| Some(params.get(at)?.name)))? {
            let Param { name, values, .. } = params[at];
            let value = map.next_value_seed(NameOf(&|at| values.get(at).copied()))?;
            setting = tables.with(setting, name, values[value]).unwrap_or(setting);
        }
        Ok(setting)
    }
}

/// Reads the position of a name in a list. The function returns the name at a position.
struct NameOf<'n>(&'n dyn Fn(usize) -> Option<&'static str>);

impl NameOf<'_> {
    fn names(&self) -> impl Iterator<Item = &'static str> {
        (0..).map_while(self.0)
    }
}

impl<'de> DeserializeSeed<'de> for NameOf<'_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for NameOf<'_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("one of")?;
        for (at, name) in self.names().enumerate() {
            write!(f, "{} `{name}`", if at == 0 { "" } else { "," })?;
        }
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<usize, E> {
        let found = self.names().position(|name| name == text);
        found.ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}
