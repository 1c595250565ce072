//! The losses before they are reduced: every step is rounded.

use half::{bf16, f16};

use super::steps::{Stepped, Steps};
use super::{Binary, L1Loss, MseLoss};

macro_rules! losses {
    ($($ty:ty)*) => {$(
        rows! { $ty;
            L1Loss |a, b| a.minus(b).size();
            MseLoss |a, b| {
                let distance = a.minus(b);
                distance.times(distance)
            };
        }
    )*};
}

losses! { f32 f64 Stepped<f16> Stepped<bf16> }
