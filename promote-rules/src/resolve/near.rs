//! Suggestions for unknown names of dtypes.

use promote_core::{DType, NumberKind};

use crate::model::Rules;
use crate::{bundled, diag};

/// A name such as `i33`: letters of standard dtypes, and a width.
struct Width<'a> {
    letters: &'a str,
    bits: u32,
    kind: NumberKind,
}

impl<'a> Width<'a> {
    fn of(name: &'a str) -> Option<Width<'a>> {
        let (letters, bits) = split(name)?;
        let is_like = |dtype: &&DType| split(dtype.name()).is_some_and(|other| other.0 == letters);
        let like = DType::STANDARD.iter().find(is_like)?;
        Some(Width { letters, bits, kind: NumberKind::of(*like)? })
    }
}

fn split(name: &str) -> Option<(&str, u32)> {
    let (letters, bits) = name.split_at(name.find(|c: char| c.is_ascii_digit())?);
    Some((letters, bits.parse().ok()?))
}

/// Returns the name that is nearest to an unknown one. A name such as `i33` is near to names with its letters
/// only: a dtype of another kind is never meant.
fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let Some(width) = Width::of(name) else { return diag::nearest(name, known) };
    let near = known.into_iter().filter_map(|known| {
        let (letters, bits) = split(known)?;
        let distance = strsim::osa_distance(name, known);
        (letters == width.letters && distance <= 1).then(|| (distance, bits.abs_diff(width.bits), known))
    });
    near.min().map(|(.., name)| name)
}

/// Returns the line that declares a custom dtype; `i128` is to be `int 128`.
pub(super) fn declaration(name: &str) -> String {
    let (kind, bits) = Width::of(name).map_or(("float", 32), |width| (width.kind.name(), width.bits));
    format!("`dtype {name}: {kind} {bits} = path::to::Type;`")
}

/// Returns a suggestion for an unknown name in a list of standard dtypes.
pub(super) fn standard(name: &str) -> String {
    if let Some(meant) = bundled::meant(name, "", |dtype| dtype.parse::<DType>().is_ok()) {
        return meant;
    }
    match nearest(name, DType::STANDARD.iter().map(|dtype| dtype.name())) {
        Some(near) => format!("did you mean `{near}`?"),
        None => widths(name).unwrap_or_else(|| format!("declare a custom dtype: {}", declaration(name))),
    }
}

/// Returns the standard dtypes with the letters of a name such as `i128`, and how to declare another.
fn widths(name: &str) -> Option<String> {
    let letters = Width::of(name)?.letters;
    let names = DType::STANDARD.iter().map(|dtype| dtype.name());
    let mut names: Vec<&str> = names.filter(|name| split(name).is_some_and(|d| d.0 == letters)).collect();
    names.sort_by_key(|name| split(name).map(|d| d.1));
    let (names, declaration) = (names.join(", "), declaration(name));
    Some(format!(
        "the standard dtypes that begin with `{letters}` are {names}; declare a custom dtype: {declaration}"
    ))
}

/// Returns a suggestion for an unknown name of a dtype, group or parameter; `None` if no name is near.
pub(super) fn of_rule_set<'a>(
    rules: &Rules,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    let unlisted =
        |dtype: &str| format!("did you mean `{dtype}`? add it to a `dtypes` line: `dtypes {dtype};`");
    if let Some(meant) = bundled::meant(name, "", |dtype| rules.dtype(dtype).is_some()) {
        return Some(meant);
    }
    let mut meant = bundled::meanings(name).into_iter().map(|meaning| meaning.of);
    if let Some(dtype) = meant.find(|dtype| dtype.parse::<DType>().is_ok()) {
        return Some(unlisted(dtype));
    }
    if let Some(near) = nearest(name, known) {
        return Some(format!("did you mean `{near}`?"));
    }
    let all_widths = widths(name)?;
    let unlisted = nearest(name, DType::STANDARD.iter().map(|dtype| dtype.name())).map(unlisted);
    Some(unlisted.unwrap_or(all_widths))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_languages_are_respelled() {
        assert_eq!(standard("uint8"), "did you mean `u8`?");
        assert_eq!(
            standard("float"),
            "did you mean `f32` (DataFusion, OneFlow, Paddle, TensorFlow, Torch) or `f64` (NumPy, NumPy1)?"
        );
        assert_eq!(standard("float8_e4m3fn"), "did you mean `f8e4m3fn`?");
    }

    #[test]
    fn the_nearest_width_of_the_same_letters_is_offered() {
        for (name, near) in [("i33", "i32"), ("i9", "i8"), ("f23", "f32"), ("i46", "i64"), ("bf61", "bf16")] {
            assert_eq!(standard(name), format!("did you mean `{near}`?"), "{name}");
        }
    }

    #[test]
    fn a_width_that_does_not_exist_is_no_dtype_of_another_kind() {
        assert_eq!(
            standard("i128"),
            "the standard dtypes that begin with `i` are i1, i2, i3, i4, i5, i6, i7, i8, i16, i32, i64; \
             declare a custom dtype: `dtype i128: int 128 = path::to::Type;`"
        );
        assert_eq!(nearest("i128", ["c128", "i32"]), None);
    }
}
