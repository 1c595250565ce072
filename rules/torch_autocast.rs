//! PyTorch 2.15 under `torch.autocast`. Calls in place or with `out`, and those in a block where autocast is
//! disabled, are as in `Torch`.
promote::rules! {
    rules TorchAutocast extends crate::Torch;

    param device: cpu | cuda = cuda;
    param dtype: bf16 | f16 = f16;      // PyTorch's default on CUDA; on the CPU it is bf16

    let cast = bf16 | f16 | f32;        // what autocast casts: neither f64 nor other kinds

    // Ops in the dtype of autocast

    op matmul einsum vecdot addmm addbmm baddbmm linear linear_bias conv conv_transpose attention prelu {
        cast, cast => dtype;
    }
    op mv addmv { when device == cuda { cast, cast => dtype; } }
    op addr { when device == cuda { cast, bool | int | cast => dtype; } }
    op multi_dot {
        same cast => dtype;
        when device == cuda { cast, cast => dtype; }
    }
    op tensordot { when device == cpu { same cast => dtype; } }
    op matrix_power { cast => dtype; }
    op pinv { when device == cpu { f32 => common -> dtype; } }
    op lstm_cell gru_cell {
        when device == cuda { cast => dtype; }
        when device == cpu { cast => promote(common, dtype); }      // only some of its steps are cast
    }

    // Ops in f32

    op mse_loss smooth_l1_loss poisson_nll_loss prod nll_loss cross_entropy multi_margin_loss { half => f32; }
    op kl_div cross_entropy_probabilities cdist { half, cast => f32; }
    op l1_loss margin_ranking_loss triplet_margin_loss { half, int | cast => f32; }
    op cosine_embedding_loss { half, bool | int | cast => f32; }
    op huber_loss soft_margin_loss (a, b) { half, bool | int | float => promote(f32, b) -> f32; }
    op hinge_embedding_loss (a, b) { half, any => promote(f32, b) -> f32; }
    op binary_cross_entropy_with_logits (a, b) { float, half => promote(a, f32) -> f32; }
    op binary_cross_entropy {
        when device == cpu { cast, cast => f32; }
        when device == cuda { any => refuse "not safe in 16 bits: use `binary_cross_entropy_with_logits`"; }
    }

    op trace det inv cholesky qr svdvals eigvalsh quantile ctc_loss { when device == cpu { half => f32; } }
    op fft rfft view_as_complex { when device == cpu { half => f32 -> c64; } }
    op grid_sample { when device == cpu { half, cast => f32; } }

    op exp expm1 log log10 log2 log1p reciprocal rsqrt pow square {
        when device == cuda { half => f32; }
    }
    op tan acos asin cosh sinh erfinv softplus { when device == cuda { half => f32; } }
    op sum logsumexp norm nuclear_norm renorm normalize pdist { when device == cuda { half => f32; } }
    op cumsum cumprod { when device == cuda { half => f32 in f64; } }
    op softmax log_softmax layer_norm rms_norm group_norm interpolate cosine_similarity {
        when device == cuda { half => f32; }
    }
    op dist { when device == cuda { half, int | cast => f32; } }
    op layer_norm_weight { when device == cuda { cast, cast => f32; } }

    // Ops in the widest dtype of their operands

    reason other_half = "of the 16-bit floats, only the one that autocast uses is promoted: cast the other one";
    let widest = dot | vdot | inner | tensordot | bilinear | scatter_add | index_put | addcmul | atan2
        | grid_sample;

    op widest (a, b) {
        when device == cuda {
            half, any if a != dtype             => refuse other_half;
            any, half if b != dtype && a != f32 => refuse other_half;
            cast, cast                          => promote(a, b);
        }
    }
    op concatenate stack index_copy (a, b) {
        when device == cpu {
            half, any if a != dtype             => refuse other_half;
            any, half if b != dtype && a != f32 => refuse other_half;
            cast, cast                          => promote(a, b);
        }
    }
}
