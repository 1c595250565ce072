//! The functions as C calls them: their answers are those of the Rust interface, and invalid arguments are
//! errors.

#![allow(clippy::float_cmp, reason = "results are exact")]
#![allow(clippy::wildcard_imports, reason = "as C includes the header")]

use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;

use promote::{DType, Number, Op, Operand, RuleSet, Tensor, rule_set};
use promote_capi::*;

const RULES: [&str; 2] = ["torch", "numpy"];

/// Copies a C string, which may be null.
fn copied(text: *const c_char) -> Option<String> {
    // SAFETY: the library returned a C string that lives until the next failure on this thread, or null.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_str().unwrap().to_owned())
}

fn message() -> String {
    copied(promote_last_error_message()).unwrap()
}

fn find(name: &str) -> *const PromoteRules {
    let (name, mut rules) = (CString::new(name).unwrap(), ptr::null());
    // SAFETY: a C string, and memory for a pointer.
    assert_eq!(unsafe { promote_rules_find(name.as_ptr(), &raw mut rules) }, PromoteStatus::Ok);
    rules
}

fn number<T: PartialEq>(items: &[T], item: &T) -> i32 {
    items.iter().position(|own| own == item).unwrap().try_into().unwrap()
}

fn dtype(dtype: DType) -> i32 {
    number(DTYPES, &dtype)
}

fn op(op: Op) -> i32 {
    number(OPS, &op)
}

/// Returns a contiguous tensor as an operand.
fn array(tensor: &Tensor) -> PromoteOperand {
    let shape = tensor.shape();
    promote_array(
        dtype(tensor.dtype()),
        tensor.as_bytes().as_ptr().cast(),
        shape.len(),
        shape.as_ptr(),
        ptr::null(),
    )
}

/// Returns a contiguous tensor as an output.
fn output(tensor: &mut Tensor) -> PromoteOutput {
    let (number, data) = (dtype(tensor.dtype()), tensor.as_mut_ptr().cast());
    promote_output(number, data, tensor.shape().len(), tensor.shape().as_ptr(), ptr::null())
}

/// Returns six small numbers of a dtype.
fn sample(rules: &RuleSet, dtype: DType) -> Tensor {
    let numbers = Tensor::from_vec(vec![0_i16, 1, 2, 3, 100, 7], &[6]).unwrap();
    rules.astype(&numbers.view(), dtype, None).unwrap()
}

fn call(
    rules: *const PromoteRules,
    op: Op,
    operands: &[PromoteOperand],
    out: &PromoteOutput,
) -> PromoteStatus {
    // SAFETY: the operands and the output are those of tensors and arrays that the caller borrows.
    unsafe { promote_call(rules, self::op(op), operands.as_ptr(), operands.len(), out) }
}

fn op_types(
    rules: *const PromoteRules,
    op: Op,
    operands: &[PromoteOperand],
) -> Result<PromoteOpTypes, (PromoteStatus, String)> {
    let mut types = PromoteOpTypes { common: -1, compute: -1, output: -1 };
    // SAFETY: queries read operands and no elements, or the element of a zero-dimensional one.
    let status =
        unsafe { promote_op_types(rules, self::op(op), operands.as_ptr(), operands.len(), &raw mut types) };
    if status == PromoteStatus::Ok { Ok(types) } else { Err((status, message())) }
}

#[test]
fn sums_of_all_pairs_are_those_of_the_rust_interface() {
    for name in RULES {
        let (ours, theirs) = (find(name), rule_set(name).unwrap());
        let dtypes = theirs.dtypes().iter().copied().filter(|dtype| dtype.has_type()).collect::<Vec<_>>();
        let mut refused = 0;
        for &a in &dtypes {
            for &b in &dtypes {
                let (x, y) = (sample(&theirs, a), sample(&theirs, b));
                let expected = theirs.call(Op::Add, &[(&x).into(), (&y).into()]);
                let (pair, mut kernel) = ([dtype(a), dtype(b)], ptr::null_mut());
                // SAFETY: two numbers, and memory for a pointer.
                let status =
                    unsafe { promote_kernel_new(ours, op(Op::Add), pair.as_ptr(), 2, &raw mut kernel) };
                let expected = match expected {
                    Ok(expected) => expected,
                    Err(error) => {
                        assert_eq!((status, message()), (PromoteStatus::Refused, error.to_string()));
                        refused += 1;
                        continue;
                    }
                };
                assert_eq!(status, PromoteStatus::Ok, "{name}: {a} + {b}: {}", message());

                let mut info = PromoteKernelInfo { count: 0, inputs: [-2; 4], output: -1 };
                let mut out = Tensor::zeros(expected.dtype(), &[6]).unwrap();
                let inputs = [x.as_bytes().as_ptr(), y.as_bytes().as_ptr()].map(<*const u8>::cast);
                // SAFETY: the kernel was made above and is freed once; all tensors have six elements.
                unsafe {
                    assert_eq!(promote_kernel_info(kernel, &raw mut info), PromoteStatus::Ok);
                    let status = promote_kernel_call(kernel, inputs.as_ptr(), 2, 6, out.as_mut_ptr().cast());
                    assert_eq!(status, PromoteStatus::Ok, "{}", message());
                    promote_kernel_free(kernel);
                }
                let inputs = [dtype(a), dtype(b), -1, -1];
                assert_eq!(info, PromoteKernelInfo { count: 2, inputs, output: dtype(expected.dtype()) });
                assert_eq!(out, expected, "{name}: {a} + {b}");

                let mut out = Tensor::zeros(expected.dtype(), &[6]).unwrap();
                let output = output(&mut out);
                assert_eq!(call(ours, Op::Add, &[array(&x), array(&y)], &output), PromoteStatus::Ok);
                assert_eq!(out, expected, "{name}: {a} + {b}");
            }
        }
        assert_eq!(refused > 0, name == "torch");
    }
}

