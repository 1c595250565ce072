//! A file of recorded cases, read: each case with its operands, its options and what came out.

use std::collections::HashMap;
use std::path::Path;

use promote::ScalarValue;
use promote::{DType, Number, Op, Operand};
use promote_reference::{Options, Value};
use safetensors::SafeTensors;

/// What came out of a case.
pub(crate) enum Outcome {
    /// Elements of a dtype.
    Elements(DType, Vec<ScalarValue>),
    /// A word in place of a dtype: `refused`, `trap`, `no_kernel` or `no_overload`.
    Word(String),
}

/// An operand of a case.
pub(crate) enum Input {
    /// A pool: the elements of a dtype.
    Array(DType, Vec<ScalarValue>),
    /// What stands for every place.
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
    /// As recorded, without what came out.
    pub(crate) text: String,
    pub(crate) inputs: Vec<Input>,
    pub(crate) options: Options,
    /// The reduction that follows a loss.
    pub(crate) then: Option<Op>,
    pub(crate) outcome: Outcome,
}

pub(crate) struct Recorded {
    pools: HashMap<String, Vec<u8>>,
    about: HashMap<String, String>,
    /// How many elements a pool has.
    pub(crate) lanes: usize,
}

fn op(name: &str) -> Op {
    name.parse().unwrap_or_else(|_| panic!("{name} is no op"))
}

fn dtype(word: &str) -> DType {
    word.parse().unwrap_or_else(|_| panic!("{word} is no dtype"))
}

/// The elements that bytes are.
pub(crate) fn elements(dtype: DType, bytes: &[u8]) -> Vec<ScalarValue> {
    let size = dtype.size().expect("whole bytes");
    bytes.chunks_exact(size).map(|b| ScalarValue::from_bytes(dtype, b).expect("an element")).collect()
}

fn number(word: &str) -> Number {
    match word {
        "true" => Number::Bool(true),
        _ => word.parse::<i64>().map_or_else(|_| Number::Float(word.parse().expect("a float")), Number::from),
    }
}

impl Recorded {
    pub(crate) fn read(path: &Path) -> Recorded {
        let file = std::fs::read(path).expect("the data lie in the repository");
        let (_, header) = SafeTensors::read_metadata(&file).expect("a safetensors file");
        let tensors = SafeTensors::deserialize(&file).expect("a safetensors file");
        let pools = tensors.iter().map(|(name, tensor)| (name.to_owned(), tensor.data().to_vec())).collect();
        let about = header.metadata().clone().expect("with metadata");
        let lanes = about["lanes"].parse().expect("a number of lanes");
        Recorded { pools, about, lanes }
    }

    /// The names of the ops, in their order.
    pub(crate) fn ops(&self) -> Vec<String> {
        self.about["ops"].split(' ').map(str::to_owned).collect()
    }

    fn pool(&self, name: &str) -> (DType, Vec<ScalarValue>) {
        let (_, of) = name.split_once('.').expect("a pool and its dtype");
        (dtype(of), elements(dtype(of), &self.pools[name]))
    }

    fn input(&self, word: &str) -> Input {
        match word.split(':').collect::<Vec<_>>()[..] {
            ["number", value] => Input::Scalar(Value::Number(number(value))),
            ["zero_dim", of, value] => {
                let element =
                    ScalarValue::from_number(number(value), dtype(of)).expect("a dtype with elements");
                Input::Scalar(Value::ZeroDim(element))
            }
            _ => {
                let (dtype, elements) = self.pool(word);
                Input::Array(dtype, elements)
            }
        }
    }

    /// The condition of `where`.
    pub(crate) fn condition(&self, i: usize) -> bool {
        self.pools["left.bool"][i] != 0
    }

    /// The cases of an op.
    pub(crate) fn cases(&self, name: &str) -> Vec<Case> {
        let key = format!("op.{name}");
        // An op that traps in every case has no bytes.
        let bytes = self.pools.get(&key).map_or(&[][..], Vec::as_slice);
        let (mut at, mut cases) = (0, Vec::new());
        for line in self.about[&key].lines() {
            let (word, text) = line.split_once(' ').expect("an outcome and operands");
            let words = || text.split(' ');
            let mut options = Options::default();
            let mut then = None;
            for (key, value) in words().filter_map(|word| word.split_once('=')) {
                let float = || value.parse().expect("a number");
                match key {
                    "weight" => options.weight = float(),
                    "delta" => options.delta = float(),
                    "beta" => options.beta = float(),
                    "eps" => options.eps = float(),
                    "value" => options.value = float(),
                    "log_input" => options.log_input = value == "true",
                    "full" => options.full = value == "true",
                    "to" => options.to = Some(dtype(value)),
                    "reduction" => then = (value != "none").then(|| op(value)),
                    _ => panic!("{key} is no option"),
                }
            }
            let inputs: Vec<Input> = words().filter(|w| !w.contains('=')).map(|w| self.input(w)).collect();
            let op = op(name);
            let one = then.is_some() || op == Op::Dot || is_reduction(op);
            let outcome = match word.parse::<DType>() {
                Err(_) => Outcome::Word(word.to_owned()),
                Ok(dtype) => {
                    let count = if one { 1 } else { self.lanes };
                    let len = count * dtype.size().expect("whole bytes");
                    at += len;
                    Outcome::Elements(dtype, elements(dtype, &bytes[at - len..at]))
                }
            };
            cases.push(Case { op, text: text.to_owned(), inputs, options, then, outcome });
        }
        assert_eq!(at, bytes.len(), "{name}: bytes are left over");
        cases
    }
}

/// Whether an op gives one element for an array.
fn is_reduction(op: Op) -> bool {
    let scans = [Op::Cumsum, Op::Cumprod];
    op.index() >= Op::Sum.index() && !scans.contains(&op)
}

/// Whether an op looks at all elements of an array.
pub(crate) fn looks_at_all(op: Op) -> bool {
    op.index() >= Op::Sum.index()
}
