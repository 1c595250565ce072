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
    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    type Neon: Lookup<Self> + Registers<Self>;
}

impl Rows for f64 {
    type Table<const T: usize> = Table<T>;
    #[cfg(target_arch = "x86_64")]
    type Wide = x86::Wide;
    #[cfg(target_arch = "x86_64")]
    type Avx2 = x86::Avx2;
    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    type Neon = neon::Neon;
}

impl Rows for f32 {
    type Table<const T: usize> = ShortTable<T>;
    #[cfg(target_arch = "x86_64")]
    type Wide = x86::Wide32;
    #[cfg(target_arch = "x86_64")]
    type Avx2 = x86::Avx2x32;
    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    type Neon = neon::Neon32;
}

/// A row of numbers in registers.
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon")))]
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

    /// Returns the entries at the index in the lowest bits: four of each `f64`, or three of each `f32`.
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
        // By masks, bit by bit, because a loop over single numbers, such as that of a custom kernel, would
        // gather by an index.
        let mask = |bit: u32| 0_u32.wrapping_sub(self.to_bits() >> bit & 1);
        let choose = |mask: u32, a: u32, b: u32| a ^ ((a ^ b) & mask);
        let (first, second, third) = (mask(0), mask(1), mask(2));
        let mut found = [0.0; T];
        for t in 0..T {
            let column = &table.0[t];
            let pair = |i: usize| choose(first, column[i].to_bits(), column[i + 1].to_bits());
            let four = |i: usize| choose(second, pair(i), pair(i + 2));
            found[t] = f32::from_bits(choose(third, four(0), four(4)));
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
            return unsafe { Self::row_in::<FAST, L, F::Wide>(lanes, x) };
        } else if const { L::FMA } {
            // SAFETY: a value of `L` exists, so the machine has AVX2 and FMA, as all levels above the base.
            return unsafe { Self::row_in::<FAST, L, F::Avx2>(lanes, x) };
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        // A look-up names bytes in little-endian order.
        if const { L::FMA && cfg!(target_endian = "little") } {
            // SAFETY: the compile target has NEON.
            return unsafe { Self::row_in::<FAST, L, F::Neon>(lanes, x) };
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

    /// Computes [`Tabled::row`] in registers.
    ///
    /// # Safety
    ///
    /// The machine has the instructions of `R`.
    #[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon")))]
    #[inline(always)]
    unsafe fn row_in<const FAST: bool, L: Lanes, R: Lookup<F> + Registers<F>>(
        lanes: L,
        x: [[F; LANES]; A],
    ) -> ([F; LANES], bool) {
        let x = core::array::from_fn(
            #[inline(always)]
            // SAFETY: the caller promises the instructions.
            |a| unsafe { R::of_lanes(x[a]) },
        );
        let result = Self::each::<FAST, L, R>(lanes, x);
        (result.lanes(), R::all(Self::is_settled(x, result)))
    }
}

/// Defines a type of [`LANES`] numbers in registers.
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon")))]
macro_rules! registers {
    ($(
        $(#[$doc:meta])*
        $name:ident [$register:ident; $count:expr] of $float:ident $unsigned:ident
        mask $mask:ident [$bits:ident]
        operators [$($op:ident $method:ident $intrinsic:ident)*]
        masks [$($mask_op:ident $mask_method:ident $mask_intrinsic:expr;)*]
        not $not:expr;
        fma $fma:expr;
        root $root:ident
        less $less:expr;
        same $same:expr;
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
                $name(array::from_fn(#[inline(always)] |i| $fma(self.0[i], b.0[i], c.0[i])))
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
                $mask(array::from_fn(#[inline(always)] |i| $less(self.0[i], b.0[i])))
            }

            #[inline(always)]
            fn same(self, b: Self) -> $mask {
                $mask(array::from_fn(#[inline(always)] |i| $same(self.0[i], b.0[i])))
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
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon")))]
macro_rules! call {
    ($intrinsic:path; $($operand:ident)*) => {
        // SAFETY: the operands exist, so the machine has the instruction.
        |$($operand),*| unsafe { $intrinsic($($operand),*) }
    };
}

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;
#[cfg(target_arch = "x86_64")]
mod x86;
