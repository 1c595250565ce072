//! A tensor type with operators, whose dtypes, broadcasting and loops over elements all come from `promote`.
//! What a library of its own still writes are shapes, strides and views.
//!
//! `cargo run --example mini_backend`

use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Range, Rem, Sub};
use std::rc::Rc;

use promote::{Argument, Axes, DType, Element, Error, Number, Op, RuleSet, TensorView, Torch, ViewError};

/// The rule set of the library. Another one here changes every dtype below.
fn rules() -> RuleSet {
    Torch::new().rule_set()
}

/// A tensor: elements that may be shared, and a view of them by shape, strides and offset (in bytes).
#[derive(Clone)]
struct Tensor {
    elements: Rc<promote::Tensor>,
    shape: Vec<usize>,
    strides: Vec<isize>,
    offset: usize,
}

/// An operand: a tensor, or a number without a width, which does not widen a tensor of its kind.
enum Operand<'a> {
    Tensor(TensorView<'a>),
    Number(Number),
}

impl Tensor {
    fn new<T: Element>(elements: &[T], shape: &[usize]) -> Result<Tensor, ViewError> {
        Ok(promote::Tensor::new(elements, shape)?.into())
    }

    fn view(&self) -> TensorView<'_> {
        let bytes = self.elements.as_bytes();
        let view =
            TensorView::from_bytes(self.elements.dtype(), bytes, &self.shape, &self.strides, self.offset);
        view.expect("every method keeps the view within the elements")
    }

    /// Computes any op. Every method and operator below ends here.
    fn call(op: Op, operands: &[Operand<'_>]) -> Result<Tensor, Error> {
        let arguments: Vec<Argument<'_>> = operands.iter().map(Argument::from).collect();
        Ok(rules().call(op, &arguments)?.into())
    }

    /// Returns elements of `a` where the condition is true, and of `b` elsewhere.
    fn select<'a>(&'a self, a: impl Into<Operand<'a>>, b: impl Into<Operand<'a>>) -> Result<Tensor, Error> {
        Tensor::call(Op::Where, &[self.into(), a.into(), b.into()])
    }

    /// Adds the elements along an axis; a negative one counts from the end.
    fn sum(&self, axis: isize) -> Result<Tensor, Error> {
        let view = self.view();
        Ok(rules().prepare(Op::Sum, &[Argument::from(&view)]).axes(Axes::One(axis)).run()?.into())
    }

    /// Casts the elements.
    fn cast(&self, dtype: DType) -> Result<Tensor, Error> {
        Ok(rules().astype(&self.view(), dtype, None)?.into())
    }

    /// Adds to each element in place. The rule set decides whether the result fits into the dtype.
    fn add_assign<'a>(&mut self, other: impl Into<Operand<'a>>) -> Result<(), Error> {
        let other = other.into();
        // Elements of other tensors do not change.
        if Rc::strong_count(&self.elements) > 1 || !self.view().is_contiguous() {
            *self = self.cast(self.elements.dtype())?;
        }
        let own = Rc::get_mut(&mut self.elements).expect("no other tensor has these elements");
        rules().prepare(Op::Add, &[(&other).into()]).in_place(own.view_mut()).run()
    }

    /// Returns a view with reversed axes. No element is moved.
    fn transposed(&self) -> Tensor {
        let mut turned = self.clone();
        turned.shape.reverse();
        turned.strides.reverse();
        turned
    }

    /// Returns a view of a range of indices along an axis. No element is moved.
    fn slice(&self, axis: usize, indices: Range<usize>) -> Tensor {
        assert!(
            indices.start <= indices.end && indices.end <= self.shape[axis],
            "the axis has these indices"
        );
        let mut part = self.clone();
        part.offset = part.offset.wrapping_add_signed(indices.start as isize * self.strides[axis]);
        part.shape[axis] = indices.len();
        part
    }
}

impl From<promote::Tensor> for Tensor {
    fn from(made: promote::Tensor) -> Tensor {
        let view = made.view();
        let strides = (0..view.rank()).map(|axis| view.stride(axis)).collect();
        let shape = made.shape().to_vec();
        // No element is copied.
        Tensor { elements: Rc::new(made), shape, strides, offset: 0 }
    }
}

