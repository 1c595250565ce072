//! Attribute macros that rewrite a struct after the derives above them have read it.

use proc_macro::TokenStream;

fn replace(item: &TokenStream, from: &str, to: &str) -> TokenStream {
    item.to_string().replace(from, to).parse().expect("the replacement is valid Rust")
}

/// Makes every `u8` a `bool`.
#[proc_macro_attribute]
pub fn u8_to_bool(_: TokenStream, item: TokenStream) -> TokenStream {
    replace(&item, "u8", "bool")
}

/// Adds a `u64` behind the `u8` of a tuple struct, and drops `#[repr(transparent)]`, which would not allow
/// it.
#[proc_macro_attribute]
pub fn add_field(_: TokenStream, item: TokenStream) -> TokenStream {
    replace(&replace(&item, "#[repr(transparent)]", ""), "u8)", "u8, u64)")
}

/// Makes a struct a union.
#[proc_macro_attribute]
pub fn struct_to_union(_: TokenStream, item: TokenStream) -> TokenStream {
    replace(&replace(&item, "#[repr(transparent)]", "#[repr(C)]"), "struct", "union")
}

/// Aligns a struct to 16 bytes.
#[proc_macro_attribute]
pub fn align(_: TokenStream, item: TokenStream) -> TokenStream {
    replace(&item, "#[repr(transparent)]", "#[repr(align(16))]")
}
