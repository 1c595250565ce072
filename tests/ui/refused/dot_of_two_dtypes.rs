use promote::{OpOutput, op};

fn dot<A, B>() -> usize
where
    promote::Torch: promote::OpRule<op::Dot, (A, B)>,
{
    size_of::<OpOutput<op::Dot, (A, B)>>()
}

fn main() {
    let _ = dot::<f32, f64>();
}
