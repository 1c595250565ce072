//! Asks the promotion tables of three crates for every pair of dtypes, and writes their answers as JSON.
//!
//! `cargo run -- FOLDER DATE` writes a file for each crate.

use std::marker::PhantomData;

use half::{bf16, f16};
use num::complex::Complex;
use serde_json::{Map, Value, json};

/// A type, which [`Ask`] and [`AskFerray`] answer for if the crate promotes it.
struct Pair<A, B>(PhantomData<(A, B)>);

/// The answer for pairs without an impl.
trait Missing {
    fn rstsr(&self) -> Option<&'static str> {
        None
    }
    fn ferray(&self) -> Option<&'static str> {
        None
    }
}

impl<A, B> Missing for &Pair<A, B> {}

/// The answer of `rstsr-dtype-traits`: the type `Res` of the impl.
trait Rstsr {
    fn rstsr(&self) -> Option<&'static str>;
}

impl<A, B> Rstsr for Pair<A, B>
where
    A: rstsr_dtype_traits::DTypePromoteAPI<B, Res: Named>,
{
    fn rstsr(&self) -> Option<&'static str> {
        Some(A::Res::NAME)
    }
}

/// The answer of `ferray-core` for types: the type `Output` of the impl.
trait Ferray {
    fn ferray(&self) -> Option<&'static str>;
}

impl<A, B> Ferray for Pair<A, B>
where
    A: ferray_core::dtype::promotion::Promoted<B, Output: Named>,
    B: ferray_core::Element,
{
    fn ferray(&self) -> Option<&'static str> {
        Some(<A as ferray_core::dtype::promotion::Promoted<B>>::Output::NAME)
    }
}

/// An element type with a name in rule files.
trait Named {
    const NAME: &'static str;
}

