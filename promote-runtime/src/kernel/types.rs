//! The dtypes of a kernel and how it takes its operands, in one word.

use super::Code;
use super::plan::Enters;
use crate::error::call::ArgumentRole;
use crate::level::Level;
use crate::{DType, OpTypes, semantics};

/// The dtypes of a kernel, and how it takes its operands: in one word, so that a handle is made and moved in
/// registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Types(u64);

impl Types {
    // Five codes have a byte each; two that a call of a fused kernel does not look at, five bits.
    const COMPUTED: u32 = 40;
    const THIRD: u32 = 45;
    const CODE: u64 = 0x1F;
    /// A bit that the code of the common dtype leaves free, which only a blocked plan has.
    const ROUNDS_FIRST: u64 = 1 << 22;
    const SWAP: u64 = 1 << 50;
    const FIRST_LATE: u64 = 1 << 51;
    const SECOND_LATE: u64 = 1 << 52;
    const TRAPS: u64 = 1 << 53;
    /// Whether the third input is a condition.
    const CHOOSES: u64 = 1 << 54;
    /// How many arrays the function takes, less one: 1 to 4.
    const INPUTS: u32 = 55;
    /// How elements are cast: three words, as [`CastWords`] has them.
    const CASTS: u32 = 57;
    /// Where nothing goes through blocks, and so nothing is cast: whether the function also takes `out` for
    /// its first input, and whether that may be either.
    const IN_PLACE: u64 = 1 << 57;
    const EITHER: u64 = 1 << 58;
    /// The same: whether the function waits for nothing but memory.
    const STREAMS: u64 = 1 << 59;
    const LEVEL: u32 = 60;
    /// Whether of the second operand the low 32 bits are converted.
    const EXPONENT: u64 = 1 << 62;
    /// Whether operands go through blocks in which they are cast.
    const BLOCKED: u64 = 1 << 63;
    /// No dtypes.
    pub(super) const NONE: Types = Types(0);

    /// The types of a kernel in the order in which its function wants the operands; `None` where one of them
    /// has no elements.
    ///
    /// `computed` is what comes out of the op, before the last cast.
    pub(super) const fn new(first: DType, second: DType, types: OpTypes, computed: DType) -> Option<Types> {
        let (Some(first), Some(second), Some(common), Some(compute), Some(output), Some(computed)) = (
            Code::of(first),
            Code::of(second),
            Code::of(types.common),
            Code::of(types.compute),
            Code::of(types.output),
            Code::of(computed),
        ) else {
            return None;
        };
        Some(Types::of([first, second, common, compute, output, computed]))
    }

    /// The same of codes: first, second, common, compute, output, computed.
    ///
    /// No loop, here and in [`Types::rank`]: rustc takes thousands of these from one step to the next when it
    /// evaluates the registries.
    pub(super) const fn of([first, second, common, compute, output, computed]: [Code; 6]) -> Types {
        let operands = first.0 as u64 | (second.0 as u64) << 8;
        let types = (common.0 as u64) << 16 | (compute.0 as u64) << 24 | (output.0 as u64) << 32;
        Types(operands | types | computed.packed() << Types::COMPUTED)
    }

    /// The order of entries in a registry: by first, second, common, compute and output.
    pub(super) const fn rank(self) -> u64 {
        self.0.swap_bytes() >> (u64::BITS - Types::COMPUTED)
    }

    /// Returns the rank of an entry of dtypes with these indices; none has the rank of a dtype without
    /// elements or of a custom one.
    pub(super) const fn rank_of(a: usize, b: usize, types: OpTypes) -> u64 {
        let OpTypes { common, compute, output } = types;
        let operands = (a as u64) << 32 | (b as u64) << 24;
        operands | (common.index() as u64) << 16 | (compute.index() as u64) << 8 | output.index() as u64
    }

    /// With the level, and whether the function wants `b` first.
    #[inline(always)]
    pub(super) const fn at(self, level: Level, swap: bool) -> Types {
        Types(self.0 | (level.index() as u64) << Types::LEVEL | if swap { Types::SWAP } else { 0 })
    }

    /// With the number of arrays, and whether some operands are an error of the whole call.
    pub(super) const fn taking(self, inputs: usize, traps: bool) -> Types {
        Types(self.0 | (inputs as u64 - 1) << Types::INPUTS | if traps { Types::TRAPS } else { 0 })
    }

