//! Prints arrays as `NumPy` does.
//!
//! Elements are padded to one width, and brackets follow the shape. Of an array of more than 1000 elements
//! only the ends of its long axes are printed. Floats show the fewest digits that tell them from their
//! neighbours in their own dtype, and at most 8 after the point in an array.

use promote::ScalarValue;
use promote::{DType, Number};

use crate::array::shape_text;
use crate::failure::Failure;

/// The largest number of elements that are printed, as in `NumPy`.
const MAX_PRINTED: usize = 1000;

/// The number of elements that are printed at each end of a long axis.
const EDGE: usize = 3;

/// The width of a line.
const WIDTH: usize = 75;

/// The largest number of digits after the point in an array.
const PRECISION: usize = 8;

/// The text for elements that are left out.
const DOTS: &str = "...";

/// The elements of an array that are printed, collected while all of them pass by.
#[derive(Debug)]
pub struct Printed {
    dtype: DType,
    shape: Vec<usize>,
    /// The positions of the elements, in C order.
    offsets: Vec<usize>,
    numbers: Vec<Number>,
    /// The number of elements that have passed by.
    passed: usize,
}

impl Printed {
    /// Chooses the elements of an array that are printed.
    pub fn new(dtype: DType, shape: &[usize]) -> Printed {
        let offsets = if shape.contains(&0) { Vec::new() } else { offsets(shape, edge(shape)) };
        Printed { dtype, shape: shape.to_vec(), offsets, numbers: Vec::new(), passed: 0 }
    }

    /// Takes the elements that are printed from the next ones.
    ///
    /// # Errors
    /// Returns an error if the dtype has no elements.
    pub fn take(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let size = crate::array::element_size(self.dtype)?;
        let end = self.passed + bytes.len() / size;
        while let Some(&offset) = self.offsets.get(self.numbers.len()).filter(|offset| **offset < end) {
            let at = (offset - self.passed) * size;
            let value = ScalarValue::from_bytes(self.dtype, &bytes[at..at + size])?;
            let number = value.number();
            let bad = || Failure::new(format!("elements of `{}` cannot be printed", self.dtype));
            self.numbers.push(number.ok_or_else(bad)?);
        }
        self.passed = end;
        Ok(())
    }

    /// Prints the array, and on a line of their own its dtype, by the name `shown`, and its shape.
    pub fn text(&self, shown: &str) -> String {
        let Printed { dtype, shape, numbers, .. } = self;
        let about = format!("dtype={shown} shape={}", shape_text(shape));
        let printed = match (&shape[..], &numbers[..]) {
            ([], [number]) => scalar(*dtype, *number),
            (_, []) => "[]".to_owned(),
            _ => brackets(*dtype, shape, numbers, edge(shape)),
        };
        format!("{printed}\n{about}\n")
    }
}

/// Returns the number of elements that are printed at each end of an axis; `None` if all are printed.
///
/// Arrays of many axes get fewer than [`EDGE`], so that no more than 1000 elements are printed.
fn edge(shape: &[usize]) -> Option<usize> {
    let shown =
        |edge: usize| shape.iter().try_fold(1_usize, |n, length| n.checked_mul((*length).min(2 * edge)));
    let few = |count: Option<usize>| count.is_some_and(|count| count <= MAX_PRINTED);
    if few(crate::array::count(shape)) {
        return None;
    }
    Some((1..=EDGE).rev().find(|edge| few(shown(*edge))).unwrap_or(1))
}

/// Returns the positions along an axis that are printed, with `None` for those that are left out.
fn positions(length: usize, edge: Option<usize>) -> Vec<Option<usize>> {
    match edge {
        Some(edge) if length > 2 * edge => {
            (0..edge).map(Some).chain([None]).chain((length - edge..length).map(Some)).collect()
        }
        _ => (0..length).map(Some).collect(),
    }
}

/// Returns the positions along each axis that are printed, with `None` for those that are left out.
fn axes(shape: &[usize], edge: Option<usize>) -> Vec<Vec<Option<usize>>> {
    shape.iter().map(|length| positions(*length, edge)).collect()
}

