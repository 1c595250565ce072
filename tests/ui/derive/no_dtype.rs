use promote::{Promote, Promoted};

#[derive(Promote)]
struct Vec2<T> {
    x: T,
    y: T,
}

fn main() {
    let _: Option<Promoted<Vec2<String>, Vec2<f32>>> = None;
}
