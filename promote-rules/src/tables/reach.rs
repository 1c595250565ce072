//! The operands that can occur. Clauses have to decide for these, and for no others.

use super::NumberCell;
use crate::eval::Eval;
use crate::model::{Category, DTypeId, DTypeSet, Operand, Rules};

/// The operands that can occur under any setting.
#[derive(Default)]
pub(super) struct Reach {
    number: DTypeSet,
    weak: DTypeSet,
    zero_dim: bool,
}

impl Reach {
    /// Numbers, what numbers promote to among themselves, and what is weak of promotion, over and over.
    /// `eval` is of the setting whose numbers these are.
    pub(super) fn add(&mut self, rules: &Rules, eval: Eval<'_>, numbers: &[NumberCell; 4]) {
        self.zero_dim = rules.effective(Category::ZeroDim) == Category::ZeroDim;
        let mut found: Vec<Operand> = numbers.iter().filter_map(|cell| cell.operand()).collect();
        if rules.weak {
            let array = |dtype| Operand { dtype, category: Category::Array };
            let pairs = rules.ids().flat_map(|a| rules.ids().map(move |b| (array(a), array(b))));
            Self::results(&mut found, pairs.filter_map(|(a, b)| eval.across(a, b, None).ok()));
            let ids: Vec<DTypeId> = rules.ids().collect();
            let mut next = 0;
            while next < found.len() {
                let operand = found[next];
                let with_arrays = ids.iter().filter_map(|id| eval.across(array(*id), operand, None).ok());
                Self::results(&mut found, with_arrays);
                next += 1;
            }
        }
        let mut next = 0;
        while next < found.len() {
            let others: Vec<Operand> = found[..=next].to_vec();
            let operand = found[next];
            Self::results(
                &mut found,
                others.into_iter().filter_map(|other| eval.across(operand, other, None).ok()),
            );
            next += 1;
        }
        for operand in found {
            match operand.category {
                Category::Number => self.number.insert(operand.dtype),
                Category::Weak => self.weak.insert(operand.dtype),
                Category::Array | Category::ZeroDim => {}
            }
        }
    }

    /// Adds the numbers and weak operands among results that are new.
    fn results(found: &mut Vec<Operand>, results: impl Iterator<Item = crate::eval::Decided>) {
        for result in results.map(|decided| decided.operand) {
            let light = matches!(result.category, Category::Number | Category::Weak);
            if light && !found.contains(&result) {
                found.push(result);
            }
        }
    }

    /// Returns true if any operand of the category can occur.
    pub(super) fn any(&self, category: Category) -> bool {
        match category {
            Category::Array => true,
            Category::ZeroDim => self.zero_dim,
            Category::Number => !self.number.is_empty(),
            Category::Weak => !self.weak.is_empty(),
        }
    }

    pub(super) fn contains(&self, operand: Operand) -> bool {
        match operand.category {
            Category::Array => true,
            Category::ZeroDim => self.zero_dim,
            Category::Number => self.number.contains(operand.dtype),
            Category::Weak => self.weak.contains(operand.dtype),
        }
    }
}
