//! Sums in vector registers.
//!
//! From a loop that adds to an array of sums, LLVM kept registers in one build; in the next it stored the
//! array after every row, at half the speed or less, or made no vectors. So these loops are written with
//! vector intrinsics. Beside each is the plain Rust that machines without these vectors run.

use core::any::TypeId;

#[cfg(target_arch = "x86_64")]
use half::{bf16, f16};

use crate::each;
use crate::level::Lanes;
#[cfg(target_arch = "x86_64")]
use crate::memory::prefetch::prefetch;

/// Floats that one or two instructions convert to `f64`.
#[cfg(target_arch = "x86_64")]
pub(super) trait Number: Copy + Default + Into<f64> + v3::Load + v4::Load {}
#[cfg(target_arch = "x86_64")]
impl<T: Copy + Default + Into<f64> + v3::Load + v4::Load> Number for T {}
/// Floats that need no conversion.
#[cfg(not(target_arch = "x86_64"))]
pub(super) trait Number: Copy + Default + Into<f64> {}
#[cfg(not(target_arch = "x86_64"))]
impl Number for f64 {}

/// The number of sums in which `f64` are added up, as many as registers hold.
pub(super) const HELD: usize = 32;
/// The distance in bytes between 16-bit floats that are added and those that are prefetched.
#[cfg(target_arch = "x86_64")]
const AHEAD: usize = 8192;

/// Adds every `N`th number, or its square, to one of `N` sums, and these by halves until there are two.
/// Returns `None` for numbers that need more than an instruction or two to become `f64`.
///
/// `N` is [`HELD`] or four times as many.
#[inline(always)]
pub(super) fn known<L: Lanes, T: 'static, const N: usize, const SQUARED: bool>(
    lanes: L,
    items: &[T],
) -> Option<[f64; 2]> {
    #[cfg(target_arch = "x86_64")]
    if L::F16C {
        if let Some(items) = same::<T, f32>(items) {
            return Some(floats::<L, f32, N, SQUARED>(lanes, items));
        }
        if let Some(items) = same::<T, f16>(items) {
            return Some(floats::<L, f16, N, SQUARED>(lanes, items));
        }
        if let Some(items) = same::<T, bf16>(items) {
            return Some(floats::<L, bf16, N, SQUARED>(lanes, items));
        }
    }
    Some(floats::<L, f64, N, SQUARED>(lanes, same(items)?))
}

/// Returns the elements if `T` is `U`.
#[inline(always)]
fn same<T: 'static, U: 'static>(items: &[T]) -> Option<&[U]> {
    if TypeId::of::<T>() != TypeId::of::<U>() {
        return None;
    }
    // SAFETY: both are one type.
    Some(unsafe { core::slice::from_raw_parts(items.as_ptr().cast(), items.len()) })
}

/// Adds numbers as [`known`] does.
#[inline(always)]
pub(super) fn floats<L: Lanes, T: Number, const N: usize, const SQUARED: bool>(
    _: L,
    items: &[T],
) -> [f64; 2] {
    const { assert!(N == HELD || N == 4 * HELD) };
    #[cfg(target_arch = "x86_64")]
    if L::F16C {
        let (rows, rest) = items.as_chunks::<N>();
        let mut last = [T::default(); N];
        // A sum is never -0, so zeros do not change it.
        each::zip(&mut last, rest, |last, x| *last = *x);
        let last = if rest.is_empty() { &[] } else { core::slice::from_ref(&last) };
        return if L::AVX512 {
            // SAFETY: a value of `L` exists, so the machine has AVX-512.
            unsafe { v4::floats::<T, N, SQUARED>(rows, last) }
        } else {
            // SAFETY: a value of `L` exists, and a level with F16C has AVX2.
            unsafe { v3::floats::<T, N, SQUARED>(rows, last) }
        };
    }
    plain::<T, N>(items, |x| {
        let x = x.into();
        if SQUARED { x * x } else { x }
    })
}

/// Adds up `N` sums of what `number` makes of each element, in plain Rust.
#[inline(always)]
pub(super) fn plain<T: Copy, const N: usize>(items: &[T], number: impl Fn(T) -> f64) -> [f64; 2] {
    plain_pairs::<T, N>(items, items, |x, _| number(x))
}

/// Adds up `N` sums of what `number` makes of each pair of elements, in plain Rust.
#[inline(always)]
pub(super) fn plain_pairs<T: Copy, const N: usize>(
    a: &[T],
    b: &[T],
    number: impl Fn(T, T) -> f64,
) -> [f64; 2] {
    let mut sums = [0.0; N];
    let ((left, a), (right, b)) = (a.as_chunks::<N>(), b.as_chunks::<N>());
    for (row, a) in left.iter().enumerate() {
        let b = &right[row];
        for (i, sum) in sums.iter_mut().enumerate() {
            *sum += number(a[i], b[i]);
        }
    }
    for (i, sum) in sums[..a.len()].iter_mut().enumerate() {
        *sum += number(a[i], b[i]);
    }
    two(sums)
}

