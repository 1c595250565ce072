//! A call of `kernels!`.

use proc_macro2::TokenStream;
use syn::parse::{ParseStream, Parser as _};
use syn::{Ident, Token};

use super::item::{KernelsItem, kernel_dtypes, kernel_ops};
use super::{File, expected, krate, mark};
use crate::diag::Errors;
use crate::syntax::Item;

/// `[crate = path;] [attributes] [pub] static NAME = path: op ..; dtype ..`
#[derive(Clone, Debug)]
pub struct KernelsCall {
    /// The path of the facade in emitted code.
    pub krate: Option<syn::Path>,
    /// The attributes of the static, such as its documentation.
    pub attributes: Vec<syn::Attribute>,
    /// The visibility of the static.
    pub visibility: syn::Visibility,
    /// The name of the static.
    pub name: Ident,
    /// The rule set.
    pub set: syn::Path,
    /// The ops and the dtypes.
    pub item: KernelsItem,
}

impl KernelsCall {
    /// Reads the tokens of a call.
    pub fn parse(errors: &mut Errors, tokens: TokenStream) -> Option<KernelsCall> {
        let read = (|input: ParseStream<'_>| {
            let krate = if input.peek(Token![crate]) { Some(krate(input)?) } else { None };
            let attributes = input.call(syn::Attribute::parse_outer)?;
            let visibility = input.parse()?;
            let form = "kernels!(static LOOPS = Set: add multiply; i16 f32);";
            mark::<Token![static]>(input, "static", form)?;
            let name: Ident = input.parse().map_err(|_| expected(input, "the name of the static"))?;
            mark::<Token![=]>(input, "=", form)?;
            let set = input.call(syn::Path::parse_mod_style)?;
            mark::<Token![:]>(input, ":", form)?;
            let ops = kernel_ops(errors, input)?;
            mark::<Token![;]>(input, ";", form)?;
            let dtypes = kernel_dtypes(errors, input, &ops)?;
            let _ = input.parse::<Token![;]>();
            if !input.is_empty() {
                return Err(expected(input, "another dtype or the end"));
            }
            Ok(KernelsCall { krate, attributes, visibility, name, set, item: KernelsItem { ops, dtypes } })
        })
        .parse2(tokens);
        read.map_err(|error| errors.syn(&error)).ok()
    }

    /// Returns the rule file that says what the call says: it extends the rule set by a `kernels` statement.
    pub fn as_extension(&self) -> File {
        File {
            krate: self.krate.clone(),
            name: self.set.segments.last().map(|last| last.ident.clone()),
            base: Some(self.set.clone()),
            items: vec![Item::Kernels(self.item.clone())],
            ..File::default()
        }
    }
}
