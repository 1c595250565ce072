//! Files of recorded values, as `tests/data/README.md` describes them.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use flate2::read::ZlibDecoder;
use promote::{DType, Number, Op, Operand, ScalarValue};
use promote_reference::{Options, Value};

use crate::pools::{self, How, part, turn};

/// The result of a case.
#[derive(Clone)]
pub(crate) enum Result {
    /// Elements of a dtype.
    Elements(DType, Vec<ScalarValue>),
    /// A word in place of a dtype: `refused`, `trap`, `no_kernel`, `no_overload`, or `-` for any of them.
    Word(String),
}

/// An operand of a case.
pub(crate) enum Input {
    /// The elements of an array.
    Array(DType, Vec<ScalarValue>),
    /// A number or a zero-dimensional array.
    Scalar(Value),
}

impl Input {
    pub(crate) fn operand(&self) -> Operand {
        match self {
            Input::Array(dtype, _) => Operand::Array(*dtype),
            Input::Scalar(value) => value.operand(),
        }
    }

    pub(crate) fn array(&self) -> Option<(DType, &[ScalarValue])> {
        match self {
            Input::Array(dtype, elements) => Some((*dtype, elements)),
            Input::Scalar(_) => None,
        }
    }

    pub(crate) fn lane(&self, i: usize) -> Value {
        match self {
            Input::Array(_, elements) => Value::Array(elements[i]),
            Input::Scalar(value) => *value,
        }
    }
}

/// A case of an op.
pub(crate) struct Case {
    pub(crate) op: Op,
    /// Operands and options, as they were recorded.
    pub(crate) text: String,
    pub(crate) inputs: Vec<Input>,
    pub(crate) options: Options,
    /// The condition of `where`.
    pub(crate) condition: Option<Vec<bool>>,
    /// The reduction that follows a loss.
    pub(crate) then: Option<Op>,
    pub(crate) result: Result,
    /// The distances of a mathematical function from the exact result, for each part of each lane: the number
    /// of floats that the result lies above the greatest float that is not above the exact result, and above
    /// the least float that is not below it. Both are 0 if the exact result is unknown.
    pub(crate) beside: Option<Vec<[i64; 2]>>,
}

impl Case {
    /// Returns the number of elements of the operands.
    pub(crate) fn lanes(&self) -> usize {
        let arrays = self.inputs.iter().filter_map(Input::array);
        arrays.map(|(_, elements)| elements.len()).max().expect("an array among the operands")
    }
}

/// A file of recorded values.
pub(crate) struct Recorded {
    /// The op of each section, and the lines of its cases.
    ops: Vec<(String, Vec<String>)>,
    pools: HashMap<String, Vec<ScalarValue>>,
    blocks: Vec<Vec<u8>>,
}

impl Recorded {
    /// Reads `tests/data/NAME.bin`.
    pub(crate) fn read(name: &str) -> Recorded {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/{name}.bin"));
        let file = std::fs::File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut bytes = Vec::new();
        ZlibDecoder::new(file).read_to_end(&mut bytes).expect("a stream of zlib");
        let mut rest = &bytes[..];
        let mut take = |n: usize| rest.split_off(..n).expect("as many bytes as are announced");
        let mut number = || u32::from_le_bytes(take(4).try_into().expect("four bytes")) as usize;
        let (text, count) = (number(), number());
        let text = core::str::from_utf8(take(text)).expect("text");
        let lengths = take(2 * count).chunks(2).map(|n| usize::from(u16::from_le_bytes([n[0], n[1]])));
        let blocks: Vec<Vec<u8>> = lengths.map(|n| take(n).to_vec()).collect();
        assert!(rest.is_empty(), "{name}: bytes are left over");
        let parts: Vec<&str> = text.splitn(3, "\n\n").collect();
        let [about, pools, cases] = parts[..] else { panic!("{name}: {} parts", parts.len()) };
        let framework = about.lines().find_map(|line| line.strip_prefix("framework "));
        assert_eq!(framework, Some(framework_of(name)), "{name}: recorded from another framework");
        let mut used = vec![false; blocks.len()];
        let pools = pools.trim().lines().map(|line| {
            let (pool, block) = line.split_once(' ').expect("a pool and its block");
            let (_, of) = pool.split_once('.').expect("a name and a dtype");
            used[index(block)] = true;
            (pool.to_owned(), elements(dtype(of), &blocks[index(block)]))
        });
        let pools: HashMap<_, _> = pools.collect();
        let mut ops: Vec<(String, Vec<String>)> = Vec::new();
        for line in cases.trim_start().lines() {
            if let Some(op) = line.strip_prefix("op ") {
                ops.push((op.to_owned(), Vec::new()));
                continue;
            }
            let (result, _) = line.split_once(' ').expect("a result and operands");
            result.split(':').skip(1).for_each(|block| used[index(block)] = true);
            ops.last_mut().expect("an op before its cases").1.push(line.to_owned());
        }
        let unused = used.iter().position(|used| !used);
        assert_eq!(unused, None, "{name}: neither a pool nor a case has this block");
        Recorded { ops, pools, blocks }
    }

