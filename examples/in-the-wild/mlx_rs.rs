//! The table of mlx-rs 0.33.0, which is the table of MLX 0.32.4.
promote::rules! {
    rules MlxRs;

    dtypes bool u8 u16 u32 u64 i8 i16 i32 i64 f16 bf16 f32 f64 c64;

    promote {
        any, complex => b;      // an f64, too
        u64, signed  => f32;
        int, float   => b;
        any, any     => join;
    }

    law commutative;
}