/// Returns the elements that are printed.
fn offsets(shape: &[usize], edge: Option<usize>) -> Vec<usize> {
    // The strides in elements.
    let mut strides = vec![1; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis] * shape[axis];
    }
    let mut offsets = vec![0];
    for (axis, stride) in axes(shape, edge).iter().zip(&strides) {
        let along = |offset: &usize| {
            let offset = *offset;
            axis.iter().flatten().map(move |at| offset + at * stride)
        };
        offsets = offsets.iter().flat_map(along).collect();
    }
    offsets
}

fn brackets(dtype: DType, shape: &[usize], numbers: &[Number], edge: Option<usize>) -> String {
    let words = words(dtype, numbers);
    let axes = axes(shape, edge);
    let mut printer = Printer { axes: &axes, words: words.into_iter() };
    printer.print(0, " ", WIDTH)
}

/// Puts words into brackets, and breaks lines as `NumPy` does.
struct Printer<'a> {
    axes: &'a [Vec<Option<usize>>],
    words: std::vec::IntoIter<String>,
}

impl Printer<'_> {
    /// Prints the axes from `axis` on. Every line but the first begins with `indent`.
    fn print(&mut self, axis: usize, indent: &str, width: usize) -> String {
        let inner = self.axes.len() - axis - 1;
        let mut out = String::new();
        if inner == 0 {
            let mut line = indent.to_owned();
            for (at, position) in self.axes[axis].iter().enumerate() {
                if at > 0 {
                    line.push(' ');
                }
                let word = match position {
                    Some(_) => self.words.next().unwrap_or_default(),
                    None => DOTS.to_owned(),
                };
                if line.len() + word.len() > width - 1 && line.len() > indent.len() {
                    out.push_str(line.trim_end());
                    out.push('\n');
                    indent.clone_into(&mut line);
                }
                line.push_str(&word);
            }
            out.push_str(&line);
        } else {
            let deeper = format!("{indent} ");
            for (at, position) in self.axes[axis].iter().enumerate() {
                if at > 0 {
                    out.extend(std::iter::repeat_n('\n', inner));
                }
                out.push_str(indent);
                match position {
                    Some(_) => out.push_str(&self.print(axis + 1, &deeper, width.saturating_sub(1).max(2))),
                    None => out.push_str(DOTS),
                }
            }
        }
        format!("[{}]", &out[indent.len()..])
    }
}

/// Prints a value without axes, as Python prints a number.
fn scalar(dtype: DType, number: Number) -> String {
    match number {
        Number::Bool(value) => python_bool(value).to_owned(),
        Number::Int(int) => int.to_string(),
        Number::Float(float) => python_float(dtype, float, true),
        // As Python, which leaves out a real part of 0.
        Number::Complex(re, im) if re.to_bits() == 0 => format!("{}j", python_float(dtype, im, false)),
        Number::Complex(re, im) => {
            let sign = if im.is_sign_negative() && !im.is_nan() { "" } else { "+" };
            let (re, im) = (python_float(dtype, re, false), python_float(dtype, im, false));
            format!("({re}{sign}{im}j)")
        }
    }
}

fn python_bool(value: bool) -> &'static str {
    if value { "True" } else { "False" }
}

/// Prints a float as Python does; in a part of a complex number, without `.0`.
fn python_float(dtype: DType, float: f64, whole: bool) -> String {
    if !float.is_finite() {
        return not_finite(float).to_owned();
    }
    let digits = Decimal::of(dtype, float);
    let sign = if digits.negative { "-" } else { "" };
    if (-4..16).contains(&digits.exponent) {
        let (int, fraction) = digits.fixed();
        return match (fraction.is_empty(), whole) {
            (true, true) => format!("{sign}{int}.0"),
            (true, false) => format!("{sign}{int}"),
            (false, _) => format!("{sign}{int}.{fraction}"),
        };
    }
    let (first, rest) = digits.digits.split_at(1);
    let point = if rest.is_empty() { "" } else { "." };
    format!("{sign}{first}{point}{rest}{}", exponent(digits.exponent))
}

fn not_finite(float: f64) -> &'static str {
    match float {
        float if float.is_nan() => "nan",
        float if float > 0.0 => "inf",
        _ => "-inf",
    }
}

fn exponent(exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("e{sign}{:02}", exponent.unsigned_abs())
}