#[test]
fn dtypes_of_all_categories_are_those_of_the_rust_interface() {
    let (small, large) = (3_i8, 1e30_f64);
    let zero_dims = [
        (Operand::ZeroDim(DType::F32, None), promote_zero_dim(dtype(DType::F32), ptr::null())),
        (
            Operand::ZeroDim(DType::I8, Some(Number::Int(3))),
            promote_zero_dim(dtype(DType::I8), (&raw const small).cast()),
        ),
        (
            Operand::ZeroDim(DType::F64, Some(Number::Float(1e30))),
            // An array without axes is zero-dimensional, too.
            promote_array(dtype(DType::F64), (&raw const large).cast(), 0, ptr::null(), ptr::null()),
        ),
    ];
    let numbers = [
        (Operand::Number(Number::Int(-7)), promote_int(-7)),
        (Operand::Number(Number::Int(300)), promote_int(300)),
        (Operand::Number(Number::Float(0.5)), promote_float(0.5)),
        (Operand::Number(Number::Complex(0.5, 1.0)), promote_complex(0.5, 1.0)),
    ];
    let with = |kind, integer| {
        let number = PromoteNumber { kind, integer, real: 0.0, imaginary: 0.0 };
        PromoteOperand { number, ..promote_int(0) }
    };
    let others = [
        (Operand::Number(Number::Bool(true)), with(PROMOTE_NUMBER_BOOL, 2)),
        (Operand::Number(Number::Int(u64::MAX.into())), with(PROMOTE_NUMBER_UINT, -1)),
        (
            Operand::Weak(DType::F32),
            PromoteOperand { category: PROMOTE_CATEGORY_WEAK, ..promote_array_of(dtype(DType::F32)) },
        ),
    ];
    let arrays = DType::STANDARD.iter().map(|own| (Operand::Array(*own), promote_array_of(dtype(*own))));
    let operands: Vec<_> = zero_dims.into_iter().chain(numbers).chain(others).chain(arrays).collect();
    for name in RULES {
        let (ours, theirs) = (find(name), rule_set(name).unwrap());
        for (a, own_a) in &operands {
            for (b, own_b) in &operands {
                let (kinds, own) = ([*a, *b], [*own_a, *own_b]);
                let expected = theirs
                    .op_types(Op::Multiply, &kinds)
                    .map(|types| [types.common, types.compute, types.output].map(dtype))
                    .map_err(|error| (PromoteStatus::Refused, error.to_string()));
                let found = op_types(ours, Op::Multiply, &own)
                    .map(|types| [types.common, types.compute, types.output]);
                assert_eq!(found, expected, "{name}: {a:?} * {b:?}");

                let mut result = PromoteResultType { dtype: -1, weak: false };
                // SAFETY: as in `op_types`.
                let status = unsafe { promote_result_type(ours, own.as_ptr(), 2, &raw mut result) };
                match theirs.result_type(&kinds) {
                    Ok(found) => {
                        let expected = PromoteResultType { dtype: dtype(found.dtype), weak: found.weak };
                        assert_eq!((status, result), (PromoteStatus::Ok, expected));
                    }
                    Err(error) => {
                        assert_eq!((status, message()), (PromoteStatus::Refused, error.to_string()));
                    }
                }
            }
        }
    }
}

#[test]
fn dtypes_of_outputs_and_casts_are_those_of_the_rust_interface() {
    for name in RULES {
        let (ours, theirs) = (find(name), rule_set(name).unwrap());
        // Dtypes that a rule file declares itself have no number.
        let dtypes = theirs.dtypes().iter().filter(|dtype| DTYPES.contains(dtype)).copied();
        for a in dtypes.clone() {
            for b in dtypes.clone() {
                let (kinds, own) = (
                    [Operand::Array(a), Operand::Number(Number::Float(2.5))],
                    [promote_array_of(dtype(a)), promote_float(2.5)],
                );
                let mut types = PromoteOpTypes { common: -1, compute: -1, output: -1 };
                // SAFETY: two operands without elements, and memory for the answer.
                let (out, in_place) = unsafe {
                    let (add, own, types) = (op(Op::Add), own.as_ptr(), &raw mut types);
                    (
                        promote_out_types(ours, add, own, 2, dtype(b), types),
                        promote_in_place_types(ours, add, own, 2, types),
                    )
                };
                assert_eq!(out == PromoteStatus::Ok, theirs.out_types(Op::Add, &kinds, b).is_ok());
                assert_eq!(in_place == PromoteStatus::Ok, theirs.in_place_types(Op::Add, &kinds).is_ok());
                for &level in CASTINGS {
                    let casting = number(CASTINGS, &level);
                    // SAFETY: the rule set comes from the library.
                    let status = unsafe { promote_can_cast(ours, dtype(a), dtype(b), casting) };
                    match theirs.can_cast(a, b, level) {
                        Ok(()) => assert_eq!(status, PromoteStatus::Ok),
                        Err(error) => {
                            assert_eq!((status, message()), (PromoteStatus::Refused, error.to_string()));
                        }
                    }
                }
                // SAFETY: the rule set comes from the library.
                let status = unsafe { promote_can_cast_result(ours, dtype(a), dtype(b)) };
                assert_eq!(status == PromoteStatus::Ok, theirs.can_cast_result(a, b).is_ok());
            }
        }
    }
}

