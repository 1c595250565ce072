//! A guide, from the first derive to custom rule sets and kernels.
//!
//! # A type that promotes
//!
//! [`derive(Promote)`](derive@crate::Promote) makes a container promote as its elements do, under every rule
//! set. `ops(..)` adds operators between containers, also of different element types. `weak(..)` adds
//! operators between a container and a number without a width.
//!
//! ```
//! use promote::{Promote, Promoted, weak};
//!
//! #[derive(Clone, Copy, Debug, Promote)]
//! #[promote(ops(Add, PartialEq), weak(Mul))]
//! struct Point<T> {
//!     x: T,
//!     y: T,
//! }
//!
//! let sum: Promoted<Point<u8>, Point<i8>> = Point { x: 200_u8, y: 1 } + Point { x: -1_i8, y: 2 };
//! assert!(sum == Point { x: 199_i16, y: 3 });
//! assert!(sum * weak(0.5) == Point { x: 99.5_f32, y: 1.5 });
//! ```
//!
//! # Generic code
//!
//! A generic function has type parameters for the rule set and for its operands. One bound,
//! [`NumOps`](crate::NumOps), covers `+`, `-`, `*` and `/`. Every other op needs a bound of its own,
//! [`Compute`](crate::Compute), with the op and the tuple of the argument types.
//! [`OpOutput`](crate::OpOutput) is the type of the result, [`Rules`](crate::Rules) has the functions to
//! call, and [`mixed!`](crate::mixed!) writes the calls as an expression. For the compiler
//! [`OpOutput`](crate::OpOutput) and [`Promoted`](crate::Promoted) are unrelated types: a function that
//! returns `Promoted<A, B>` needs the bound `Torch: Compute<op::Add, (A, B), Output = Promoted<A, B>>`.
//!
//! ```
//! use promote::{Compute, OpOutput, Rules, Torch, mixed, op};
//!
//! fn root_of_product<R, A, B>(a: A, b: B) -> OpOutput<op::Sqrt, (OpOutput<op::Multiply, (A, B), R>,), R>
//! where
//!     R: Rules + Compute<op::Multiply, (A, B)> + Compute<op::Sqrt, (OpOutput<op::Multiply, (A, B), R>,)>,
//! {
//!     mixed! { R => sqrt(a * b) }
//! }
//! assert_eq!(root_of_product::<Torch, _, _>(2_u8, 8_i32), 4.0_f32);
//! ```
//!
//! Further items for generic code:
//!
//! - [`CastCommon`](crate::CastCommon) converts two values to their common type, and
//!   [`CastAll`](crate::CastAll) the values of a tuple.
//! - [`PromoteAll`](crate::PromoteAll) is the common type of a tuple of types, and
//!   [`promoted!`](crate::promoted!) that of a list of concrete types.
//! - [`Lossless`](crate::Lossless) refuses pairs whose promotion loses values.
//! - [`Rules::sum`](crate::Rules::sum) and [`Rules::dot`](crate::Rules::dot) reduce the items of iterators,
//!   with the bound [`Reduce`](crate::Reduce).
//!
//! [`weak`](crate::weak) makes a number without a width, such as a Python literal. The other operand decides
//! its dtype.
//!
//! ```
//! use promote::{NumPy, Torch, weak};
//!
//! assert_eq!(Torch::multiply(3_i32, weak(2.5)), 7.5_f32);
//! assert_eq!(NumPy::multiply(3_i32, weak(2.5)), 7.5_f64);
//! ```
//!
//! # A custom dtype
//!
//! [`derive(Element)`](derive@crate::Element) makes a newtype an element of arrays. Its casts are its `From`
//! impls to and from a standard type, and its arithmetic is that of its operators. A rule file declares the
//! dtype and names the Rust type.
//!
//! ```
//! use promote::{Element, Promoted, weak};
//!
//! /// From -128 up to 128, in steps of 1/256.
//! #[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Element)]
//! #[element(via = f64)]
//! #[repr(transparent)]
//! pub struct Q8(i16);
//!
//! impl From<f64> for Q8 {
//!     fn from(x: f64) -> Q8 {
//!         Q8((x * 256.0).round() as i16)
//!     }
//! }
//!
//! impl From<Q8> for f64 {
//!     fn from(x: Q8) -> f64 {
//!         f64::from(x.0) / 256.0
//!     }
//! }
//!
//! impl std::ops::Add for Q8 {
//!     type Output = Q8;
//!
//!     fn add(self, other: Q8) -> Q8 {
//!         Q8(self.0.wrapping_add(other.0))
//!     }
//! }
//!
//! mod rules {
//!     promote::rules! {
//!         rules Fixed extends promote::Torch;
//!
//!         kinds bool < int < fixed < float < complex;
//!         dtype q8: fixed 16 = super::Q8;
//!         holds q8: bool | i8;
//!         holds f32 | f64 | c64 | c128: q8;
//!
//!         promote {
//!             q8, u8 | i16 | i32 | i64 | barebones => refuse "q8 holds the integers of i8: cast one first";
//!             q8, bool | int                  => q8;
//!             q8, float | complex             => join or refuse "no dtype holds both";
//!         }
//!     }
//! }
//! use rules::Fixed;
//!
//! # fn main() {
//! let sum: Promoted<Q8, i8, Fixed> = Fixed::add(Q8(128), 2_i8);
//! assert_eq!(sum, Q8(2 * 256 + 128));
//! let wide: f32 = Fixed::add(Q8(128), 2.0_f32);
//! assert_eq!(wide, 2.5);
//! let more: f32 = Fixed::add(Q8(128), weak(2.0));
//! assert_eq!(more, 2.5);
//! # }
//! ```
//!
//! The last sum is an f32 and not a `Q8`. The number 2.0 has the kind `float`, which the `kinds` line puts
//! above `fixed`, so it counts as PyTorch's default float. A container of `Q8` times `weak(0.5)` becomes a
//! container of f32 in the same way. To keep the dtype, a rule file adds a clause for numbers:
//! `yield array > zero_dim > number { fixed, number float => a; }`.
//!
//! # A custom rule set
//!
//! The example above is a custom rule set: `rules Name extends path::Base;` builds on a base, and its clauses
//! come before those of the base. `promote check` checks a rule file. `promote explain`, and in code
//! [`RuleSet::explain`](crate::RuleSet::explain), show which clause decides a pair. For a refused pair, each
//! query and call returns [`PromoteError::Refused`](crate::PromoteError::Refused), with the reason and the
//! position of the clause. [`agreement!`](crate::agreement!) generates the tests that types, tables and
//! kernels of a rule set agree.
//!
//! # A custom kernel
//!
//! [`kernel`](macro@crate::kernel) turns a function of one element into an op. The function is generic over
//! its numbers. Their bound decides what it may do: [`Arithmetic`](crate::Arithmetic), the default, covers
//! integers, floats and complex numbers, [`Ordered`](crate::Ordered) adds comparisons, and
//! [`Floating`](crate::Floating) adds division and mathematical functions. The rule set decides the type in
//! which it computes, and the result is rounded once.
//!
#![cfg_attr(feature = "kernels", doc = "```")]
#![cfg_attr(not(feature = "kernels"), doc = "```ignore")]
//! use promote::SliceMut;
//! use promote::op::OpType;
//! use promote::{Floating, Torch, kernel};
//!
//! /// The positive part, and a tenth of the negative one.
//! #[kernel]
//! fn leaky<T: Floating>(x: T) -> T {
//!     T::select(x > T::of(0.0), x, x * 0.1)
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! assert_eq!(Torch::leaky(-2.0_f32), -0.2);
//!
//! let mut out = [0.0_f64; 3];
//! Torch::leaky_into(&[1.0_f64, -1.0, 3.0], &mut out)?;
//! assert_eq!(out, [1.0, -0.1, 3.0]);
//!
//! // In generic code the bound is on the kernel, with the types of its inputs.
//! fn twice<R: promote::Rules, X>(x: X) -> promote::KernelOutput<Leaky, R, (X,)>
//! where
//!     Leaky: promote::ComputeKernel<R, (X,)>,
//! {
//!     R::leaky(x)
//! }
//! assert_eq!(twice::<Torch, _>(-1.0_f64), -0.1);
//!
//! // With dtypes that are known only at run time:
//! let x = [1.0_f64, -2.0, 3.0];
//! Torch::new().rule_set().elementwise(Leaky::OP, &[(&x[..]).into()], SliceMut::new(&mut out))?;
//! assert_eq!(out, [1.0, -0.2, 3.0]);
//! # Ok(())
//! # }
//! ```
//!
//! Literals in the body have the dtype in which the body computes. In an integer dtype `0.1` would be 0, so
//! the bound here is `Floating`. A kernel is also a function that other kernels can call:
//! `leaky(x) + leaky(y)`.
//!
//! A kernel has the dtypes of `add`, or those of `divide` if its bound is `Floating`.
//! `#[kernel(like = maximum)]` names another op. Alternatively a rule file declares the dtypes, as for
//! standard ops: the kernel is then `#[kernel(named)]`, and the file contains
//! `op leaky = crate::Leaky { bool => refuse "bool is not a numeric type"; int => f64; }`.
//!
#![cfg_attr(feature = "kernels", doc = "```")]
#![cfg_attr(not(feature = "kernels"), doc = "```ignore")]
//! /// `alpha · x + y`
//! #[promote::kernel(named)]
//! fn axpy<T>(alpha: T, x: T, y: T) -> T {
//!     alpha * x + y
//! }
//!
//! mod rules {
//!     promote::rules! {
//!         rules Lab extends promote::Torch;
//!         op axpy = crate::Axpy { bool => refuse "bool is not a numeric type"; int => f64; }
//!     }
//! }
//!
//! fn main() {
//!     let sum: f64 = rules::Lab::axpy(2_i8, 300_i16, 1_u8);
//!     assert_eq!(sum, 601.0);
//! }
//! ```
//!
//! A body computes in standard dtypes. It accepts operands of a custom dtype if the rule file names a
//! standard dtype to compute in. For a kernel with the dtypes of `divide`, that is
//! `op divide { fixed => common in f64; }`, or `opmath { q8 => f64; }` for every op.
//!
//! # A kernel of vectors
//!
//! `#[kernel(simd)]` takes a function that computes one vector, written with [`pulp`](crate::pulp). Its type
//! parameter is the SIMD level. Its arguments are one to four vectors of the type `S::f32s` or `S::f64s`. The
//! macro adds conversions, the tail after the last whole vector, single elements that are broadcast, and the
//! choice of the level.
//!
#![cfg_attr(feature = "kernels", doc = "```")]
#![cfg_attr(not(feature = "kernels"), doc = "```ignore")]
//! use promote::{Torch, kernel, pulp};
//!
//! /// `x` between -1 and 1.
//! #[kernel(simd)]
//! fn clipped<S: pulp::Simd>(simd: S, x: S::f32s) -> S::f32s {
//!     simd.max_f32s(simd.min_f32s(x, simd.splat_f32s(1.0)), simd.splat_f32s(-1.0))
//! }
//!
//! # fn main() -> Result<(), promote::CallError> {
//! let mut out = [0.0_f32; 3];
//! Torch::clipped_into(&[-5_i8, 0, 5], &mut out)?;
//! assert_eq!(out, [-1.0, 0.0, 1.0]);
//! # Ok(())
//! # }
//! ```
//!
//! The kernel has the dtypes of `divide`, or those that `like` or `named` chooses. It computes only in the
//! type of its vectors. A call that the rule set computes in another type, here
//! `Torch::clipped_into(&[1.0_f64], ..)`, is a compile error. If the dtypes are known only at run time, the
//! call returns an error.
//!
//! At the level `scalar`, which also computes single elements, a vector has one lane. pulp's `mul_add_e` is
//! fused if the machine has such an instruction, and is two operations at the level `scalar`. So its bits may
//! differ between levels, unlike those of all other kernels. `mul_add` is fused at every level, and slow at
//! `scalar`.
//!
//! # Dtypes at run time
//!
//! [`RuleSet`](crate::RuleSet) works with dtypes that are known only at run time. It answers questions about
//! promotion, and computes on slices. A `Kernel` is a handle that is looked up once and called often. Results
//! in place are cast to the dtype of the output if the rule set allows that cast.
//!
#![cfg_attr(all(feature = "kernels", feature = "std"), doc = "```")]
#![cfg_attr(not(all(feature = "kernels", feature = "std")), doc = "```ignore")]
//! use promote::{SliceMut, Slice};
//! use promote::{Argument, DType, Number, Op, Operand, Torch};
//!
//! let rules = Torch::new().rule_set();
//! let types = rules.op_types(Op::Divide, &[Operand::Array(DType::I32), Operand::Number(Number::Int(5))])?;
//! assert_eq!(types.output, DType::F32);
//!
//! // Typed slices. A number is repeated for every element.
//! let mut out = [0.0_f32; 3];
//! let a = Argument::from(&[1_u8, 2, 3][..]);
//! rules.binary(Op::Multiply, a, Number::Float(2.5).into(), SliceMut::new(&mut out))?;
//! assert_eq!(out, [2.5, 5.0, 7.5]);
//!
//! // The kernel is looked up once, and called often.
//! let kernel = rules.kernel(Op::Less, DType::I16, DType::F64)?;
//! let mut less = [false; 2];
//! kernel.call_slices(Slice::new(&[1_i16, 4]), Slice::new(&[2.5_f64, 2.5]), SliceMut::new(&mut less))?;
//! assert_eq!(less, [true, false]);
//!
//! // In place, PyTorch casts f64 to f32, but no float to an integer.
//! let mut held = [1.0_f32, 2.0];
//! rules.binary_in_place(Op::Add, SliceMut::new(&mut held), (&[0.5_f64, 0.5][..]).into())?;
//! assert_eq!(held, [1.5, 2.5]);
//! let floats = Argument::from(&[0.5_f64, 0.5][..]);
//! assert!(rules.binary_in_place(Op::Add, SliceMut::new(&mut [1_i32, 2]), floats).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Slices may begin at any address (`Slice::from_bytes`), and operands may overlap the output
//! (`Slice::from_raw_parts`).
//!
//! `TensorView` and `TensorViewMut` are views of any shape and strides. `RuleSet::call` broadcasts them, and
//! returns an error for the shapes that the system refuses. Contiguous runs are as fast as slices.
//!
#![cfg_attr(all(feature = "kernels", feature = "std"), doc = "```")]
#![cfg_attr(not(all(feature = "kernels", feature = "std")), doc = "```ignore")]
//! use promote::{Argument, Op, TensorView, TensorViewMut, Torch};
//!
//! let rules = Torch::new().rule_set();
//! let (bytes, row) = ([1_i8, 2, 3, 4, 5, 6], [0.5_f32, 0.25]);
//! // 3 x 2, transposed. Strides and the offset count elements.
//! let a = TensorView::strided(&bytes[..], &[3, 2], &[1, 3], 0)?;
//! let b = TensorView::new(&row[..], &[2])?;
//! let product = rules.call(Op::Multiply, &[(&a).into(), (&b).into()])?;
//! assert_eq!((product.shape(), product.as_slice()), (&[3, 2][..], Some(&[0.5_f32, 1.0, 1.0, 1.25, 1.5, 1.5][..])));
//!
//! let mut out = [0.0_f32; 12]; // every second column of a 3 x 4 matrix
//! let view = TensorViewMut::strided(&mut out[..], &[3, 2], &[4, 2], 0)?;
//! rules.prepare(Op::Add, &[(&a).into(), (&b).into()]).out(view).run()?;
//! assert_eq!(out[4..8], [2.5, 0.0, 5.25, 0.0]);
//!
//! let wrong = rules.call(Op::Add, &[(&a).into(), Argument::from(&[1.0_f32; 3][..])]).unwrap_err();
//! assert!(wrong.to_string().starts_with("operand `b` has length 3 along axis -1, and the inputs before it have 2"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A custom loop over tensors
//!
//! A kernel computes one element from one element of each input. A loop with several outputs, or one that
//! sees many elements at once, runs in an iteration. It promotes dtypes by the rule set, broadcasts shapes,
//! casts, and passes slices to the loop. The names are those of PyTorch's `TensorIteratorConfig`.
//! `docs/porting.md` has tables for readers who know that class, OneFlow's `TensorProcessor`, or NumPy's
//! `nditer` and ufuncs.
//!
//! ```
//! # #[cfg(feature = "kernels")]
//! # fn main() -> Result<(), promote::Error> {
//! use promote::{DType, IterationConfig, Torch};
//!
//! // Quotient and remainder in one pass, of dtypes that are known only at run time.
//! let (a, b) = ([7_i64, 8, -9], [2_i8]);
//! let (mut quotients, mut remainders) = ([0_i64; 3], [0.0_f32; 3]);
//! let mut config = IterationConfig::new();
//! config.add_output(&mut quotients[..]).add_output(&mut remainders[..]).add_input(&a[..]).add_input(&b[..]);
//! config.promote_inputs_to_common_dtype(true).cast_common_dtype_to_outputs(true).enforce_safe_casting_to_output(true);
//! let mut iteration = config.build(&Torch::new().rule_set())?;
//! assert_eq!(iteration.common_dtype(), Some(DType::I64));
//! iteration.for_each(|inputs, outputs| {
//!     let [a, b] = [0, 1].map(|k| inputs[k].as_slice::<i64>().expect("the common dtype"));
//!     let [quotients, remainders] = outputs else { unreachable!("two outputs were added") };
//!     let quotients = quotients.as_mut_slice::<i64>().expect("the common dtype");
//!     let remainders = remainders.as_mut_slice::<i64>().expect("the common dtype, which is cast to f32 afterwards");
//!     for i in 0..a.len() {
//!         (quotients[i], remainders[i]) = (a[i].div_euclid(b[i]), a[i].rem_euclid(b[i]));
//!     }
//! })?;
//! assert_eq!((quotients, remainders), ([3, 4, -5], [1.0, 0.0, 1.0]));
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "kernels"))]
//! # fn main() {}
//! ```
//!
//! # Promotion without an op
//!
//! [`RuleSet::promote_arrays`](crate::RuleSet) converts operands to the dtype that they promote to, and
//! returns one array for each of them, in its own shape. Numbers become arrays without axes.
//!
//! ```
//! # #[cfg(all(feature = "kernels", feature = "std"))]
//! # fn main() -> Result<(), promote::Error> {
//! use promote::{DType, Number, Torch};
//!
//! let (bytes, halves) = ([1_u8, 2, 3], [0.5_f32, 0.25]);
//! let operands = [(&bytes[..]).into(), (&halves[..]).into(), Number::Int(4).into()];
//! let converted = Torch::new().rule_set().promote_arrays(&operands)?;
//! assert_eq!(converted[0].as_slice(), Some(&[1.0_f32, 2.0, 3.0][..]));
//! assert_eq!(converted[1].as_slice(), Some(&halves[..]));
//! assert_eq!((converted[2].dtype(), converted[2].shape()), (DType::F32, &[][..]));
//! # Ok(())
//! # }
//! # #[cfg(not(all(feature = "kernels", feature = "std")))]
//! # fn main() {}
//! ```
//!
//! # A renamed dependency
//!
//! Emitted code names this crate `::promote`. If your crate knows it by another name
//! (`dtypes = { package = "promote", .. }`, or a re-export), pass the path to each macro:
//! `#[promote(crate = dtypes)]`, `#[element(crate = dtypes)]`, `#[kernel(crate = dtypes)]`,
//! `mixed! { crate = dtypes; Torch => a + b }`, and `crate = dtypes;` as the first line in `rules!`.
