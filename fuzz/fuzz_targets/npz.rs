//! The bytes of a `.npz` file are rejected, or the only array, or the one named `a`, survives a round trip.
#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use promote::DType;
use promote_cli::array::{self, Array};
use promote_cli::failure::Failure;
use promote_cli::files::Outline;
use promote_cli::npz;

fn read(bytes: &[u8], name: Option<&str>) -> Option<Array> {
    npz::read(&mut Cursor::new(bytes), name).ok()
}

fuzz_target!(|bytes: &[u8]| {
    for name in [None, Some("a")] {
        let Some(found) = read(bytes, name) else { continue };
        let size = array::element_size(found.dtype()).expect("every array has elements of some size");
        let count = array::count(found.shape()).expect("the array is in memory");
        assert_eq!((found.len(), found.bytes().len()), (count, count * size));
        assert!(found.dtype() != DType::Bool || found.bytes().iter().all(|byte| *byte < 2));

        let (dtype, shape) = (found.dtype(), found.shape().to_vec());
        let mut written = Cursor::new(Vec::new());
        let mut bytes = found.bytes().to_vec();
        let failed = |error: &std::io::Error| Failure::new(error.to_string());
        let outline = Outline { name: "out".to_owned(), dtype, shape };
        npz::write(&mut written, &[outline], &mut |_, sink| sink(&mut bytes), &failed)
            .expect("an array that was read can be written");
        let written = written.into_inner();
        let again = read(&written, None).expect("an archive that was written can be read");
        assert_eq!(
            (again.dtype(), again.shape(), again.bytes()),
            (found.dtype(), found.shape(), found.bytes())
        );
    }
});