#[test]
fn names_are_found_both_ways() {
    let mut found = -1;
    for (number, own) in DTYPES.iter().enumerate() {
        let number = i32::try_from(number).unwrap();
        let name = CString::new(own.name()).unwrap();
        assert_eq!(copied(promote_dtype_name(number)).unwrap(), own.name());
        // SAFETY: a C string, and memory for a number.
        assert_eq!(unsafe { promote_dtype_from_name(name.as_ptr(), &raw mut found) }, PromoteStatus::Ok);
        assert_eq!(found, number);
        let size = if own.has_type() { own.size().unwrap() } else { 0 };
        assert_eq!(promote_dtype_size(number), size);
    }
    for (number, own) in OPS.iter().enumerate() {
        let number = i32::try_from(number).unwrap();
        let name = CString::new(own.name()).unwrap();
        assert_eq!(copied(promote_op_name(number)).unwrap(), own.name());
        // SAFETY: as above.
        assert_eq!(unsafe { promote_op_from_name(name.as_ptr(), &raw mut found) }, PromoteStatus::Ok);
        assert_eq!(found, number);
    }
    for (number, own) in CASTINGS.iter().enumerate() {
        let number = i32::try_from(number).unwrap();
        let name = CString::new(own.name()).unwrap();
        assert_eq!(copied(promote_casting_name(number)).unwrap(), own.name());
        // SAFETY: as above.
        assert_eq!(unsafe { promote_casting_from_name(name.as_ptr(), &raw mut found) }, PromoteStatus::Ok);
        assert_eq!(found, number);
    }
    for number in [-1, 1000] {
        assert!(promote_dtype_name(number).is_null());
        assert!(promote_op_name(number).is_null());
        assert!(promote_casting_name(number).is_null());
        assert_eq!(promote_dtype_size(number), 0);
    }
    // SAFETY: C strings, and memory for a number.
    unsafe {
        let unknown = promote_dtype_from_name(c"float32".as_ptr(), &raw mut found);
        assert_eq!(unknown, PromoteStatus::InvalidArgument);
        let told = "`float32`: no standard dtype has this name; help: write one of bool, u8, u16, ";
        assert!(message().starts_with(told), "{}", message());
        assert_eq!(promote_op_from_name(c"\xff".as_ptr(), &raw mut found), PromoteStatus::InvalidArgument);
        assert_eq!(message(), "`name` is not UTF-8; help: pass a name in UTF-8");
    }
}

#[test]
fn rule_sets_keep_their_address_and_have_parameters() {
    assert_eq!(copied(promote_rules_name(0)).as_deref(), promote::RULE_SETS.first().copied());
    assert!(promote_rules_name(promote::RULE_SETS.len()).is_null());
    let torch = find("torch");
    assert_eq!(torch, find("torch"));
    let mut f64s = [ptr::null(); 2];
    let with = |value: &CStr, changed: &mut *const PromoteRules| {
        // SAFETY: a rule set of the library, C strings, and memory for a pointer.
        unsafe { promote_rules_with(torch, c"default_dtype".as_ptr(), value.as_ptr(), changed) }
    };
    for changed in &mut f64s {
        assert_eq!(with(c"f64", changed), PromoteStatus::Ok);
    }
    assert_eq!(f64s[0], f64s[1]);
    assert_ne!(f64s[0], torch);
    let quotient = [promote_array_of(dtype(DType::I32)), promote_int(2)];
    assert_eq!(op_types(f64s[0], Op::Divide, &quotient).unwrap().output, dtype(DType::F64));
    assert_eq!(op_types(torch, Op::Divide, &quotient).unwrap().output, dtype(DType::F32));

    assert_eq!(with(c"i32", &mut f64s[0]), PromoteStatus::InvalidArgument);
    assert!(message().starts_with("Torch has no parameter `default_dtype` with a value `i32`; help: "));
    let mut rules = ptr::null();
    // SAFETY: a C string, and memory for a pointer.
    let status = unsafe { promote_rules_find(c"matlab".as_ptr(), &raw mut rules) };
    assert_eq!((status, rules), (PromoteStatus::InvalidArgument, ptr::null()));
    assert!(message().starts_with("this build has no rule set `matlab`; help: its rule sets are "));
}

#[test]
fn versions_are_compared() {
    assert_eq!(promote_check_api(PROMOTE_API_MAJOR, PROMOTE_API_MINOR), PromoteStatus::Ok);
    assert_eq!(promote_check_api(PROMOTE_API_MAJOR, PROMOTE_API_MINOR + 1), PromoteStatus::Version);
    assert_eq!(promote_check_api(PROMOTE_API_MAJOR + 1, 0), PromoteStatus::Version);
    let start =
        format!("the header has version {}.0 of the interface, and the library", PROMOTE_API_MAJOR + 1);
    assert!(message().starts_with(&start));
    assert_eq!(copied(promote_version()).as_deref(), Some(env!("CARGO_PKG_VERSION")));
}

