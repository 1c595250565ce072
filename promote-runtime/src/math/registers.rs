//! Numbers in vector registers, and tables in which lanes look numbers up: of sixteen entries of `f64`, or
//! eight of `f32`.
//!
//! LLVM turns an index into a gather, which is slow. So functions with tables are not loops over lanes: they
//! are written over [`Lookup`], and computed for [`LANES`] numbers at once, for which each level has a type
//! of its own. Results have the bits of single numbers.

#![allow(clippy::inline_always, reason = "a kernel becomes vector code only where all of it is inlined")]
#![allow(
    clippy::needless_range_loop,
    reason = "these loops replace iterators, which are not inlined everywhere"
)]

use super::batch::{Float, Number};
use crate::level::Lanes;

/// The number of lanes that are computed side by side, step by step.
pub const LANES: usize = 16;

/// A table of `T` numbers for each of sixteen indices.
#[repr(align(64))]
pub(crate) struct Table<const T: usize> {
    columns: [[f64; 16]; T],
    /// The numbers of `columns`, transposed: row `i` holds the numbers at index `i`.
    ///
    /// AVX2 cannot look up sixteen numbers by one instruction. There, each lane loads the row of its index,
    /// and the rows of four lanes are transposed, so that each register holds one number for every lane.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "other machines read the columns"))]
    rows: [[f64; 4]; 16],
}

impl<const T: usize> Table<T> {
    /// Makes a table of its columns, of which there are at most four.
    pub(crate) const fn new(columns: [[f64; 16]; T]) -> Self {
        let mut rows = [[0.0; 4]; 16];
        let mut i = 0;
        while i < 16 * T {
            rows[i % 16][i / 16] = columns[i / 16][i % 16];
            i += 1;
        }
        Table { columns, rows }
    }
}

/// A table of `T` numbers of `f32` for each of eight indices, which stand twice: AVX2 looks eight up by one
/// instruction, and AVX-512 sixteen.
#[repr(align(64))]
pub(crate) struct ShortTable<const T: usize>([[f32; 16]; T]);

impl<const T: usize> ShortTable<T> {
    /// Makes a table of its columns.
    pub(crate) const fn new(columns: [[f32; 8]; T]) -> Self {
        let mut twice = [[0.0; 16]; T];
        let mut i = 0;
        while i < 16 * T {
            twice[i / 16][i % 16] = columns[i / 16][i % 8];
            i += 1;
        }
        ShortTable(twice)
    }
}

/// A float with tables, and with registers at each level. Only [`Tabled::row`] names the registers, after it
/// has asked for the level whose instructions they have.
pub(crate) trait Rows: Float + Lookup<Self> {
    /// A table of `T` numbers for each index.
    type Table<const T: usize>;
    #[cfg(target_arch = "x86_64")]
    type Wide: Lookup<Self> + Registers<Self>;
    #[cfg(target_arch = "x86_64")]
    type Avx2: Lookup<Self> + Registers<Self>;
}

impl Rows for f64 {
    type Table<const T: usize> = Table<T>;
    #[cfg(target_arch = "x86_64")]
    type Wide = x86::Wide;
    #[cfg(target_arch = "x86_64")]
    type Avx2 = x86::Avx2;
}

impl Rows for f32 {
    type Table<const T: usize> = ShortTable<T>;
    #[cfg(target_arch = "x86_64")]
    type Wide = x86::Wide32;
    #[cfg(target_arch = "x86_64")]
    type Avx2 = x86::Avx2x32;
}

/// A row of numbers in registers.
#[cfg(target_arch = "x86_64")]
pub(crate) trait Registers<F> {
    /// Takes numbers into registers.
    ///
    /// # Safety
    ///
    /// The machine has the instructions of the type.
    unsafe fn of_lanes(lanes: [F; LANES]) -> Self;

    /// Returns the numbers.
    fn lanes(self) -> [F; LANES];
}

/// Numbers that look others up in a table.
pub(crate) trait Lookup<F: Rows = f64>: Number<F> {
    /// Returns true if all lanes are chosen.
    fn all(mask: Self::Mask) -> bool;

