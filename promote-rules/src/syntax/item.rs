//! The declarations of a rule file.

use proc_macro2::Span;
use syn::buffer::Cursor;
use syn::parse::ParseStream;
use syn::{Ident, LitInt, LitStr, Token};

use super::clause::{BlockItem, ResultExpr, Set, arrow, block, end, expected_after, set};
use super::{braces, expected, found, mark, name, peek_name, skip_statement, word};
use crate::diag::{Errors, did_you_mean};
use crate::model::Category;

/// One declaration.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "each variant is the declaration that its type describes")]
#[allow(clippy::large_enum_variant, reason = "a few dozen of them, each read once")]
pub enum Item {
    /// `dtypes [group:] name ..;`
    DTypes(Option<Ident>, Vec<Ident>),
    DType(DTypeItem),
    /// `kinds k < k ..;`
    Kinds(Vec<Ident>, Span),
    Let(LetItem),
    Param(ParamItem),
    Reason(ReasonItem),
    Holds(HoldsItem),
    Names(NamesItem),
    Block(Block),
    Yield(YieldItem),
    /// `cast level { .. }`
    Cast(Ident, Vec<BlockItem>),
    /// `inplace level;`
    Inplace(Ident),
    /// `fold by_kind;`
    Fold(Ident),
    Op(OpItem),
    Kernels(KernelsItem),
    Law(LawItem),
}

/// `dtype name: kind bits [= path];`
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the fields are the parts of the form above")]
pub struct DTypeItem {
    pub name: Ident,
    pub kind: Ident,
    pub bits: LitInt,
    pub path: Option<syn::Type>,
}

/// `let name = set;`, of dtypes or of ops.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the fields are the parts of the form above")]
pub struct LetItem {
    pub name: Ident,
    pub set: Set,
}

/// `param name: value | value .. = value;`
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the fields are the parts of the form above")]
pub struct ParamItem {
    pub name: Ident,
    pub values: Set,
    pub default: Ident,
}

/// `reason name = "text";`
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the fields are the parts of the form above")]
pub struct ReasonItem {
    pub name: Ident,
    pub text: LitStr,
}

/// `holds set: set;` adds facts, `lacks set: set;` takes them away.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the fields are the parts of the form above")]
pub struct HoldsItem {
    pub adds: bool,
    pub holders: Set,
    pub held: Set,
}

/// `names { .. }`: the names that the system has for dtypes and ops.
#[derive(Clone, Debug)]
pub struct NamesItem {
    /// The position of the keyword.
    pub span: Span,
    /// The lines of the block.
    pub lines: Vec<NamesLine>,
}

/// `name: "name of the system" ..;`
#[derive(Clone, Debug)]
pub struct NamesLine {
    /// The dtype or the op.
    pub name: Ident,
    /// The names that the system has for it, the one that is shown first.
    pub names: Vec<LitStr>,
}

impl NamesLine {
    /// Returns the names, each with its position and true if it is written as it is. Then come those without
    /// a path, such as `half` for `torch.half`.
    pub(crate) fn spelled(&self) -> impl Iterator<Item = (String, Span, bool)> {
        let written = self.names.iter().map(|name| (name.value(), name.span()));
        let short = written.clone().filter_map(|(name, span)| {
            let (_, short) = name.rsplit_once('.')?;
            (!short.is_empty()).then(|| (short.to_owned(), span, false))
        });
        written.map(|(name, span)| (name, span, true)).chain(short)
    }
}

/// The blocks that a file has once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockName {
    /// The dtype of a number that stands alone.
    Numbers,
    /// The dtype that an array gets when it is made.
    Stored,
    /// Promotion of two operands of one category.
    Promote,
    /// Changes to the result of promotion.
    Check,
    /// The dtype in which the ops of a dtype compute.
    Opmath,
}

/// `numbers { .. }`, `stored { .. }`, `promote { .. }`, `check { .. }`, `opmath { .. }`
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the fields are the parts of the form above")]
pub struct Block {
    pub name: BlockName,
    pub span: Span,
    pub items: Vec<BlockItem>,
}

/// `yield category > category .. [by kind] { .. }`
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the fields are the parts of the form above")]
pub struct YieldItem {
    pub span: Span,
    pub order: Vec<Category>,
    /// The position of `by kind`: an operand of a lower category counts only if its kind is higher.
    pub by_kind: Option<Span>,
    pub items: Vec<BlockItem>,
}

