// A crate path that leads to a copy of ours without its proof.
mod fake {
    pub mod __private {
        pub use promote::__private::*;

        pub trait AnyBits {}
        impl<T> AnyBits for T {}

        pub struct ElementLayout<T>(core::marker::PhantomData<T>);

        impl<T> ElementLayout<T> {
            pub const fn wraps<F>(_: fn(T) -> F) -> Self {
                Self(core::marker::PhantomData)
            }
        }
    }
}

#[derive(Clone, Copy, promote::Element)]
#[element(crate = fake)]
#[repr(transparent)]
struct Text(&'static str);

fn main() {}
