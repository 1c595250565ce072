/** The rule set of the file `rules/tiny.rs`.

 The type `Tiny` stands for the rules at compile time, with the default values of the parameters. A value of it
 holds a choice of the parameters, for promotion at run time.*/
#[derive(
    ::core::clone::Clone,
    ::core::marker::Copy,
    ::core::fmt::Debug,
    ::core::cmp::PartialEq,
    ::core::cmp::Eq,
    ::core::hash::Hash
)]
pub struct Tiny {
    setting: ::core::primitive::u16,
}
impl Tiny {
    #[doc(hidden)]
    pub const TABLES: &'static ::promote::__private::Tables = {
        const DTYPES: &[::promote::__private::DType] = &[
            ::promote::__private::DType::Bool,
            ::promote::__private::DType::I32,
            ::promote::__private::DType::F32,
        ];
        const OPS: &[::promote::__private::table::OpTable<'static>] = &[
            ::promote::__private::table::OpTable {
                op: ::promote::__private::Op::Add,
                kernel: ::core::option::Option::Some(
                    <::promote::__private::ops::Add as ::promote::__private::KernelType>::OP,
                ),
                right_scalar: ::promote::__private::semantics::RightScalar::Rounded,
                number: ::promote::__private::semantics::NumberOverflow::Wraps,
                semantics: &[
                    ("right_scalar", "rounded"),
                    ("overflow", "nan"),
                    ("number", "wraps"),
                ],
            },
            ::promote::__private::table::OpTable {
                op: ::promote::__private::Op::Exp,
                kernel: ::core::option::Option::Some(
                    <::promote::__private::ops::Exp as ::promote::__private::KernelType>::OP,
                ),
                right_scalar: ::promote::__private::semantics::RightScalar::Rounded,
                number: ::promote::__private::semantics::NumberOverflow::Wraps,
                semantics: &[],
            },
            ::promote::__private::table::OpTable {
                op: ::promote::__private::Op::Subtract,
                kernel: ::core::option::Option::Some(
                    <::promote::__private::ops::Subtract as ::promote::__private::KernelType>::OP,
                ),
                right_scalar: ::promote::__private::semantics::RightScalar::Rounded,
                number: ::promote::__private::semantics::NumberOverflow::Wraps,
                semantics: &[
                    ("right_scalar", "rounded"),
                    ("overflow", "nan"),
                    ("number", "wraps"),
                ],
            },
            ::promote::__private::table::OpTable {
                op: ::promote::__private::Op::Less,
                kernel: ::core::option::Option::Some(
                    <::promote::__private::ops::Less as ::promote::__private::KernelType>::OP,
                ),
                right_scalar: ::promote::__private::semantics::RightScalar::Rounded,
                number: ::promote::__private::semantics::NumberOverflow::Wraps,
                semantics: &[
                    ("number", "wraps"),
                    ("negative", "wraps"),
                    ("nan", "unordered"),
                ],
            },
        ];
        static TABLES: ::promote::__private::Tables = ::promote::__private::Tables {
            name: "Tiny",
            file: "rules/tiny.rs",
            dtypes: DTYPES,
            positions: ::promote::__private::Tables::positions(DTYPES),
            names: &[],
            params: &[
                ::promote::__private::table::Param {
                    name: "mean",
                    values: &["true", "false"],
                    default: 1u16,
                },
            ],
            clauses: &[
                ::promote::__private::table::Clause {
                    text: "bool => bool",
                    block: "numbers",
                    reason: ::core::option::Option::None,
                    lacks: false,
                    file: "rules/tiny.rs",
                    line: 7u32,
                },
                ::promote::__private::table::Clause {
                    text: "int => i32",
                    block: "numbers",
                    reason: ::core::option::Option::None,
                    lacks: false,
                    file: "rules/tiny.rs",
                    line: 7u32,
                },
                ::promote::__private::table::Clause {
                    text: "float => f32",
                    block: "numbers",
                    reason: ::core::option::Option::None,
                    lacks: false,
                    file: "rules/tiny.rs",
                    line: 7u32,
                },
                ::promote::__private::table::Clause {
                    text: "complex => refuse \"not here\"",
                    block: "numbers",
                    reason: ::core::option::Option::Some("not here"),
                    lacks: false,
                    file: "rules/tiny.rs",
                    line: 7u32,
                },
                ::promote::__private::table::Clause {
                    text: "bool, f32 => refuse \"choose\"",
                    block: "promote",
                    reason: ::core::option::Option::Some("choose"),
                    lacks: false,
                    file: "rules/tiny.rs",
                    line: 9u32,
                },
                ::promote::__private::table::Clause {
                    text: "int, float => b",
                    block: "promote",
                    reason: ::core::option::Option::None,
                    lacks: false,
                    file: "rules/tiny.rs",
                    line: 10u32,
                },
                ::promote::__private::table::Clause {
                    text: "any, any => join",
                    block: "promote",
                    reason: ::core::option::Option::None,
                    lacks: false,
                    file: "rules/tiny.rs",
                    line: 11u32,
                },
                ::promote::__private::table::Clause {
                    text: "any, any if kind(b) <= kind(a) => a",
                    block: "yield",
                    reason: ::core::option::Option::None,
                    lacks: false,
                    file: "rules/tiny.rs",
                    line: 13u32,
                },
                ::promote::__private::table::Clause {
                    text: "any, any => promote(a, b)",
                    block: "yield",
                    reason: ::core::option::Option::None,
                    lacks: false,
                    file: "rules/tiny.rs",
                    line: 13u32,
                },
                ::promote::__private::table::Clause {
                    text: "bool | int => f32",
                    block: "op exp",
                    reason: ::core::option::Option::None,
                    lacks: false,
                    file: "rules/tiny.rs",
                    line: 16u32,
                },
                ::promote::__private::table::Clause {
                    text: "bool, any => refuse \"no difference\"",
                    block: "op subtract",
                    reason: ::core::option::Option::Some("no difference"),
                    lacks: false,
                    file: "rules/tiny.rs",
                    line: 17u32,
                },
                ::promote::__private::table::Clause {
                    text: "bool => refuse \"no order\"",
                    block: "op less",
                    reason: ::core::option::Option::Some("no order"),
                    lacks: false,
                    file: "rules/tiny.rs",
                    line: 18u32,
                },
            ],
            ranks: [0u8, 0u8, 1u8, 1u8],
            ops: OPS,
            op_positions: ::promote::__private::Tables::op_positions(OPS),
            settings: &[
                ::promote::__private::table::Setting {
                    numbers: [
                        (0u8, ::promote::__private::table::Category::Number, 0u16),
                        (1u8, ::promote::__private::table::Category::Number, 1u16),
                        (2u8, ::promote::__private::table::Category::Number, 2u16),
                        (255u8, ::promote::__private::table::Category::Number, 3u16),
                    ],
                    planes: [
                        0u16, 0u16, 1u16, 1u16, 0u16, 0u16, 1u16, 1u16, 0u16, 0u16, 0u16,
                        0u16, 0u16, 0u16, 0u16, 0u16,
                    ],
                    values: [
                        65535u16, 65535u16, 65535u16, 65535u16, 65535u16, 65535u16,
                        65535u16, 65535u16, 65535u16, 65535u16, 65535u16, 65535u16,
                        65535u16, 65535u16, 65535u16, 65535u16,
                    ],
                    stored: 65535u16,
                    ops: b"\0\0\0\0\0\0\0\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01\0\x01\0\x01\0\x01\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02\0\x02\0\x02\0\x02\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF",
                    op_values: b"",
                    casts: &[],
                },
                ::promote::__private::table::Setting {
                    numbers: [
                        (0u8, ::promote::__private::table::Category::Number, 0u16),
                        (1u8, ::promote::__private::table::Category::Number, 1u16),
                        (2u8, ::promote::__private::table::Category::Number, 2u16),
                        (255u8, ::promote::__private::table::Category::Number, 3u16),
                    ],
                    planes: [
                        0u16, 0u16, 1u16, 1u16, 0u16, 0u16, 1u16, 1u16, 0u16, 0u16, 0u16,
                        0u16, 0u16, 0u16, 0u16, 0u16,
                    ],
                    values: [
                        65535u16, 65535u16, 65535u16, 65535u16, 65535u16, 65535u16,
                        65535u16, 65535u16, 65535u16, 65535u16, 65535u16, 65535u16,
                        65535u16, 65535u16, 65535u16, 65535u16,
                    ],
                    stored: 65535u16,
                    ops: b"\0\0\0\0\0\0\0\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01\0\x01\0\x01\0\x01\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02\0\x02\0\x02\0\x02\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF",
                    op_values: b"",
                    casts: &[],
                },
            ],
            planes: &[
                b"\0\0\x06\0\x01\0\x06\0\xFF\0\x04\0\x01\0\x06\0\x01\0\x06\0\x02\0\x05\0\xFF\0\x04\0\x02\0\x05\0\x02\0\x06\0",
                b"\0\0\x07\0\x01\0\x08\0\xFF\0\x04\0\x01\0\x07\0\x01\0\x07\0\x02\0\x08\0\x02\0\x07\0\x02\0\x07\0\x02\0\x07\0",
            ],
            maps: &[
                b"\0\0\0\0\xFF\xFF\x01\x01\x01\0\xFF\xFF\x02\x02\x02\0\xFF\xFF",
                b"\x02\x02\x02\0\t\0\x02\x02\x02\0\t\0\x02\x02\x02\0\xFF\xFF",
                b"\xFF\0\0\0\x0B\0\x01\x01\0\0\xFF\xFF\x02\x02\0\0\xFF\xFF",
            ],
            rows: b"\xFF\0\0\0\n\0\xFF\0\0\0\n\0\xFF\0\0\0\n\0\xFF\0\0\0\n\0\xFD\0\0\0\xFF\xFF\xFD\0\0\0\xFF\xFF",
            pairs: &[b"\0\0\x01\0\x01\0"],
            stored: &[],
            castings: &[],
            casts: &[],
            inplace: ::core::option::Option::None,
            by_kind: false,
        };
        &TABLES
    };
    /// Creates the rule set with the default values of its parameters.
    pub const fn new() -> Self {
        Self { setting: 1u16 }
    }
    /// Returns the rule set with another value of the parameter `mean`.
    #[must_use]
    pub const fn with_mean(self, value: ::core::primitive::bool) -> Self {
        let now = self.setting / 1u16 % 2u16;
        Self {
            setting: self.setting - now * 1u16
                + (1 - value as ::core::primitive::u16) * 1u16,
        }
    }
    /// Returns the dtype that two arrays promote to.
    ///
    /// # Errors
    /// Returns an error if the rule set refuses the pair, or does not have one of the dtypes.
    #[inline]
    pub const fn promote_types(
        &self,
        a: ::promote::__private::DType,
        b: ::promote::__private::DType,
    ) -> ::core::result::Result<
        ::promote::__private::DType,
        ::promote::__private::PromoteError,
    > {
        ::promote::__private::RuleSet::at(Self::TABLES, self.setting).promote_types(a, b)
    }
    /// Returns the dtype that arrays, zero-dimensional arrays and numbers promote to.
    ///
    /// # Errors
    /// Returns an error if there are no operands, or the rule set refuses two of them or does not
    /// have one of the dtypes.
    #[inline]
    pub const fn result_type(
        &self,
        operands: &[::promote::__private::Operand],
    ) -> ::core::result::Result<
        ::promote::__private::ResultType,
        ::promote::__private::PromoteError,
    > {
        ::promote::__private::RuleSet::at(Self::TABLES, self.setting)
            .result_type(operands)
    }
    /// Returns the common, the compute and the output dtype of an op.
    ///
    /// # Errors
    /// Returns an error if the rule set refuses the operands, does not have the op or a dtype, or the
    /// op takes another number of operands.
    #[inline]
    pub const fn op_types(
        &self,
        op: ::promote::__private::Op,
        operands: &[::promote::__private::Operand],
    ) -> ::core::result::Result<
        ::promote::__private::OpTypes,
        ::promote::__private::PromoteError,
    > {
        ::promote::__private::RuleSet::at(Self::TABLES, self.setting)
            .op_types(op, operands)
    }
    /// Returns the rule set as data, with the kernels of this build.
    #[inline]
    pub const fn rule_set(&self) -> ::promote::__private::RuleSet {
        static CACHE: ::promote::__private::DispatchCache = ::promote::__private::DispatchCache::new();
        ::promote::__private::with_kernels::<
            Self,
        >(::promote::__private::RuleSet::at(Self::TABLES, self.setting), &CACHE)
    }
}
#[automatically_derived]
impl ::core::default::Default for Tiny {
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}
::promote::__private::serialized! {
    Tiny
}
impl Tiny {
    /** Computes `add` of two elements.

 Each operand is converted to the common dtype, the op computes in its compute dtype, and the
 result is rounded once. Integers wrap.*/
    #[inline]
    pub fn add<A, B>(
        a: A,
        b: B,
    ) -> ::promote::__private::OpOutput<::promote::__private::op::Add, (A, B), Self>
    where
        Self: ::promote::__private::Compute<::promote::__private::op::Add, (A, B)>,
    {
        <Self as ::promote::__private::Compute<
            ::promote::__private::op::Add,
            (A, B),
        >>::compute((a, b))
    }
    /** Computes `exp` of one element.

 The operand is converted to the common dtype, the op computes in its compute dtype, and the
 result is rounded once.*/
    #[inline]
    pub fn exp<A>(
        a: A,
    ) -> ::promote::__private::OpOutput<::promote::__private::op::Exp, (A,), Self>
    where
        Self: ::promote::__private::Compute<::promote::__private::op::Exp, (A,)>,
    {
        <Self as ::promote::__private::Compute<
            ::promote::__private::op::Exp,
            (A,),
        >>::compute((a,))
    }
    /** Computes `subtract` of two elements.

 Each operand is converted to the common dtype, the op computes in its compute dtype, and the
 result is rounded once. Integers wrap.*/
    #[inline]
    pub fn subtract<A, B>(
        a: A,
        b: B,
    ) -> ::promote::__private::OpOutput<::promote::__private::op::Subtract, (A, B), Self>
    where
        Self: ::promote::__private::Compute<::promote::__private::op::Subtract, (A, B)>,
    {
        <Self as ::promote::__private::Compute<
            ::promote::__private::op::Subtract,
            (A, B),
        >>::compute((a, b))
    }
    /** Computes `less` of two elements.

 Each operand is converted to the common dtype, the op computes in its compute dtype, and the
 result is rounded once.*/
    #[inline]
    pub fn less<A, B>(
        a: A,
        b: B,
    ) -> ::promote::__private::OpOutput<::promote::__private::op::Less, (A, B), Self>
    where
        Self: ::promote::__private::Compute<::promote::__private::op::Less, (A, B)>,
    {
        <Self as ::promote::__private::Compute<
            ::promote::__private::op::Less,
            (A, B),
        >>::compute((a, b))
    }
}
::promote::__private::if_kernels! {
    impl Tiny { #[doc =
    " Computes `add` of two slices: `out[i] = add(a[i], b[i])`.\n `a`, `b` and `out` have the same length, which may be 0."]
    #[doc = r""] #[doc = r" # Errors"] #[doc =
    " Returns an error, and leaves `out` unchanged, if the lengths differ."] #[inline]
    pub fn add_into < A, B > (a : & [A], b : & [B], out : & mut
    [::promote::__private::OpOutput < ::promote::__private::op::Add, (A, B), Self >],) ->
    ::core::result::Result < (), ::promote::__private::CallError > where A :
    ::promote::__private::Element, B : ::promote::__private::Element, Self :
    ::promote::__private::OpRule < ::promote::__private::op::Add, (A, B) > +
    ::promote::__private::OpKernel < ::promote::__private::op::Add >, {
    ::promote::__private::call:: < Self, ::promote::__private::op::Add, A, B > (a, b,
    out) } #[doc =
    " Computes `exp` of a slice: `out[i] = exp(a[i])`. `a` and `out` have the same length, which may be 0."]
    #[doc = r""] #[doc = r" # Errors"] #[doc =
    " Returns an error, and leaves `out` unchanged, if the lengths differ."] #[inline]
    pub fn exp_into < A > (a : & [A], out : & mut [< Self as ::promote::__private::OpRule
    < ::promote::__private::op::Exp, (A,) >> ::Output],) -> ::core::result::Result < (),
    ::promote::__private::CallError > where A : ::promote::__private::Element, Self :
    ::promote::__private::OpRule < ::promote::__private::op::Exp, (A,) > +
    ::promote::__private::OpKernel < ::promote::__private::op::Exp >, {
    ::promote::__private::call_unary:: < Self, ::promote::__private::op::Exp, A > (a,
    out) } #[doc =
    " Computes `subtract` of two slices: `out[i] = subtract(a[i], b[i])`.\n `a`, `b` and `out` have the same length, which may be 0."]
    #[doc = r""] #[doc = r" # Errors"] #[doc =
    " Returns an error, and leaves `out` unchanged, if the lengths differ."] #[inline]
    pub fn subtract_into < A, B > (a : & [A], b : & [B], out : & mut
    [::promote::__private::OpOutput < ::promote::__private::op::Subtract, (A, B), Self
    >],) -> ::core::result::Result < (), ::promote::__private::CallError > where A :
    ::promote::__private::Element, B : ::promote::__private::Element, Self :
    ::promote::__private::OpRule < ::promote::__private::op::Subtract, (A, B) > +
    ::promote::__private::OpKernel < ::promote::__private::op::Subtract >, {
    ::promote::__private::call:: < Self, ::promote::__private::op::Subtract, A, B > (a,
    b, out) } #[doc =
    " Computes `less` of two slices: `out[i] = less(a[i], b[i])`.\n `a`, `b` and `out` have the same length, which may be 0."]
    #[doc = r""] #[doc = r" # Errors"] #[doc =
    " Returns an error, and leaves `out` unchanged, if the lengths differ."] #[inline]
    pub fn less_into < A, B > (a : & [A], b : & [B], out : & mut
    [::promote::__private::OpOutput < ::promote::__private::op::Less, (A, B), Self >],)
    -> ::core::result::Result < (), ::promote::__private::CallError > where A :
    ::promote::__private::Element, B : ::promote::__private::Element, Self :
    ::promote::__private::OpRule < ::promote::__private::op::Less, (A, B) > +
    ::promote::__private::OpKernel < ::promote::__private::op::Less >, {
    ::promote::__private::call:: < Self, ::promote::__private::op::Less, A, B > (a, b,
    out) } #[doc =
    " Computes `add` in place: `out[i] = add(out[i], b[i])`. The result has the dtype of the left operand. Both\n slices have the same length, which may be 0."]
    #[doc = r""] #[doc = r" # Errors"] #[doc =
    " Returns an error, and leaves `out` unchanged, if the lengths differ."] #[inline]
    pub fn add_in_place < A, B > (out : & mut [A], b : & [B]) -> ::core::result::Result <
    (), ::promote::__private::CallError > where A : ::promote::__private::Element, B :
    ::promote::__private::Element, Self : ::promote::__private::OpRule <
    ::promote::__private::op::Add, (A, B), Output = A > + ::promote::__private::OpKernel
    < ::promote::__private::op::Add >, { ::promote::__private::call_in_place:: < Self,
    ::promote::__private::op::Add, A, B > (out, b) } #[doc =
    " Computes `exp` in place: `out[i] = exp(out[i])`. The result has the dtype of the operand."]
    #[doc = r""] #[doc = r" # Errors"] #[doc =
    r" Returns an error if this build has no kernel for the dtype."] #[inline] pub fn
    exp_in_place < A > (out : & mut [A]) -> ::core::result::Result < (),
    ::promote::__private::CallError > where A : ::promote::__private::Element, Self :
    ::promote::__private::OpRule < ::promote::__private::op::Exp, (A,), Output = A > +
    ::promote::__private::OpKernel < ::promote::__private::op::Exp >, {
    ::promote::__private::call_unary_in_place:: < Self, ::promote::__private::op::Exp, A
    > (out) } #[doc =
    " Computes `subtract` in place: `out[i] = subtract(out[i], b[i])`. The result has the dtype of the left operand. Both\n slices have the same length, which may be 0."]
    #[doc = r""] #[doc = r" # Errors"] #[doc =
    " Returns an error, and leaves `out` unchanged, if the lengths differ."] #[inline]
    pub fn subtract_in_place < A, B > (out : & mut [A], b : & [B]) ->
    ::core::result::Result < (), ::promote::__private::CallError > where A :
    ::promote::__private::Element, B : ::promote::__private::Element, Self :
    ::promote::__private::OpRule < ::promote::__private::op::Subtract, (A, B), Output = A
    > + ::promote::__private::OpKernel < ::promote::__private::op::Subtract >, {
    ::promote::__private::call_in_place:: < Self, ::promote::__private::op::Subtract, A,
    B > (out, b) } }
}
::promote::__private::if_kernels! {
    #[doc(hidden)] impl ::promote::__private::KernelSource for Tiny { const KERNELS : &
    'static ::promote::__private::Kernels = ::promote::__private::KERNELS; }
}
#[allow(non_camel_case_types, clippy::all, clippy::pedantic)]
const _: () = {
    use ::promote::__private as __p;
    type __Common<A, B> = <A as __p::Promote<B, Tiny>>::Output;
    type __Row<C, A, B> = <C as __p::OpMap<__Common<A, B>>>::Row;
    type __Rule<C, A, B> = <<A as __p::pairs::OpClass<
        C,
    >>::Left as __p::pairs::RowOf<<B as __p::pairs::OpClass<C>>::Right>>::Rule;
    #[diagnostic::on_unimplemented(
        message = "`{A}` and `{B}` do not promote under Tiny: the dtype they give has no Rust type: ask at run time",
        label = "refused by rules/tiny.rs"
    )]
    pub trait no_rust_type_in_Tiny<A, B> {}
    #[diagnostic::on_unimplemented(
        message = "`{A}` and `{B}` do not promote under Tiny: choose",
        label = "refused by rules/tiny.rs:9"
    )]
    pub trait Tiny_refuses_promote_bool_f32<A, B> {}
    #[diagnostic::on_unimplemented(
        message = "Tiny refuses this op for `{A}` and `{B}`: no difference",
        label = "refused by rules/tiny.rs:17"
    )]
    pub trait Tiny_refuses_op_subtract_bool_any<A, B> {}
    #[diagnostic::on_unimplemented(
        message = "Tiny refuses this op for `{A}`: no order",
        label = "refused by rules/tiny.rs:18"
    )]
    pub trait Tiny_refuses_op_less_bool<A> {}
    pub struct TinyRefuses2;
    impl<A, B> __p::zero_dim::ZeroDimRule<A, B, Tiny> for TinyRefuses2
    where
        for<'a> &'a (): no_rust_type_in_Tiny<A, B>,
    {
        type Output = ::core::primitive::f32;
    }
    pub struct TinyRefuses1;
    impl<A, B> __p::zero_dim::ZeroDimRule<A, B, Tiny> for TinyRefuses1
    where
        for<'a> &'a (): Tiny_refuses_promote_bool_f32<A, B>,
    {
        type Output = ::core::primitive::f32;
    }
    pub struct TinyRefuses0;
    impl<M, A, B> __p::pairs::PairRule<M, A, B, Tiny> for TinyRefuses0
    where
        for<'a> &'a (): Tiny_refuses_op_subtract_bool_any<A, B>,
    {
        type Common = ::core::primitive::f32;
        type Compute = ::core::primitive::f32;
        type Output = ::core::primitive::f32;
    }
    impl __p::Promote<__p::t::bool, Tiny> for __p::t::bool {
        type Output = __p::t::bool;
    }
    impl __p::Promote<__p::t::i32, Tiny> for __p::t::bool {
        type Output = __p::t::i32;
    }
    #[doc(hidden)]
    impl __p::Promote<__p::t::f32, Tiny> for __p::t::bool
    where
        for<'a> &'a (): Tiny_refuses_promote_bool_f32<__p::t::bool, __p::t::f32>,
    {
        type Output = __p::t::bool;
    }
    impl __p::Promote<__p::Weak<__p::t::bool>, Tiny> for __p::t::bool {
        type Output = __p::t::bool;
    }
    impl __p::Promote<__p::Weak<__p::t::i64>, Tiny> for __p::t::bool {
        type Output = __p::t::i32;
    }
    #[doc(hidden)]
    impl __p::Promote<__p::Weak<__p::t::f64>, Tiny> for __p::t::bool
    where
        for<'a> &'a (): Tiny_refuses_promote_bool_f32<
            __p::t::bool,
            __p::Weak<__p::t::f64>,
        >,
    {
        type Output = __p::t::bool;
    }
    impl __p::Promote<__p::t::bool, Tiny> for __p::t::i32 {
        type Output = __p::t::i32;
    }
    impl __p::Promote<__p::t::i32, Tiny> for __p::t::i32 {
        type Output = __p::t::i32;
    }
    impl __p::Promote<__p::t::f32, Tiny> for __p::t::i32 {
        type Output = __p::t::f32;
    }
    impl __p::Promote<__p::Weak<__p::t::bool>, Tiny> for __p::t::i32 {
        type Output = __p::t::i32;
    }
    impl __p::Promote<__p::Weak<__p::t::i64>, Tiny> for __p::t::i32 {
        type Output = __p::t::i32;
    }
    impl __p::Promote<__p::Weak<__p::t::f64>, Tiny> for __p::t::i32 {
        type Output = __p::t::f32;
    }
    #[doc(hidden)]
    impl __p::Promote<__p::t::bool, Tiny> for __p::t::f32
    where
        for<'a> &'a (): Tiny_refuses_promote_bool_f32<__p::t::f32, __p::t::bool>,
    {
        type Output = __p::t::f32;
    }
    impl __p::Promote<__p::t::i32, Tiny> for __p::t::f32 {
        type Output = __p::t::f32;
    }
    impl __p::Promote<__p::t::f32, Tiny> for __p::t::f32 {
        type Output = __p::t::f32;
    }
    impl __p::Promote<__p::Weak<__p::t::bool>, Tiny> for __p::t::f32 {
        type Output = __p::t::f32;
    }
    impl __p::Promote<__p::Weak<__p::t::i64>, Tiny> for __p::t::f32 {
        type Output = __p::t::f32;
    }
    impl __p::Promote<__p::Weak<__p::t::f64>, Tiny> for __p::t::f32 {
        type Output = __p::t::f32;
    }
    impl __p::Promote<__p::t::bool, Tiny> for __p::Weak<__p::t::bool> {
        type Output = __p::t::bool;
    }
    impl __p::Promote<__p::t::i32, Tiny> for __p::Weak<__p::t::bool> {
        type Output = __p::t::i32;
    }
    impl __p::Promote<__p::t::f32, Tiny> for __p::Weak<__p::t::bool> {
        type Output = __p::t::f32;
    }
    #[doc(hidden)]
    impl __p::Promote<__p::Weak<__p::t::bool>, Tiny> for __p::Weak<__p::t::bool>
    where
        for<'a> &'a (): __p::TwoNumbers<
            __p::Weak<__p::t::bool>,
            __p::Weak<__p::t::bool>,
        >,
    {
        type Output = __p::Weak<__p::t::bool>;
    }
    #[doc(hidden)]
    impl __p::Promote<__p::Weak<__p::t::i64>, Tiny> for __p::Weak<__p::t::bool>
    where
        for<'a> &'a (): __p::TwoNumbers<__p::Weak<__p::t::bool>, __p::Weak<__p::t::i64>>,
    {
        type Output = __p::Weak<__p::t::bool>;
    }
    #[doc(hidden)]
    impl __p::Promote<__p::Weak<__p::t::f64>, Tiny> for __p::Weak<__p::t::bool>
    where
        for<'a> &'a (): __p::TwoNumbers<__p::Weak<__p::t::bool>, __p::Weak<__p::t::f64>>,
    {
        type Output = __p::Weak<__p::t::bool>;
    }
    impl __p::Promote<__p::t::bool, Tiny> for __p::Weak<__p::t::i64> {
        type Output = __p::t::i32;
    }
    impl __p::Promote<__p::t::i32, Tiny> for __p::Weak<__p::t::i64> {
        type Output = __p::t::i32;
    }
    impl __p::Promote<__p::t::f32, Tiny> for __p::Weak<__p::t::i64> {
        type Output = __p::t::f32;
    }
    #[doc(hidden)]
    impl __p::Promote<__p::Weak<__p::t::bool>, Tiny> for __p::Weak<__p::t::i64>
    where
        for<'a> &'a (): __p::TwoNumbers<__p::Weak<__p::t::i64>, __p::Weak<__p::t::bool>>,
    {
        type Output = __p::Weak<__p::t::i64>;
    }
    #[doc(hidden)]
    impl __p::Promote<__p::Weak<__p::t::i64>, Tiny> for __p::Weak<__p::t::i64>
    where
        for<'a> &'a (): __p::TwoNumbers<__p::Weak<__p::t::i64>, __p::Weak<__p::t::i64>>,
    {
        type Output = __p::Weak<__p::t::i64>;
    }
    #[doc(hidden)]
    impl __p::Promote<__p::Weak<__p::t::f64>, Tiny> for __p::Weak<__p::t::i64>
    where
        for<'a> &'a (): __p::TwoNumbers<__p::Weak<__p::t::i64>, __p::Weak<__p::t::f64>>,
    {
        type Output = __p::Weak<__p::t::i64>;
    }
    #[doc(hidden)]
    impl __p::Promote<__p::t::bool, Tiny> for __p::Weak<__p::t::f64>
    where
        for<'a> &'a (): Tiny_refuses_promote_bool_f32<
            __p::Weak<__p::t::f64>,
            __p::t::bool,
        >,
    {
        type Output = __p::Weak<__p::t::f64>;
    }
    impl __p::Promote<__p::t::i32, Tiny> for __p::Weak<__p::t::f64> {
        type Output = __p::t::f32;
    }
    impl __p::Promote<__p::t::f32, Tiny> for __p::Weak<__p::t::f64> {
        type Output = __p::t::f32;
    }
    #[doc(hidden)]
    impl __p::Promote<__p::Weak<__p::t::bool>, Tiny> for __p::Weak<__p::t::f64>
    where
        for<'a> &'a (): __p::TwoNumbers<__p::Weak<__p::t::f64>, __p::Weak<__p::t::bool>>,
    {
        type Output = __p::Weak<__p::t::f64>;
    }
    #[doc(hidden)]
    impl __p::Promote<__p::Weak<__p::t::i64>, Tiny> for __p::Weak<__p::t::f64>
    where
        for<'a> &'a (): __p::TwoNumbers<__p::Weak<__p::t::f64>, __p::Weak<__p::t::i64>>,
    {
        type Output = __p::Weak<__p::t::f64>;
    }
    #[doc(hidden)]
    impl __p::Promote<__p::Weak<__p::t::f64>, Tiny> for __p::Weak<__p::t::f64>
    where
        for<'a> &'a (): __p::TwoNumbers<__p::Weak<__p::t::f64>, __p::Weak<__p::t::f64>>,
    {
        type Output = __p::Weak<__p::t::f64>;
    }
    impl __p::zero_dim::ZeroDims for Tiny {
        type Right = TinyZeroDims0;
        type Left = TinyZeroDims1;
        type Both = TinyZeroDims2;
    }
    #[doc(hidden)]
    impl __p::OpKernel<__p::op::Add> for Tiny {
        type Kernel = __p::ops::Add;
    }
    #[doc(hidden)]
    impl<A, B> __p::OpRule<__p::op::Add, (A, B)> for Tiny
    where
        A: __p::Promote<B, Tiny>,
        __Common<A, B>: __p::Element,
    {
        type Common = __Common<A, B>;
        type Compute = <__Common<A, B> as __p::Element>::Reg;
        type Output = __Common<A, B>;
    }
    #[doc(hidden)]
    impl __p::OpKernel<__p::op::Exp> for Tiny {
        type Kernel = __p::ops::Exp;
    }
    #[doc(hidden)]
    impl<A> __p::OpRule<__p::op::Exp, (A,)> for Tiny
    where
        TinyMap0: __p::OpMap<A>,
    {
        type Common = <<TinyMap0 as __p::OpMap<A>>::Row as __p::OpRow>::Common;
        type Compute = <<TinyMap0 as __p::OpMap<A>>::Row as __p::OpRow>::Compute;
        type Output = <<TinyMap0 as __p::OpMap<A>>::Row as __p::OpRow>::Output;
    }
    #[doc(hidden)]
    impl __p::OpKernel<__p::op::Subtract> for Tiny {
        type Kernel = __p::ops::Subtract;
    }
    #[doc(hidden)]
    impl<A, B> __p::OpRule<__p::op::Subtract, (A, B)> for Tiny
    where
        A: __p::pairs::OpClass<TinyPairs0>,
        B: __p::pairs::OpClass<TinyPairs0>,
        <A as __p::pairs::OpClass<
            TinyPairs0,
        >>::Left: __p::pairs::RowOf<<B as __p::pairs::OpClass<TinyPairs0>>::Right>,
        __Rule<TinyPairs0, A, B>: __p::pairs::PairRule<TinyMap1, A, B, Tiny>,
    {
        type Common = <__Rule<
            TinyPairs0,
            A,
            B,
        > as __p::pairs::PairRule<TinyMap1, A, B, Tiny>>::Common;
        type Compute = <__Rule<
            TinyPairs0,
            A,
            B,
        > as __p::pairs::PairRule<TinyMap1, A, B, Tiny>>::Compute;
        type Output = <__Rule<
            TinyPairs0,
            A,
            B,
        > as __p::pairs::PairRule<TinyMap1, A, B, Tiny>>::Output;
    }
    #[doc(hidden)]
    impl __p::OpKernel<__p::op::Less> for Tiny {
        type Kernel = __p::ops::Less;
    }
    #[doc(hidden)]
    impl<A, B> __p::OpRule<__p::op::Less, (A, B)> for Tiny
    where
        A: __p::Promote<B, Tiny>,
        TinyMap2: __p::OpMap<__Common<A, B>>,
    {
        type Common = <__Row<TinyMap2, A, B> as __p::OpRow>::Common;
        type Compute = <__Row<TinyMap2, A, B> as __p::OpRow>::Compute;
        type Output = <__Row<TinyMap2, A, B> as __p::OpRow>::Output;
    }
    pub struct TinyMap1;
    impl __p::OpMap<__p::t::bool> for TinyMap1 {
        type Row = __p::OpDTypes<__p::t::bool, __p::t::bool, __p::t::bool>;
    }
    impl __p::OpMap<__p::t::i32> for TinyMap1 {
        type Row = __p::OpDTypes<__p::t::i32, __p::t::i32, __p::t::i32>;
    }
    impl __p::OpMap<__p::t::f32> for TinyMap1 {
        type Row = __p::OpDTypes<__p::t::f32, __p::t::f32, __p::t::f32>;
    }
    pub struct TinyMap0;
    impl __p::OpMap<__p::t::bool> for TinyMap0 {
        type Row = __p::OpDTypes<__p::t::f32, __p::t::f32, __p::t::f32>;
    }
    impl __p::OpMap<__p::t::i32> for TinyMap0 {
        type Row = __p::OpDTypes<__p::t::f32, __p::t::f32, __p::t::f32>;
    }
    impl __p::OpMap<__p::t::f32> for TinyMap0 {
        type Row = __p::OpDTypes<__p::t::f32, __p::t::f32, __p::t::f32>;
    }
    pub struct TinyMap2;
    impl __p::OpMap<__p::t::bool> for TinyMap2
    where
        for<'a> &'a (): Tiny_refuses_op_less_bool<__p::t::bool>,
    {
        type Row = __p::OpDTypes<__p::t::i32, __p::t::i32, ::core::primitive::f32>;
    }
    impl __p::OpMap<__p::t::i32> for TinyMap2 {
        type Row = __p::OpDTypes<__p::t::i32, __p::t::i32, __p::t::bool>;
    }
    impl __p::OpMap<__p::t::f32> for TinyMap2 {
        type Row = __p::OpDTypes<__p::t::f32, __p::t::f32, __p::t::bool>;
    }
    pub struct TinyPairs0;
    impl __p::pairs::OpClass<TinyPairs0> for __p::t::bool {
        type Left = TinyRow<TinyRefuses0, TinyRefuses0>;
        type Right = __p::pairs::Class<0usize>;
    }
    impl __p::pairs::OpClass<TinyPairs0> for __p::t::i32 {
        type Left = TinyRow<TinyRefuses0, __p::pairs::ByCommon>;
        type Right = __p::pairs::Class<1usize>;
    }
    impl __p::pairs::OpClass<TinyPairs0> for __p::t::f32 {
        type Left = TinyRow<TinyRefuses0, __p::pairs::ByCommon>;
        type Right = __p::pairs::Class<1usize>;
    }
    impl __p::pairs::OpClass<TinyPairs0> for __p::Weak<__p::t::bool> {
        type Left = TinyRow<TinyRefuses0, TinyRefuses0>;
        type Right = __p::pairs::Class<0usize>;
    }
    impl __p::pairs::OpClass<TinyPairs0> for __p::Weak<__p::t::i64> {
        type Left = TinyRow<TinyRefuses0, __p::pairs::ByCommon>;
        type Right = __p::pairs::Class<1usize>;
    }
    impl __p::pairs::OpClass<TinyPairs0> for __p::Weak<__p::t::f64> {
        type Left = TinyRow<TinyRefuses0, __p::pairs::ByCommon>;
        type Right = __p::pairs::Class<1usize>;
    }
    pub struct TinyZeroDims1;
    impl __p::pairs::OpClass<TinyZeroDims1> for __p::t::bool {
        type Left = TinyRow<
            __p::zero_dim::First,
            __p::zero_dim::Second,
            TinyRefuses1,
            __p::zero_dim::First,
            __p::zero_dim::To<__p::t::i32>,
            TinyRefuses1,
        >;
        type Right = __p::pairs::Class<0usize>;
    }
    impl __p::pairs::OpClass<TinyZeroDims1> for __p::t::i32 {
        type Left = TinyRow<
            __p::zero_dim::First,
            __p::zero_dim::First,
            __p::zero_dim::Second,
            __p::zero_dim::First,
            __p::zero_dim::First,
            __p::zero_dim::To<__p::t::f32>,
        >;
        type Right = __p::pairs::Class<1usize>;
    }
    impl __p::pairs::OpClass<TinyZeroDims1> for __p::t::f32 {
        type Left = TinyRow<
            TinyRefuses1,
            __p::zero_dim::First,
            __p::zero_dim::First,
            __p::zero_dim::First,
            __p::zero_dim::First,
            __p::zero_dim::First,
        >;
        type Right = __p::pairs::Class<2usize>;
    }
    impl __p::pairs::OpClass<TinyZeroDims1> for __p::Weak<__p::t::bool> {
        type Left = TinyRow<
            TinyRefuses2,
            TinyRefuses2,
            TinyRefuses2,
            TinyRefuses2,
            TinyRefuses2,
            TinyRefuses2,
        >;
        type Right = __p::pairs::Class<3usize>;
    }
    impl __p::pairs::OpClass<TinyZeroDims1> for __p::Weak<__p::t::i64> {
        type Left = TinyRow<
            TinyRefuses2,
            TinyRefuses2,
            TinyRefuses2,
            TinyRefuses2,
            TinyRefuses2,
            TinyRefuses2,
        >;
        type Right = __p::pairs::Class<4usize>;
    }
    impl __p::pairs::OpClass<TinyZeroDims1> for __p::Weak<__p::t::f64> {
        type Left = TinyRow<
            TinyRefuses2,
            TinyRefuses2,
            TinyRefuses2,
            TinyRefuses2,
            TinyRefuses2,
            TinyRefuses2,
        >;
        type Right = __p::pairs::Class<5usize>;
    }
    pub struct TinyZeroDims0;
    impl __p::pairs::OpClass<TinyZeroDims0> for __p::t::bool {
        type Left = TinyRow<
            __p::zero_dim::First,
            __p::zero_dim::Second,
            TinyRefuses1,
            TinyRefuses2,
        >;
        type Right = __p::pairs::Class<0usize>;
    }
    impl __p::pairs::OpClass<TinyZeroDims0> for __p::t::i32 {
        type Left = TinyRow<
            __p::zero_dim::First,
            __p::zero_dim::First,
            __p::zero_dim::Second,
            TinyRefuses2,
        >;
        type Right = __p::pairs::Class<1usize>;
    }
    impl __p::pairs::OpClass<TinyZeroDims0> for __p::t::f32 {
        type Left = TinyRow<
            TinyRefuses1,
            __p::zero_dim::First,
            __p::zero_dim::First,
            TinyRefuses2,
        >;
        type Right = __p::pairs::Class<2usize>;
    }
    impl __p::pairs::OpClass<TinyZeroDims0> for __p::Weak<__p::t::bool> {
        type Left = TinyRow<
            __p::zero_dim::Second,
            __p::zero_dim::Second,
            __p::zero_dim::Second,
            TinyRefuses2,
        >;
        type Right = __p::pairs::Class<3usize>;
    }
    impl __p::pairs::OpClass<TinyZeroDims0> for __p::Weak<__p::t::i64> {
        type Left = TinyRow<
            __p::zero_dim::To<__p::t::i32>,
            __p::zero_dim::Second,
            __p::zero_dim::Second,
            TinyRefuses2,
        >;
        type Right = __p::pairs::Class<3usize>;
    }
    impl __p::pairs::OpClass<TinyZeroDims0> for __p::Weak<__p::t::f64> {
        type Left = TinyRow<
            TinyRefuses1,
            __p::zero_dim::To<__p::t::f32>,
            __p::zero_dim::Second,
            TinyRefuses2,
        >;
        type Right = __p::pairs::Class<3usize>;
    }
    pub struct TinyZeroDims2;
    impl __p::pairs::OpClass<TinyZeroDims2> for __p::t::bool {
        type Left = TinyRow<
            __p::zero_dim::First,
            __p::zero_dim::Second,
            TinyRefuses1,
            TinyRefuses2,
        >;
        type Right = __p::pairs::Class<0usize>;
    }
    impl __p::pairs::OpClass<TinyZeroDims2> for __p::t::i32 {
        type Left = TinyRow<
            __p::zero_dim::First,
            __p::zero_dim::First,
            __p::zero_dim::Second,
            TinyRefuses2,
        >;
        type Right = __p::pairs::Class<1usize>;
    }
    impl __p::pairs::OpClass<TinyZeroDims2> for __p::t::f32 {
        type Left = TinyRow<
            TinyRefuses1,
            __p::zero_dim::First,
            __p::zero_dim::First,
            TinyRefuses2,
        >;
        type Right = __p::pairs::Class<2usize>;
    }
    impl __p::pairs::OpClass<TinyZeroDims2> for __p::Weak<__p::t::bool> {
        type Left = TinyRow<TinyRefuses2, TinyRefuses2, TinyRefuses2, TinyRefuses2>;
        type Right = __p::pairs::Class<3usize>;
    }
    impl __p::pairs::OpClass<TinyZeroDims2> for __p::Weak<__p::t::i64> {
        type Left = TinyRow<TinyRefuses2, TinyRefuses2, TinyRefuses2, TinyRefuses2>;
        type Right = __p::pairs::Class<3usize>;
    }
    impl __p::pairs::OpClass<TinyZeroDims2> for __p::Weak<__p::t::f64> {
        type Left = TinyRow<TinyRefuses2, TinyRefuses2, TinyRefuses2, TinyRefuses2>;
        type Right = __p::pairs::Class<3usize>;
    }
    pub struct TinyRow<H0 = (), H1 = (), H2 = (), H3 = (), H4 = (), H5 = ()>(
        ::core::marker::PhantomData<(H0, H1, H2, H3, H4, H5)>,
    );
    impl<H0, H1, H2, H3, H4, H5> __p::pairs::RowOf<__p::pairs::Class<0usize>>
    for TinyRow<H0, H1, H2, H3, H4, H5> {
        type Rule = H0;
    }
    impl<H0, H1, H2, H3, H4, H5> __p::pairs::RowOf<__p::pairs::Class<1usize>>
    for TinyRow<H0, H1, H2, H3, H4, H5> {
        type Rule = H1;
    }
    impl<H0, H1, H2, H3, H4, H5> __p::pairs::RowOf<__p::pairs::Class<2usize>>
    for TinyRow<H0, H1, H2, H3, H4, H5> {
        type Rule = H2;
    }
    impl<H0, H1, H2, H3, H4, H5> __p::pairs::RowOf<__p::pairs::Class<3usize>>
    for TinyRow<H0, H1, H2, H3, H4, H5> {
        type Rule = H3;
    }
    impl<H0, H1, H2, H3, H4, H5> __p::pairs::RowOf<__p::pairs::Class<4usize>>
    for TinyRow<H0, H1, H2, H3, H4, H5> {
        type Rule = H4;
    }
    impl<H0, H1, H2, H3, H4, H5> __p::pairs::RowOf<__p::pairs::Class<5usize>>
    for TinyRow<H0, H1, H2, H3, H4, H5> {
        type Rule = H5;
    }
    impl __p::Rules for Tiny {
        #[inline]
        fn data() -> __p::RuleSet {
            Self::new().rule_set()
        }
    }
    impl __p::lists::Joins for Tiny {
        type Way = __p::lists::InOrder;
    }
    impl __p::TypeAt<0usize> for Tiny {
        type Type = __p::t::bool;
    }
    impl __p::TypeAt<1usize> for Tiny {
        type Type = __p::t::i32;
    }
    impl __p::TypeAt<2usize> for Tiny {
        type Type = __p::t::f32;
    }
};