/// `op name .. [(arity)] [(a, b)] [-> result] (; | { .. })`, or `op name = path [-> result] (; | { .. })`
#[derive(Clone, Debug)]
pub struct OpItem {
    /// The ops and groups of ops that it describes.
    pub names: Vec<Ident>,
    /// The type of the custom op that it declares.
    pub path: Option<syn::Path>,
    /// `(arity)`: the number of operands of ops without kernels that it declares.
    pub arity: Option<usize>,
    /// `(a, b)`: clauses of two patterns see the operands in this order only.
    pub ordered: bool,
    /// `-> result`.
    pub output: Option<ResultExpr>,
    /// Clauses and semantics.
    pub items: Vec<BlockItem>,
}

/// `kernels op ..: dtype ..;`
#[derive(Clone, Debug)]
pub struct KernelsItem {
    /// The ops and groups of ops.
    pub ops: Vec<Ident>,
    /// The dtypes and groups of dtypes.
    pub dtypes: Vec<Ident>,
}

/// `law [not] name ["reason"];`
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the fields are the parts of the form above")]
pub struct LawItem {
    pub holds: bool,
    pub name: Ident,
    pub reason: Option<LitStr>,
}

/// The words with which a declaration begins.
pub const DECLARATIONS: [&str; 21] = [
    "dtypes", "dtype", "kinds", "let", "names", "param", "reason", "holds", "lacks", "numbers", "stored",
    "promote", "yield", "check", "cast", "inplace", "fold", "op", "opmath", "kernels", "law",
];

pub(super) fn parse(errors: &mut Errors, input: ParseStream<'_>) -> syn::Result<Item> {
    let begin = input.cursor();
    let keyword = name(input, "a declaration such as `dtypes`, `promote` or `op`")?;
    let item = match keyword.to_string().as_str() {
        "dtypes" => dtypes(errors, input, begin)?,
        "dtype" => dtype(input)?,
        "kinds" => {
            let mut kinds = vec![name(input, "a kind")?];
            while input.peek(Token![<]) {
                input.parse::<Token![<]>()?;
                kinds.push(name(input, "a kind")?);
            }
            Item::Kinds(kinds, keyword.span())
        }
        "let" => {
            let name = name(input, "the name of the group")?;
            mark::<Token![=]>(input, "=", &format!("let {name} = i32 | f32;"))?;
            Item::Let(LetItem { name, set: set(input)? })
        }
        "param" => {
            let ident = name(input, "the name of the parameter")?;
            let form = format!("param {ident}: bool = true;");
            mark::<Token![:]>(input, ":", &form)?;
            let values = set(input)?;
            mark::<Token![=]>(input, "=", &form)?;
            Item::Param(ParamItem { name: ident, values, default: name(input, "the default value")? })
        }
        "reason" => {
            let ident = name(input, "the name of the reason")?;
            let form = format!("reason {ident} = \"complex numbers have no order\";");
            mark::<Token![=]>(input, "=", &form)?;
            let text = input.parse::<LitStr>().map_err(|_| {
                let error = expected(input, "the text of the reason");
                syn::Error::new(error.span(), format!("{error}\nhelp: write `{form}`"))
            })?;
            Item::Reason(ReasonItem { name: ident, text })
        }
        which @ ("holds" | "lacks") => {
            let holders = set(input)?;
            mark::<Token![:]>(input, ":", &format!("{which} f64: i32;"))?;
            Item::Holds(HoldsItem { adds: which == "holds", holders, held: set(input)? })
        }
        "law" => {
            let holds = !word(input, "not");
            let name = name(input, "`commutative` or `associative`")?;
            let reason = if input.peek(LitStr) { Some(input.parse()?) } else { None };
            Item::Law(LawItem { holds, name, reason })
        }
        // The declarations that end with a block end without a `;`.
        "numbers" => return clauses(errors, input, BlockName::Numbers, &keyword),
        "stored" => return clauses(errors, input, BlockName::Stored, &keyword),
        "promote" => return clauses(errors, input, BlockName::Promote, &keyword),
        "check" => return clauses(errors, input, BlockName::Check, &keyword),
        "opmath" => return clauses(errors, input, BlockName::Opmath, &keyword),
        "names" => return names(errors, input, keyword.span()),
        "yield" => return yields(errors, input, keyword.span()),
        "cast" => {
            return Ok(Item::Cast(name(input, "a level of casting such as `safe`")?, block(errors, input)?));
        }
        "inplace" => Item::Inplace(name(input, "a level of casting such as `same_kind`, or `result`")?),
        "fold" => Item::Fold(name(input, "`by_kind`")?),
        "op" => return op(errors, input, begin),
        "kernels" => {
            let ops = kernel_ops(errors, input)?;
            mark::<Token![:]>(input, ":", "kernels add multiply: i16 f32;")?;
            let dtypes = kernel_dtypes(errors, input, &ops)?;
            Item::Kernels(KernelsItem { ops, dtypes })
        }
        other => {
            let help = did_you_mean(other, DECLARATIONS)
                .unwrap_or_else(|| format!("the declarations are {}", DECLARATIONS.join(", ")));
            return Err(syn::Error::new(
                keyword.span(),
                format!("unknown declaration `{other}`\nhelp: {help}"),
            ));
        }
    };
    end(errors, input, begin)?;
    Ok(item)
}

