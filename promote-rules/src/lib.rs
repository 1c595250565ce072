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
pub mod expr;
pub mod model;
mod resolve;
pub mod source;
pub mod syntax;
pub mod tables;

pub use check::LawReport;
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

impl Compiled {
    /// Which laws hold, and what breaks the others: over all operands, weak ones among them, and every value
    /// of the parameters. Computes every cell again.
    pub fn laws(&self) -> Vec<LawReport> {
        check::reports(&self.rules, &tables::compute(&self.rules))
    }
}

/// The pipeline, for whoever wants a rule set without mistakes: its file, the file it builds on, and so on.
///
/// # Errors
/// All mistakes of the first phase that found any.
pub fn compile(sources: &[Source]) -> Result<Compiled, Errors> {
    let (compiled, errors) = pipeline(sources);
    match compiled {
        Some(compiled) => errors.or(compiled),
        None => Err(errors.in_order()),
    }
}

/// The path of the rule set that a file builds on, as it is written.
pub fn base_of(source: &Source) -> Option<syn::Path> {
    syntax::File::parse(&mut Errors::default(), source.tokens.clone()).base
}

/// The name of the rule set that a file declares.
pub fn name_of(source: &Source) -> Option<String> {
    syntax::File::parse(&mut Errors::default(), source.tokens.clone()).name.map(|name| name.to_string())
}

/// The pipeline: every phase finds all the mistakes it can before the next one begins. Where only cells or
/// laws are wrong, there is a rule set all the same, so that code which uses it does not add errors of its
/// own.
fn pipeline(sources: &[Source]) -> (Option<Compiled>, Errors) {
    let mut errors = Errors::default();
    for source in sources {
        source::check_bounds(&mut errors, &source.tokens);
    }
    if !errors.is_empty() {
        return (None, errors);
    }
    let files: Vec<syntax::File> =
        sources.iter().map(|source| syntax::File::parse(&mut errors, source.tokens.clone())).collect();
    chained(&mut errors, &files);
    if !errors.is_empty() && (files.is_empty() || files.iter().any(|file| file.name.is_none())) {
        return (None, errors);
    }
    let layers: Vec<_> =
        files.iter().zip(sources).map(|(file, source)| resolve::Layer { file, path: &source.file }).collect();
    let Some(rules) = resolve::resolve(&mut errors, &layers) else {
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

/// Each file builds on the next one, and the last on none.
fn chained(errors: &mut Errors, files: &[syntax::File]) {
    if files.is_empty() {
        errors.push(proc_macro2::Span::call_site(), "there is no rule file");
    }
    for (i, file) in files.iter().enumerate() {
        let base = file.base.as_ref().and_then(|base| base.segments.last()).map(|last| &last.ident);
        let next = files.get(i + 1).and_then(|next| next.name.as_ref());
        match (base, next) {
            (Some(base), None) => {
                errors
                    .push(base.span(), "the file of the rule set that this one builds on is missing")
                    .help("name that file as well");
            }
            (None, Some(next)) => {
                errors.push(next.span(), format!("nothing builds on `{next}`")).help(
                    "write `rules Name extends path::Base;` in the file before, or leave this file out",
                );
            }
            // The path may rename what it names: only a bare mistake is told here.
            _ => {}
        }
    }
}

/// A `rules!` call as Rust: the rule set, and a `compile_error!` at each mistake.
///
/// A rule set is also a macro of its name, which hands its tokens on: an extension calls it, and comes back
/// here with the tokens of all the sets that it builds on.
pub fn expand(tokens: proc_macro2::TokenStream) -> proc_macro2::TokenStream {
    let mut errors = Errors::default();
    source::check_bounds(&mut errors, &tokens);
    if !errors.is_empty() {
        return errors.to_compile_errors();
    }
    let sources = source::chain(tokens);
    let own = syntax::File::parse(&mut Errors::default(), sources[0].tokens.clone());
    if let (Some(base), [only]) = (&own.base, &sources[..]) {
        return emit::ask_for_base(own.krate.as_ref(), base, &only.tokens);
    }
    let (compiled, errors) = pipeline(&sources);
    let mut out = match errors.or(()) {
        Ok(()) => proc_macro2::TokenStream::new(),
        Err(errors) => errors.to_compile_errors(),
    };
    out.extend(match &compiled {
        Some(compiled) => emit::rule_set(compiled),
        None => emit::placeholder(own.name.as_ref()),
    });
    if let Some(name) = &own.name {
        out.extend(emit::hand_on(name, &sources));
    }
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
                if let Some((paths, compiled)) = bundled(&mut errors, variant) {
                    tracked.extend(paths);
                    sets.push(compiled);
                }
            }
        }
        Err(error) => errors.syn(&error),
    }
    if !errors.is_empty() {
        return errors.to_compile_errors();
    }
    let kernels = emit::kernels(&quote::quote!(crate::__private), &sets);
    quote::quote! {
        // Cargo builds again when a rule file changes.
        #(const _: &[::core::primitive::u8] = ::core::include_bytes!(#tracked);)*
        #kernels
    }
}

