//! The rule language of `promote` as an ordinary library: no proc-macro types, no printing, no panics.
//!
//! ```text
//! rule text -> tokens -> syntax::File -> model::Rules -> check -> Tables -> emit (Rust) | data (run-time tables)
//! ```

#![forbid(unsafe_code)]

mod check;
pub mod data;
pub mod diag;
pub mod emit;
mod eval;
pub mod model;
mod resolve;
pub mod source;
pub mod syntax;
pub mod tables;

use diag::Errors;
use model::Rules;
use source::Source;
use tables::Tables;

/// A rule set that has passed every check, and its tables.
#[derive(Debug)]
pub struct Compiled {
    /// The rules.
    pub rules: Rules,
    /// What every cell is.
    pub tables: Tables,
}

/// The pipeline, for whoever wants a rule set without mistakes.
///
/// # Errors
/// All mistakes of the first phase that found any.
pub fn compile(source: &Source) -> Result<Compiled, Errors> {
    let (compiled, errors) = pipeline(source);
    match compiled {
        Some(compiled) => errors.or(compiled),
        None => Err(errors),
    }
}

/// The pipeline: every phase finds all the mistakes it can before the next one begins. Where only cells or laws are
/// wrong, there is a rule set all the same, so that code which uses it does not add errors of its own.
fn pipeline(source: &Source) -> (Option<Compiled>, Errors) {
    let mut errors = Errors::default();
    source::check_bounds(&mut errors, &source.tokens);
    if !errors.is_empty() {
        return (None, errors);
    }
    let file = syntax::File::parse(&mut errors, source.tokens.clone());
    let Some(rules) = resolve::resolve(&mut errors, &file, &source.file) else {
        return (None, errors);
    };
    if !errors.is_empty() {
        return (None, errors);
    }
    check::forms(&mut errors, &rules);
    if !errors.is_empty() {
        return (None, errors);
    }
    let computed = tables::compute(&rules);
    check::cells(&mut errors, &rules, &computed);
    (Some(Compiled { tables: computed.tables, rules }), errors)
}

/// A `rules!` call as Rust: the rule set, and a `compile_error!` at each mistake.
pub fn expand(tokens: proc_macro2::TokenStream) -> proc_macro2::TokenStream {
    let (compiled, errors) = pipeline(&Source::from_macro(tokens.clone()));
    let mut out = match errors.or(()) {
        Ok(()) => proc_macro2::TokenStream::new(),
        Err(errors) => errors.to_compile_errors(),
    };
    out.extend(match &compiled {
        Some(compiled) => emit::rule_set(compiled),
        None => emit::placeholder(syntax::File::parse(&mut Errors::default(), tokens).name.as_ref()),
    });
    out
}

/// The kernels that the rule files of a bundle ask for. The bundle is an enum; each variant names its file by
/// `#[rules("path")]`, relative to the package that is compiled.
pub fn bundled_kernels(bundle: proc_macro2::TokenStream) -> proc_macro2::TokenStream {
    let mut errors = Errors::default();
    let mut sets = Vec::new();
    let mut tracked = Vec::new();
    match syn::parse2::<syn::ItemEnum>(bundle) {
        Ok(bundle) => {
            for variant in &bundle.variants {
                if let Some((path, compiled)) = bundled(&mut errors, variant) {
                    tracked.push(path);
                    sets.push(compiled);
                }
            }
        }
        Err(error) => errors.syn(&error),
    }
    if !errors.is_empty() {
        return errors.to_compile_errors();
    }
    let kernels = emit::kernels(&quote::quote!(::promote::__private), &sets);
    quote::quote! {
        // Cargo builds again when a rule file changes.
        #(const _: &[::core::primitive::u8] = ::core::include_bytes!(#tracked);)*
        #kernels
    }
}

/// Tests that the surfaces of a rule set agree: `path::to::Set = "rules/file.rs"`, the file relative to the package.
pub fn agreement(tokens: proc_macro2::TokenStream) -> proc_macro2::TokenStream {
    let mut errors = Errors::default();
    let parse = |input: syn::parse::ParseStream<'_>| {
        let set = syn::Path::parse_mod_style(input)?;
        input.parse::<syn::Token![=]>()?;
        Ok((set, input.parse::<syn::LitStr>()?))
    };
    match syn::parse::Parser::parse2(parse, tokens) {
        Ok((set, path)) => {
            if let Some((tracked, compiled)) = read(&mut errors, &path) {
                let tests = emit::agreement(&set, &compiled);
                return quote::quote! {
                    const _: &[::core::primitive::u8] = ::core::include_bytes!(#tracked);
                    #tests
                };
            }
        }
        Err(error) => errors.syn(&error),
    }
    errors.to_compile_errors()
}

/// The absolute path and the compiled rules of a variant's file.
fn bundled(errors: &mut Errors, variant: &syn::Variant) -> Option<(String, Compiled)> {
    let attribute = variant.attrs.iter().find(|attribute| attribute.path().is_ident("rules"));
    let Some(path) = attribute.and_then(|attribute| attribute.parse_args::<syn::LitStr>().ok()) else {
        errors
            .push(variant.ident.span(), "this variant names no rule file")
            .help("write `#[rules(\"rules/name.rs\")]`");
        return None;
    };
    read(errors, &path)
}

/// The absolute path and the compiled rules of a file, its path relative to the package that is compiled.
fn read(errors: &mut Errors, path: &syn::LitStr) -> Option<(String, Compiled)> {
    let root = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let absolute = std::path::Path::new(&root).join(path.value()).to_string_lossy().into_owned();
    let text = match std::fs::read_to_string(&absolute) {
        Ok(text) => text,
        Err(error) => {
            errors.push(path.span(), format!("cannot read the rule file: {error}"));
            return None;
        }
    };
    if let Ok(compiled) = Source::from_text(&path.value(), &text).and_then(|source| compile(&source)) {
        Some((absolute, compiled))
    } else {
        // The module of the rule set tells the mistakes at their places.
        errors.push(path.span(), "this rule file has mistakes");
        None
    }
}