#[test]
fn strides_broadcasting_and_unaligned_elements() {
    let torch = find("torch");
    // The columns of a matrix of i16 at an odd address, from the last to the first.
    let mut memory = [0_i16; 7];
    let odd = memory.as_mut_ptr().wrapping_byte_add(1);
    for (i, value) in (1_i16..=6).enumerate() {
        // SAFETY: there is memory for six elements.
        unsafe { odd.add(i).write_unaligned(value) };
    }
    let (shape, strides, row) = ([3_usize, 2], [-2_isize, 6], [0.5_f32, 100.0]);
    let first = odd.wrapping_add(2).cast::<c_void>();
    let columns = promote_array(dtype(DType::I16), first, 2, shape.as_ptr(), strides.as_ptr());
    let row = promote_array(dtype(DType::F32), row.as_ptr().cast(), 1, shape[1..].as_ptr(), ptr::null());
    let operands = [columns, row];
    let (mut found, mut rank) = ([0; 2], 0);
    // SAFETY: two operands with their shapes, and memory for two lengths and a number.
    let status = unsafe {
        promote_broadcast_shape(operands.as_ptr(), 2, found.as_mut_ptr(), found.len(), &raw mut rank)
    };
    assert_eq!((status, found, rank), (PromoteStatus::Ok, [3, 2], 2));
    // SAFETY: as above, with memory for one length.
    let status =
        unsafe { promote_broadcast_shape(operands.as_ptr(), 2, found.as_mut_ptr(), 1, &raw mut rank) };
    assert_eq!((status, rank), (PromoteStatus::InvalidArgument, 2));
    assert!(message().starts_with("the result has 2 axes, and `shape` has room for 1"));

    let expected = [3.5_f32, 106.0, 2.5, 105.0, 1.5, 104.0];
    let mut sums = [0.0_f32; 6];
    let out = promote_output(dtype(DType::F32), sums.as_mut_ptr().cast(), 2, shape.as_ptr(), ptr::null());
    assert_eq!(call(torch, Op::Add, &operands, &out), PromoteStatus::Ok, "{}", message());
    assert_eq!(sums, expected);

    // By a kernel, into every other element.
    let (pair, mut kernel) = ([dtype(DType::I16), dtype(DType::F32)], ptr::null_mut());
    let (mut sums, strides) = ([7.0_f32; 12], [16_isize, 8]);
    let out =
        promote_output(dtype(DType::F32), sums.as_mut_ptr().cast(), 2, shape.as_ptr(), strides.as_ptr());
    // SAFETY: the kernel is freed once; operands and output are as above, within their arrays.
    unsafe {
        let status = promote_kernel_new(torch, op(Op::Add), pair.as_ptr(), 2, &raw mut kernel);
        assert_eq!(status, PromoteStatus::Ok);
        let status = promote_kernel_call_arrays(kernel, operands.as_ptr(), 2, &raw const out);
        assert_eq!(status, PromoteStatus::Ok, "{}", message());
        promote_kernel_free(kernel);
    }
    assert!(sums.chunks_exact(2).zip(expected).all(|(pair, sum)| pair == [sum, 7.0]));
}

#[test]
fn extra_inputs_reductions_casts_and_results_in_place() {
    let (torch, rules) = (find("torch"), rule_set("torch").unwrap());
    let condition = Tensor::from_vec(vec![true, false, true], &[3]).unwrap();
    let x = Tensor::from_vec(vec![1_i8, 2, 3], &[3]).unwrap();
    let mut chosen = Tensor::zeros(DType::F32, &[3]).unwrap();
    let out = output(&mut chosen);
    let status = call(torch, Op::Where, &[array(&condition), array(&x), promote_float(0.5)], &out);
    assert_eq!(status, PromoteStatus::Ok, "{}", message());
    assert_eq!(chosen.to_string(), "[1.0, 0.5, 3.0]");

    // A kernel takes extra inputs after the operands.
    let (pair, mut kernel) = ([dtype(DType::I8); 2], ptr::null_mut());
    let mut info = PromoteKernelInfo { count: 0, inputs: [-2; 4], output: -1 };
    let mut chosen = [0_i8; 3];
    let inputs = [x.as_bytes(), &[9; 3], condition.as_bytes()].map(|bytes| bytes.as_ptr().cast::<c_void>());
    // SAFETY: the kernel is freed once; three elements are at each address.
    unsafe {
        let status = promote_kernel_new(torch, op(Op::Where), pair.as_ptr(), 2, &raw mut kernel);
        assert_eq!(status, PromoteStatus::Ok);
        assert_eq!(promote_kernel_info(kernel, &raw mut info), PromoteStatus::Ok);
        let status = promote_kernel_call(kernel, inputs.as_ptr(), 3, 3, chosen.as_mut_ptr().cast());
        assert_eq!(status, PromoteStatus::Ok, "{}", message());
        promote_kernel_free(kernel);
    }
    assert_eq!((info.count, info.inputs[2], chosen), (3, dtype(DType::Bool), [1, 9, 3]));

    let matrix = Tensor::from_vec((1_i32..=6).collect(), &[2, 3]).unwrap();
    for (axes, shape) in [(&[-1_isize][..], &[2_usize][..]), (&[0], &[1, 3]), (&[0, 1], &[])] {
        let operands = [(&matrix).into()];
        let call = rules.prepare(Op::Sum, &operands).axes(axes).keep_dims(shape.len() == 2);
        let expected = call.run().unwrap();
        let mut sums = Tensor::zeros(DType::I64, shape).unwrap();
        let (operand, out) = (array(&matrix), output(&mut sums));
        // SAFETY: the tensors live as long as the call.
        let status = unsafe {
            promote_reduce(torch, op(Op::Sum), &raw const operand, axes.as_ptr(), axes.len(), &raw const out)
        };
        assert_eq!(status, PromoteStatus::Ok, "{}", message());
        assert_eq!(sums, expected);
    }
    let mut whole = Tensor::zeros(DType::I64, &[]).unwrap();
    let (operand, out) = (array(&matrix), output(&mut whole));
    // SAFETY: as above. Without axes all are reduced.
    let status =
        unsafe { promote_reduce(torch, op(Op::Sum), &raw const operand, ptr::null(), 0, &raw const out) };
    assert_eq!((status, whole.to_string()), (PromoteStatus::Ok, "21".to_owned()));

    let mut floats = Tensor::from_vec(vec![0.5_f32, 1.5, 2.5], &[3]).unwrap();
    let (a, operands) = (output(&mut floats), [array(&x)]);
    // SAFETY: as above.
    let status =
        unsafe { promote_call_in_place(torch, op(Op::Multiply), &raw const a, operands.as_ptr(), 1) };
    assert_eq!(status, PromoteStatus::Ok, "{}", message());
    assert_eq!(floats.to_string(), "[0.5, 3.0, 7.5]");

    let numpy = find("numpy");
    let mut cut = Tensor::zeros(DType::I16, &[3]).unwrap();
    let (operand, out) = (array(&floats), output(&mut cut));
    // SAFETY: as above.
    let cast = |casting| unsafe { promote_cast(numpy, &raw const operand, casting, &raw const out) };
    assert_eq!(cast(PROMOTE_CASTING_SAFE), PromoteStatus::Refused);
    assert!(message().starts_with("`f32` cannot be cast to `i16` at level safe under NumPy"));
    assert_eq!(cast(PROMOTE_CASTING_UNSAFE), PromoteStatus::Ok);
    assert_eq!(cut.to_string(), "[0, 3, 7]");

    let mut kernel = ptr::null_mut();
    let (mut bytes, address) = ([0_u8; 3], floats.as_bytes().as_ptr().cast::<c_void>());
    let (f32s, u8s) = (dtype(DType::F32), dtype(DType::U8));
    let out = promote_output(u8s, bytes.as_mut_ptr().cast(), 1, [3_usize].as_ptr(), ptr::null());
    // SAFETY: the kernel is freed once; three elements are at each address.
    unsafe {
        assert_eq!(promote_kernel_new_cast(numpy, f32s, u8s, &raw mut kernel), PromoteStatus::Ok);
        let status = promote_kernel_call(kernel, &raw const address, 1, 3, bytes.as_mut_ptr().cast());
        assert_eq!((status, bytes), (PromoteStatus::Ok, [0, 3, 7]));
        let number = promote_int(1);
        let status = promote_kernel_call_arrays(kernel, &raw const number, 1, &raw const out);
        assert_eq!(status, PromoteStatus::InvalidArgument);
        assert!(message().starts_with("the operand of a cast is a number; help: "));
        promote_kernel_free(kernel);
    }
}