    /// Returns the names of the recorded ops.
    pub(crate) fn ops(&self) -> impl Iterator<Item = &str> {
        self.ops.iter().map(|(op, _)| op.as_str())
    }

    /// Returns the cases of an op.
    pub(crate) fn cases(&self, op: &str) -> impl Iterator<Item = Case> {
        let (name, lines) = self.ops.iter().find(|(name, _)| name == op).expect("a recorded op");
        let op: Op = name.parse().unwrap_or_else(|_| panic!("{name} is no op"));
        lines.iter().map(move |line| self.case(op, line))
    }

    /// Returns the elements of an operand of a case.
    pub(crate) fn pool(&self, name: &str) -> &[ScalarValue] {
        self.pools.get(name).unwrap_or_else(|| panic!("there is no pool {name}"))
    }

    fn case(&self, op: Op, line: &str) -> Case {
        let (result, text) = line.split_once(' ').expect("a result and operands");
        let mut options = Options::default();
        let (mut condition, mut then) = (None, None);
        for (key, value) in text.split(' ').filter_map(|word| word.split_once('=')) {
            let float = || value.parse().expect("a number");
            match key {
                "weight" => options.weight = float(),
                "delta" => options.delta = float(),
                "beta" => options.beta = float(),
                "eps" => options.eps = float(),
                "value" => options.value = float(),
                "alpha" => options.alpha = float(),
                "threshold" => options.threshold = float(),
                "log_input" => options.log_input = value == "true",
                "full" => options.full = value == "true",
                "to" => options.to = Some(dtype(value)),
                "condition" => {
                    let bools = self.pool(value).iter().map(|element| element.get().expect("a bool"));
                    condition = Some(bools.collect());
                }
                "reduction" => then = (value != "none").then(|| value.parse().expect("an op")),
                _ => panic!("{key} is no option"),
            }
        }
        let words: Vec<&str> = text.split(' ').filter(|word| !word.contains('=')).collect();
        let inputs = self.inputs(&words);
        let (result, beside) = self.result(result);
        let mut case = Case { op, text: text.to_owned(), inputs, options, condition, then, result, beside };
        if let [a, b] = words[..]
            && let (Some(a), Some(b)) = (generated(a), generated(b))
            && a.1.index() > b.1.index()
        {
            reorder(&mut case, &turn(a.1, b.1));
        }
        case
    }

    fn inputs(&self, words: &[&str]) -> Vec<Input> {
        if let Some((how, a)) = generated(words[0]) {
            let b = words.last().and_then(|word| generated(word)).map_or(a, |(_, b)| b);
            let lanes = pools::operands(a, b, how);
            let pools = [a, b].into_iter().zip(lanes).take(words.len());
            return pools.map(|(dtype, lanes)| Input::Array(dtype, from_bits(dtype, &lanes))).collect();
        }
        let input = |word: &&str| match word.split(':').collect::<Vec<_>>()[..] {
            ["number", value] => Input::Scalar(Value::Number(number(value))),
            ["zero_dim", of, value] => {
                let element = ScalarValue::from_number(number(value), dtype(of));
                Input::Scalar(Value::ZeroDim(element.expect("a dtype with elements")))
            }
            _ => {
                let elements = self.pool(word).to_vec();
                Input::Array(elements[0].dtype(), elements)
            }
        };
        words.iter().map(input).collect()
    }

