//! A file of recorded pairs, read.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use flate2::read::ZlibDecoder;
use promote::ScalarValue;
use promote::{DType, Op};

use crate::pools::{How, LANES, part, turn};

/// What a framework computed for operands of one dtype or two.
pub(crate) struct Answer {
    pub(crate) dtype: DType,
    pub(crate) lanes: Vec<ScalarValue>,
    /// Of a mathematical function, for each part of each lane: how many floats the result lies above the
    /// greatest that is not above the exact one, and above the least that is not below it; zeros where the
    /// recording does not know.
    pub(crate) beside: Option<Vec<[i64; 2]>>,
}

struct Words {
    how: How,
    words: Vec<String>,
}

pub(crate) struct Recorded {
    /// The framework and its version.
    pub(crate) about: String,
    pub(crate) dtypes: Vec<DType>,
    ops: BTreeMap<&'static str, Words>,
    blocks: Vec<Vec<u8>>,
}

impl Recorded {
    pub(crate) fn read(framework: &str) -> Recorded {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/pairs_{framework}.bin"));
        let file = std::fs::File::open(path).expect("the data lie in the repository");
        let mut bytes = Vec::new();
        ZlibDecoder::new(file).read_to_end(&mut bytes).expect("a stream of zlib");
        let mut rest = &bytes[..];
        let mut take = |n: usize| rest.split_off(..n).expect("as many bytes as are announced");
        let mut number = |size: usize| {
            let bytes = take(size);
            bytes.iter().rev().fold(0, |n, byte| n << 8 | usize::from(*byte))
        };
        let (head, count) = (number(4), number(4));
        let head = core::str::from_utf8(take(head)).expect("words").to_owned();
        let lengths: Vec<usize> =
            take(2 * count).chunks(2).map(|n| usize::from(u16::from_le_bytes([n[0], n[1]]))).collect();
        let blocks = lengths.into_iter().map(|n| take(n).to_vec()).collect();
        assert!(rest.is_empty(), "bytes are left over");
        let mut lines = head.lines();
        let mut line = || lines.next().expect("a line");
        let (about, dtypes) = (line().to_owned(), line());
        let dtypes: Vec<DType> = dtypes.split(' ').map(|name| name.parse().expect("a dtype")).collect();
        let ops = lines.map(|line| {
            let mut words = line.split(' ').map(str::to_owned);
            let op: Op = words.next().and_then(|name| name.parse().ok()).expect("an op");
            let how = How::of(&words.next().expect("how operands are made"));
            let words: Vec<String> = words.collect();
            let arity = if op == Op::Astype { 2 } else { op.arity() };
            assert_eq!(words.len(), dtypes.len().pow(arity as u32), "{op}");
            (op.name(), Words { how, words })
        });
        Recorded { about, ops: ops.collect(), dtypes, blocks }
    }

    /// How the operands of an op are made; none if it was not recorded.
    pub(crate) fn how(&self, op: Op) -> Option<How> {
        self.ops.get(op.name()).map(|words| words.how)
    }

    /// What came out for operands of these dtypes, for a cast from the first to the second; none if the
    /// framework refused.
    pub(crate) fn answer(&self, op: Op, dtypes: &[DType]) -> Option<Answer> {
        let place = |dtype: &DType| self.dtypes.iter().position(|known| known == dtype).expect("a dtype");
        let at = dtypes.iter().fold(0, |at, dtype| at * self.dtypes.len() + place(dtype));
        let mut words = self.ops[op.name()].words[at].split(':');
        let dtype: DType = words.next()?.parse().ok()?;
        let mut block = || words.next().map(|at| &self.blocks[at.parse::<usize>().expect("a place")][..]);
        let size = dtype.size().expect("whole bytes");
        let word = part(dtype).map_or(size, |part| part.size().expect("whole bytes"));
        let parts = size / word;
        let bytes = gathered(block().expect("a result"), word);
        let mut lanes: Vec<ScalarValue> =
            bytes.chunks(size).map(|b| ScalarValue::from_bytes(dtype, b).expect("an element")).collect();
        let mut beside = block().map(|bytes| {
            let numbers: Vec<i64> = gathered(bytes, word).chunks(word).map(wide).collect();
            let (low, high) = numbers.split_at(LANES * parts);
            low.iter().zip(high).map(|(low, high)| [*low, *high]).collect::<Vec<_>>()
        });
        // The lanes of the two orders of a pair stand in one order.
        if let ([a, b], true) = (dtypes, op != Op::Astype)
            && a.index() > b.index()
        {
            let order = turn(*a, *b);
            let (stood, beside_stood) = (lanes.clone(), beside.clone());
            for (k, &i) in order.iter().enumerate() {
                lanes[i] = stood[k];
                if let (Some(to), Some(from)) = (&mut beside, &beside_stood) {
                    to[i * parts..][..parts].copy_from_slice(&from[k * parts..][..parts]);
                }
            }
        }
        Some(Answer { dtype, lanes, beside })
    }
}

/// Words of a size, of which all first bytes stand first, then all second ones.
fn gathered(planes: &[u8], size: usize) -> Vec<u8> {
    let count = planes.len() / size;
    (0..planes.len()).map(|i| planes[i % size * count + i / size]).collect()
}

/// A little-endian integer with its sign.
fn wide(bytes: &[u8]) -> i64 {
    let unused = 64 - 8 * bytes.len() as u32;
    let bits = bytes.iter().rev().fold(0_u64, |n, byte| n << 8 | u64::from(*byte));
    (bits << unused).cast_signed() >> unused
}
