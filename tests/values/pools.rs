//! The operands of the recorded pairs, which are generated: `pool` and `operands` of
//! `tests/data/record_pairs.py` make equal elements.

use promote::{DType, Kind};

/// The number of elements of an operand.
const LANES: usize = 64;
/// The number of elements, from the first, that are edge cases.
const EDGES: usize = 40;

/// A change to operands of integers, so that no framework traps, refuses, or does not return.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum How {
    /// Changes nothing.
    Any,
    /// Makes the right operand neither 0 nor, beside the least integer, -1.
    Divisor,
    /// Makes the right operand 0 to 7.
    Natural,
    /// Makes both operands 0 to 127.
    Small,
    /// Makes the operands that are floats 0 to 1.
    Unit,
}

impl How {
    pub(crate) fn of(word: &str) -> How {
        match word {
            "any" => How::Any,
            "divisor" => How::Divisor,
            "natural" => How::Natural,
            "small" => How::Small,
            "unit" => How::Unit,
            _ => panic!("{word} is no way to make operands"),
        }
    }
}

/// A generator of random numbers, of which each call gives 32 bits.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 32
    }
}

/// Returns the dtype of the parts of a complex dtype; `None` for other dtypes.
pub(crate) fn part(dtype: DType) -> Option<DType> {
    match dtype {
        DType::C32 => Some(DType::F16),
        DType::C64 => Some(DType::F32),
        DType::C128 => Some(DType::F64),
        _ => None,
    }
}

/// Returns the number of bits of the significand of a float, without the hidden bit.
fn digits(dtype: DType) -> u32 {
    match dtype {
        DType::F8E4M3FN => 3,
        DType::F8E5M2 => 2,
        DType::F16 => 10,
        DType::BF16 => 7,
        DType::F32 => 23,
        DType::F64 => 52,
        _ => unreachable!("{dtype} is no float"),
    }
}

fn integer(dtype: DType) -> bool {
    matches!(dtype.kind(), Kind::Signed | Kind::Unsigned)
}

/// Returns the low bits of an integer, as many as the dtype has.
fn masked(dtype: DType, bits: u128) -> u128 {
    bits & (u128::MAX >> (128 - dtype.bits()))
}

/// Returns the bits of the greatest finite float.
fn greatest(dtype: DType) -> u128 {
    let m = digits(dtype);
    if dtype == DType::F8E4M3FN { 0x7E } else { (((1 << (dtype.bits() - 1 - m)) - 1) << m) - 1 }
}

/// Returns the bits of `n`·2^`s`, rounded towards zero. Beyond the range it is the greatest float, and
/// below it the least subnormal.
fn dyadic(dtype: DType, n: u128, s: i32) -> u128 {
    let m = digits(dtype);
    let bias = (1 << (dtype.bits() - m - 2)) - 1;
    if n == 0 {
        return 0;
    }
    let top = n.ilog2();
    let exponent = top as i32 + s;
    match exponent {
        _ if exponent > bias => greatest(dtype),
        _ if exponent < 1 - bias => 1,
        _ => ((exponent + bias) as u128) << m | ((n << m) >> top) & ((1 << m) - 1),
    }
}

/// Returns the bits of the edge cases of a dtype.
fn edges(dtype: DType) -> [u128; EDGES] {
    let w = dtype.bits();
    if integer(dtype) {
        let (low, high) = match dtype.kind() {
            Kind::Signed => (-(1_i128 << (w - 1)), (1_i128 << (w - 1)) - 1),
            _ => (0, (1_i128 << w) - 1),
        };
        let edges = [
            [0, 1, -1, 2, 3, -2, 7, low, high, low + 1],
            [high - 1, -3, 5, 8, 10, 31, 32, 63, 64, 100],
            [-100, 127, 128, 255, 256, -128, -129, 16, 15, 33],
            [
                2049,
                -2049,
                32767,
                65504,
                65536,
                (1 << 24) + 1,
                1 << 31,
                (1 << 53) + 1,
                1 << (w - 2),
                0x5555_5555_5555_5555,
            ],
        ];
        let unsigned = dtype.kind() == Kind::Unsigned;
        return core::array::from_fn(|i| {
            let x: i128 = edges[i / 10][i % 10];
            masked(dtype, if unsigned { x.unsigned_abs() } else { x as u128 })
        });
    }
    let (sign, top, least) = (1 << (w - 1), greatest(dtype), 1 << digits(dtype));
    // f8e4m3fn, which has no infinity, has NaN here.
    let infinity = if dtype == DType::F8E4M3FN { 0x7F } else { top + 1 };
    let of = |n: u128, s: i32| dyadic(dtype, n, s);
    let one = of(1, 0);
    let edges = [
        [0, sign, one, one | sign, of(2, 0), of(2, 0) | sign, of(1, -1), of(1, -1) | sign],
        [
            of(3, -1),
            of(3, -1) | sign,
            of(5, -1),
            of(5, -1) | sign,
            of(3, 0),
            of(3, 0) | sign,
            of(7, -1),
            infinity,
        ],
        [infinity | sign, sign - 1, top, top | sign, least, least | sign, 1, 1 | sign],
        [least - 1, one + 1, one - 1, of(10, 0), of(100, 0), of(255, -1), of(128, 0) | sign, of(300, 0)],
        [
            of(7, 0) | sign,
            of(64, 0),
            of(0x5555, -16),
            of(0x00C9_0FDA, -22),
            of(1, 15),
            of(1, 24),
            of(1, 31) | sign,
            of(1, 63),
        ],
    ];
    core::array::from_fn(|i| edges[i / 8][i % 8])
}

