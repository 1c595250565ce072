//! The systems, their recordings, and a test for each.

use std::sync::LazyLock;

use crate::exceptions::{
    Exceptions, JAX, ML_DTYPES, NUMPY, NUMPY1, ONEFLOW, PADDLE, TENSORFLOW, TORCH, kernels_missing,
};
use crate::score::{Outcome, compare};
use crate::tolerance::{ANY_VECTOR_LOOP, BESIDE_EXACT, Tolerance, WITHOUT_EXACT};
use crate::ways::Way;

/// A system with its recordings.
pub(crate) struct System {
    pub(crate) name: &'static str,
    pub(crate) recordings: &'static [Recording],
    pub(crate) exceptions: &'static Exceptions,
}

/// A file of recorded values, and how it is compared.
pub(crate) struct Recording {
    /// The file of `tests/data`, without its extension.
    pub(crate) file: &'static str,
    /// The names of rule sets. An op is asked of the first one that has it.
    pub(crate) rules: &'static [&'static str],
    /// The side that is compared with the recorded values.
    pub(crate) ways: &'static [Way],
    /// The largest difference of lanes.
    pub(crate) tolerance: Tolerance,
    /// The name under which `docs/defects.md` lists what is excused.
    pub(crate) title: &'static str,
    /// The fewest lanes that are compared.
    pub(crate) min_lanes: usize,
}

impl Recording {
    /// Returns the first word of the file's name: `pairs`, `cases`, `numbers`.
    pub(crate) fn kind(&self) -> &'static str {
        self.file.split_once('_').map_or(self.file, |(kind, _)| kind)
    }
}

const fn pairs(file: &'static str, rules: &'static [&'static str], title: &'static str) -> Recording {
    Recording { file, rules, ways: &[Way::Kernels], tolerance: BESIDE_EXACT, title, min_lanes: 200_000 }
}

const fn cases(file: &'static str, rules: &'static [&'static str], title: &'static str) -> Recording {
    let (ways, tolerance) = (&[Way::Reference], ANY_VECTOR_LOOP);
    Recording { file, rules, ways, tolerance, title, min_lanes: 10_000 }
}

const fn logical(file: &'static str, rules: &'static [&'static str], title: &'static str) -> Recording {
    let ways = &[Way::Kernels, Way::Reference];
    Recording { file, rules, ways, tolerance: BESIDE_EXACT, title, min_lanes: 1_500 }
}

macro_rules! systems {
    ($($test:ident $name:literal $exceptions:ident [$($recording:expr),+];)+) => {
        $(mod $test {
            use super::*;

            const SYSTEM: System =
                System { name: $name, recordings: &[$($recording),+], exceptions: &$exceptions };

            /// Several tests read the outcome, so that it is computed once.
            pub(super) static OUTCOME: LazyLock<Outcome> = LazyLock::new(|| compare(&SYSTEM));

            #[test]
            fn every_recorded_lane_is_equal_near_or_excused() {
                OUTCOME.check();
            }
        })+

        /// The outcomes of all systems, in the order of `docs/defects.md`.
        fn outcomes() -> Vec<&'static Outcome> {
            vec![$(&*$test::OUTCOME),+]
        }
    };
}

systems! {
    torch "PyTorch" TORCH [
        pairs("pairs_torch", &["torch"], "PyTorch"),
        Recording {
            tolerance: WITHOUT_EXACT,
            min_lanes: 200_000,
            ..cases("cases_torch", &["torch"], "PyTorch, cases")
        },
        Recording { min_lanes: 17_000, ..pairs("numbers_torch", &["torch"], "PyTorch, numbers") }
    ];
    numpy "NumPy" NUMPY [
        pairs("pairs_numpy", &["numpy"], "NumPy"),
        cases("cases_numpy", &["numpy"], "NumPy, cases"),
        logical("logical_numpy", &["numpy"], "NumPy, numbers"),
        Recording {
            min_lanes: 26_610,
            ..pairs("validation_numpy", &["numpy"], "NumPy, validation set")
        }
    ];
    jax "JAX" JAX [
        pairs("pairs_jax", &["jax"], "JAX"),
        cases("cases_jax", &["jax"], "JAX, cases"),
        logical("logical_jax", &["jax"], "JAX, numbers")
    ];
    tensorflow "TensorFlow" TENSORFLOW [
        cases("cases_tensorflow", &["tensorflow", "tensorflow-numpy"], "TensorFlow")
    ];
    paddle "PaddlePaddle" PADDLE [cases("cases_paddle", &["paddle"], "PaddlePaddle")];
    oneflow "OneFlow" ONEFLOW [cases("cases_oneflow", &["oneflow"], "OneFlow")];
    numpy1 "NumPy 1" NUMPY1 [logical("logical_numpy1", &["numpy1"], "NumPy 1")];
    ml_dtypes "ml_dtypes" ML_DTYPES [
        logical("logical_ml_dtypes", &["ml-dtypes"], "ml_dtypes"),
        Recording {
            ways: &[Way::Levels, Way::Reference],
            min_lanes: 28_000,
            ..pairs("nextafter_ml_dtypes", &["ml-dtypes"], "ml_dtypes, steps")
        }
    ];
}

#[test]
fn the_page_of_defects_is_up_to_date() {
    let excused = outcomes().into_iter().flat_map(Outcome::excused).collect::<Vec<_>>();
    crate::defects::check(&excused);
}

#[test]
fn only_listed_kernels_are_missing() {
    let missing = outcomes().into_iter().flat_map(|outcome| outcome.missing.iter().copied()).collect();
    assert_eq!(kernels_missing(), missing, "left: listed as missing, right: missing");
}