/// The impls of `FitsIn` for the standard types.
pub fn fits_in() -> proc_macro2::TokenStream {
    emit::fits_in()
}

/// `#[derive(Element)]`: the impl that makes a newtype the element type of a dtype of its own.
pub fn element(input: proc_macro2::TokenStream) -> proc_macro2::TokenStream {
    emit::element(input)
}

/// `#[kernel(arguments)] item`: the op that the function is.
pub fn kernel(
    arguments: proc_macro2::TokenStream,
    item: proc_macro2::TokenStream,
) -> proc_macro2::TokenStream {
    emit::kernel(arguments, item)
}

/// `mixed! { Set => expression }`: the expression with its operators as ops of the rule set.
pub fn mixed(tokens: proc_macro2::TokenStream) -> proc_macro2::TokenStream {
    let mut errors = Errors::default();
    source::check_bounds(&mut errors, &tokens);
    match errors.or(()) {
        Ok(()) => emit::mixed(tokens),
        Err(errors) => errors.to_compile_errors(),
    }
}

/// `#[derive(Promote)]`: the impls by which a container promotes, and those of its operators.
pub fn promote(input: proc_macro2::TokenStream) -> proc_macro2::TokenStream {
    emit::promote(input)
}

/// Tests that the surfaces of a rule set agree: `path::to::Set = "rules/file.rs"`, the file relative to the
/// package. The files that it builds on follow, each after a comma.
pub fn agreement(tokens: proc_macro2::TokenStream) -> proc_macro2::TokenStream {
    let mut errors = Errors::default();
    let parse = |input: syn::parse::ParseStream<'_>| {
        let set = syn::Path::parse_mod_style(input)?;
        input.parse::<syn::Token![=]>()?;
        let files = input.parse_terminated(<syn::LitStr as syn::parse::Parse>::parse, syn::Token![,])?;
        Ok((set, files.into_iter().collect::<Vec<_>>()))
    };
    match syn::parse::Parser::parse2(parse, tokens) {
        Ok((set, paths)) => {
            if let Some((tracked, compiled)) = read(&mut errors, &paths) {
                let tests = emit::agreement(&set, &compiled);
                return quote::quote! {
                    #(const _: &[::core::primitive::u8] = ::core::include_bytes!(#tracked);)*
                    #tests
                };
            }
        }
        Err(error) => errors.syn(&error),
    }
    errors.to_compile_errors()
}

/// The absolute paths and the compiled rules of a variant's files: its own, and those that it builds on.
fn bundled(errors: &mut Errors, variant: &syn::Variant) -> Option<(Vec<String>, Compiled)> {
    let attribute = variant.attrs.iter().find(|attribute| attribute.path().is_ident("rules"));
    let parser = syn::punctuated::Punctuated::<syn::LitStr, syn::Token![,]>::parse_terminated;
    let Some(paths) = attribute.and_then(|attribute| attribute.parse_args_with(parser).ok()) else {
        errors
            .push(variant.ident.span(), "this variant names no rule file")
            .help("write `#[rules(\"rules/name.rs\")]`");
        return None;
    };
    read(errors, &paths.into_iter().collect::<Vec<_>>())
}

/// The absolute paths and the compiled rules of files, their paths relative to the package that is compiled.
fn read(errors: &mut Errors, paths: &[syn::LitStr]) -> Option<(Vec<String>, Compiled)> {
    let root = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let at = paths.first().map_or_else(proc_macro2::Span::call_site, syn::LitStr::span);
    let (mut sources, mut tracked) = (Vec::new(), Vec::new());
    for path in paths {
        let absolute = std::path::Path::new(&root).join(path.value()).to_string_lossy().into_owned();
        let text = match std::fs::read_to_string(&absolute) {
            Ok(text) => text,
            Err(error) => {
                errors.push(path.span(), format!("cannot read the rule file: {error}"));
                return None;
            }
        };
        sources.push(Source::from_text(&path.value(), &text));
        tracked.push(absolute);
    }
    // The module of the rule set tells the mistakes at their places.
    let compiled = sources.into_iter().collect::<Result<Vec<_>, _>>().and_then(|sources| compile(&sources));
    if compiled.is_err() {
        errors.push(at, "this rule file has mistakes, or builds on one that is not named here");
    }
    Some((tracked, compiled.ok()?))
}