#[test]
fn overlapping_memory_gives_the_result_of_copies() {
    let torch = find("torch");
    // A matrix plus its own transpose, in place.
    let mut matrix = [1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];
    let (shape, strides, data) = ([3_usize; 2], [4_isize, 12], matrix.as_mut_ptr());
    let f32s = dtype(DType::F32);
    let transpose = promote_array(f32s, data.cast(), 2, shape.as_ptr(), strides.as_ptr());
    let whole = promote_array(f32s, data.cast(), 2, shape.as_ptr(), ptr::null());
    let out = promote_output(f32s, data.cast(), 2, shape.as_ptr(), ptr::null());
    assert_eq!(call(torch, Op::Add, &[whole, transpose], &out), PromoteStatus::Ok, "{}", message());
    assert_eq!(matrix, [2.0, 6.0, 10.0, 6.0, 10.0, 14.0, 10.0, 14.0, 18.0]);

    // Slices that overlap `out` one element before and after it.
    let (pair, mut kernel) = ([f32s; 2], ptr::null_mut());
    let mut numbers: Vec<f32> = (0_u8..100).map(f32::from).collect();
    let expected: Vec<f32> = (0_u8..98).map(|i| 2.0 * f32::from(i) + 2.0).collect();
    let data = numbers.as_mut_ptr();
    // SAFETY: 98 elements begin at each of the first three addresses; the kernel is freed once.
    unsafe {
        let status = promote_kernel_new(torch, op(Op::Add), pair.as_ptr(), 2, &raw mut kernel);
        assert_eq!(status, PromoteStatus::Ok);
        let inputs = [data.cast::<c_void>().cast_const(), data.add(2).cast::<c_void>().cast_const()];
        let status = promote_kernel_call(kernel, inputs.as_ptr(), 2, 98, data.add(1).cast());
        assert_eq!(status, PromoteStatus::Ok, "{}", message());
        promote_kernel_free(kernel);
    }
    assert_eq!(numbers[1..99], expected);
}

#[test]
fn operands_that_do_not_fit_are_errors_and_leave_outputs_unchanged() {
    let torch = find("torch");
    let x = Tensor::from_vec(vec![1_i32, 2, 0], &[3]).unwrap();
    let mut out = Tensor::from_vec(vec![7_i32; 3], &[3]).unwrap();
    let given = output(&mut out);
    let fails = |op, operands: &[PromoteOperand], output: &PromoteOutput, start: &str| {
        let status = call(torch, op, operands, output);
        assert!(message().starts_with(start), "{status:?}: {}", message());
        status
    };

    let longer = Tensor::zeros(DType::I32, &[4]).unwrap();
    let status =
        fails(Op::Add, &[array(&x), array(&longer)], &given, "operand `b` has length 4 along axis 0");
    assert_eq!(status, PromoteStatus::Call);
    let status = fails(Op::FloorDivide, &[array(&x), array(&x)], &given, "an integer is divided by zero");
    assert_eq!(status, PromoteStatus::Call);
    let status = fails(Op::Add, &[array(&x), promote_float(0.5)], &given, "`f32` cannot be cast to `i32`");
    assert_eq!(status, PromoteStatus::Refused);
    let status = fails(Op::Matmul, &[array(&x), array(&x)], &given, "`matmul` takes whole arrays");
    assert_eq!(status, PromoteStatus::Call);
    let five = [promote_int(1); 5];
    let status = fails(Op::Add, &five, &given, "the op takes 2 inputs, not 5; help: ");
    assert_eq!(status, PromoteStatus::Call);

    // Elements of an output overlap.
    let stride = [0_isize];
    let aliased = PromoteOutput { strides: stride.as_ptr(), ..given };
    fails(Op::Add, &[array(&x), promote_int(1)], &aliased, "elements of a mutable view overlap");
    // Sizes overflow.
    let huge = [usize::MAX, usize::MAX];
    let operand = PromoteOperand { rank: 2, shape: huge.as_ptr(), ..array(&x) };
    fails(Op::Add, &[operand, promote_int(1)], &given, "the view is larger than the address space");
    let many = PromoteOperand { rank: usize::MAX, ..array(&x) };
    fails(Op::Add, &[many, promote_int(1)], &given, "`shape` has 18446744073709551615 elements");
    // A dtype that exists in tables only.
    let narrow = PromoteOperand { dtype: dtype(DType::F4E2M1FN), ..array(&x) };
    fails(Op::Add, &[narrow, promote_int(1)], &given, "`f4e2m1fn` exists in promotion tables only");
    let element = promote_zero_dim(dtype(DType::F4E2M1FN), x.as_bytes().as_ptr().cast());
    assert_eq!(op_types(torch, Op::Add, &[element; 2]).unwrap_err().0, PromoteStatus::Call);
    assert_eq!(out.as_slice::<i32>(), Some(&[7; 3][..]));

    // Without elements, data may be null.
    let none = [0_usize];
    let empty = promote_array(dtype(DType::I32), ptr::null(), 1, none.as_ptr(), ptr::null());
    let out = promote_output(dtype(DType::I32), ptr::null_mut(), 1, none.as_ptr(), ptr::null());
    assert_eq!(call(torch, Op::Add, &[empty, empty], &out), PromoteStatus::Ok, "{}", message());
}

