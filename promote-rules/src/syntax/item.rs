//! The declarations of a rule file.

use proc_macro2::Span;
use syn::parse::ParseStream;
use syn::{Ident, LitInt, LitStr, Token};

use super::clause::{BlockItem, ResultExpr, Set, arrow, block, end, set};
use super::{name, peek_name, word};
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
    Holds(HoldsItem),
    Block(Block),
    Yield(YieldItem),
    /// `cast level { .. }`
    Cast(Ident, Vec<BlockItem>),
    /// `inplace level;`
    Inplace(Ident),
    /// `fold by_kind;`
    Fold(Ident),
    Op(OpItem),
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

/// `holds set: set;` adds facts, `lacks set: set;` takes them away.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the fields are the parts of the form above")]
pub struct HoldsItem {
    pub adds: bool,
    pub holders: Set,
    pub held: Set,
}

/// The blocks that a file has once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockName {
    /// What a Python number is when it stands alone.
    Numbers,
    /// What an array of a dtype becomes when it is made.
    Stored,
    /// Two operands of one category.
    Promote,
    /// What promotion gave, looked at once more.
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

/// `yield category > category .. { .. }`
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the fields are the parts of the form above")]
pub struct YieldItem {
    pub span: Span,
    pub order: Vec<Category>,
    pub items: Vec<BlockItem>,
}