macro_rules! named {
    ($($type:ty: $name:literal),* $(,)?) => { $(impl Named for $type { const NAME: &'static str = $name; })* };
}

named! {
    bool: "bool", u8: "u8", u16: "u16", u32: "u32", u64: "u64", u128: "u128",
    i8: "i8", i16: "i16", i32: "i32", i64: "i64", i128: "i128", ferray_core::dtype::I256: "i256",
    f16: "f16", bf16: "bf16", f32: "f32", f64: "f64", Complex<f32>: "c64", Complex<f64>: "c128",
}

/// Asks a question for every pair of types.
macro_rules! ask {
    ($method:ident: [$($a:ty),* $(,)?] $all:tt) => {{
        let mut cells = Map::new();
        $(ask!(@row cells, $method, $a, $all);)*
        cells
    }};
    (@row $cells:ident, $method:ident, $a:ty, [$($b:ty),* $(,)?]) => {
        $({
            #[allow(unused_imports)]
            use {Ferray as _, Missing as _, Rstsr as _};
            let found = (&Pair::<$a, $b>(PhantomData)).$method();
            $cells.insert(format!("{},{}", <$a>::NAME, <$b>::NAME), json!(found));
        })*
    };
}

/// The file of `mlx-rs` with its table, compiled as it is, and what it needs of its crate.
mod mlx {
    pub mod error {
        #[derive(Debug)]
        pub struct InexactDtypeError(#[allow(dead_code)] pub super::dtype::Dtype);
    }

    #[allow(dead_code, non_upper_case_globals)]
    pub mod dtype {
        use super::{stubs as mlx_internal_macros, stubs as mlx_sys};

        macro_rules! cfg_safetensors {
            ($($item:item)*) => {};
        }
        include!(concat!(env!("MLX_RS"), "/src/dtype.rs"));
    }

    #[allow(non_upper_case_globals)]
    pub mod stubs {
        macro_rules! generate_test_cases {
            ($item:item) => {
                $item
            };
        }
        pub(crate) use generate_test_cases;

        macro_rules! numbered {
            ($($name:ident = $number:literal),* $(,)?) => { $(pub const $name: u32 = $number;)* };
        }
        // As the header `mlx/c/array.h` numbers them.
        numbered! {
            mlx_dtype__MLX_BOOL = 0, mlx_dtype__MLX_UINT8 = 1, mlx_dtype__MLX_UINT16 = 2,
            mlx_dtype__MLX_UINT32 = 3, mlx_dtype__MLX_UINT64 = 4, mlx_dtype__MLX_INT8 = 5,
            mlx_dtype__MLX_INT16 = 6, mlx_dtype__MLX_INT32 = 7, mlx_dtype__MLX_INT64 = 8,
            mlx_dtype__MLX_FLOAT16 = 9, mlx_dtype__MLX_FLOAT32 = 10, mlx_dtype__MLX_FLOAT64 = 11,
            mlx_dtype__MLX_BFLOAT16 = 12, mlx_dtype__MLX_COMPLEX64 = 13,
        }
    }
}

// The paths by which that file names its crate.
pub use mlx::{dtype, error};

fn mlx_cells() -> Map<String, Value> {
    use mlx::dtype::Dtype::{self, *};
    let names = [
        (Bool, "bool"),
        (Uint8, "u8"),
        (Uint16, "u16"),
        (Uint32, "u32"),
        (Uint64, "u64"),
        (Int8, "i8"),
        (Int16, "i16"),
        (Int32, "i32"),
        (Int64, "i64"),
        (Float16, "f16"),
        (Bfloat16, "bf16"),
        (Float32, "f32"),
        (Float64, "f64"),
        (Complex64, "c64"),
    ];
    let name = |wanted: Dtype| names.iter().find(|(dtype, _)| *dtype == wanted).expect("a name").1;
    let mut cells = Map::new();
    for (a, x) in names {
        for (b, y) in names {
            cells.insert(format!("{x},{y}"), json!(name(Dtype::from_promoting_types(a, b))));
        }
    }
    cells
}

fn ferray_cells() -> Map<String, Value> {
    use ferray_core::DType::{self, *};
    let names = [
        (Bool, "bool"),
        (U8, "u8"),
        (U16, "u16"),
        (U32, "u32"),
        (U64, "u64"),
        (U128, "u128"),
        (I8, "i8"),
        (I16, "i16"),
        (I32, "i32"),
        (I64, "i64"),
        (I128, "i128"),
        (I256, "i256"),
        (F16, "f16"),
        (BF16, "bf16"),
        (F32, "f32"),
        (F64, "f64"),
        (Complex32, "c64"),
        (Complex64, "c128"),
    ];
    let name = |wanted: DType| names.iter().find(|(dtype, _)| *dtype == wanted).expect("a name").1;
    let mut cells = Map::new();
    for (a, x) in names {
        for (b, y) in names {
            let found = ferray_core::dtype::promotion::result_type(a, b);
            cells.insert(format!("{x},{y}"), json!(found.ok().map(name)));
        }
    }
    cells
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (folder, date) = (arguments.next().expect("a folder"), arguments.next().expect("a date"));
    let rstsr = ask!(rstsr:
        [bool, u8, u16, u32, u64, i8, i16, i32, i64, f16, bf16, f32, f64, Complex<f32>, Complex<f64>]
        [bool, u8, u16, u32, u64, i8, i16, i32, i64, f16, bf16, f32, f64, Complex<f32>, Complex<f64>]
    );
    let ferray = ask!(ferray:
        [bool, u8, u16, u32, u64, u128, i8, i16, i32, i64, i128, ferray_core::dtype::I256, f16, bf16, f32,
         f64, Complex<f32>, Complex<f64>]
        [bool, u8, u16, u32, u64, u128, i8, i16, i32, i64, i128, ferray_core::dtype::I256, f16, bf16, f32,
         f64, Complex<f32>, Complex<f64>]
    );
    macro_rules! about {
        ($variable:literal, $name:literal, $file:literal) => {
            json!({
                "crate": $name,
                "version": env!(concat!($variable, "_VERSION")),
                "license": env!(concat!($variable, "_LICENSE")),
                "recorded": date,
                "file": $file,
                "lines": include_str!(concat!(env!($variable), "/", $file)).lines().count(),
            })
        };
    }
    for (name, mut about, tables) in [
        (
            "ferray",
            about!("FERRAY_CORE", "ferray-core", "src/dtype/promotion.rs"),
            vec![("result_type", ferray_cells()), ("Promoted", ferray)],
        ),
        (
            "rstsr",
            about!("RSTSR_DTYPE_TRAITS", "rstsr-dtype-traits", "src/promotion.rs"),
            vec![("DTypePromoteAPI", rstsr)],
        ),
        ("mlx_rs", about!("MLX_RS", "mlx-rs", "src/dtype.rs"), vec![("from_promoting_types", mlx_cells())]),
    ] {
        let tables: Map<String, Value> = tables
            .into_iter()
            .map(|(name, cells)| (name.to_owned(), Value::Object(matrix(&cells))))
            .collect();
        about["tables"] = Value::Object(tables);
        let text = serde_json::to_string_pretty(&about).expect("JSON") + "\n";
        std::fs::write(format!("{folder}/{name}.json"), text).expect("the folder can be written");
    }
}

/// Returns a row for each left operand: the answers for each right one, in the order of the rows.
fn matrix(cells: &Map<String, Value>) -> Map<String, Value> {
    let mut rows: Map<String, Value> = Map::new();
    for (key, found) in cells {
        let (a, _) = key.split_once(',').expect("two dtypes");
        let word = found.as_str().unwrap_or("-");
        let row = rows.entry(a).or_insert_with(|| json!(""));
        let separator = if row == "" { "" } else { " " };
        *row = json!(format!("{}{separator}{word}", row.as_str().expect("text")));
    }
    rows
}
