//! Ids and bit sets of dtypes.

/// A dtype's position in its rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DTypeId(u8);

impl DTypeId {
    /// The limit of dtypes in a rule set.
    pub const MAX: usize = 128;

    /// The id of a position below [`DTypeId::MAX`].
    pub fn new(index: usize) -> DTypeId {
        debug_assert!(index < Self::MAX);
        DTypeId(index as u8)
    }

    /// The position.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of dtypes of one rule set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DTypeSet(u128);

impl DTypeSet {
    /// The first `n` dtypes.
    pub fn first(n: usize) -> DTypeSet {
        DTypeSet(if n >= DTypeId::MAX { u128::MAX } else { (1 << n) - 1 })
    }

    /// Returns true if a dtype is in the set.
    pub fn contains(self, id: DTypeId) -> bool {
        self.0 >> id.0 & 1 == 1
    }

    /// Puts a dtype in.
    pub fn insert(&mut self, id: DTypeId) {
        self.0 |= 1 << id.0;
    }

    /// Takes a dtype out.
    pub fn remove(&mut self, id: DTypeId) {
        self.0 &= !(1 << id.0);
    }

    /// Returns the union.
    #[must_use]
    pub fn or(self, other: DTypeSet) -> DTypeSet {
        DTypeSet(self.0 | other.0)
    }

    /// Returns the intersection.
    #[must_use]
    pub fn and(self, other: DTypeSet) -> DTypeSet {
        DTypeSet(self.0 & other.0)
    }

    /// Returns the difference.
    #[must_use]
    pub fn without(self, other: DTypeSet) -> DTypeSet {
        DTypeSet(self.0 & !other.0)
    }

    /// Returns true if the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of dtypes in the set.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The dtypes, lowest id first.
    pub fn iter(self) -> impl Iterator<Item = DTypeId> {
        let mut rest = self.0;
        core::iter::from_fn(move || {
            (rest != 0).then(|| {
                let id = DTypeId(rest.trailing_zeros() as u8);
                rest &= rest - 1;
                id
            })
        })
    }
}

impl FromIterator<DTypeId> for DTypeSet {
    fn from_iter<I: IntoIterator<Item = DTypeId>>(ids: I) -> Self {
        let mut set = DTypeSet::default();
        for id in ids {
            set.insert(id);
        }
        set
    }
}