/// Adds sums by halves, until there are two.
#[inline(always)]
fn two<const N: usize>(mut sums: [f64; N]) -> [f64; 2] {
    let mut left = N;
    while left > 2 {
        left /= 2;
        for k in 0..left {
            sums[k] += sums[k + left];
        }
    }
    [sums[0], sums[1]]
}

/// Adds up bytes, each combined with `flip` by exclusive or, and then limited to `most`.
#[inline(always)]
pub(super) fn bytes<L: Lanes>(_: L, items: &[u8], flip: u8, most: u8) -> u64 {
    // LLVM would turn a minimum with 1 into comparisons and masked selections, which take 1.5 times as long.
    let most = core::hint::black_box(most);
    let one = |x: &u8| u16::from((x ^ flip).min(most));
    let some = |items: &[u8]| items.iter().fold(0, |sum, x| sum + u64::from(one(x)));
    #[cfg(target_arch = "x86_64")]
    if L::F16C {
        let (sum, rest) = if L::AVX512 {
            // SAFETY: a value of `L` exists, so the machine has AVX-512.
            unsafe { v4::bytes(items, flip, most) }
        } else {
            // SAFETY: a value of `L` exists, and a level with F16C has AVX2.
            unsafe { v3::bytes(items, flip, most) }
        };
        return sum + some(rest);
    }
    let (rows, rest) = items.as_chunks::<256>();
    let mut all = some(rest);
    // A lane of 16 bits holds the sum of so many rows.
    for rows in rows.chunks(256) {
        let mut sums = [0; 256];
        for row in rows {
            each::zip(&mut sums, row, |sum, x| *sum += one(x));
        }
        all = sums.iter().fold(all, |all, sum| all + u64::from(*sum));
    }
    all
}

