//! The rule language of `promote` as an ordinary library: no proc-macro types, no printing, no panics.
//!
//! ```text
//! rule text -> tokens -> syntax::File -> model::Rules -> check -> Tables -> emit (Rust) | data (run-time tables)
//! ```

#![forbid(unsafe_code)]

pub mod bundled;
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
pub use resolve::ops_without_kernels;
use source::Source;
use tables::Tables;

/// A rule set that has passed every check, and its tables.
#[derive(Debug)]
pub struct Compiled {
    /// The rules.
    pub rules: Rules,
    /// The answer of every cell.
    pub tables: Tables,
}

impl Compiled {
    /// Checks the laws over all operands and all values of the parameters. Reports which laws hold, and the
    /// operands that break the others. Computes every cell again.
    pub fn laws(&self) -> Vec<LawReport> {
        check::reports(&self.rules, &tables::compute(&self.rules))
    }

    /// Returns the ops for which the rule set compiles loops of its own, as positions in [`Rules::ops`], each
    /// with the pairs of dtypes.
    pub fn loops(&self) -> Vec<(usize, Vec<[model::DTypeId; 2]>)> {
        emit::loops(self)
    }
}

/// Compiles a rule set from its file, the file that it builds on, and so on.
///
/// # Errors
///
/// Returns all mistakes of the first phase that found any.
pub fn compile(sources: &[Source]) -> Result<Compiled, Errors> {
    let (compiled, errors) = pipeline(sources);
    match compiled {
        Some(compiled) => errors.or(compiled),
        None => Err(errors.in_order()),
    }
}

/// Returns the path of the rule set that a file builds on, as it is written.
pub fn base_of(source: &Source) -> Option<syn::Path> {
    syntax::File::parse(&mut Errors::default(), source.tokens.clone()).base
}

/// Returns the name of the rule set that a file declares.
pub fn name_of(source: &Source) -> Option<String> {
    syntax::File::parse(&mut Errors::default(), source.tokens.clone()).name.map(|name| name.to_string())
}

/// The most rule sets that one extends, directly or not.
pub const MAX_BASES: usize = 16;

/// The longest rule file, in bytes, that the library and the command read.
pub const MAX_BYTES: usize = 1 << 20;

/// The reason why the files that a rule set extends could not be found.
#[derive(Debug)]
pub enum BaseError {
    /// No file declares the rule set.
    Unknown {
        /// The name of the rule set, as the file that extends it has it.
        base: proc_macro2::Ident,
        /// The names that the files declare.
        known: Vec<String>,
    },
    /// There are more than [`MAX_BASES`], as if a rule set extends itself.
    TooMany,
}

/// Returns the mistake that a file extends a rule set which no file declares. The help names the nearest
/// known rule set, or is `all`.
pub fn unknown_base(base: &proc_macro2::Ident, known: &[&str], all: String) -> Errors {
    let mut errors = Errors::default();
    let help = diag::did_you_mean(&base.to_string(), known.iter().copied()).unwrap_or(all);
    errors
        .push(base.span(), format!("the rule set `{base}`, which this one extends, is not known"))
        .help(help);
    errors
}

/// Returns a rule file and those that it extends, one after the other, as [`compile`] expects them.
///
/// `files` are searched for the rule sets by name, in order, and only as far as needed. If two declare the
/// same name, the first one is used.
///
/// # Errors
///
/// Returns an error if no file declares a name, or if there are too many.
pub fn with_bases(file: Source, files: impl IntoIterator<Item = Source>) -> Result<Vec<Source>, BaseError> {
    let mut files = files.into_iter().map(|file| (name_of(&file).unwrap_or_default(), file));
    let mut seen: Vec<(String, Source)> = Vec::new();
    let mut sources = vec![file];
    while let Some(base) = sources.last().and_then(base_of) {
        let Some(base) = base.segments.last().map(|last| last.ident.clone()) else { break };
        if sources.len() > MAX_BASES {
            return Err(BaseError::TooMany);
        }
        let found = loop {
            if let Some((_, found)) = seen.iter().find(|(name, _)| base == name) {
                break found.clone();
            }
            let Some(next) = files.next() else {
                let known = seen.into_iter().map(|(name, _)| name).filter(|name| !name.is_empty());
                return Err(BaseError::Unknown { base, known: known.collect() });
            };
            seen.push(next);
        };
        sources.push(found);
    }
    Ok(sources)
}

/// Runs the phases. Each finds all the mistakes it can before the next one begins.
///
/// If only cells or laws are wrong, a rule set is returned besides the mistakes, so that code which uses it
/// adds no further errors.
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
    files_pipeline(errors, &files, sources)
}

/// Runs the phases after the first one, on the files that were read from sources.
fn files_pipeline(
    mut errors: Errors,
    files: &[syntax::File],
    sources: &[Source],
) -> (Option<Compiled>, Errors) {
    chained(&mut errors, files);
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
    let compiled = Compiled { tables: computed.tables, rules };
    // The loops depend on the cells, which have to be decided first.
    if errors.is_empty() {
        emit::check_loops(&mut errors, &compiled);
    }
    (Some(compiled), errors)
}

/// Checks that each file builds on the next one, and the last on none.
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
            // The path may go through a renaming `use`, so the names are not compared.
            _ => {}
        }
    }
}

