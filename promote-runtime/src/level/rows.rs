//! The SIMD levels of x86-64 above the base, a row each.

/// Passes the rows of the levels to a macro, from the lowest level to the highest.
///
/// `__level_rows!(path::callback { arguments })` calls `path::callback! { { arguments } rows }`. A row is
/// `"documentation" Variant "name" rare Variant [field "instruction set", ..]`. After `rare` is the level
/// under which rare lanes are computed one by one. All levels are of x86-64; other compile targets have their
/// base alone.
///
/// A further level is a row, and a job that runs the tests at it.
#[doc(hidden)]
#[macro_export]
macro_rules! __level_rows {
    ($($callback:ident)::+ { $($arguments:tt)* }) => {
        $($callback)::+! {
            { $($arguments)* }
            "x86-64-v3 with F16C: AVX2, FMA, BMI."
            V3 "v3" rare V3 [
                sse "sse", sse2 "sse2", fxsr "fxsr", sse3 "sse3", ssse3 "ssse3", sse4_1 "sse4.1", sse4_2 "sse4.2",
                popcnt "popcnt", avx "avx", avx2 "avx2", bmi1 "bmi1", bmi2 "bmi2", fma "fma", lzcnt "lzcnt",
                f16c "f16c",
            ]
            // With masks LLVM takes all lanes for one that is asked for: `sin` of f64 took five times as long
            // beside two huge angles of 512.
            "x86-64-v4: AVX-512 F, BW, CD, DQ, VL."
            V4 "v4" rare V3 [
                sse "sse", sse2 "sse2", fxsr "fxsr", sse3 "sse3", ssse3 "ssse3", sse4_1 "sse4.1", sse4_2 "sse4.2",
                popcnt "popcnt", avx "avx", avx2 "avx2", bmi1 "bmi1", bmi2 "bmi2", fma "fma", lzcnt "lzcnt",
                f16c "f16c", avx512f "avx512f", avx512bw "avx512bw", avx512cd "avx512cd", avx512dq "avx512dq",
                avx512vl "avx512vl",
            ]
        }
    };
}