fn dtypes(errors: &mut Errors, input: ParseStream<'_>, begin: Cursor<'_>) -> syn::Result<Item> {
    let group = if input.peek2(Token![:]) {
        let group = name(input, "the name of the group")?;
        input.parse::<Token![:]>()?;
        Some(group)
    } else {
        None
    };
    // No dtype has the name of a declaration: there the `;` is missing.
    let mut names = Vec::new();
    spaced(errors, input, "dtypes", &mut names, |name| DECLARATIONS.contains(&name));
    let next = peek_name(input).is_some_and(|name| DECLARATIONS.contains(&name.as_str()));
    if !input.peek(Token![;]) && !input.is_empty() && !next {
        return Err(expected_after(input, begin, "another dtype or `;`"));
    }
    Ok(Item::DTypes(group, names))
}

/// Reads further names with spaces between them. Commas and bars are a mistake that is reported once.
fn spaced(
    errors: &mut Errors,
    input: ParseStream<'_>,
    keyword: &str,
    names: &mut Vec<Ident>,
    stop: impl Fn(&str) -> bool,
) {
    let mut mistake = None;
    loop {
        if peek_name(input).is_some_and(|name| !stop(&name)) {
            names.extend(name(input, keyword));
        } else if !names.is_empty() && (input.peek(Token![,]) || input.peek(Token![|])) {
            mistake = mistake.or_else(|| Some((input.span(), found(input)?)));
            let _ = input.parse::<proc_macro2::TokenTree>();
        } else {
            break;
        }
    }
    if let Some((span, mark)) = mistake {
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        errors
            .push(span, format!("expected a space between the names, found `{mark}`"))
            .help(format!("write `{keyword} {}`", names.join(" ")));
    }
}

fn dtype(input: ParseStream<'_>) -> syn::Result<Item> {
    let ident = name(input, "the name of the dtype")?;
    mark::<Token![:]>(input, ":", &format!("dtype {ident}: int 64;"))?;
    let kind = name(input, "the kind of the dtype")?;
    let bits = input.parse::<LitInt>().map_err(|_| expected(input, "the width of the dtype in bits"))?;
    let path = if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        Some(input.parse::<syn::Type>()?)
    } else {
        None
    };
    Ok(Item::DType(DTypeItem { name: ident, kind, bits, path }))
}

fn clauses(
    errors: &mut Errors,
    input: ParseStream<'_>,
    name: BlockName,
    keyword: &Ident,
) -> syn::Result<Item> {
    Ok(Item::Block(Block { name, span: keyword.span(), items: block(errors, input)? }))
}

/// Reads the lines of a `names` block. After a mistake, reading goes on with the next line.
fn names(errors: &mut Errors, input: ParseStream<'_>, span: Span) -> syn::Result<Item> {
    let content = braces(input)?;
    let mut lines = Vec::new();
    while !content.is_empty() {
        match names_line(errors, &content) {
            Ok(line) => lines.push(line),
            Err(error) => {
                errors.syn(&error);
                skip_statement(&content);
            }
        }
    }
    Ok(Item::Names(NamesItem { span, lines }))
}

fn names_line(errors: &mut Errors, input: ParseStream<'_>) -> syn::Result<NamesLine> {
    let begin = input.cursor();
    let of = name(input, "a dtype or an op")?;
    let form = format!("{of}: \"name\" \"other_name\";");
    mark::<Token![:]>(input, ":", &form)?;
    let mut names = Vec::new();
    while input.peek(LitStr) {
        names.push(input.parse()?);
    }
    if names.is_empty() || !input.peek(Token![;]) && input.span().start().line == of.span().start().line {
        let what = if names.is_empty() { "a name in quotes" } else { "another name in quotes or `;`" };
        let error = expected(input, what);
        return Err(syn::Error::new(error.span(), format!("{error}\nhelp: write `{form}`")));
    }
    end(errors, input, begin)?;
    Ok(NamesLine { name: of, names })
}

fn yields(errors: &mut Errors, input: ParseStream<'_>, span: Span) -> syn::Result<Item> {
    let mut order = vec![category(input)?];
    while input.peek(Token![>]) {
        input.parse::<Token![>]>()?;
        order.push(category(input)?);
    }
    let by_kind = by_kind(input)?;
    Ok(Item::Yield(YieldItem { span, order, by_kind, items: block(errors, input)? }))
}

