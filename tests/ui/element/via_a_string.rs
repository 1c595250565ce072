#[derive(Clone, Copy, promote::Element)]
#[element(via = String)]
#[repr(transparent)]
struct Digits(u64);

impl From<String> for Digits {
    fn from(x: String) -> Digits {
        Digits(x.parse().unwrap_or(0))
    }
}

impl From<Digits> for String {
    fn from(x: Digits) -> String {
        x.0.to_string()
    }
}

fn main() {}
