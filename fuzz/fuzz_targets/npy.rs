//! Fuzzes the reader of `.npy` files. The bytes are refused, or they are an array that survives writing and
//! reading.
#![no_main]

use libfuzzer_sys::fuzz_target;
use promote::DType;
use promote_cli::array::{self, Array};
use promote_cli::npy;

fn read(mut bytes: &[u8]) -> Option<Array> {
    let length = bytes.len() as u64;
    npy::read(&mut bytes, length).ok()
}

fuzz_target!(|bytes: &[u8]| {
    let Some(found) = read(bytes) else { return };
    let size = array::element_size(found.dtype()).expect("it has elements");
    let count = array::count(found.shape()).expect("they are in memory");
    assert_eq!((found.len(), found.bytes().len()), (count, count * size));
    assert!(found.dtype() != DType::Bool || found.bytes().iter().all(|byte| *byte < 2));

    let mut written = Vec::new();
    npy::write_header(&mut written, found.dtype(), found.shape()).expect("what was read has a name");
    written.extend(found.bytes());
    let again = read(&written).expect("what was written can be read");
    assert_eq!((again.dtype(), again.shape(), again.bytes()), (found.dtype(), found.shape(), found.bytes()));
});