/// Elements of one array, padded to one width.
fn words(dtype: DType, numbers: &[Number]) -> Vec<String> {
    let floats = |part: fn(&Number) -> f64| numbers.iter().map(part).collect::<Vec<f64>>();
    match numbers.first() {
        Some(Number::Float(_)) => float_words(dtype, &floats(real), false),
        Some(Number::Complex(..)) => {
            let re = float_words(dtype, &floats(real), false);
            let im = float_words(dtype, &floats(imaginary), true);
            let join = |(re, im): (&String, &String)| {
                let trimmed = im.trim_end();
                format!("{re}{trimmed}j{}", &im[trimmed.len()..])
            };
            re.iter().zip(&im).map(join).collect()
        }
        _ => {
            let words = numbers.iter().map(|number| scalar(dtype, *number)).collect::<Vec<_>>();
            let width = words.iter().map(String::len).max().unwrap_or(0);
            words.iter().map(|word| format!("{word:>width$}")).collect()
        }
    }
}

fn real(number: &Number) -> f64 {
    match number {
        Number::Float(x) | Number::Complex(x, _) => *x,
        Number::Int(x) => *x as f64,
        Number::Bool(x) => f64::from(u8::from(*x)),
    }
}

fn imaginary(number: &Number) -> f64 {
    if let Number::Complex(_, x) = number { *x } else { 0.0 }
}

/// Aligns floats by their points. With `signed`, a `+` is written too, and no padding before it.
fn float_words(dtype: DType, floats: &[f64], signed: bool) -> Vec<String> {
    let finite = || floats.iter().copied().filter(|float| float.is_finite());
    let sizes = || finite().map(f64::abs).filter(|size| *size != 0.0);
    let (least, most) = (sizes().fold(f64::INFINITY, f64::min), sizes().fold(0.0, f64::max));
    let scientific = most > 0.0 && (most >= 1e8 || least < 1e-4 || most / least > 1000.0);
    let sign = |negative: bool| match (negative, signed) {
        (true, _) => "-",
        (false, true) => "+",
        (false, false) => "",
    };
    let parts = |float: f64| -> (String, String, String) {
        let digits = Decimal::of(dtype, float);
        let sign = sign(digits.negative);
        if scientific {
            let digits = digits.rounded_to(PRECISION + 1);
            let (first, rest) = digits.digits.split_at(1);
            (format!("{sign}{first}"), rest.to_owned(), exponent(digits.exponent))
        } else {
            let (int, fraction) = digits.rounded_after_point(PRECISION).fixed();
            (format!("{sign}{int}"), fraction, String::new())
        }
    };
    let all: Vec<Option<(String, String, String)>> =
        floats.iter().map(|float| float.is_finite().then(|| parts(*float))).collect();
    let widest =
        |part: fn(&(String, String, String)) -> usize| all.iter().flatten().map(part).max().unwrap_or(0);
    let (left, right, behind) = (widest(|p| p.0.len()), widest(|p| p.1.len()), widest(|p| p.2.len()));
    let others = floats.iter().filter(|float| !float.is_finite());
    let others: Vec<String> = others
        .map(|float| {
            let plus = if signed && *float != f64::NEG_INFINITY { "+" } else { "" };
            format!("{plus}{}", not_finite(*float))
        })
        .collect();
    let longest = others.iter().map(String::len).max().unwrap_or(0);
    let width = (left + 1 + right + behind).max(longest);
    let left = width - 1 - right - behind;
    let mut others = others.into_iter();
    let word = |found: Option<(String, String, String)>| match found {
        Some((int, fraction, exponent)) if scientific => {
            format!("{int:>left$}.{fraction:0<right$}{exponent:<behind$}")
        }
        Some((int, fraction, _)) => format!("{int:>left$}.{fraction:<right$}"),
        None => format!("{:>width$}", others.next().unwrap_or_default()),
    };
    all.into_iter().map(word).collect()
}

/// The decimal digits of a finite float, `0.d1d2d3.. * 10^(exponent + 1)`, without trailing zeros.
struct Decimal {
    negative: bool,
    digits: String,
    /// The power of ten of the first digit.
    exponent: i32,
}

