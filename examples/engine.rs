//! An engine that computes ops by name on arrays whose dtypes are known only at run time.
//!
//! `cargo run --example engine -- i8 f16 add`

use promote::{Argument, DType, Number, Op, Operand, Torch};
use promote::{ScalarValue, Slice, SliceMut};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let word = |i: usize, default: &'static str| arguments.get(i).map_or(default, String::as_str);
    let (a, b): (DType, DType) = (word(0, "i8").parse()?, word(1, "f16").parse()?);
    let op: Op = word(2, "add").parse()?;

    let rules = Torch::new().rule_set();
    let out = rules.op_types(op, &[Operand::Array(a), Operand::Array(b)])?.output;

    // An engine has bytes; this example makes them from numbers.
    let n = 4;
    let (x, y) = (Bytes::new(a, n)?, Bytes::new(b, n)?);
    let mut z = Bytes::new(out, n)?;
    rules.binary(
        op,
        Argument::Slice(Slice::from_bytes(a, x.get())?),
        Argument::Slice(Slice::from_bytes(b, y.get())?),
        SliceMut::from_bytes(out, z.get_mut())?,
    )?;

    let values: Vec<_> =
        z.get().chunks(out.size().unwrap_or(1)).map(|one| ScalarValue::from_bytes(out, one)).collect();
    println!("{op} of {a} and {b} gives {out}:");
    for value in values {
        println!("  {:?}", value?.number());
    }
    Ok(())
}

/// The elements 0, 1, 2, .. of a dtype, aligned for every dtype.
struct Bytes {
    room: Vec<u8>,
    begin: usize,
    len: usize,
}

impl Bytes {
    fn new(dtype: DType, n: usize) -> Result<Bytes, promote::CallError> {
        let mut bytes = Vec::new();
        for i in 0..n {
            bytes.extend(ScalarValue::from_number(Number::Int(i as i128), dtype)?.as_bytes());
        }
        let mut room = vec![0; bytes.len() + 16];
        let begin = room.as_ptr().align_offset(16);
        room[begin..][..bytes.len()].copy_from_slice(&bytes);
        Ok(Bytes { room, begin, len: bytes.len() })
    }

    fn get(&self) -> &[u8] {
        &self.room[self.begin..][..self.len]
    }

    fn get_mut(&mut self) -> &mut [u8] {
        &mut self.room[self.begin..][..self.len]
    }
}