/// `op name .. [(a, b)] [-> result] (; | { .. })`, or `op name = path [-> result] (; | { .. })`
#[derive(Clone, Debug)]
pub struct OpItem {
    /// The ops it speaks of, and groups of ops.
    pub names: Vec<Ident>,
    /// The type of an op of a user's own, which it declares.
    pub path: Option<syn::Path>,
    /// `(a, b)`: clauses of two patterns see the operands in this order only.
    pub ordered: bool,
    /// `-> result`.
    pub output: Option<ResultExpr>,
    /// Clauses and semantics.
    pub items: Vec<BlockItem>,
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
pub const DECLARATIONS: [&str; 18] = [
    "dtypes", "dtype", "kinds", "let", "param", "holds", "lacks", "numbers", "stored", "promote", "yield",
    "check", "cast", "inplace", "fold", "op", "opmath", "law",
];

pub(super) fn parse(errors: &mut Errors, input: ParseStream<'_>) -> syn::Result<Item> {
    let keyword = name(input).map_err(|e| syn::Error::new(e.span(), "expected a declaration"))?;
    let item = match keyword.to_string().as_str() {
        "dtypes" => dtypes(input)?,
        "dtype" => dtype(input)?,
        "kinds" => {
            let mut kinds = vec![name(input)?];
            while input.peek(Token![<]) {
                input.parse::<Token![<]>()?;
                kinds.push(name(input)?);
            }
            Item::Kinds(kinds, keyword.span())
        }
        "let" => {
            let name = name(input)?;
            input.parse::<Token![=]>()?;
            Item::Let(LetItem { name, set: set(input)? })
        }
        "param" => {
            let ident = name(input)?;
            input.parse::<Token![:]>()?;
            let values = set(input)?;
            input.parse::<Token![=]>()?;
            Item::Param(ParamItem { name: ident, values, default: name(input)? })
        }
        which @ ("holds" | "lacks") => {
            let holders = set(input)?;
            input.parse::<Token![:]>()?;
            Item::Holds(HoldsItem { adds: which == "holds", holders, held: set(input)? })
        }
        "law" => {
            let holds = !word(input, "not");
            let name = name(input)?;
            let reason = if input.peek(LitStr) { Some(input.parse()?) } else { None };
            Item::Law(LawItem { holds, name, reason })
        }
        // The declarations that end with a block end without a `;`.
        "numbers" => return clauses(errors, input, BlockName::Numbers, &keyword),
        "stored" => return clauses(errors, input, BlockName::Stored, &keyword),
        "promote" => return clauses(errors, input, BlockName::Promote, &keyword),
        "check" => return clauses(errors, input, BlockName::Check, &keyword),
        "opmath" => return clauses(errors, input, BlockName::Opmath, &keyword),
        "yield" => return yields(errors, input, keyword.span()),
        "cast" => return Ok(Item::Cast(name(input)?, block(errors, input)?)),
        "inplace" => Item::Inplace(name(input)?),
        "fold" => Item::Fold(name(input)?),
        "op" => return op(errors, input),
        other => {
            let help = did_you_mean(other, DECLARATIONS)
                .unwrap_or_else(|| format!("the declarations are {}", DECLARATIONS.join(", ")));
            return Err(syn::Error::new(
                keyword.span(),
                format!("unknown declaration `{other}`\nhelp: {help}"),
            ));
        }
    };
    end(input)?;
    Ok(item)
}

fn dtypes(input: ParseStream<'_>) -> syn::Result<Item> {
    let mut names = Vec::new();
    let group = if input.peek2(Token![:]) {
        let group = name(input)?;
        input.parse::<Token![:]>()?;
        Some(group)
    } else {
        None
    };
    while peek_name(input).is_some() {
        names.push(name(input)?);
    }
    if !input.peek(Token![;]) {
        return Err(input.error("expected another dtype, or `;`"));
    }
    Ok(Item::DTypes(group, names))
}

fn dtype(input: ParseStream<'_>) -> syn::Result<Item> {
    let ident = name(input)?;
    input.parse::<Token![:]>()?;
    let kind = name(input)?;
    let bits = input
        .parse::<LitInt>()
        .map_err(|e| syn::Error::new(e.span(), "expected the dtype's width in bits"))?;
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

fn yields(errors: &mut Errors, input: ParseStream<'_>, span: Span) -> syn::Result<Item> {
    let mut order = vec![category(input)?];
    while input.peek(Token![>]) {
        input.parse::<Token![>]>()?;
        order.push(category(input)?);
    }
    Ok(Item::Yield(YieldItem { span, order, items: block(errors, input)? }))
}

fn category(input: ParseStream<'_>) -> syn::Result<Category> {
    let ident = name(input)?;
    Category::from_name(&ident.to_string()).ok_or_else(|| {
        syn::Error::new(
            ident.span(),
            format!("`{ident}` is no category: they are array, zero_dim, number and weak"),
        )
    })
}

fn op(errors: &mut Errors, input: ParseStream<'_>) -> syn::Result<Item> {
    let mut names = vec![name(input)?];
    while peek_name(input).is_some() {
        names.push(name(input)?);
    }
    let path = if input.peek(Token![=]) { Some(op_path(input, &names)?) } else { None };
    let ordered = input.peek(syn::token::Paren);
    if ordered {
        let group = input.parse::<proc_macro2::Group>()?;
        let written: String = group.stream().into_iter().map(|token| token.to_string()).collect();
        if written != "a,b" {
            return Err(syn::Error::new(group.span(), "operands in a fixed order are written `(a, b)`"));
        }
    }
    let output = arrow(input)?;
    let items = if input.peek(syn::token::Brace) {
        block(errors, input)?
    } else {
        end(input)?;
        Vec::new()
    };
    Ok(Item::Op(OpItem { names, path, ordered, output, items }))
}

/// `= path`, behind the name of one op.
fn op_path(input: ParseStream<'_>, names: &[Ident]) -> syn::Result<syn::Path> {
    if let [_, second, ..] = names {
        let message = "one path is the type of one op\nhelp: write an `op name = path;` for each";
        return Err(syn::Error::new(second.span(), message));
    }
    input.parse::<Token![=]>()?;
    let path = input.call(syn::Path::parse_mod_style);
    path.map_err(|e| {
        syn::Error::new(e.span(), "expected the path of the op's type: `op axpy = crate::Axpy;`")
    })
}