impl Decimal {
    /// Returns the fewest digits that tell the float from its neighbours in its dtype.
    fn of(dtype: DType, float: f64) -> Decimal {
        let text = match dtype {
            DType::F64 | DType::C128 => format!("{float:e}"),
            DType::F32 | DType::C64 => format!("{:e}", float as f32),
            _ => {
                let part = dtype.real_dtype().unwrap_or(dtype);
                let back = |text: &str| {
                    let number = text.parse().map(Number::Float).ok()?;
                    ScalarValue::from_number(number, part).ok()?.number()
                };
                let is_same = |text: &String| back(text) == Some(Number::Float(float));
                let rounded = (0..17).map(|digits| format!("{float:.digits$e}")).find(is_same);
                rounded.unwrap_or_else(|| format!("{float:e}"))
            }
        };
        Decimal::parse(&text)
    }

    /// Parses the output of `{:e}`.
    fn parse(text: &str) -> Decimal {
        let negative = text.starts_with('-');
        let (mantissa, exponent) = text.trim_start_matches('-').split_once('e').unwrap_or((text, "0"));
        let digits = mantissa.replace('.', "");
        let exponent = exponent.parse().unwrap_or(0);
        Decimal { negative, digits, exponent }.trimmed()
    }

    fn trimmed(mut self) -> Decimal {
        let kept = self.digits.trim_end_matches('0').len().max(1);
        self.digits.truncate(kept);
        self
    }

    /// Rounds to at most this number of digits, half away from zero.
    fn rounded_to(mut self, count: usize) -> Decimal {
        let Some(next) = self.digits.as_bytes().get(count).copied() else { return self };
        self.digits.truncate(count);
        if next < b'5' {
            if self.digits.is_empty() {
                self.digits.push('0');
                self.exponent = 0;
            }
            return self.trimmed();
        }
        let mut digits = self.digits.into_bytes();
        while digits.last() == Some(&b'9') {
            digits.pop();
        }
        if let Some(last) = digits.last_mut() {
            *last += 1;
        } else {
            digits.push(b'1');
            self.exponent += 1;
        }
        let digits = String::from_utf8(digits).unwrap_or_default();
        Decimal { negative: self.negative, digits, exponent: self.exponent }
    }

    /// Rounds to at most this number of digits after the point.
    fn rounded_after_point(self, count: usize) -> Decimal {
        match usize::try_from(self.exponent + 1 + count as i32) {
            Ok(kept) => self.rounded_to(kept),
            // Even the first digit is too far behind the point.
            Err(_) => Decimal { negative: self.negative, digits: "0".to_owned(), exponent: 0 },
        }
    }

