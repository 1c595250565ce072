//! Computes the cases that `compare.py` makes. The script runs this test and compares the results with
//! NumPy and PyTorch.
//!
//! The input is a folder with `cases.jsonl`, one case a line, and `cases.bin`, the concatenated bytes of
//! their buffers. The output is `results.jsonl`, with the dtype and shape or the refusal of each case, and
//! `results.bin`, with the bytes of each new array, or of the whole buffer that contains `out`.

use std::fmt::Write as _;
use std::path::PathBuf;

use promote::ScalarValue;
use promote::{Argument, DType, Error, Number, Op, RuleSet, Tensor, TensorView, TensorViewMut, ViewError};
use serde_json::{Value, json};

use crate::aligned::Aligned;
use crate::random::Layout;

#[test]
#[ignore = "`compare.py` runs it, which needs NumPy and PyTorch"]
fn computes_the_cases_of_a_file() {
    let folder = PathBuf::from(std::env::var("PROMOTE_COMPARE").expect("the folder of the cases"));
    let read = |name: &str| std::fs::read(folder.join(name)).expect("a file of `compare.py`");
    let (lines, bytes) = (String::from_utf8(read("cases.jsonl")).expect("JSON"), read("cases.bin"));
    let (mut results, mut out) = (String::new(), Vec::new());
    let mut next = 0;
    for line in lines.lines() {
        let case: Value = serde_json::from_str(line).expect("JSON");
        let mut buffers: Vec<Aligned> = list(&case["buffers"])
            .map(|len| {
                let begin = next;
                next += number(len);
                Aligned::copy(&bytes[begin..next])
            })
            .collect();
        let result = match computed(&case, &mut buffers) {
            Ok((dtype, shape, bytes)) => {
                out.extend_from_slice(&bytes);
                json!({ "dtype": dtype.name(), "shape": shape, "bytes": bytes.len() })
            }
            Err(refusal) => json!({ "refusal": refusal }),
        };
        writeln!(results, "{result}").expect("a string takes all");
    }
    assert_eq!(next, bytes.len(), "every byte belongs to a case");
    std::fs::write(folder.join("results.jsonl"), results).expect("the folder takes files");
    std::fs::write(folder.join("results.bin"), out).expect("the folder takes files");
}

type Computed = (DType, Vec<usize>, Vec<u8>);

fn computed(case: &Value, buffers: &mut [Aligned]) -> Result<Computed, String> {
    let rules = rule_set(text(&case["rules"]));
    let bases: Vec<*mut u8> = buffers.iter_mut().map(|buffer| buffer.bytes_mut().as_mut_ptr()).collect();
    let at = |layout: &Layout| bases[layout.buffer].wrapping_add(layout.offset);
    let inputs: Vec<Result<Layout, Number>> = list(&case["inputs"]).map(input).collect();
    let views: Vec<Option<TensorView<'_>>> = inputs
        .iter()
        .map(|input| {
            let layout = input.as_ref().ok()?;
            // SAFETY: `compare.py` places the elements within the buffers, which outlive the views; only the
            // call writes to them.
            let view = unsafe {
                TensorView::from_raw_parts(layout.dtype, at(layout), &layout.shape, &layout.strides)
            };
            Some(view.expect("a view that fits its buffer"))
        })
        .collect();
    let arguments: Vec<Argument<'_>> = inputs
        .iter()
        .zip(&views)
        .map(|(input, view)| match (input, view) {
            (Err(number), _) => Argument::Number(*number),
            (Ok(_), Some(view)) => Argument::Array(view),
            (Ok(_), None) => unreachable!("every layout has a view"),
        })
        .collect();
    let op = text(&case["op"]);
    let op: Op = op.parse().unwrap_or_else(|_| panic!("`{op}` is no op"));
    let Value::Object(_) = &case["out"] else {
        let made = new(rules, op, &arguments, &case["dtype"]).map_err(|error| error.to_string())?;
        return Ok((made.dtype(), made.shape().to_vec(), made.as_bytes().to_vec()));
    };
    let layout = input(&case["out"]).expect("a layout");
    // SAFETY: as above; the elements are initialised.
    let out =
        unsafe { TensorViewMut::from_raw_parts(layout.dtype, at(&layout), &layout.shape, &layout.strides) };
    let out = out.map_err(|error: ViewError| error.to_string())?;
    match (&case["in_place"], &arguments[..], &views[..]) {
        (Value::Bool(true), _, _) => rules.prepare(op, &arguments[1..]).in_place(out).run(),
        (_, _, [Some(view)]) if op == Op::Astype => rules.astype_into(view, None, out),
        _ => rules.prepare(op, &arguments).out(out).run(),
    }
    .map_err(|error| error.to_string())?;
    Ok((layout.dtype, layout.shape, buffers[layout.buffer].bytes().to_vec()))
}

fn new(rules: RuleSet, op: Op, arguments: &[Argument<'_>], dtype: &Value) -> Result<Tensor, Error> {
    match arguments {
        [Argument::Array(view)] if op == Op::Astype => rules.astype(view, dtype_of(dtype), None),
        _ => rules.call(op, arguments),
    }
}

fn rule_set(name: &str) -> RuleSet {
    match name {
        "numpy" => promote::NumPy::new().rule_set(),
        "torch" => promote::Torch::new().rule_set(),
        _ => panic!("`{name}` is compared with nothing"),
    }
}

/// A view of a buffer, or a number.
fn input(value: &Value) -> Result<Layout, Number> {
    if let Some(dtype) = value.get("number") {
        // Written as an element, so that no digit is lost.
        let bytes: Vec<u8> = list(&value["bytes"]).map(|byte| number(byte) as u8).collect();
        let element = ScalarValue::from_bytes(dtype_of(dtype), &bytes).expect("an element");
        return Err(element.number().expect("a number"));
    }
    Ok(Layout {
        dtype: dtype_of(&value["dtype"]),
        shape: list(&value["shape"]).map(number).collect(),
        strides: list(&value["strides"]).map(|stride| stride.as_i64().expect("a stride") as isize).collect(),
        offset: number(&value["offset"]),
        buffer: number(&value["buffer"]),
    })
}

fn dtype_of(value: &Value) -> DType {
    text(value).parse().expect("a dtype")
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().expect("a list").iter()
}

fn number(value: &Value) -> usize {
    value.as_u64().expect("a number") as usize
}

fn text(value: &Value) -> &str {
    value.as_str().expect("text")
}
