//! Fuzzes the reader of `.safetensors` files. The bytes are refused, or the only tensor, or the one named
//! `a`, is an array that survives writing and reading.
#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use promote::DType;
use promote_cli::array::{self, Array};
use promote_cli::files::Outline;
use promote_cli::tensors;

fn read(bytes: &[u8], name: Option<&str>) -> Option<Array> {
    tensors::read(&mut Cursor::new(bytes), bytes.len() as u64, name).ok()
}

fuzz_target!(|bytes: &[u8]| {
    for name in [None, Some("a")] {
        let Some(found) = read(bytes, name) else { continue };
        let size = array::element_size(found.dtype()).expect("it has elements");
        let count = array::count(found.shape()).expect("they are in memory");
        assert_eq!((found.len(), found.bytes().len()), (count, count * size));
        assert!(found.dtype() != DType::Bool || found.bytes().iter().all(|byte| *byte < 2));

        let (name, dtype, shape) = (tensors::NAME.to_owned(), found.dtype(), found.shape().to_vec());
        let mut written = Vec::new();
        tensors::write_header(&mut written, &[Outline { name, dtype, shape }])
            .expect("what was read has a name");
        written.extend(found.bytes());
        let again = read(&written, None).expect("what was written can be read");
        assert_eq!(
            (again.dtype(), again.shape(), again.bytes()),
            (found.dtype(), found.shape(), found.bytes())
        );
    }
});
