//! Averages two checkpoints (`.safetensors` files) tensor by tensor, whatever their dtypes.
//!
//! ```text
//! cargo run --release -p promote-cli --example checkpoint_merge -- a.safetensors b.safetensors -o merged.safetensors
//! ```
//!
//! Tensors are read, averaged and written block by block, so that memory does not grow with the files. Floats
//! are averaged in `f32`, or in `f64` if one of them is, and rounded once to the dtype of the result: the one
//! that PyTorch promotes both to, or that of `--dtype`. Tensors of other dtypes have to be equal in both
//! files, and are copied. The output appears when it is complete. Text about the files (`__metadata__`) is
//! left out.

use std::collections::HashSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use promote::{DType, Kind, Op, Operand, RuleSet, Torch};
use promote_cli::array::shape_text;
use promote_cli::expr::{self, Expression};
use promote_cli::failure::Failure;
use promote_cli::files::{self, Outline, Sink};
use promote_cli::plan::Plan;
use promote_cli::stored::{Input, Place, Stored};
use promote_cli::tensors::Tensors;

/// Average two checkpoints tensor by tensor
#[derive(Debug, Parser)]
struct Args {
    /// The first checkpoint
    a: PathBuf,
    /// The second checkpoint, with tensors of the same names and shapes
    b: PathBuf,
    /// The file that gets the averages
    #[arg(short, long)]
    output: PathBuf,
    /// The weight of the second checkpoint, from 0 to 1
    #[arg(long, default_value_t = 0.5, value_parser = weight)]
    weight: f64,
    /// The dtype of all averages; without it, the one that PyTorch promotes each pair to
    #[arg(long)]
    dtype: Option<DType>,
    /// A tensor that is copied from the first checkpoint
    #[arg(long, value_name = "TENSOR")]
    copy: Vec<String>,
}

fn weight(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|weight| (0.0..=1.0).contains(weight)).ok_or_else(|| "write 0 to 1".to_owned())
}

/// A checkpoint: the header of its file.
struct Checkpoint<'p> {
    path: &'p Path,
    tensors: Tensors,
}