/// Asserts that a function returned an error about an argument, whose message begins as given.
#[track_caller]
fn invalid(status: PromoteStatus, start: &str) {
    let message = message();
    assert_eq!(status, PromoteStatus::InvalidArgument, "{start}: {message}");
    assert!(message.starts_with(start), "{message}");
}

#[test]
fn null_pointers_are_errors() {
    let torch = find("torch");
    let (add, f32s, one) = (op(Op::Add), dtype(DType::F32), [promote_int(1), promote_int(2)]);
    let (shape, mut element, mut kernel) = ([1_usize], 0.0_f32, ptr::null_mut());
    let out = promote_output(f32s, (&raw mut element).cast(), 1, shape.as_ptr(), ptr::null());
    let array = promote_array(f32s, [1.0_f32].as_ptr().cast(), 1, shape.as_ptr(), ptr::null());
    let (mut rules, mut found, mut length, mut rank) = (ptr::null(), 0, 0, 0);
    let mut types = PromoteOpTypes { common: 0, compute: 0, output: 0 };
    let mut result = PromoteResultType { dtype: 0, weak: false };
    let mut info = PromoteKernelInfo { count: 0, inputs: [0; 4], output: 0 };
    let pair = [f32s, f32s];
    let address = (&raw const element).cast::<c_void>();
    let (inputs, nulls) = ([address; 2], [ptr::null::<c_void>(); 2]);
    let text = c"torch".as_ptr();
    let no_data = PromoteOperand { data: ptr::null(), ..array };
    let no_shape = PromoteOperand { shape: ptr::null(), ..array };
    let no_out = PromoteOutput { data: ptr::null_mut(), ..out };
    let no_out_shape = PromoteOutput { shape: ptr::null(), ..out };
    // SAFETY: each pointer is null, or points to what the function says.
    unsafe {
        let is = "is a null pointer; help: ";
        let name = format!("`name` {is}");
        invalid(promote_rules_find(ptr::null(), &raw mut rules), &name);
        invalid(promote_rules_find(text, ptr::null_mut()), &format!("`rules` {is}"));
        invalid(promote_rules_with(ptr::null(), text, text, &raw mut rules), &format!("`rules` {is}"));
        invalid(promote_rules_with(torch, ptr::null(), text, &raw mut rules), &format!("`parameter` {is}"));
        invalid(promote_rules_with(torch, text, ptr::null(), &raw mut rules), &format!("`value` {is}"));
        invalid(promote_rules_with(torch, text, text, ptr::null_mut()), &format!("`changed` {is}"));

        invalid(promote_dtype_from_name(ptr::null(), &raw mut found), &name);
        invalid(promote_dtype_from_name(text, ptr::null_mut()), &format!("`dtype` {is}"));
        invalid(promote_op_from_name(ptr::null(), &raw mut found), &name);
        invalid(promote_op_from_name(text, ptr::null_mut()), &format!("`op` {is}"));
        invalid(promote_casting_from_name(ptr::null(), &raw mut found), &name);
        invalid(promote_casting_from_name(text, ptr::null_mut()), &format!("`casting` {is}"));

        let operands = format!("`operands` {is}");
        let no_rules = format!("`rules` {is}");
        invalid(promote_result_type(ptr::null(), one.as_ptr(), 2, &raw mut result), &no_rules);
        invalid(promote_result_type(torch, ptr::null(), 2, &raw mut result), &operands);
        invalid(promote_result_type(torch, one.as_ptr(), 2, ptr::null_mut()), &format!("`result` {is}"));
        invalid(promote_op_types(ptr::null(), add, one.as_ptr(), 2, &raw mut types), &no_rules);
        invalid(promote_op_types(torch, add, ptr::null(), 2, &raw mut types), &operands);
        invalid(promote_op_types(torch, add, one.as_ptr(), 2, ptr::null_mut()), &format!("`types` {is}"));
        invalid(promote_out_types(ptr::null(), add, one.as_ptr(), 2, f32s, &raw mut types), &no_rules);
        invalid(promote_out_types(torch, add, ptr::null(), 2, f32s, &raw mut types), &operands);
        invalid(promote_in_place_types(ptr::null(), add, one.as_ptr(), 2, &raw mut types), &no_rules);
        invalid(promote_can_cast(ptr::null(), f32s, f32s, PROMOTE_CASTING_SAFE), &no_rules);
        invalid(promote_can_cast_result(ptr::null(), f32s, f32s), &no_rules);
        let (shapes, length) = (&raw const array, &raw mut length);
        invalid(promote_broadcast_shape(ptr::null(), 1, length, 1, &raw mut rank), &operands);
        invalid(promote_broadcast_shape(&raw const no_shape, 1, length, 1, &raw mut rank), "`shape` is");
        invalid(promote_broadcast_shape(shapes, 1, ptr::null_mut(), 1, &raw mut rank), "`shape` is");
        invalid(promote_broadcast_shape(shapes, 1, length, 1, ptr::null_mut()), "`rank` is");

        invalid(promote_kernel_new(ptr::null(), add, pair.as_ptr(), 2, &raw mut kernel), &no_rules);
        invalid(promote_kernel_new(torch, add, ptr::null(), 2, &raw mut kernel), "`dtypes` is");
        invalid(promote_kernel_new(torch, add, pair.as_ptr(), 2, ptr::null_mut()), "`kernel` is");
        invalid(promote_kernel_new_cast(ptr::null(), f32s, f32s, &raw mut kernel), &no_rules);
        invalid(promote_kernel_new_cast(torch, f32s, f32s, ptr::null_mut()), "`kernel` is");
        invalid(promote_kernel_info(ptr::null(), &raw mut info), "`kernel` is");
        promote_kernel_free(ptr::null_mut());
        assert_eq!(promote_kernel_new(torch, add, pair.as_ptr(), 2, &raw mut kernel), PromoteStatus::Ok);
        let to = (&raw mut element).cast::<c_void>();
        invalid(promote_kernel_info(kernel, ptr::null_mut()), "`info` is");
        invalid(promote_kernel_call(ptr::null(), inputs.as_ptr(), 2, 1, to), "`kernel` is");
        invalid(promote_kernel_call(kernel, ptr::null(), 2, 1, to), "`inputs` is");
        invalid(promote_kernel_call(kernel, nulls.as_ptr(), 2, 1, to), "an address in `inputs` is");
        invalid(promote_kernel_call(kernel, inputs.as_ptr(), 2, 1, ptr::null_mut()), "`out` is");
        invalid(promote_kernel_call_arrays(ptr::null(), one.as_ptr(), 2, &raw const out), "`kernel` is");
        invalid(promote_kernel_call_arrays(kernel, ptr::null(), 2, &raw const out), &operands);
        invalid(promote_kernel_call_arrays(kernel, one.as_ptr(), 2, ptr::null()), "`out` is");
        promote_kernel_free(kernel);

        invalid(promote_call(ptr::null(), add, one.as_ptr(), 2, &raw const out), &no_rules);
        invalid(promote_call(torch, add, ptr::null(), 2, &raw const out), &operands);
        invalid(promote_call(torch, add, one.as_ptr(), 2, ptr::null()), "`out` is");
        for output in [no_out, no_out_shape] {
            let status = promote_call(torch, add, one.as_ptr(), 2, &raw const output);
            invalid(status, if output.data.is_null() { "`data` of an array is" } else { "`shape` is" });
        }
        for (operand, start) in [(no_data, "`data` of an array is"), (no_shape, "`shape` is")] {
            let operands = [operand, operand];
            invalid(promote_call(torch, add, operands.as_ptr(), 2, &raw const out), start);
        }
        let a = &raw const out;
        invalid(promote_call_in_place(ptr::null(), add, a, one.as_ptr(), 1), &no_rules);
        invalid(promote_call_in_place(torch, add, ptr::null(), one.as_ptr(), 1), "`a` is");
        invalid(promote_call_in_place(torch, add, a, ptr::null(), 1), &operands);
        let (sum, operand) = (op(Op::Sum), &raw const array);
        invalid(promote_reduce(ptr::null(), sum, operand, ptr::null(), 0, a), &no_rules);
        invalid(promote_reduce(torch, sum, ptr::null(), ptr::null(), 0, a), &operands);
        invalid(promote_reduce(torch, sum, operand, ptr::null(), 0, ptr::null()), "`out` is");
        invalid(promote_cast(ptr::null(), operand, PROMOTE_CASTING_ANY, a), &no_rules);
        invalid(promote_cast(torch, ptr::null(), PROMOTE_CASTING_ANY, a), "`operand` is");
        invalid(promote_cast(torch, operand, PROMOTE_CASTING_ANY, ptr::null()), "`out` is");
    }
}

