// A module with the name of an alias that the derive may use: the field is a `bool`.
mod __p {
    pub mod t {
        #[allow(non_camel_case_types)]
        pub type u8 = bool;
    }
}

#[derive(Clone, Copy, promote::Element)]
#[repr(transparent)]
struct Flag(__p::t::u8);

fn main() {}