    /// Of a function that also takes `out` for its first input; `either`: for either one, if they are
    /// exchanged.
    pub(super) const fn in_place(self, either: bool) -> Types {
        Types(self.0 | Types::IN_PLACE | if either { Types::EITHER } else { 0 })
    }

    /// Whether it is of such a function.
    pub(super) const fn is_in_place(self) -> bool {
        self.0 & Types::IN_PLACE != 0
    }

    /// Of a function that waits for nothing but memory, if it is one.
    pub(super) const fn streaming(self, streams: bool) -> Types {
        Types(if streams { self.0 | Types::STREAMS } else { self.0 })
    }

    /// Whether it is of such a function.
    #[inline(always)]
    pub(super) const fn streams(self) -> bool {
        self.0 & (Types::BLOCKED | Types::STREAMS) == Types::STREAMS
    }

    /// How many of the first inputs may be `out` itself, if they come first.
    #[inline(always)]
    pub(super) fn replaceable(self) -> usize {
        let of = |bit| (self.0 & (Types::BLOCKED | bit) == bit) as usize;
        of(Types::IN_PLACE) + of(Types::EITHER)
    }

    /// With a condition as the third array.
    pub(super) const fn choosing(self) -> Types {
        Types(self.with_third(Code(0)).taking(3, false).0 | Types::CHOOSES)
    }

    /// With a third array of this dtype.
    pub(super) const fn with_third(self, third: Code) -> Types {
        Types(self.0 & !(Types::CODE << Types::THIRD) | third.packed() << Types::THIRD)
    }

    /// With the arrays of another behind the operands, and whether it may trap.
    pub(super) const fn like(self, other: Types) -> Types {
        let taken = Types::TRAPS | Types::CHOOSES | 3 << Types::INPUTS | Types::CODE << Types::THIRD;
        Types(self.0 | other.0 & taken)
    }

    /// The same for operands that come the other way round.
    pub(super) const fn swapped(self) -> Types {
        Types(self.0 ^ Types::SWAP)
    }

    /// With what a blocked plan does besides: how elements are cast, and as what the operands enter.
    pub(super) const fn blocked(self, casts: CastWords, first: Enters, second: Enters) -> Types {
        let taken = Types::IN_PLACE | Types::EITHER | Types::STREAMS;
        debug_assert!(self.0 & taken == 0, "types of a fused function");
        let first = if matches!(first, Enters::Compute) { Types::FIRST_LATE } else { 0 };
        let second = match second {
            Enters::Common => 0,
            Enters::Compute => Types::SECOND_LATE,
            Enters::Exponent => Types::EXPONENT,
        };
        Types(self.0 | (casts.0 as u64) << Types::CASTS | first | second | Types::BLOCKED)
    }

    /// Whether operands go through blocks in which they are cast.
    #[inline(always)]
    pub(super) const fn is_blocked(self) -> bool {
        self.0 & Types::BLOCKED != 0
    }

    /// Whether a dtype is a rule set's own.
    pub(super) const fn has_custom(self) -> bool {
        self.0 & 0x80_8080_8080 != 0
    }

    /// Whether a result is rounded to the common dtype before it is cast to that of `out`.
    pub(super) const fn rounds_first(self) -> bool {
        self.0 & Types::ROUNDS_FIRST != 0
    }

    /// The same of an op that does so, or does not.
    pub(super) const fn rounding_first(self, rounds: bool) -> Types {
        Types(if rounds { self.0 | Types::ROUNDS_FIRST } else { self.0 })
    }

    /// Whether a function of these types needs no cast: its inputs have the dtype that it computes in, and it
    /// gives that of the result.
    pub(super) const fn is_direct(self) -> bool {
        let compute = self.compute().0;
        let operands = self.first().0 == compute && self.second().0 == compute && self.common().0 == compute;
        let third = self.inputs() < 3 || self.chooses() || self.input(2).0 == compute;
        operands && third && self.computed().0 == self.out().0
    }

    /// Whether operands and result have one dtype.
    pub(super) const fn is_of_one(self) -> bool {
        let out = self.out().0;
        self.first().0 == out && self.second().0 == out
    }