    /// Returns the digits before and after the point, without a sign.
    fn fixed(&self) -> (String, String) {
        if let Ok(exponent) = usize::try_from(self.exponent) {
            let whole = format!("{:0<width$}", self.digits, width = exponent + 1);
            let (int, fraction) = whole.split_at(exponent + 1);
            (int.to_owned(), fraction.to_owned())
        } else {
            let zeros = "0".repeat(self.exponent.unsigned_abs() as usize - 1);
            ("0".to_owned(), format!("{zeros}{}", self.digits))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(dtype: DType, shape: &[usize], numbers: &[Number]) -> String {
        let value = |number: &Number| ScalarValue::from_number(*number, dtype).unwrap();
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| value(number).as_bytes().to_vec()).collect();
        let mut collected = Printed::new(dtype, shape);
        // In two parts, the first of which ends within the array.
        let (first, rest) = bytes.split_at(numbers.len() / 3 * dtype.size().unwrap());
        collected.take(first).unwrap();
        collected.take(rest).unwrap();
        let text = collected.text(dtype.name());
        let (printed, about) = text.trim_end().rsplit_once('\n').unwrap();
        assert_eq!(about, format!("dtype={dtype} shape={}", shape_text(shape)));
        printed.to_owned()
    }

    fn floats(dtype: DType, numbers: &[f64]) -> String {
        let numbers: Vec<Number> = numbers.iter().copied().map(Number::Float).collect();
        printed(dtype, &[numbers.len()], &numbers)
    }

    fn integers(shape: &[usize]) -> String {
        let count: usize = shape.iter().product();
        printed(DType::I32, shape, &(0..count).map(|int| Number::Int(int as i128)).collect::<Vec<_>>())
    }

    /// The expected texts are those that NumPy 2 prints.
    #[test]
    fn prints_floats_as_numpy_does() {
        for (numbers, expected) in [
            (&[0.5, 1.0, 2.125][..], "[0.5   1.    2.125]"),
            (&[-1.0, 0.25], "[-1.    0.25]"),
            (&[1e10, 1.25], "[1.00e+10 1.25e+00]"),
            (&[1e10, 1.0], "[1.e+10 1.e+00]"),
            (&[0.1, 1.0 / 3.0], "[0.1        0.33333333]"),
            (&[f64::NAN, 1.0, 2.5], "[nan 1.  2.5]"),
            (&[f64::NEG_INFINITY, 1.0], "[-inf   1.]"),
            (&[1e-5, 1.0], "[1.e-05 1.e+00]"),
            (&[1e-300, 1e300], "[1.e-300 1.e+300]"),
            (&[0.0, -0.0], "[ 0. -0.]"),
            (&[0.999_999_999_9], "[1.]"),
            (&[f64::INFINITY], "[inf]"),
        ] {
            assert_eq!(floats(DType::F64, numbers), expected, "{numbers:?}");
        }
    }

    #[test]
    fn prints_the_fewest_digits_of_each_dtype() {
        for (dtype, expected) in [
            (DType::F64, "[0.1]"),
            (DType::F32, "[0.1]"),
            (DType::F16, "[0.1]"),
            (DType::BF16, "[0.1]"),
            (DType::F8E5M2, "[0.09]"),
        ] {
            assert_eq!(floats(dtype, &[0.1]), expected, "{dtype}");
        }
    }

    #[test]
    fn prints_a_value_without_axes_as_a_number() {
        let scalar = |dtype, number| printed(dtype, &[], &[number]);
        assert_eq!(scalar(DType::F32, Number::Float(0.1)), "0.1");
        assert_eq!(scalar(DType::F64, Number::Float(1.0)), "1.0");
        assert_eq!(scalar(DType::F64, Number::Float(-1e-5)), "-1e-05");
        assert_eq!(scalar(DType::F64, Number::Float(1.5e16)), "1.5e+16");
        assert_eq!(scalar(DType::F64, Number::Float(123.25)), "123.25");
        assert_eq!(scalar(DType::F64, Number::Float(f64::NAN)), "nan");
        assert_eq!(scalar(DType::U64, Number::Int(i128::from(u64::MAX))), "18446744073709551615");
        assert_eq!(scalar(DType::Bool, Number::Bool(true)), "True");
        assert_eq!(scalar(DType::C128, Number::Complex(1.0, -2.5)), "(1-2.5j)");
    }

    #[test]
    fn prints_complex_numbers_and_truths() {
        let numbers = [Number::Complex(1.0, 2.0), Number::Complex(0.5, -1.25)];
        assert_eq!(printed(DType::C64, &[2], &numbers), "[1. +2.j   0.5-1.25j]");
        let values = [Number::Bool(true), Number::Bool(false)];
        assert_eq!(printed(DType::Bool, &[2], &values), "[ True False]");
    }

    #[test]
    fn brackets_follow_the_shape_and_long_lines_wrap() {
        assert_eq!(integers(&[2, 3]), "[[0 1 2]\n [3 4 5]]");
        assert_eq!(integers(&[2, 1, 2]), "[[[0 1]]\n\n [[2 3]]]");
        assert_eq!(integers(&[0, 7]), "[]");
        let line = "[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23";
        assert_eq!(integers(&[30]), format!("{line}\n 24 25 26 27 28 29]"));
    }

    #[test]
    fn leaves_out_the_middle_of_long_axes() {
        assert_eq!(integers(&[1001]), "[   0    1    2 ...  998  999 1000]");
        assert_eq!(
            integers(&[2, 600]),
            "[[   0    1    2 ...  597  598  599]\n [ 600  601  602 ... 1197 1198 1199]]"
        );
        assert!(!integers(&[1000]).contains(DOTS));
        let tall = integers(&[500, 3]);
        assert_eq!(tall.lines().nth(3), Some(" ..."));
        assert_eq!(tall.lines().count(), 7);
        let numbers =
            |text: &str| text.split(|c: char| !c.is_ascii_digit()).filter(|w| !w.is_empty()).count();
        assert_eq!(numbers(&integers(&[8, 8, 8, 8])), 256);
    }
}
