//! The Rust types of the standard dtypes, by their names.

#![allow(non_camel_case_types)]

use crate::DType;
use crate::element::Element;

// If a type is missing, rustc reports it here and nowhere else, with the comment in the line.
macro_rules! types {
    ({} typed [$($group:ident [$($dtype:ident $name:ident $row:tt)*])*] untyped $untyped:tt) => {
        $($(types! { @$group $dtype $name })*)*

        const _: () = {
            $($(assert!(
                <<$name as Element>::Reg as Element>::DTYPE.index() == DType::$dtype.register().index(),
                concat!("`Element::Reg` and `DType::register` differ for `", stringify!($name), "`")
            );)*)*
        };
    };
    (@narrow_float $dtype:ident $name:ident) => {
        pub use crate::element::$dtype as $name; // implement `Element` and its conversions in `element.rs`
    };
    (@narrow_complex $dtype:ident $name:ident) => {
        types! { @complex $dtype $name }
    };
    (@complex $dtype:ident $name:ident) => {
        /// The type of the dtype's elements.
        pub type $name = crate::element::$dtype; // implement `Element` and its conversions in `element.rs`
    };
    // Rust's own types. An alias would be what documentation prints.
    (@$group:ident $dtype:ident $name:ident) => {
        pub use core::primitive::$name;
    };
}

promote_core::__dtypes! { types {} }
