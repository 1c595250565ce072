//! The kernels that there are give what the reference gives, on the recorded operands.

use promote::kernel::{SliceMut, SliceRef};
use promote::{DType, Op, Operand, Torch};
use promote_reference::{Options, Value, evaluate};

use crate::cases::elements;
use crate::tolerance::{parts, same};
use crate::{LANES, recorded_cases};

/// A buffer whose bytes any element may have.
struct Room {
    bytes: Vec<u8>,
    begin: usize,
}

impl Room {
    fn of(bytes: &[u8]) -> Room {
        let mut room = vec![0; bytes.len() + 16];
        let begin = room.as_ptr().align_offset(16);
        room[begin..][..bytes.len()].copy_from_slice(bytes);
        room.truncate(begin + bytes.len());
        Room { bytes: room, begin }
    }
}

#[test]
fn every_kernel_gives_what_the_reference_gives() {
    let recorded = recorded_cases();
    let rules = Torch::new().rule_set();
    let (mut kernels, mut lanes, mut wrong) = (0, 0, Vec::new());
    for &op in Op::STANDARD.iter().filter(|op| op.arity() == 2) {
        for &a in DType::WITH_TYPE {
            for &b in DType::WITH_TYPE {
                let pools = (recorded.bytes(&format!("left.{a}")), recorded.bytes(&format!("right.{b}")));
                let (Some(left), Some(right), Ok(kernel)) = (pools.0, pools.1, rules.kernel(op, a, b)) else {
                    continue;
                };
                let output = rules.op_types(op, &[Operand::Array(a), Operand::Array(b)]);
                let output = output.expect("it has a kernel").output;
                let (x, y) = (Room::of(left), Room::of(right));
                let mut out = Room::of(&vec![0xAA; LANES * output.size().expect("whole bytes")]);
                let begin = out.begin;
                let read = |dtype, room| SliceRef::from_bytes(dtype, room).expect("whole, aligned elements");
                let target = SliceMut::from_bytes(output, &mut out.bytes[begin..]).expect("aligned");
                let (x, y) = (read(a, &x.bytes[x.begin..]), read(b, &y.bytes[y.begin..]));
                kernel.call_slices(x, y, target).expect("equal lengths");
                kernels += 1;
                let operands = elements(a, left).into_iter().zip(elements(b, right));
                for ((x, y), theirs) in operands.zip(elements(output, &out.bytes[begin..])) {
                    lanes += 1;
                    let ours = evaluate(&rules, op, &[Value::Array(x), Value::Array(y)], &Options::default());
                    if !ours.as_ref().is_ok_and(|ours| same(*ours, theirs)) {
                        let (x, y) = (parts(x), parts(y));
                        let ours = ours.map(parts);
                        wrong
                            .push(format!("{op} {a} {x:?}, {b} {y:?}: {ours:?}, kernel {:?}", parts(theirs)));
                    }
                }
            }
        }
    }
    println!("{kernels} kernels, {lanes} lanes");
    assert!(kernels > 1000, "only {kernels} kernels");
    let shown = wrong[..wrong.len().min(40)].join("\n");
    assert!(wrong.is_empty(), "{} lanes differ:\n{shown}", wrong.len());
}