/// Returns the bits of the elements of a dtype: its edge cases, then small, common and random ones.
fn pool(dtype: DType) -> Vec<u128> {
    if let Some(part) = part(dtype) {
        let parts = pool(part);
        return (0..LANES).map(|i| parts[i] | parts[(27 * i + 5) % LANES] << part.bits()).collect();
    }
    let mut draw = Draw(dtype.index() as u64);
    if dtype == DType::Bool {
        return (0..LANES).map(|_| u128::from(draw.next() & 1)).collect();
    }
    let mut elements = edges(dtype).to_vec();
    let sign = 1_u128 << (dtype.bits() - 1);
    for i in 0..LANES - EDGES {
        let (x, y) = (draw.next(), draw.next());
        let any = u128::from(x) << 32 | u128::from(y);
        let element = if integer(dtype) {
            let small = if i < 8 { (x % 80) as i128 - 9 } else { (x % 2001) as i128 - 1000 };
            let small = if dtype.kind() == Kind::Unsigned { small.abs() } else { small };
            if i < 16 { small as u128 } else { any }
        } else {
            let (n, s) = match i {
                ..8 => (u128::from(x % 256), (y % 12) as i32 - 8),
                _ => (1 << 52 | u128::from(x) << 20 | u128::from(y >> 12), (y % 14) as i32 - 59),
            };
            if i < 16 { dyadic(dtype, n, s) | if x >> 31 == 1 { sign } else { 0 } } else { any }
        };
        elements.push(masked(dtype, element));
    }
    elements
}

/// Returns the lane of the second pool that meets each lane of the first. It is an involution, so that the
/// swapped pair has the same lanes.
pub(crate) fn turn(a: DType, b: DType) -> [usize; LANES] {
    let c = 7 * (a.index() + b.index());
    let rest = LANES - EDGES;
    let turned = |i: usize, n: usize| (c + 20 * n - i) % n;
    core::array::from_fn(|i| if i < EDGES { turned(i, EDGES) } else { EDGES + turned(i, rest) })
}

/// Returns the bits of the lanes of both operands.
pub(crate) fn operands(a: DType, b: DType, how: How) -> [Vec<u128>; 2] {
    let (mut x, other) = (pool(a), pool(b));
    let mut y: Vec<u128> = turn(a, b).iter().map(|i| other[*i]).collect();
    let of_integers = integer(b);
    let least = |n: u128| a.kind() == Kind::Signed && n == 1 << (a.bits() - 1);
    let minus_one = |n: u128| b.kind() == Kind::Signed && n == masked(b, u128::MAX);
    match how {
        How::Divisor if b == DType::Bool => y.fill(1),
        How::Divisor if of_integers => {
            for (x, y) in x.iter().zip(&mut y) {
                if *y == 0 || least(*x) && minus_one(*y) {
                    *y = 3;
                }
            }
        }
        How::Natural if of_integers => {
            for y in &mut y {
                *y &= 7;
            }
        }
        How::Small => {
            for (dtype, lanes) in [(a, &mut x), (b, &mut y)] {
                if integer(dtype) {
                    for lane in lanes.iter_mut() {
                        *lane &= 127;
                    }
                }
            }
        }
        How::Unit => {
            let part = |dtype, i| dyadic(dtype, i as u128 + i as u128 / 63, -6);
            if a.kind() == Kind::Float {
                x = (0..LANES).map(|i| part(a, i)).collect();
            }
            if b.kind() == Kind::Float {
                y = (0..LANES).map(|i| part(b, (27 * i + 5) % LANES)).collect();
            }
        }
        // Nothing would trap, or nothing has to change.
        How::Any | How::Divisor | How::Natural => {}
    }
    [x, y]
}
