//! The rows that the examples read: columns of three types, in several Parquet files.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Float32Array, Int8Array, Int64Array, RecordBatch};
use datafusion::error::Result;
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use datafusion::parquet::file::properties::WriterProperties;

/// The number of files.
const FILES: usize = 8;

/// The number of rows that are held in memory at once.
const BATCH: usize = 1 << 16;

/// Writes `part-0.parquet`, `part-1.parquet` and so on into a folder, which is made if there is none. A file
/// that has as many rows as it should have stays as it is.
///
/// The columns are `clicks` (Int8), `price` (Float32) and `seen` (Int64), of which one in 16 is null. Every
/// run writes equal rows. A row takes 13 bytes, since values are not compressed.
pub(crate) fn write(folder: &Path, rows: usize) -> Result<()> {
    fs::create_dir_all(folder)?;
    for file in 0..FILES {
        let (start, end) = (rows * file / FILES, rows * (file + 1) / FILES);
        let path = folder.join(format!("part-{file}.parquet"));
        if rows_of(&path) == i64::try_from(end - start).ok() {
            continue;
        }
        // Readers of the folder do not see a file before it is whole.
        let unfinished = path.with_extension("unfinished");
        write_file(&unfinished, start, end)?;
        fs::rename(unfinished, path)?;
    }
    Ok(())
}

/// Returns the number of rows of a file; `None` if it cannot be read.
fn rows_of(path: &Path) -> Option<i64> {
    let metadata = ArrowReaderMetadata::load(&File::open(path).ok()?, ArrowReaderOptions::default()).ok()?;
    Some(metadata.metadata().file_metadata().num_rows())
}

fn write_file(path: &Path, start: usize, end: usize) -> Result<()> {
    // Parquet has no integers of 8 bits: as positions in a dictionary they take a byte each.
    let properties = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_column_dictionary_enabled("clicks".into(), true);
    let schema = batch(0, 0)?.schema();
    let mut writer = ArrowWriter::try_new(File::create(path)?, schema, Some(properties.build()))?;
    for start in (start..end).step_by(BATCH) {
        writer.write(&batch(start, end.min(start + BATCH))?)?;
    }
    writer.close()?;
    Ok(())
}

/// Returns the rows from `start` to `end`.
pub(crate) fn batch(start: usize, end: usize) -> Result<RecordBatch> {
    let bits = || (start..end).map(|row| mixed(row as u64));
    let clicks: Int8Array = bits().map(|bits| i8::try_from(bits % 100).ok()).collect();
    let price: Float32Array =
        bits().map(|bits| u16::try_from(bits >> 48).ok().map(|cents| f32::from(cents) / 100.0)).collect();
    // Seconds since 1970, most of which Float32 does not hold.
    let second = |bits: u64| Some(1_700_000_000 + i64::try_from(bits >> 24 & 0xff_ffff).ok()?);
    let seen: Int64Array = bits().map(|bits| second(bits).filter(|_| bits & 15 > 0)).collect();
    let columns: [(&str, ArrayRef, bool); 3] = [
        ("clicks", Arc::new(clicks), true),
        ("price", Arc::new(price), true),
        ("seen", Arc::new(seen), true),
    ];
    Ok(RecordBatch::try_from_iter_with_nullable(columns)?)
}

/// Returns bits that look random: the output function of the generator `SplitMix64`.
fn mixed(x: u64) -> u64 {
    let x = (x + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}
