#[derive(promote::Promote)]
enum Shape<T> {
    Circle(T),
    Square(T),
}

fn main() {}
