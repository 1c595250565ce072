//! The Rust types of the standard dtypes, by their names.

#![allow(non_camel_case_types)]

use crate::DType;
use crate::element::Element;

// If a type is missing, rustc reports it here and nowhere else, with the comment in the line.
macro_rules! types {
    ({} typed [$($group:ident [$($dtype:ident $name:ident $row:tt)*])*] untyped $untyped:tt) => {
        $($(
            /// The type of the dtype's elements.
            pub type $name = crate::element::$dtype; // implement `Element` and its conversions in `element.rs`
        )*)*

        const _: () = {
            $($(assert!(
                <<$name as Element>::Reg as Element>::DTYPE.index() == DType::$dtype.register().index(),
                concat!("`Element::Reg` and `DType::register` differ for `", stringify!($name), "`")
            );)*)*
        };
    };
}

promote_core::__dtypes! { types {} }