#[test]
fn unknown_numbers_are_errors() {
    let torch = find("torch");
    let (add, f32s, one) = (op(Op::Add), dtype(DType::F32), [promote_int(1), promote_int(2)]);
    let (shape, mut element, mut kernel) = ([1_usize], 0.0_f32, ptr::null_mut());
    let out = promote_output(f32s, (&raw mut element).cast(), 1, shape.as_ptr(), ptr::null());
    let array = promote_array(f32s, [1.0_f32].as_ptr().cast(), 1, shape.as_ptr(), ptr::null());
    let mut types = PromoteOpTypes { common: 0, compute: 0, output: 0 };
    let (mut length, mut rank) = (0, 0);
    for unknown in [-1, -2, 99_999, i32::MIN, i32::MAX] {
        let no_dtype = format!("no dtype has the number {unknown}; help: pass one of `PROMOTE_DTYPE_..`");
        let no_op = format!("no op has the number {unknown}; help: pass one of `PROMOTE_OP_..`");
        let no_category = format!("no category of operands has the number {unknown}; help: ");
        let pair = [f32s, unknown];
        let strange = PromoteOperand { category: unknown, ..array };
        let unknown_dtype = PromoteOperand { dtype: unknown, ..array };
        let kind = PromoteOperand { number: PromoteNumber { kind: unknown, ..one[0].number }, ..one[0] };
        let bad_out = PromoteOutput { dtype: unknown, ..out };
        // SAFETY: all pointers are valid.
        unsafe {
            let (to, types) = (&raw const out, &raw mut types);
            invalid(promote_op_types(torch, unknown, one.as_ptr(), 2, types), &no_op);
            invalid(promote_out_types(torch, add, one.as_ptr(), 2, unknown, types), &no_dtype);
            for (operand, start) in [
                (strange, &no_category),
                (unknown_dtype, &no_dtype),
                (kind, &format!("no kind of number has the number {unknown}; help: ")),
            ] {
                let operands = [operand, operand];
                invalid(promote_op_types(torch, add, operands.as_ptr(), 2, types), start);
                invalid(promote_call(torch, add, operands.as_ptr(), 2, to), start);
            }
            let shape = &raw mut length;
            let status = promote_broadcast_shape(&raw const strange, 1, shape, 1, &raw mut rank);
            invalid(status, &no_category);
            invalid(promote_kernel_new(torch, unknown, pair.as_ptr(), 2, &raw mut kernel), &no_op);
            invalid(promote_kernel_new(torch, add, pair.as_ptr(), 2, &raw mut kernel), &no_dtype);
            invalid(promote_kernel_new_cast(torch, unknown, f32s, &raw mut kernel), &no_dtype);
            invalid(promote_kernel_new_cast(torch, f32s, unknown, &raw mut kernel), &no_dtype);
            invalid(promote_call(torch, unknown, one.as_ptr(), 2, to), &no_op);
            invalid(promote_call(torch, add, one.as_ptr(), 2, &raw const bad_out), &no_dtype);
            invalid(promote_call_in_place(torch, unknown, to, one.as_ptr(), 1), &no_op);
            invalid(promote_reduce(torch, unknown, &raw const array, ptr::null(), 0, to), &no_op);
            invalid(promote_can_cast(torch, unknown, f32s, PROMOTE_CASTING_SAFE), &no_dtype);
            invalid(promote_can_cast(torch, f32s, unknown, PROMOTE_CASTING_SAFE), &no_dtype);
            invalid(promote_can_cast(torch, f32s, f32s, unknown), "no casting level has the number ");
            invalid(promote_can_cast_result(torch, f32s, unknown), &no_dtype);
            if unknown != PROMOTE_CASTING_ANY {
                invalid(
                    promote_cast(torch, &raw const array, unknown, to),
                    "no casting level has the number ",
                );
            }
        }
    }
    assert_eq!(kernel, ptr::null_mut());
}