    /// Returns the numbers at the index that the lowest bits of `self` are: four, or three of an `f32`.
    fn lookup<const T: usize>(self, table: &F::Table<T>) -> [Self; T];
}

impl Lookup for f64 {
    #[inline(always)]
    fn all(mask: bool) -> bool {
        mask
    }

    #[inline(always)]
    fn lookup<const T: usize>(self, table: &Table<T>) -> [f64; T] {
        let mut found = [0.0; T];
        for t in 0..T {
            found[t] = table.columns[t][self.to_bits() as usize % 16];
        }
        found
    }
}

impl Lookup<f32> for f32 {
    #[inline(always)]
    fn all(mask: bool) -> bool {
        mask
    }

    #[inline(always)]
    fn lookup<const T: usize>(self, table: &ShortTable<T>) -> [f32; T] {
        let mut found = [0.0; T];
        for t in 0..T {
            found[t] = table.0[t][self.to_bits() as usize % 8];
        }
        found
    }
}

/// A function of `A` operands with tables, of numbers or of registers.
pub(crate) trait Tabled<const A: usize = 1, F: Rows = f64> {
    /// Returns the lanes in the domain of the fast path: all lanes, if both forms are one.
    #[inline(always)]
    fn in_domain<N: Lookup<F>>(x: [N; A]) -> N::Mask {
        // No number is less than itself.
        !x[0].less(x[0])
    }

    /// Returns the lanes for which the fast path is right, judging by operands and result: those in its
    /// domain, unless the function says otherwise.
    #[inline(always)]
    fn is_settled<N: Lookup<F>>(x: [N; A], _result: N) -> N::Mask {
        Self::in_domain(x)
    }

    /// Computes the function, by the fast path or by the general form.
    fn each<const FAST: bool, L: Lanes, N: Lookup<F>>(lanes: L, x: [N; A]) -> N;

    /// Computes the function of rows of operands, and returns whether the fast path is right for all of them.
    #[inline(always)]
    fn row<const FAST: bool, L: Lanes>(lanes: L, x: [[F; LANES]; A]) -> ([F; LANES], bool) {
        #[cfg(target_arch = "x86_64")]
        if const { L::AVX512 } {
            // SAFETY: a value of `L` exists, so the machine has AVX-512.
            let x = core::array::from_fn(
                #[inline(always)]
                |a| unsafe { F::Wide::of_lanes(x[a]) },
            );
            let result = Self::each::<FAST, L, F::Wide>(lanes, x);
            return (result.lanes(), F::Wide::all(Self::is_settled(x, result)));
        } else if const { L::FMA } {
            // SAFETY: a value of `L` exists, so the machine has AVX2 and FMA, as all levels above the base.
            let x = core::array::from_fn(
                #[inline(always)]
                |a| unsafe { F::Avx2::of_lanes(x[a]) },
            );
            let result = Self::each::<FAST, L, F::Avx2>(lanes, x);
            return (result.lanes(), F::Avx2::all(Self::is_settled(x, result)));
        }
        let (mut result, mut all) = (x[0], true);
        for i in 0..LANES {
            let x = core::array::from_fn(
                #[inline(always)]
                |a| x[a][i],
            );
            result[i] = Self::each::<FAST, L, F>(lanes, x);
            all &= F::all(Self::is_settled(x, result[i]));
        }
        (result, all)
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::{
        __m256, __m256d, __m512, __m512d, __mmask8, __mmask16, _CMP_EQ_OQ, _CMP_LT_OQ, _mm_loadu_pd,
        _mm256_add_pd, _mm256_add_ps, _mm256_and_pd, _mm256_and_ps, _mm256_blendv_pd, _mm256_blendv_ps,
        _mm256_castpd128_pd256, _mm256_castps_si256, _mm256_castsi256_pd, _mm256_castsi256_ps, _mm256_cmp_pd,
        _mm256_cmp_ps, _mm256_div_pd, _mm256_div_ps, _mm256_fmadd_pd, _mm256_fmadd_ps, _mm256_insertf128_pd,
        _mm256_loadu_ps, _mm256_movemask_pd, _mm256_movemask_ps, _mm256_mul_pd, _mm256_mul_ps, _mm256_or_pd,
        _mm256_or_ps, _mm256_permutevar8x32_ps, _mm256_set1_epi64x, _mm256_sqrt_pd, _mm256_sqrt_ps,
        _mm256_sub_pd, _mm256_sub_ps, _mm256_unpackhi_pd, _mm256_unpacklo_pd, _mm256_xor_pd, _mm256_xor_ps,
        _mm512_add_pd, _mm512_add_ps, _mm512_castpd_si512, _mm512_castps_si512, _mm512_cmp_pd_mask,
        _mm512_cmp_ps_mask, _mm512_div_pd, _mm512_div_ps, _mm512_fmadd_pd, _mm512_fmadd_ps, _mm512_loadu_pd,
        _mm512_loadu_ps, _mm512_mask_blend_pd, _mm512_mask_blend_ps, _mm512_mul_pd, _mm512_mul_ps,
        _mm512_permutex2var_pd, _mm512_permutexvar_ps, _mm512_sqrt_pd, _mm512_sqrt_ps, _mm512_sub_pd,
        _mm512_sub_ps,
    };
    use core::array;
    use core::mem::transmute;
    use core::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};