    fn result(&self, word: &str) -> (Result, Option<Vec<[i64; 2]>>) {
        let mut parts = word.split(':');
        let name = parts.next().expect("a word");
        let Some(block) = parts.next() else { return (Result::Word(name.to_owned()), None) };
        let dtype = dtype(name);
        let beside = parts.next().map(|block| {
            let width = part(dtype).unwrap_or(dtype).size().expect("whole bytes");
            let bytes = gathered(&self.blocks[index(block)], width);
            let numbers: Vec<i64> = bytes.chunks(width).map(signed).collect();
            let (low, high) = numbers.split_at(numbers.len() / 2);
            low.iter().zip(high).map(|(low, high)| [*low, *high]).collect()
        });
        (Result::Elements(dtype, elements(dtype, &self.blocks[index(block)])), beside)
    }
}

/// The results of a pair whose left dtype comes after its right one stand in the order of the swapped pair,
/// so that commutative ops share blocks. Puts them in the order of the operands.
fn reorder(case: &mut Case, order: &[usize]) {
    let Result::Elements(dtype, lanes) = &mut case.result else { return };
    let stored = lanes.clone();
    let parts = if part(*dtype).is_some() { 2 } else { 1 };
    let stored_beside = case.beside.clone();
    for (k, &i) in order.iter().enumerate() {
        lanes[i] = stored[k];
        if let (Some(to), Some(from)) = (&mut case.beside, &stored_beside) {
            to[i * parts..][..parts].copy_from_slice(&from[k * parts..][..parts]);
        }
    }
}

/// Returns how a generated operand, such as `any@f16`, is made, and its dtype.
fn generated(word: &str) -> Option<(How, DType)> {
    let (how, of) = word.split_once('@')?;
    Some((How::of(how), dtype(of)))
}

/// Returns the framework whose results a file holds.
fn framework_of(file: &str) -> &'static str {
    match file.split_once('_').map_or(file, |(_, system)| system) {
        "torch" => "PyTorch",
        "numpy" | "numpy1" => "NumPy",
        "jax" => "JAX",
        "tensorflow" => "TensorFlow",
        "paddle" => "PaddlePaddle",
        "oneflow" => "OneFlow",
        "ml_dtypes" => "ml_dtypes",
        _ => panic!("{file}: no framework is known for this file"),
    }
}

fn from_bits(dtype: DType, lanes: &[u128]) -> Vec<ScalarValue> {
    let size = dtype.size().expect("whole bytes");
    let element = |bits: &u128| ScalarValue::from_bytes(dtype, &bits.to_le_bytes()[..size]);
    lanes.iter().map(|bits| element(bits).expect("an element")).collect()
}

fn index(word: &str) -> usize {
    word.parse().expect("the index of a block")
}

fn dtype(word: &str) -> DType {
    word.parse().unwrap_or_else(|_| panic!("{word} is no dtype"))
}

/// Returns the elements of a block.
fn elements(dtype: DType, block: &[u8]) -> Vec<ScalarValue> {
    let size = dtype.size().expect("whole bytes");
    let bytes = gathered(block, part(dtype).unwrap_or(dtype).size().expect("whole bytes"));
    bytes.chunks_exact(size).map(|b| ScalarValue::from_bytes(dtype, b).expect("an element")).collect()
}

/// Puts the bytes of words together. A block has the first bytes of all words, then all second ones, and so
/// on.
fn gathered(block: &[u8], width: usize) -> Vec<u8> {
    let count = block.len() / width;
    (0..block.len()).map(|i| block[i % width * count + i / width]).collect()
}

/// Reads a little-endian integer with its sign.
fn signed(bytes: &[u8]) -> i64 {
    let unused = 64 - 8 * bytes.len() as u32;
    let bits = bytes.iter().rev().fold(0_u64, |n, byte| n << 8 | u64::from(*byte));
    (bits << unused).cast_signed() >> unused
}

/// Reads a number: `true`, `3`, `2.5`, `1j` or `1+2j`.
fn number(word: &str) -> Number {
    let float = |text: &str| text.parse::<f64>().unwrap_or_else(|_| panic!("{word} is no number"));
    match word.strip_suffix('j') {
        _ if word == "true" => Number::Bool(true),
        Some(text) => match text.rsplit_once('+') {
            Some((re, im)) => Number::Complex(float(re), float(im)),
            None => Number::Complex(0.0, float(text)),
        },
        None => word.parse::<i64>().map_or_else(|_| Number::Float(float(word)), Number::from),
    }
}

/// Returns true if an op looks at all elements of an array.
pub(crate) fn looks_at_all(op: Op) -> bool {
    op.index() >= Op::Sum.index()
}