/// The loops of a level, by the names that its module gives to vectors and intrinsics.
#[cfg(target_arch = "x86_64")]
macro_rules! loops {
    ($features:literal $registers:literal) => {
        use crate::kernel::reduction::registers::{AHEAD, HELD, bf16, each, f16, prefetch};

        const NUMBERS: usize = size_of::<Doubles>() / size_of::<f64>();
        const BYTES: usize = size_of::<Words>();

        /// Numbers that are loaded as a vector of `f64`.
        pub(crate) trait Load: Sized {
            /// # Safety
            ///
            /// There are as many numbers as a vector holds, and the machine has the level.
            unsafe fn load(numbers: *const Self) -> Doubles;
        }

        impl Load for f64 {
            #[inline(always)]
            unsafe fn load(numbers: *const f64) -> Doubles {
                // SAFETY: the caller promises the numbers; no alignment is asked for.
                unsafe { load_doubles(numbers) }
            }
        }

        impl Load for f16 {
            #[inline(always)]
            unsafe fn load(numbers: *const f16) -> Doubles {
                // SAFETY: the caller promises the numbers; no alignment is asked for.
                unsafe { as_wide(halves_as_singles(load_halves(numbers.cast()))) }
            }
        }

        impl Load for bf16 {
            #[inline(always)]
            unsafe fn load(numbers: *const bf16) -> Doubles {
                // SAFETY: the caller promises the numbers; no alignment is asked for.
                let halves = unsafe { load_halves(numbers.cast()) };
                // SAFETY: the caller promises the machine. The number is the upper half of a single.
                unsafe { as_wide(as_singles(halves_up::<16>(as_words(halves)))) }
            }
        }

        impl Load for f32 {
            #[inline(always)]
            unsafe fn load(numbers: *const f32) -> Doubles {
                // SAFETY: the caller promises the numbers; no alignment is asked for.
                unsafe { as_wide(load_singles(numbers)) }
            }
        }

        /// Adds up whole rows.
        #[inline]
        #[target_feature(enable = $features)]
        pub(super) fn floats<T: Load, const N: usize, const SQUARED: bool>(
            rows: &[[T; N]],
            last: &[[T; N]],
        ) -> [f64; 2] {
            /// The number of vectors of sums: half of the registers.
            const AT_ONCE: usize = $registers / 2;
            let mut all = [no_doubles(); 4 * HELD / NUMBERS];
            for from in (0..N / NUMBERS).step_by(AT_ONCE) {
                let mut sums = [no_doubles(); AT_ONCE];
                let n = AT_ONCE.min(N / NUMBERS - from);
                for rows in [rows, last] {
                    for row in rows {
                        if size_of::<T>() == 2 && from == 0 {
                            // So much is computed for few bytes that the prefetcher is behind.
                            prefetch(row.as_ptr().wrapping_byte_add(AHEAD), size_of_val(row));
                        }
                        for (k, sum) in sums[..n].iter_mut().enumerate() {
                            // SAFETY: a row has `N` numbers, and the machine has the level, as this function
                            // has.
                            let x = unsafe { T::load(row.as_ptr().add((from + k) * NUMBERS)) };
                            *sum = add_doubles(*sum, if SQUARED { times(x, x) } else { x });
                        }
                    }
                }
                each::zip(&mut all[from..from + n], &sums, |to, sum| *to = *sum);
            }
            two::<N>(&mut all)
        }

        /// Adds `N` numbers by halves, until there are two.
        #[inline]
        #[target_feature(enable = $features)]
        fn two<const N: usize>(vectors: &mut [Doubles]) -> [f64; 2] {
            let mut left = N / NUMBERS;
            while left > 1 {
                left /= 2;
                for k in 0..left {
                    vectors[k] = add_doubles(vectors[k], vectors[k + left]);
                }
            }
            // SAFETY: a vector consists of its numbers.
            let mut sums = unsafe { core::mem::transmute::<Doubles, [f64; NUMBERS]>(vectors[0]) };
            let mut left = NUMBERS;
            while left > 2 {
                left /= 2;
                for k in 0..left {
                    sums[k] += sums[k + left];
                }
            }
            [sums[0], sums[1]]
        }

        /// Adds up whole rows, and returns the bytes that are left.
        #[inline]
        #[target_feature(enable = $features)]
        pub(super) fn bytes(items: &[u8], flip: u8, most: u8) -> (u64, &[u8]) {
            let (flip, most) = (all_bytes(flip.cast_signed()), all_bytes(most.cast_signed()));
            let (rows, rest) = items.as_chunks::<{ 4 * BYTES }>();
            let mut sums = [no_words(); 4];
            for row in rows {
                let (vectors, _) = row.as_chunks::<BYTES>();
                each::zip(&mut sums, vectors, |sum, x| {
                    // SAFETY: there are as many bytes as in a vector; no alignment is asked for.
                    let x = unsafe { load_words(x.as_ptr().cast()) };
                    // The differences of eight bytes to 0 are added up in a word.
                    *sum = add_words(*sum, add_bytes(least_bytes(xor(x, flip), most), no_words()));
                });
            }
            let [a, b, c, d] = sums;
            (words(add_words(add_words(a, b), add_words(c, d))).iter().fold(0, |all, sum| all + sum), rest)
        }

        fn words(vector: Words) -> [u64; BYTES / 8] {
            // SAFETY: a vector consists of its bits.
            unsafe { core::mem::transmute(vector) }
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod v3 {
    use core::arch::x86_64::{
        __m256d as Doubles, __m256i as Words, _mm_castsi128_ps as as_singles, _mm_cvtepu16_epi32 as as_words,
        _mm_cvtph_ps as halves_as_singles, _mm_loadl_epi64 as load_halves, _mm_loadu_ps as load_singles,
        _mm_slli_epi32 as halves_up, _mm256_add_epi64 as add_words, _mm256_add_pd as add_doubles,
        _mm256_cvtps_pd as as_wide, _mm256_loadu_pd as load_doubles, _mm256_loadu_si256 as load_words,
        _mm256_min_epu8 as least_bytes, _mm256_mul_pd as times, _mm256_sad_epu8 as add_bytes,
        _mm256_set1_epi8 as all_bytes, _mm256_setzero_pd as no_doubles, _mm256_setzero_si256 as no_words,
        _mm256_xor_si256 as xor,
    };

    loops! { "avx2,f16c" 16 }
}

#[cfg(target_arch = "x86_64")]
mod v4 {
    use core::arch::x86_64::{
        __m512d as Doubles, __m512i as Words, _mm_loadu_si128 as load_halves,
        _mm256_castsi256_ps as as_singles, _mm256_cvtepu16_epi32 as as_words,
        _mm256_cvtph_ps as halves_as_singles, _mm256_loadu_ps as load_singles,
        _mm256_slli_epi32 as halves_up, _mm512_add_epi64 as add_words, _mm512_add_pd as add_doubles,
        _mm512_cvtps_pd as as_wide, _mm512_loadu_pd as load_doubles, _mm512_loadu_si512 as load_words,
        _mm512_min_epu8 as least_bytes, _mm512_mul_pd as times, _mm512_sad_epu8 as add_bytes,
        _mm512_set1_epi8 as all_bytes, _mm512_setzero_pd as no_doubles, _mm512_setzero_si512 as no_words,
        _mm512_xor_si512 as xor,
    };

    loops! { "avx512f,avx512bw,f16c" 32 }
}