    use super::{LANES, Lookup, Registers, ShortTable, Table};
    use crate::level::Lanes;
    use crate::math::Real;
    use crate::math::batch::Number;

    /// Defines a type of [`LANES`] numbers in registers.
    macro_rules! registers {
        ($(
            $(#[$doc:meta])*
            $name:ident [$register:ident; $count:expr] of $float:ident $unsigned:ident
            mask $mask:ident [$bits:ident]
            operators [$($op:ident $method:ident $intrinsic:ident)*]
            masks [$($mask_op:ident $mask_method:ident $mask_intrinsic:expr;)*]
            not $not:expr;
            fma $fma:ident
            root $root:ident
            compare $compare:ident
            blend $blend:expr;
        )*) => {$(
            $(#[$doc])*
            #[derive(Clone, Copy)]
            pub(crate) struct $name([$register; $count]);

            /// A choice of lanes.
            #[derive(Clone, Copy)]
            pub(crate) struct $mask([$bits; $count]);

            impl Registers<$float> for $name {
                #[inline(always)]
                unsafe fn of_lanes(lanes: [$float; LANES]) -> Self {
                    Self::like(lanes)
                }

                #[inline(always)]
                fn lanes(self) -> [$float; LANES] {
                    // SAFETY: the types have as many bytes, of which all values are numbers.
                    unsafe { transmute(self.0) }
                }
            }

            impl $name {
                /// Returns numbers in such registers, of which the caller has some.
                #[inline(always)]
                fn like(lanes: [$float; LANES]) -> Self {
                    // SAFETY: the types have as many bytes, of which all values are numbers.
                    unsafe { transmute(lanes) }
                }

                #[inline(always)]
                fn compare<const HOW: i32>(self, b: Self) -> $mask {
                    // SAFETY: the operands exist, so the machine has the instruction.
                    $mask(array::from_fn(#[inline(always)] |i| unsafe { $compare::<HOW>(self.0[i], b.0[i]) }))
                }
            }

            $(
                impl $op for $name {
                    type Output = Self;

                    #[inline(always)]
                    fn $method(self, b: Self) -> Self {
                        // SAFETY: the operands exist, so the machine has the instruction.
                        $name(array::from_fn(#[inline(always)] |i| unsafe { $intrinsic(self.0[i], b.0[i]) }))
                    }
                }
            )*

            impl Neg for $name {
                type Output = Self;

                #[inline(always)]
                fn neg(self) -> Self {
                    self.with_bits(|bits| bits ^ (1 << ($unsigned::BITS - 1)))
                }
            }

            $(
                impl $mask_op for $mask {
                    type Output = Self;

                    #[inline(always)]
                    fn $mask_method(self, b: Self) -> Self {
                        $mask(array::from_fn(#[inline(always)] |i| $mask_intrinsic(self.0[i], b.0[i])))
                    }
                }
            )*

            impl Not for $mask {
                type Output = Self;

                #[inline(always)]
                fn not(self) -> Self {
                    $mask(array::from_fn(#[inline(always)] |i| $not(self.0[i])))
                }
            }

            impl Real for $name {
                #[inline(always)]
                fn fma<L: Lanes>(self, _: L, b: Self, c: Self) -> Self {
                    // SAFETY: the operands exist, so the machine has the instruction.
                    $name(array::from_fn(#[inline(always)] |i| unsafe { $fma(self.0[i], b.0[i], c.0[i]) }))
                }

                #[inline(always)]
                fn root(self) -> Self {
                    // SAFETY: the operand exists, so the machine has the instruction.
                    $name(array::from_fn(#[inline(always)] |i| unsafe { $root(self.0[i]) }))
                }
            }

            impl Number<$float> for $name {
                type Mask = $mask;

                #[inline(always)]
                fn of(x: $float) -> Self {
                    Self::like([x; LANES])
                }

                #[inline(always)]
                fn with_bits(self, f: impl Fn($unsigned) -> $unsigned + Copy) -> Self {
                    let mut lanes = self.lanes();
                    for lane in &mut lanes {
                        *lane = $float::from_bits(f(lane.to_bits()));
                    }
                    Self::like(lanes)
                }

                #[inline(always)]
                fn with_bits_of(self, b: Self, f: impl Fn($unsigned, $unsigned) -> $unsigned + Copy) -> Self {
                    let (mut lanes, others) = (self.lanes(), b.lanes());
                    for i in 0..LANES {
                        lanes[i] = $float::from_bits(f(lanes[i].to_bits(), others[i].to_bits()));
                    }
                    Self::like(lanes)
                }

                #[inline(always)]
                fn odd(self) -> $mask {
                    let one = <$float>::to_bits(1.0);
                    self.with_bits(|bits| (bits << ($unsigned::BITS - 1)) | one).below(0.0)
                }

                #[inline(always)]
                fn below(self, b: $float) -> $mask {
                    self.less(Self::of(b))
                }

                #[inline(always)]
                fn above(self, b: $float) -> $mask {
                    Self::of(b).less(self)
                }

                #[inline(always)]
                fn is(self, b: $float) -> $mask {
                    self.same(Self::of(b))
                }

                #[inline(always)]
                fn less(self, b: Self) -> $mask {
                    self.compare::<_CMP_LT_OQ>(b)
                }

                #[inline(always)]
                fn same(self, b: Self) -> $mask {
                    self.compare::<_CMP_EQ_OQ>(b)
                }

                #[inline(always)]
                fn size(self) -> Self {
                    self.with_bits(|bits| bits & !(1 << ($unsigned::BITS - 1)))
                }

                #[inline(always)]
                fn signed(self, sign: Self) -> Self {
                    let minus = 1 << ($unsigned::BITS - 1);
                    self.with_bits_of(sign, |bits, sign| (bits & !minus) | (sign & minus))
                }

                #[inline(always)]
                fn select(mask: $mask, a: Self, b: Self) -> Self {
                    $name(array::from_fn(#[inline(always)] |i| $blend(mask.0[i], a.0[i], b.0[i])))
                }
            }
        )*};
    }

    /// Calls an intrinsic.
    macro_rules! call {
        ($intrinsic:ident $($operand:ident)*) => {
            // SAFETY: the operands exist, so the machine has the instruction.
            |$($operand),*| unsafe { $intrinsic($($operand),*) }
        };
    }

    registers! {
        /// Numbers in registers of AVX-512. A value exists only if the machine has the level V4.
        Wide [__m512d; LANES / 8] of f64 u64
        mask WideMask [__mmask8]
        operators [
            Add add _mm512_add_pd
            Sub sub _mm512_sub_pd
            Mul mul _mm512_mul_pd
            Div div _mm512_div_pd
        ]
        masks [
            BitAnd bitand BitAnd::bitand;
            BitOr bitor BitOr::bitor;
            BitXor bitxor BitXor::bitxor;
        ]
        not Not::not;
        fma _mm512_fmadd_pd
        root _mm512_sqrt_pd
        compare _mm512_cmp_pd_mask
        // SAFETY: the operands exist, so the machine has the instruction.
        blend |mask: __mmask8, a, b| unsafe { _mm512_mask_blend_pd(mask, b, a) };

        /// Numbers in registers of AVX2. A value exists only if the machine has the level V3.
        Avx2 [__m256d; LANES / 4] of f64 u64
        mask Avx2Mask [__m256d]
        operators [
            Add add _mm256_add_pd
            Sub sub _mm256_sub_pd
            Mul mul _mm256_mul_pd
            Div div _mm256_div_pd
        ]
        masks [
            BitAnd bitand call!(_mm256_and_pd a b);
            BitOr bitor call!(_mm256_or_pd a b);
            BitXor bitxor call!(_mm256_xor_pd a b);
        ]
        // SAFETY: the operand exists, so the machine has AVX.
        not |mask| unsafe { _mm256_xor_pd(mask, _mm256_castsi256_pd(_mm256_set1_epi64x(-1))) };
        fma _mm256_fmadd_pd
        root _mm256_sqrt_pd
        compare _mm256_cmp_pd
        // SAFETY: the operands exist, so the machine has AVX.
        blend |mask: __m256d, a, b| unsafe { _mm256_blendv_pd(b, a, mask) };

        /// As [`Wide`], of `f32`.
        Wide32 [__m512; LANES / 16] of f32 u32
        mask Wide32Mask [__mmask16]
        operators [
            Add add _mm512_add_ps
            Sub sub _mm512_sub_ps
            Mul mul _mm512_mul_ps
            Div div _mm512_div_ps
        ]
        masks [
            BitAnd bitand BitAnd::bitand;
            BitOr bitor BitOr::bitor;
            BitXor bitxor BitXor::bitxor;
        ]
        not Not::not;
        fma _mm512_fmadd_ps
        root _mm512_sqrt_ps
        compare _mm512_cmp_ps_mask
        // SAFETY: the operands exist, so the machine has the instruction.
        blend |mask: __mmask16, a, b| unsafe { _mm512_mask_blend_ps(mask, b, a) };

        /// As [`Avx2`], of `f32`.
        Avx2x32 [__m256; LANES / 8] of f32 u32
        mask Avx2x32Mask [__m256]
        operators [
            Add add _mm256_add_ps
            Sub sub _mm256_sub_ps
            Mul mul _mm256_mul_ps
            Div div _mm256_div_ps
        ]
        masks [
            BitAnd bitand call!(_mm256_and_ps a b);
            BitOr bitor call!(_mm256_or_ps a b);
            BitXor bitxor call!(_mm256_xor_ps a b);
        ]
        // SAFETY: the operand exists, so the machine has AVX.
        not |mask| unsafe { _mm256_xor_ps(mask, _mm256_castsi256_ps(_mm256_set1_epi64x(-1))) };
        fma _mm256_fmadd_ps
        root _mm256_sqrt_ps
        compare _mm256_cmp_ps
        // SAFETY: the operands exist, so the machine has AVX.
        blend |mask: __m256, a, b| unsafe { _mm256_blendv_ps(b, a, mask) };
    }

    impl Lookup<f32> for Wide32 {
        #[inline(always)]
        fn all(mask: Wide32Mask) -> bool {
            mask.0 == [0xffff; LANES / 16]
        }

        #[inline(always)]
        fn lookup<const T: usize>(self, table: &ShortTable<T>) -> [Self; T] {
            let mut found = [self; T];
            for t in 0..T {
                for i in 0..LANES / 16 {
                    // SAFETY: `self` exists, so the machine has AVX-512 F; a column has sixteen numbers.
                    found[t].0[i] = unsafe {
                        let column = _mm512_loadu_ps(table.0[t].as_ptr());
                        _mm512_permutexvar_ps(_mm512_castps_si512(self.0[i]), column)
                    };
                }
            }
            found
        }
    }

    impl Lookup<f32> for Avx2x32 {
        #[inline(always)]
        fn all(mask: Avx2x32Mask) -> bool {
            let mut all = mask.0[0];
            for i in 1..LANES / 8 {
                // SAFETY: the operands exist, so the machine has AVX.
                all = unsafe { _mm256_and_ps(all, mask.0[i]) };
            }
            // SAFETY: as above.
            unsafe { _mm256_movemask_ps(all) == 0xff }
        }

        #[inline(always)]
        fn lookup<const T: usize>(self, table: &ShortTable<T>) -> [Self; T] {
            let mut found = [self; T];
            for t in 0..T {
                for i in 0..LANES / 8 {
                    // SAFETY: `self` exists, so the machine has AVX2; a column has sixteen numbers.
                    found[t].0[i] = unsafe {
                        let column = _mm256_loadu_ps(table.0[t].as_ptr());
                        _mm256_permutevar8x32_ps(column, _mm256_castps_si256(self.0[i]))
                    };
                }
            }
            found
        }
    }

    impl Lookup for Wide {
        #[inline(always)]
        fn all(mask: WideMask) -> bool {
            let mut all = 0xff;
            for i in 0..LANES / 8 {
                all &= mask.0[i];
            }
            all == 0xff
        }

        #[inline(always)]
        fn lookup<const T: usize>(self, table: &Table<T>) -> [Self; T] {
            let mut found = [self; T];
            for t in 0..T {
                let column = table.columns[t].as_ptr();
                for i in 0..LANES / 8 {
                    // SAFETY: `self` exists, so the machine has AVX-512 F; a column has sixteen numbers.
                    found[t].0[i] = unsafe {
                        let (low, high) = (_mm512_loadu_pd(column), _mm512_loadu_pd(column.add(8)));
                        _mm512_permutex2var_pd(low, _mm512_castpd_si512(self.0[i]), high)
                    };
                }
            }
            found
        }
    }

    impl Lookup for Avx2 {
        #[inline(always)]
        fn all(mask: Avx2Mask) -> bool {
            let mut all = mask.0[0];
            for i in 1..LANES / 4 {
                // SAFETY: the operands exist, so the machine has AVX.
                all = unsafe { _mm256_and_pd(all, mask.0[i]) };
            }
            // SAFETY: as above.
            unsafe { _mm256_movemask_pd(all) == 0xf }
        }

        #[inline(always)]
        fn lookup<const T: usize>(self, table: &Table<T>) -> [Self; T] {
            #[repr(align(64))]
            struct Index([f64; LANES]);
            let mut found = [self; T];
            let offset = self.with_bits(|bits| bits % 16 * size_of::<[f64; 4]>() as u64);
            let offset = Index(offset.lanes());
            // With many columns, it is slower to take the lanes apart in registers than in memory.
            let offset = if const { T < 4 } { offset } else { core::hint::black_box(offset) };
            let first = table.rows.as_ptr().cast::<f64>();
            for i in 0..LANES / 4 {
                // SAFETY: there are sixteen rows, and the offset is that of one of them.
                let row = |lane: usize| unsafe { first.byte_add(offset.0[4 * i + lane].to_bits() as usize) };
                for t in (0..T).step_by(2) {
                    // SAFETY: `self` exists, so the machine has AVX2; a row has four numbers, and `t` is 0
                    // or 2.
                    let (even, odd) = unsafe {
                        let two = |lane: usize| _mm_loadu_pd(row(lane).add(t));
                        let both = |low: usize, high: usize| {
                            _mm256_insertf128_pd::<1>(_mm256_castpd128_pd256(two(low)), two(high))
                        };
                        (both(0, 2), both(1, 3))
                    };
                    // SAFETY: `self` exists, so the machine has AVX2.
                    found[t].0[i] = unsafe { _mm256_unpacklo_pd(even, odd) };
                    if t + 1 < T {
                        // SAFETY: as above.
                        found[t + 1].0[i] = unsafe { _mm256_unpackhi_pd(even, odd) };
                    }
                }
            }
            found
        }
    }
}