/// Expands a `rules!` call to the rule set, and to a `compile_error!` at each mistake.
///
/// Each rule set is also a macro of its name, which passes on its tokens. An extension calls that macro, and
/// is expanded again with the tokens of all the sets that it builds on.
pub fn expand(tokens: proc_macro2::TokenStream) -> proc_macro2::TokenStream {
    let mut errors = Errors::default();
    source::check_bounds(&mut errors, &tokens);
    if !errors.is_empty() {
        return errors.to_compile_errors();
    }
    let sources = source::chain(tokens);
    let own = syntax::File::parse(&mut Errors::default(), sources[0].tokens.clone());
    if let (Some(base), [only]) = (&own.base, &sources[..]) {
        return emit::ask_for_base(own.krate.as_ref(), "rules", base, &only.tokens);
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

/// Expands `kernels!(static NAME = path::Set: op ..; dtype ..)` to a static with loops for the rule set, and
/// to a `compile_error!` at each mistake.
///
/// The call is expanded again with the tokens of the rule set, as an extension of the set is.
pub fn kernels(tokens: proc_macro2::TokenStream) -> proc_macro2::TokenStream {
    let mut errors = Errors::default();
    source::check_bounds(&mut errors, &tokens);
    if !errors.is_empty() {
        return errors.to_compile_errors();
    }
    let sources = source::chain(tokens);
    let call = syntax::KernelsCall::parse(&mut errors, sources[0].tokens.clone());
    let Some(call) = call.filter(|_| errors.is_empty()) else {
        return errors.to_compile_errors();
    };
    if let [only] = &sources[..] {
        return emit::ask_for_base(call.krate.as_ref(), "kernels", &call.set, &only.tokens);
    }
    let bases = sources[1..].iter().map(|source| syntax::File::parse(&mut errors, source.tokens.clone()));
    let files: Vec<syntax::File> = core::iter::once(call.as_extension()).chain(bases).collect();
    let (compiled, errors) = files_pipeline(Errors::default(), &files, &sources);
    let (compiled, errors) = match errors.or(()) {
        Ok(()) => (compiled, None),
        Err(errors) => (None, Some(errors.to_compile_errors())),
    };
    let loops = emit::loop_set(&call, compiled.as_ref());
    quote::quote!(#errors #loops)
}

/// Expands to the kernels that the rule files of a bundle need. The bundle is an enum in which each variant
/// names a file by `#[rules("path")]`, relative to the package that is compiled. Pairs of two dtypes have
/// loops if the enum has the attribute `#[mixed_loops]`.
pub fn bundled_kernels(bundle: proc_macro2::TokenStream) -> proc_macro2::TokenStream {
    let mut errors = Errors::default();
    let mut sets = Vec::new();
    let mut tracked = Vec::new();
    let mut mixed_loops = false;
    match syn::parse2::<syn::ItemEnum>(bundle) {
        Ok(bundle) => {
            mixed_loops = bundle.attrs.iter().any(|attribute| attribute.path().is_ident("mixed_loops"));
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
    let kernels = emit::kernels(&quote::quote!(crate::__private), &sets, mixed_loops);
    quote::quote! {
        // Makes cargo rebuild when a rule file changes.
        #(const _: &[::core::primitive::u8] = ::core::include_bytes!(#tracked);)*
        #kernels
    }
}

/// Expands to the impls of `FitsIn` for the standard types.
pub fn fits_in() -> proc_macro2::TokenStream {
    emit::fits_in()
}

/// Expands `#[derive(Element)]` to the impl that makes a newtype the element type of a custom dtype.
pub fn element(input: proc_macro2::TokenStream) -> proc_macro2::TokenStream {
    emit::element(input)
}

/// Expands `#[kernel(arguments)] item` to the function and its op.
pub fn kernel(
    arguments: proc_macro2::TokenStream,
    item: proc_macro2::TokenStream,
) -> proc_macro2::TokenStream {
    emit::kernel(arguments, item)
}

/// Expands `mixed! { Set => expression }` to the expression with its operators as ops of the rule set.
pub fn mixed(tokens: proc_macro2::TokenStream) -> proc_macro2::TokenStream {
    let mut errors = Errors::default();
    source::check_bounds(&mut errors, &tokens);
    match errors.or(()) {
        Ok(()) => emit::mixed(tokens),
        Err(errors) => errors.to_compile_errors(),
    }
}

/// Expands `#[derive(Promote)]` to the impls by which a container promotes, and to those of its operators.
pub fn promote(input: proc_macro2::TokenStream) -> proc_macro2::TokenStream {
    emit::promote(input)
}

/// Expands `agreement! { path::to::Set = "rules/file.rs" }` to tests that the types, tables and kernels of a
/// rule set agree.
///
/// The path is relative to the package. The files that the set builds on follow, each after a comma.
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

/// Reads the files of a variant, its own and those that it builds on. Returns their absolute paths and the
/// compiled rules.
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

/// Reads files whose paths are relative to the package that is compiled. Returns their absolute paths and the
/// compiled rules.
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
    // The mistakes themselves are reported where the rule set is declared.
    let compiled = sources.into_iter().collect::<Result<Vec<_>, _>>().and_then(|sources| compile(&sources));
    if compiled.is_err() {
        errors
            .push(at, "this rule file has mistakes, or builds on a file that is not named here")
            .help("run `promote check` on the file, and name the files that it builds on after it");
    }
    Some((tracked, compiled.ok()?))
}