/// Reads `by kind`, if it comes next, and returns its position.
fn by_kind(input: ParseStream<'_>) -> syn::Result<Option<Span>> {
    let span = input.span();
    if !word(input, "by") {
        return Ok(None);
    }
    if word(input, "kind") {
        return Ok(Some(span));
    }
    let error = expected(input, "`kind` after `by`");
    let help = "write `yield array > number by kind { .. }`: then a number counts only if its kind is higher";
    Err(syn::Error::new(error.span(), format!("{error}\nhelp: {help}")))
}

fn category(input: ParseStream<'_>) -> syn::Result<Category> {
    let ident = name(input, "a category: array, zero_dim, number or weak")?;
    Category::from_name(&ident.to_string()).ok_or_else(|| {
        syn::Error::new(
            ident.span(),
            format!("unknown category `{ident}`\nhelp: the categories are array, zero_dim, number and weak"),
        )
    })
}

fn op(errors: &mut Errors, input: ParseStream<'_>, begin: Cursor<'_>) -> syn::Result<Item> {
    let first = name(input, "the name of an op or of a group of ops")?;
    let line = first.span().start().line;
    // A declaration on a later line: there the `;` is missing.
    let next = |name: &str| DECLARATIONS.contains(&name) && input.span().start().line > line;
    let mut names = vec![first];
    spaced(errors, input, "op", &mut names, next);
    let path = if input.peek(Token![=]) { Some(op_path(input, &names)?) } else { None };
    let arity = if path.is_none() { arity(input)? } else { None };
    let ordered = input.peek(syn::token::Paren);
    if ordered {
        let group = input.parse::<proc_macro2::Group>()?;
        let written: String = group.stream().into_iter().map(|token| token.to_string()).collect();
        if written != "a,b" {
            return Err(syn::Error::new(
                group.span(),
                "expected `(a, b)`\nhelp: write `op pow (a, b) { .. }` if the order of the operands matters, and \
                 `op conv (2) { .. }` for the number of operands of an op without kernels",
            ));
        }
    }
    let output = arrow(input)?;
    let items = if input.peek(syn::token::Brace) {
        block(errors, input)?
    } else {
        end(errors, input, begin)?;
        Vec::new()
    };
    Ok(Item::Op(OpItem { names, path, arity, ordered, output, items }))
}

/// Reads the ops of a `kernels` statement.
pub(super) fn kernel_ops(errors: &mut Errors, input: ParseStream<'_>) -> syn::Result<Vec<Ident>> {
    let mut ops = vec![name(input, "the name of an op or of a group of ops")?];
    spaced(errors, input, "kernels", &mut ops, |_| false);
    Ok(ops)
}

/// Reads the dtypes of a `kernels` statement.
pub(super) fn kernel_dtypes(
    errors: &mut Errors,
    input: ParseStream<'_>,
    ops: &[Ident],
) -> syn::Result<Vec<Ident>> {
    let mut dtypes = vec![name(input, "the name of a dtype or of a group of dtypes")?];
    // No dtype has the name of a declaration: there the `;` is missing.
    let keyword = format!("kernels {}:", spelled(ops));
    spaced(errors, input, &keyword, &mut dtypes, |name| DECLARATIONS.contains(&name));
    Ok(dtypes)
}

/// Returns names with spaces between them.
fn spelled(names: &[Ident]) -> String {
    names.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Parses `(arity)`, if it is present.
fn arity(input: ParseStream<'_>) -> syn::Result<Option<usize>> {
    let ahead = input.fork();
    let Ok(group) = ahead.parse::<proc_macro2::Group>() else { return Ok(None) };
    let Ok(literal) = syn::parse2::<LitInt>(group.stream()) else { return Ok(None) };
    if group.delimiter() != proc_macro2::Delimiter::Parenthesis {
        return Ok(None);
    }
    input.parse::<proc_macro2::Group>()?;
    let most = promote_core::CustomOp::MAX_INPUTS;
    match literal.base10_parse() {
        Ok(arity) if (1..=most).contains(&arity) => Ok(Some(arity)),
        _ => Err(syn::Error::new(
            literal.span(),
            format!(
                "an op has 1 to {most} operands that take part in promotion\nhelp: leave out those that do not"
            ),
        )),
    }
}

/// Parses `= path` after the name of one op.
fn op_path(input: ParseStream<'_>, names: &[Ident]) -> syn::Result<syn::Path> {
    if let [_, second, ..] = names {
        let message = "`= path` declares one op\nhelp: write an `op name = path;` for each";
        return Err(syn::Error::new(second.span(), message));
    }
    input.parse::<Token![=]>()?;
    let path = input.call(syn::Path::parse_mod_style);
    path.map_err(|e| {
        syn::Error::new(e.span(), "expected the path of the op's type: `op axpy = crate::Axpy;`")
    })
}