/// An operand as `promote` takes it.
impl<'a> From<&'a Operand<'a>> for Argument<'a> {
    fn from(operand: &'a Operand<'a>) -> Self {
        match operand {
            Operand::Tensor(view) => view.into(),
            Operand::Number(number) => Argument::Number(*number),
        }
    }
}

impl<'a> From<&'a Tensor> for Operand<'a> {
    fn from(tensor: &'a Tensor) -> Self {
        Operand::Tensor(tensor.view())
    }
}

impl From<f64> for Operand<'_> {
    fn from(number: f64) -> Self {
        Operand::Number(number.into())
    }
}

/// Prints the dtype and the elements.
impl fmt::Display for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.elements.dtype(), self.view())
    }
}

// Operators panic if the rule set refuses the operands or if shapes do not broadcast, since they cannot
// return an error. `Tensor::call` can.
macro_rules! operators {
    ($($trait:ident $name:ident $op:ident)*; $($comparison:ident $of:ident)*) => {
        $(impl<'a, T: Into<Operand<'a>>> $trait<T> for &'a Tensor {
            type Output = Tensor;

            fn $name(self, other: T) -> Tensor {
                Tensor::call(Op::$op, &[self.into(), other.into()]).unwrap_or_else(|error| panic!("{error}"))
            }
        })*

        impl Tensor {
            $(fn $comparison<'a>(&'a self, other: impl Into<Operand<'a>>) -> Result<Tensor, Error> {
                Tensor::call(Op::$of, &[self.into(), other.into()])
            })*
        }
    };
}
operators! {
    Add add Add Sub sub Subtract Mul mul Multiply Div div Divide Rem rem Remainder;
    less Less equal Equal
}

impl Neg for &Tensor {
    type Output = Tensor;

    fn neg(self) -> Tensor {
        Tensor::call(Op::Negative, &[self.into()]).unwrap_or_else(|error| panic!("{error}"))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let image = Tensor::new(&[10_u8, 20, 30, 40, 50, 60], &[2, 3])?;
    let gain = Tensor::new(&[half::f16::from_f32(0.5), half::f16::ONE], &[2])?;
    let show = |name: &str, tensor: &Tensor, expected: &str| {
        println!("{name:22} {tensor}");
        assert_eq!(tensor.to_string(), expected, "{name}");
    };
    // A view of 3 x 2 elements, broadcast with 2: PyTorch promotes u8 and f16 to f16, and a number not at
    // all.
    let scaled = &(&image.transposed() * &gain) + 0.5;
    show("imageT * gain + 0.5", &scaled, "f16 [[5.5, 40.5], [10.5, 50.5], [15.5, 60.5]]");
    show("image / 4", &(&image / 4.0), "f32 [[2.5, 5.0, 7.5], [10.0, 12.5, 15.0]]");
    show("-image[:, 1:] % 7", &(&-&image.slice(1, 1..3) % 7.0), "f32 [[5.0, 2.0], [3.0, 0.0]]");
    let dark = image.less(25.0)?;
    show("image < 25", &dark, "bool [[true, true, false], [false, false, false]]");
    show(
        "where(dark, image, -1)",
        &dark.select(&image, -1.0)?,
        "f32 [[10.0, 20.0, -1.0], [-1.0, -1.0, -1.0]]",
    );
    show("sum(image, 0)", &image.sum(0)?, "i64 [50, 70, 90]");
    show("imageT[2] == 30", &image.transposed().slice(0, 2..3).equal(30.0)?, "bool [[true, false]]");

    // In place, PyTorch refuses to store floats in an integer.
    let mut total = image.cast(DType::I32)?;
    total.add_assign(&image)?;
    show("total += image", &total, "i32 [[20, 40, 60], [80, 100, 120]]");
    println!("{}", total.add_assign(&scaled.transposed()).expect_err("no float goes into an integer"));
    println!("{}", Tensor::call(Op::Add, &[(&image).into(), (&gain).into()]).err().expect("3 and 2 columns"));
    Ok(())
}