    #[inline(always)]
    const fn code(self, i: u32) -> Code {
        Code((self.0 >> (8 * i)) as u8)
    }

    #[inline(always)]
    pub(super) const fn first(self) -> Code {
        self.code(0)
    }

    #[inline(always)]
    pub(super) const fn second(self) -> Code {
        self.code(1)
    }

    #[inline(always)]
    pub(super) const fn common(self) -> Code {
        Types(self.0 & !Types::ROUNDS_FIRST).code(2)
    }

    #[inline(always)]
    pub(super) const fn compute(self) -> Code {
        self.code(3)
    }

    #[inline(always)]
    pub(super) const fn computed(self) -> Code {
        Code::unpacked(self.0 >> Types::COMPUTED & Types::CODE)
    }

    #[inline(always)]
    pub(super) const fn out(self) -> Code {
        self.code(4)
    }

    #[inline(always)]
    pub(super) const fn swap(self) -> bool {
        self.0 & Types::SWAP != 0
    }

    /// How elements are cast.
    #[inline(always)]
    pub(super) const fn casts(self) -> CastWords {
        CastWords((self.0 >> Types::CASTS & 7) as u8)
    }

    /// How many arrays the function takes.
    #[inline(always)]
    pub(super) const fn inputs(self) -> usize {
        (self.0 >> Types::INPUTS & 3) as usize + 1
    }

    /// The dtype of an array that is given: of the operands, of what stands behind them.
    #[inline(always)]
    pub(super) const fn input(self, i: usize) -> Code {
        match i {
            0 => self.first(),
            1 => self.second(),
            2 => Code::unpacked(self.0 >> Types::THIRD & Types::CODE),
            _ => self.compute(),
        }
    }

    /// Whether the third array is a condition, which enters as it is.
    #[inline(always)]
    pub(super) const fn chooses(self) -> bool {
        self.0 & Types::CHOOSES != 0
    }

    /// The same, in the order in which the caller gives them.
    #[inline(always)]
    pub(super) const fn at_call(self, i: usize) -> Code {
        self.input(if self.swap() && i < 2 { 1 - i } else { i })
    }

    /// What an input is called.
    pub(super) const fn role(self, i: usize) -> ArgumentRole {
        match i {
            0 => ArgumentRole::A,
            1 => ArgumentRole::B,
            2 if self.chooses() => ArgumentRole::Condition,
            2 => ArgumentRole::Third,
            _ => ArgumentRole::Fourth,
        }
    }

    /// Whether some operands are an error of the whole call.
    #[inline(always)]
    pub(super) const fn traps(self) -> bool {
        self.0 & Types::TRAPS != 0
    }

    /// Whether the operands enter in the compute dtype.
    #[inline(always)]
    pub(super) const fn late(self) -> [bool; 2] {
        [self.0 & Types::FIRST_LATE != 0, self.0 & Types::SECOND_LATE != 0]
    }

    /// Whether of the second operand the low 32 bits enter.
    #[inline(always)]
    pub(super) const fn exponent(self) -> bool {
        self.0 & Types::EXPONENT != 0
    }

    #[inline(always)]
    pub(super) const fn level(self) -> Level {
        Level::at((self.0 >> Types::LEVEL & 3) as usize)
    }
}

/// How elements are cast: whether f8e4m3fn saturates, whether floats become integers as an x86-64 processor
/// has it, and whether narrow integers are then clamped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CastWords(u8);

impl CastWords {
    /// Those among the [`words`] of an op.
    pub(super) const fn of(words: u16) -> CastWords {
        let saturate = words & semantics::OVERFLOW_SATURATE != 0;
        let clamped = words & semantics::OUT_OF_RANGE_X86_CLAMPED != 0;
        let x86 = clamped || words & semantics::OUT_OF_RANGE_X86 != 0;
        CastWords(saturate as u8 | (x86 as u8) << 1 | (clamped as u8) << 2)
    }

    pub(super) const fn saturate(self) -> bool {
        self.0 & 1 != 0
    }

    pub(super) const fn x86(self) -> bool {
        self.0 & 2 != 0
    }

    pub(super) const fn clamped(self) -> bool {
        self.0 & 4 != 0
    }
}
