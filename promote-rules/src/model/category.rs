//! Sets of categories.

use super::Category;

/// A set of categories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Categories(u8);

impl Categories {
    /// Every category.
    pub const ALL: Categories = Categories(0b1111);

    /// Returns true if a category is in the set.
    pub fn contains(self, category: Category) -> bool {
        self.0 >> category as u8 & 1 == 1
    }
}

impl FromIterator<Category> for Categories {
    fn from_iter<I: IntoIterator<Item = Category>>(categories: I) -> Self {
        Categories(categories.into_iter().fold(0, |set, category| set | 1 << category as u8))
    }
}
