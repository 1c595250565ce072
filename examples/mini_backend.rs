//! A tensor library that leaves promotion and elementwise dispatch to `promote`. What remains are shapes,
//! strides and views.
//!
//! `cargo run --example backend`

use std::rc::Rc;

use promote::{Argument, DType, Element, Error, Number, Op, RuleSet, Tensor, TensorView, Torch, ViewError};

/// A tensor of the library: shared elements, a shape, strides and an offset in bytes.
#[derive(Clone)]
struct Array {
    elements: Rc<Tensor>,
    shape: Vec<usize>,
    strides: Vec<isize>,
    offset: usize,
}

impl Array {
    fn new<T: Element>(elements: &[T], shape: &[usize]) -> Result<Array, ViewError> {
        Ok(Array::from(Tensor::new(elements, shape)?))
    }

    /// Returns a tensor with reversed axes. No element is moved.
    fn transposed(&self) -> Array {
        let (shape, strides) = (self.shape.iter().rev(), self.strides.iter().rev());
        Array { shape: shape.copied().collect(), strides: strides.copied().collect(), ..self.clone() }
    }

    /// Returns a tensor with the last axis reversed.
    fn reversed(&self) -> Array {
        let mut reversed = self.clone();
        if let (Some(stride), Some(len)) = (reversed.strides.last_mut(), self.shape.last()) {
            reversed.offset = reversed.offset.wrapping_add_signed(*stride * (*len as isize - 1));
            *stride = -*stride;
        }
        reversed
    }

    fn view(&self) -> Result<TensorView<'_>, ViewError> {
        let (dtype, bytes) = (self.elements.dtype(), self.elements.as_bytes());
        TensorView::from_bytes(dtype, bytes, &self.shape, &self.strides, self.offset)
    }

    /// Computes any op of any operands. `promote` handles dtypes, broadcasting, strides and kernels.
    fn op(&self, rules: RuleSet, op: Op, other: &Array) -> Result<Array, Error> {
        let (a, b) = (self.view()?, other.view()?);
        Ok(rules.call(op, &[Argument::from(&a), Argument::from(&b)])?.into())
    }
}

impl From<Tensor> for Array {
    fn from(made: Tensor) -> Array {
        let view = made.view();
        let strides = (0..view.rank()).map(|axis| view.stride(axis)).collect();
        let shape = made.shape().to_vec();
        // No element is copied.
        Array { elements: Rc::new(made), shape, strides, offset: 0 }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = Torch::new().rule_set();
    let image = Array::new(&[10_u8, 20, 30, 40, 50, 60], &[2, 3])?;
    let gain = Array::new(&[half::f16::from_f32(0.5), half::f16::ONE], &[2])?;

    // 3 x 2 times 2: PyTorch promotes u8 and f16 to f16.
    let scaled = image.transposed().reversed().op(rules, Op::Multiply, &gain)?;
    println!("{} {:?}", scaled.elements.dtype(), scaled.shape);
    let numbers = rules.astype(&scaled.view()?, DType::F32, None)?;
    assert_eq!(numbers.as_slice::<f32>(), Some(&[20.0, 10.0, 25.0, 20.0, 30.0, 30.0][..]));

    // In place with a number, and a result that does not fit.
    let mut sum = Tensor::new(&[1_i32, 2, 3, 4, 5, 6][..], &[3, 2])?;
    rules.prepare(Op::Add, &[Number::Int(100).into()]).in_place(sum.view_mut()).run()?;
    rules
        .prepare(Op::Subtract, &[Argument::from(&image.transposed().view()?)])
        .in_place(sum.view_mut())
        .run()?;
    assert_eq!(sum.as_slice::<i32>(), Some(&[91, 62, 83, 54, 75, 46][..]));
    let refused = rules.prepare(Op::Add, &[Argument::from(&scaled.view()?)]).in_place(sum.view_mut()).run();
    println!("{}", refused.expect_err("no float goes into an integer"));
    let apart = image.op(rules, Op::Add, &gain);
    println!("{}", apart.map(|_| ()).expect_err("3 and 2 columns"));
    Ok(())
}
