//! The distance of a mathematical function from the exact result.

use promote::{DType, Kind, ScalarValue};

use crate::lane::Lane;
use crate::pools::part;
use crate::tolerance::{distance, magnitude, parts, units};

/// Returns an integer that grows with the float; -0 is -1.
fn ordinal(dtype: DType, bytes: &[u8]) -> i64 {
    let bits = bytes.iter().rev().fold(0_u64, |n, byte| n << 8 | u64::from(*byte));
    let sign = 1_u64 << (dtype.bits() - 1);
    if bits & sign == 0 { bits.cast_signed() } else { !(bits ^ sign).cast_signed() }
}

/// Cuts a sum or difference of ordinals to as many bits as the dtype has.
fn cut(dtype: DType, ordinal: i64) -> i64 {
    let unused = 64 - dtype.bits();
    ordinal << unused >> unused
}

fn from_ordinal(dtype: DType, ordinal: i64) -> Vec<u8> {
    let sign = 1_u64 << (dtype.bits() - 1);
    let bits = if ordinal < 0 { !ordinal as u64 | sign } else { ordinal as u64 };
    bits.to_le_bytes()[..dtype.bits() as usize / 8].to_vec()
}

/// The position of a result relative to the exact one. In f8e4m3fn NaN is the float beyond the greatest one.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Position {
    /// The result is the exact one or a float beside it.
    Beside,
    /// The result is farther off.
    Beyond,
    /// The recording does not know the exact result.
    Unknown,
}

/// Returns the exact result, or the float below it.
fn exact(lane: &Lane, beside: &[[i64; 2]]) -> ScalarValue {
    let dtype = lane.dtype();
    let element = part(dtype).unwrap_or(dtype);
    let theirs = lane.theirs.as_bytes().chunks(element.size().expect("whole bytes"));
    let bytes: Vec<u8> = theirs
        .zip(beside)
        .flat_map(|(theirs, [low, _])| {
            from_ordinal(element, cut(element, ordinal(element, theirs).wrapping_sub(*low)))
        })
        .collect();
    ScalarValue::from_bytes(dtype, &bytes).expect("an element")
}

/// Returns the position of our result. Each part of a complex result may be off by some units of the greater
/// part.
pub(crate) fn position(lane: &Lane, beside: &[[i64; 2]]) -> Position {
    if is_unknown(beside) {
        return Position::Unknown;
    }
    let dtype = lane.dtype();
    let element = part(dtype).unwrap_or(dtype);
    let size = element.size().expect("whole bytes");
    let mut within = true;
    for ((ours, theirs), [low, high]) in
        lane.ours.as_bytes().chunks(size).zip(lane.theirs.as_bytes().chunks(size)).zip(beside)
    {
        let (ours, theirs) = (ordinal(element, ours), ordinal(element, theirs));
        let [low, high] = [low, high].map(|off| cut(element, theirs.wrapping_sub(*off)));
        within &= ours == low || ours == high || low == high && ours.abs_diff(low) <= 1;
    }
    if !within && dtype.kind() == Kind::Complex {
        let exact = exact(lane, beside);
        let [a, b] = lane.operands.map(|operand| operand.parts);
        within = distance(lane.ours, exact, magnitude(parts(exact))) <= units(lane.op, dtype, a, b) + 1.0;
    }
    if within { Position::Beside } else { Position::Beyond }
}

/// Returns true if the recording does not know the exact result.
pub(crate) fn is_unknown(beside: &[[i64; 2]]) -> bool {
    beside.iter().all(|beside| *beside == [0, 0])
}

/// Counts the floats between the recorded result and the exact one, if both are numbers. For complex results
/// it is the number of units of the greater part.
pub(crate) fn floats_apart(lane: &Lane, beside: &[[i64; 2]]) -> u64 {
    let finite = [lane.ours, lane.theirs].iter().all(|x| parts(*x).iter().all(|part| part.is_finite()));
    if !finite || lane.subnormal() {
        return 0;
    }
    if lane.dtype().kind() == Kind::Complex {
        let exact = exact(lane, beside);
        let units = distance(lane.theirs, exact, magnitude(parts(exact)));
        // It is infinite between zeros of different signs.
        return if units.is_finite() { units as u64 } else { 0 };
    }
    beside.iter().map(|[low, high]| low.unsigned_abs().min(high.unsigned_abs())).max().unwrap_or(0)
}
