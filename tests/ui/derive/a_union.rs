#[derive(promote::Promote)]
union Bits<T: Copy> {
    number: T,
    bytes: [u8; 4],
}

fn main() {}