#[test]
fn misaligned_arguments_are_errors() {
    let torch = find("torch");
    let one = [promote_int(1), promote_int(2)];
    let mut element = 0.0_f32;
    let out = promote_output(dtype(DType::F32), (&raw mut element).cast(), 0, ptr::null(), ptr::null());
    let mut types = [PromoteOpTypes { common: 0, compute: 0, output: 0 }; 2];
    let add = op(Op::Add);
    let between = |pointer: *const c_void| pointer.wrapping_byte_add(1);
    // SAFETY: each pointer is misaligned, which is checked before it is used, or is valid.
    unsafe {
        let operands = between(one.as_ptr().cast()).cast();
        invalid(
            promote_call(torch, add, operands, 1, &raw const out),
            "`operands` is not aligned to 8 bytes",
        );
        let to = between((&raw const out).cast()).cast();
        invalid(promote_call(torch, add, one.as_ptr(), 2, to), "`out` is not aligned to 8 bytes");
        let types = types.as_mut_ptr().wrapping_byte_add(1);
        invalid(promote_op_types(torch, add, one.as_ptr(), 2, types), "`types` is not aligned to 4 bytes");
    }
}

#[test]
fn kernels_refuse_other_numbers_of_inputs() {
    let torch = find("torch");
    let (f32s, mut kernel) = ([dtype(DType::F32); 3], ptr::null_mut());
    let (x, mut out) = ([1.0_f32; 2], [0.0_f32; 2]);
    let inputs = [x.as_ptr().cast::<c_void>(); 3];
    // SAFETY: all pointers are valid, and the kernel is freed once.
    unsafe {
        for (op, count) in [(Op::Add, 1), (Op::Exp, 2), (Op::Add, 0), (Op::Add, 3)] {
            let status = promote_kernel_new(torch, self::op(op), f32s.as_ptr(), count, &raw mut kernel);
            assert_eq!(status, PromoteStatus::Refused, "{op} of {count}: {}", message());
        }
        let status = promote_kernel_new(torch, op(Op::Exp), f32s.as_ptr(), 1, &raw mut kernel);
        assert_eq!(status, PromoteStatus::Ok);
        for count in [0, 2, 3] {
            let status = promote_kernel_call(kernel, inputs.as_ptr(), count, 2, out.as_mut_ptr().cast());
            assert_eq!((status, out), (PromoteStatus::Call, [0.0; 2]));
        }
        let status = promote_kernel_call(kernel, inputs.as_ptr(), 1, usize::MAX, out.as_mut_ptr().cast());
        invalid(status, "18446744073709551615 elements of f32 exceed the address space");
        let status = promote_kernel_call(kernel, inputs.as_ptr(), 1, 2, out.as_mut_ptr().cast());
        assert_eq!((status, out), (PromoteStatus::Ok, [1.0_f32.exp(); 2]));
        promote_kernel_free(kernel);
    }
}