impl<'p> Checkpoint<'p> {
    fn open(path: &'p Path) -> Result<Checkpoint<'p>, Failure> {
        let cannot = |why: String| Failure::new(format!("cannot read `{}`: {why}", path.display()));
        let read = || {
            let mut file = File::open(path)?;
            let length = file.metadata()?.len();
            Ok((Tensors::read(&mut file, length), file))
        };
        let (tensors, _) = read().map_err(|error: std::io::Error| cannot(error.to_string()))?;
        let tensors = tensors.map_err(|failure| failure.of(&format!("cannot read `{}`", path.display())))?;
        Ok(Checkpoint { path, tensors })
    }

    /// Opens a tensor, whose elements stay in the file.
    fn tensor(&self, place: Place) -> Result<Stored, Failure> {
        let name = format!("`{}`", self.path.display());
        let file =
            File::open(self.path).map_err(|error| Failure::new(format!("cannot read {name}: {error}")))?;
        Stored::new(file, name, place)
    }
}

/// How a tensor of the output is made.
enum Merge {
    /// It is that of the first file.
    Copy(Place),
    /// It is that of both files, in which it has to be equal.
    Equal([Place; 2]),
    /// It is computed from the tensors `a` and `b`.
    Average([Place; 2], Expression),
}

/// Returns true for floats that kernels compute with. The formats have others.
fn is_float(dtype: DType) -> bool {
    dtype.has_type() && dtype.kind() == Kind::Float
}

/// Decides how a tensor is merged, and returns the dtype of the result.
fn merge(
    args: &Args,
    rules: RuleSet,
    name: &str,
    [first, second]: [&Tensors; 2],
) -> Result<(Merge, DType), Failure> {
    let first = first.place(Some(name))?;
    let a = first.dtype;
    if args.copy.iter().any(|copy| copy == name) {
        return Ok((Merge::Copy(first), a));
    }
    let second = second.place(Some(name))?;
    let b = second.dtype;
    let help = format!("`--copy {name}` copies that of the first file");
    if first.shape != second.shape {
        let (a, b) = (shape_text(&first.shape), shape_text(&second.shape));
        let message =
            format!("the tensor `{name}` has the shape {a} in the first file, and {b} in the second");
        return Err(Failure::new(message).help(help));
    }
    let places = [first, second];
    if !is_float(a) || !is_float(b) {
        if a != b {
            let message = format!(
                "the tensor `{name}` is {a} in the first file, and {b} in the second: these are not averaged"
            );
            return Err(Failure::new(message).help(help));
        }
        return Ok((Merge::Equal(places), a));
    }
    let dtype = if let Some(dtype) = args.dtype {
        dtype
    } else {
        let promoted = rules.result_type(&[Operand::Array(a), Operand::Array(b)]).map_err(Failure::from);
        let of = |failure: Failure| failure.of(&format!("the tensor `{name}`"));
        promoted.map_err(|failure| of(failure).help("name the dtype of the averages: `--dtype f32`"))?.dtype
    };
    let wide = if [a, b, dtype].contains(&DType::F64) { DType::F64 } else { DType::F32 };
    let operand =
        |name: &str, own| if own == wide { name.to_owned() } else { format!("astype({name}, {wide})") };
    let weight = args.weight;
    let average = format!("lerp({}, {}, weight = {weight:?})", operand("a", a), operand("b", b));
    let text = if dtype == wide { average } else { format!("astype({average}, {dtype})") };
    Ok((Merge::Average(places, expr::parse(&text, &[Op::Lerp])?), dtype))
}

/// Checks that both files have tensors of the same names.
fn check_names(a: &Checkpoint<'_>, b: &Checkpoint<'_>, copied: &[String]) -> Result<(), Failure> {
    for (this, other, copied) in [(a, b, copied), (b, a, &[])] {
        let known: HashSet<String> = other.tensors.names().into_iter().collect();
        let is_missing = |name: &String| !known.contains(name) && !copied.contains(name);
        let missing = this.tensors.names().into_iter().find(is_missing);
        if let Some(name) = missing {
            let (this, other) = (this.path.display(), other.path.display());
            let failure = Failure::new(format!("`{this}` has a tensor `{name}`, and `{other}` has none"));
            return Err(failure.help("merge checkpoints of one model; `--copy` copies a tensor of the first"));
        }
    }
    match copied.iter().find(|name| a.tensors.place(Some(name)).is_err()) {
        Some(name) => Err(Failure::new(format!("`{}` has no tensor `{name}` to copy", a.path.display()))),
        None => Ok(()),
    }
}

/// Checks that a tensor has the same bytes in both files.
fn check_equal(name: &str, [a, b]: &[Stored; 2]) -> Result<(), Failure> {
    let mut room = [vec![0; BLOCK], vec![0; BLOCK]];
    let mut at = 0;
    while at < a.bytes() {
        let length = BLOCK.min(usize::try_from(a.bytes() - at).unwrap_or(BLOCK));
        let [x, y] = &mut room;
        a.read_bytes(at, &mut x[..length])?;
        b.read_bytes(at, &mut y[..length])?;
        if x[..length] != y[..length] {
            let dtype = a.dtype();
            let message = format!("the tensor `{name}` differs, and tensors of {dtype} are not averaged");
            return Err(Failure::new(message).help(format!("`--copy {name}` copies that of the first file")));
        }
        at += length as u64;
    }
    Ok(())
}

/// The number of bytes that are compared at a time.
const BLOCK: usize = 1 << 18;

/// Computes one tensor, and passes its elements to `sink`.
fn compute(
    rules: RuleSet,
    [a, b]: [&Checkpoint<'_>; 2],
    (name, merge): (&str, &Merge),
    sink: &mut Sink<'_>,
) -> Result<(), Failure> {
    let both = |[first, second]: &[Place; 2]| -> Result<[Stored; 2], Failure> {
        Ok([a.tensor(first.clone())?, b.tensor(second.clone())?])
    };
    match merge {
        Merge::Copy(place) => a.tensor(place.clone())?.copy(sink),
        Merge::Equal(places) => {
            let tensors = both(places)?;
            check_equal(name, &tensors)?;
            tensors[0].copy(sink)
        }
        Merge::Average(places, average) => {
            let [a, b] = both(places)?;
            let inputs = [Input::new(a, 0)?, Input::new(b, 0)?];
            Plan::new(rules, average, &inputs)?.run(sink, |_| {})
        }
    }
}

fn run(args: &Args) -> Result<(), Failure> {
    if let Some(dtype) = args.dtype.filter(|dtype| !is_float(*dtype)) {
        return Err(
            Failure::new(format!("averages cannot be {dtype}")).help("name a float, such as `--dtype bf16`")
        );
    }
    let rules = Torch::new().rule_set();
    files::check_destination(&args.output, Some(files::Format::Safetensors))?;
    let (a, b) = (Checkpoint::open(&args.a)?, Checkpoint::open(&args.b)?);
    check_names(&a, &b, &args.copy)?;
    let (mut merges, mut outlines) = (Vec::new(), Vec::new());
    for name in a.tensors.names() {
        let (merge, dtype) = merge(args, rules, &name, [&a.tensors, &b.tensors])?;
        let shape = a.tensors.place(Some(&name))?.shape;
        merges.push(merge);
        outlines.push(Outline { name, dtype, shape });
    }
    let total = outlines.iter().map(Outline::bytes).sum::<Result<u64, Failure>>()?;
    // Drawn on standard error, and only if that is a terminal.
    let bar = ProgressBar::new(total).with_message("merging");
    if let Ok(style) =
        ProgressStyle::with_template("{msg} {wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {eta}")
    {
        bar.set_style(style);
    }
    let names: Vec<String> = outlines.iter().map(|outline| outline.name.clone()).collect();
    files::write_computed(&args.output, outlines, &mut |index, sink| {
        compute(rules, [&a, &b], (&names[index], &merges[index]), &mut |block| {
            bar.inc(block.len() as u64);
            sink(block)
        })
    })?;
    bar.finish_and_clear();
    println!("{}: {} tensors, {total} bytes", args.output.display(), names.len());
    Ok(())
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use promote::{float8, half};
    use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};

    use super::*;

    type F8 = float8::F8E4M3;

    /// The name, dtype, shape and bytes of a tensor in a file.
    type Saved<'a> = (&'a str, Dtype, &'a [usize], Vec<u8>);

    /// A folder with two checkpoints.
    struct Fixture {
        folder: tempfile::TempDir,
    }

    /// A value that is exact in none of the dtypes but `f64`.
    fn value(at: usize, seed: usize) -> f64 {
        ((at * 37 + seed * 101) % 257) as f64 / 100.0 - 1.2
    }

    fn bytes<const N: usize>(n: usize, seed: usize, encode: impl Fn(f64) -> [u8; N]) -> Vec<u8> {
        (0..n).flat_map(|at| encode(value(at, seed))).collect()
    }

    fn f32s(n: usize, seed: usize) -> Vec<u8> {
        bytes(n, seed, |x| (x as f32).to_le_bytes())
    }

    fn bf16s(n: usize, seed: usize) -> Vec<u8> {
        bytes(n, seed, |x| half::bf16::from_f64(x).to_le_bytes())
    }

    fn f8s(n: usize, seed: usize) -> Vec<u8> {
        bytes(n, seed, |x| [F8::from_f64(x).to_bits()])
    }

    impl Fixture {
        fn new(tensors: [&[Saved<'_>]; 2]) -> Fixture {
            let folder = tempfile::tempdir().expect("a folder");
            for (tensors, file) in tensors.into_iter().zip(["a.safetensors", "b.safetensors"]) {
                let views = tensors.iter().map(|(name, dtype, shape, bytes)| {
                    (*name, TensorView::new(*dtype, shape.to_vec(), bytes).expect("a tensor"))
                });
                std::fs::write(folder.path().join(file), serialize(views, None).expect("a file"))
                    .expect("written");
            }
            Fixture { folder }
        }

        /// Merges the checkpoints with these arguments, and returns the file or the error.
        fn merge(&self, args: &[&str]) -> Result<Vec<u8>, String> {
            let path = |file| self.folder.path().join(file);
            let out = path("out.safetensors");
            let files = [path("a.safetensors"), path("b.safetensors"), "-o".into(), out.clone()];
            let files = files.iter().map(|file| file.as_os_str().to_owned());
            let args = args.iter().map(std::ffi::OsString::from);
            let args = Args::parse_from(std::iter::once("checkpoint_merge".into()).chain(files).chain(args));
            let outcome = run(&args);
            // Nothing but the inputs and a complete output is left.
            let left = std::fs::read_dir(self.folder.path()).expect("the folder").count();
            assert_eq!(left, if outcome.is_ok() || out.exists() { 3 } else { 2 });
            outcome.map(|()| std::fs::read(out).expect("a file")).map_err(|failure| failure.to_string())
        }
    }

    #[test]
    fn averages_equal_those_of_a_plain_loop() {
        // More than one block, and not a whole number of blocks.
        let (n, shape) = (3 * 16_384 + 77, [3 * 16_384 + 77]);
        let steps: Vec<u8> = 7_i64.to_le_bytes().to_vec();
        let codes: Vec<u8> = (0..32).collect();
        let fixture = Fixture::new([
            &[
                ("mixed", Dtype::BF16, &shape, bf16s(n, 1)),
                ("narrow", Dtype::BF16, &shape, bf16s(n, 2)),
                ("bias", Dtype::F32, &[], f32s(1, 3)),
                ("eight", Dtype::F8_E4M3, &shape, f8s(n, 4)),
                ("steps", Dtype::I64, &[], steps.clone()),
                ("scales", Dtype::F8_E8M0, &[4, 8], codes.clone()),
            ],
            &[
                ("mixed", Dtype::F32, &shape, f32s(n, 5)),
                ("narrow", Dtype::BF16, &shape, bf16s(n, 6)),
                ("bias", Dtype::BF16, &[], bf16s(1, 7)),
                ("eight", Dtype::F8_E4M3, &shape, f8s(n, 8)),
                ("steps", Dtype::I64, &[], steps.clone()),
                ("scales", Dtype::F8_E8M0, &[4, 8], codes.clone()),
            ],
        ]);
        let merged = fixture.merge(&["--weight", "0.25"]).expect("a merge");
        let merged = SafeTensors::deserialize(&merged).expect("a file");
        let lerp = |a: f32, b: f32| a + 0.25 * (b - a);
        let bf16 = |at, seed| half::bf16::from_f64(value(at, seed)).to_f32();
        let f8 = |at, seed| F8::from_f64(value(at, seed)).to_f32();
        let check = |name: &str, dtype: Dtype, n: usize, expected: &dyn Fn(usize) -> Vec<u8>| {
            let found = merged.tensor(name).expect("the tensor");
            assert_eq!(found.dtype(), dtype, "{name}");
            let expected: Vec<u8> = (0..n).flat_map(expected).collect();
            assert!(found.data() == expected, "{name}");
        };
        let f32_of = |x: f32| x.to_le_bytes().to_vec();
        let bf16_of = |x: f32| half::bf16::from_f32(x).to_le_bytes().to_vec();
        check("mixed", Dtype::F32, n, &|at| f32_of(lerp(bf16(at, 1), value(at, 5) as f32)));
        check("narrow", Dtype::BF16, n, &|at| bf16_of(lerp(bf16(at, 2), bf16(at, 6))));
        check("bias", Dtype::F32, 1, &|at| f32_of(lerp(value(at, 3) as f32, bf16(at, 7))));
        check("eight", Dtype::F8_E4M3, n, &|at| vec![F8::from_f32(lerp(f8(at, 4), f8(at, 8))).to_bits()]);
        check("steps", Dtype::I64, 1, &|_| steps.clone());
        check("scales", Dtype::F8_E8M0, 1, &|_| codes.clone());
    }

    #[test]
    fn a_dtype_can_be_named_where_pytorch_promotes_none() {
        let fixture =
            Fixture::new([&[("x", Dtype::F8_E4M3, &[5], f8s(5, 1))], &[("x", Dtype::F32, &[5], f32s(5, 2))]]);
        let told = fixture.merge(&[]).expect_err("PyTorch refuses");
        assert!(told.starts_with("error: the tensor `x`: ") && told.contains("`--dtype f32`"), "{told}");
        let merged = fixture.merge(&["--dtype", "bf16"]).expect("a merge");
        let merged = SafeTensors::deserialize(&merged).expect("a file");
        let average = |at| {
            let (a, b) = (F8::from_f64(value(at, 1)).to_f32(), value(at, 2) as f32);
            half::bf16::from_f32(b - (b - a) * 0.5).to_le_bytes()
        };
        let expected: Vec<u8> = (0..5).flat_map(average).collect();
        assert_eq!(merged.tensor("x").expect("it").data(), expected);
    }

    #[test]
    fn tensors_that_do_not_fit_are_named() {
        let u8s = |value: u8| vec![value; 4];
        let fixture = Fixture::new([
            &[("x", Dtype::F32, &[4], f32s(4, 1)), ("mask", Dtype::U8, &[4], u8s(1))],
            &[("x", Dtype::F32, &[2, 2], f32s(4, 1)), ("mask", Dtype::U8, &[4], u8s(2))],
        ]);
        let told = fixture.merge(&[]).expect_err("other shapes");
        assert_eq!(
            told,
            "error: the tensor `x` has the shape (4,) in the first file, and (2, 2) in the second\n\
             help: `--copy x` copies that of the first file"
        );
        let told = fixture.merge(&["--copy", "x"]).expect_err("other masks");
        assert!(
            told.starts_with("error: the tensor `mask` differs, and tensors of u8 are not averaged\n"),
            "{told}"
        );
        let merged = fixture.merge(&["--copy", "x", "--copy", "mask"]).expect("copies");
        assert_eq!(
            SafeTensors::deserialize(&merged).expect("a file").tensor("mask").expect("it").data(),
            [1; 4]
        );
        assert!(fixture.merge(&["--copy", "y"]).expect_err("no `y`").contains("has no tensor `y` to copy"));
        let fixture = Fixture::new([&[("x", Dtype::U8, &[4], u8s(1))], &[("y", Dtype::U8, &[4], u8s(1))]]);
        assert!(fixture.merge(&[]).expect_err("a missing tensor").contains("has a tensor `x`, and"));
    }
}
