//! The categories of operands, and the kinds of Python numbers.

/// What an operand is, beside its dtype.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// An array with dimensions.
    Array,
    /// An array without dimensions.
    ZeroDim,
    /// A Python number.
    Number,
    /// A number, or what came of one, whose weakness the result inherits.
    Weak,
}

impl Category {
    /// All of them, in the order of their indices in the tables.
    pub const ALL: [Category; 4] = [Category::Array, Category::ZeroDim, Category::Number, Category::Weak];

    /// The word of the rule language.
    pub fn name(self) -> &'static str {
        match self {
            Category::Array => "array",
            Category::ZeroDim => "zero_dim",
            Category::Number => "number",
            Category::Weak => "weak",
        }
    }

    /// The category of a word.
    pub fn from_name(name: &str) -> Option<Category> {
        Category::ALL.into_iter().find(|category| category.name() == name)
    }
}

/// A set of categories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Categories(u8);

impl Categories {
    /// Every category.
    pub const ALL: Categories = Categories(0b1111);

    /// Whether a category is in it.
    pub fn contains(self, category: Category) -> bool {
        self.0 >> category as u8 & 1 == 1
    }
}

impl FromIterator<Category> for Categories {
    fn from_iter<I: IntoIterator<Item = Category>>(categories: I) -> Self {
        Categories(categories.into_iter().fold(0, |set, category| set | 1 << category as u8))
    }
}

/// What a Python number is before it has a dtype.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NumberKind {
    /// `True`
    Bool,
    /// `3`
    Int,
    /// `2.5`
    Float,
    /// `1j`
    Complex,
}

impl NumberKind {
    /// All of them, in the order of their indices in the tables.
    pub const ALL: [NumberKind; 4] =
        [NumberKind::Bool, NumberKind::Int, NumberKind::Float, NumberKind::Complex];

    /// The word of the rule language.
    pub fn name(self) -> &'static str {
        match self {
            NumberKind::Bool => "bool",
            NumberKind::Int => "int",
            NumberKind::Float => "float",
            NumberKind::Complex => "complex",
        }
    }

    /// The kind of a standard dtype.
    pub(crate) fn of_standard(name: &str) -> NumberKind {
        match name.as_bytes()[0] {
            b'b' if name == "bool" => NumberKind::Bool,
            b'c' => NumberKind::Complex,
            b'i' | b'u' => NumberKind::Int,
            _ => NumberKind::Float,
        }
    }

    /// The kind of a word.
    pub fn from_name(name: &str) -> Option<NumberKind> {
        NumberKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}
