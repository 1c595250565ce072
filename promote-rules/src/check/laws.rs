//! The laws that a rule file claims.

use super::cells::{asymmetry, under};
use crate::diag::Errors;
use crate::model::{Category, DTypeId, LawKind, Rules};
use crate::tables::{Cell, Computed, NumberCell, Tables};

/// Three operands whose result depends on the order of promotion.
#[derive(Clone, Debug)]
pub(crate) struct Counterexample {
    setting: usize,
    operands: [(DTypeId, bool); 3],
    left: Promoted,
    right: Promoted,
}

/// A dtype and whether it is weak; `None` where promotion is refused.
type Promoted = Option<(DTypeId, bool)>;

/// The result of checking a law.
#[derive(Clone, Debug)]
pub struct LawReport {
    /// The law.
    pub kind: LawKind,
    /// True if the file claims the law, and false if it denies it; `None` if it does neither.
    pub claimed: Option<bool>,
    /// The reason that the file gives for denying it.
    pub reason: Option<String>,
    /// Operands for which the law does not hold, and their results; `None` if it holds.
    pub counterexample: Option<String>,
}

/// Checks both laws, over every operand and every value of the parameters.
pub(crate) fn reports(rules: &Rules, computed: &Computed) -> Vec<LawReport> {
    [LawKind::Commutative, LawKind::Associative]
        .into_iter()
        .map(|kind| {
            let law = rules.laws.iter().find(|law| law.kind == kind);
            LawReport {
                kind,
                claimed: law.map(|law| law.holds),
                reason: law.and_then(|law| law.reason.clone()),
                counterexample: counterexample(rules, computed, kind),
            }
        })
        .collect()
}

/// Returns operands that break a law, and their results.
fn counterexample(rules: &Rules, computed: &Computed, kind: LawKind) -> Option<String> {
    match kind {
        LawKind::Commutative => computed.asymmetries.first().map(|found| asymmetry(rules, found)),
        LawKind::Associative => associative(rules, &computed.tables).map(|found| {
            let name = |(dtype, weak): (DTypeId, bool)| {
                format!("{}{}", rules.dtype_name(dtype), if weak { "*" } else { "" })
            };
            let result =
                |r: Promoted| r.map_or_else(|| "is refused".to_owned(), |r| format!("gives `{}`", name(r)));
            let [a, b, c] = found.operands.map(name);
            let (left, right, under) = (result(found.left), result(found.right), under(rules, found.setting));
            format!("`({a}, {b}), {c}` {left}, but `{a}, ({b}, {c})` {right}{under}")
        }),
    }
}

/// A law that is claimed holds, and one that is denied does not.
pub(super) fn claimed_laws_hold(errors: &mut Errors, rules: &Rules, computed: &Computed) {
    for law in &rules.laws {
        match (law.holds, counterexample(rules, computed, law.kind)) {
            (false, None) => {
                errors.push(law.span, "the law holds, and the file denies it").help("remove the `not`");
            }
            (true, Some(found)) if law.kind == LawKind::Associative => {
                errors
                    .push(law.span, format!("promotion is not associative: {found}"))
                    .help("change the clauses, or say so: `law not associative \"reason\";`");
            }
            // Each clause that breaks the commutative law has an error of its own.
            _ => {}
        }
    }
}

/// The first three operands that break associativity, weak ones and refusals included.
pub(crate) fn associative(rules: &Rules, tables: &Tables) -> Option<Counterexample> {
    let n = rules.dtypes.len();
    let categories: &[Category] =
        if rules.weak { &[Category::Array, Category::Weak] } else { &[Category::Array] };
    // Operands are numbers 0..size, the weak ones after the others; `size` is a refusal.
    let size = n * categories.len();
    let decode = |i: usize| (DTypeId::new(i % n), i >= n);
    let mut seen: Vec<[usize; 4]> = Vec::new();
    for (at, setting) in tables.settings.iter().enumerate() {
        let key = [Category::Array, Category::Weak].map(|a| {
            [Category::Array, Category::Weak].map(|b| setting.planes[a.min(b) as usize][a.max(b) as usize])
        });
        let key = [key[0][0], key[0][1], key[1][0], key[1][1]];
        if seen.contains(&key) {
            continue;
        }
        seen.push(key);
        let mut table = vec![size; (size + 1) * (size + 1)];
        for a in 0..size {
            for b in 0..size {
                let (ca, cb) = (categories[a / n], categories[b / n]);
                let (x, y) = if ca <= cb { (a % n, b % n) } else { (b % n, a % n) };
                let plane = &tables.planes[setting.planes[ca.min(cb) as usize][ca.max(cb) as usize]];
                if let Cell::Resolved(dtype, weak, _) = plane[x * n + y] {
                    table[a * (size + 1) + b] = dtype.index() + if weak { n } else { 0 };
                }
            }
        }
        let get = |a: usize, b: usize| table[a * (size + 1) + b];
        let stays = |dtype: &usize| {
            setting.stored.is_none_or(|plane| tables.stored[plane][*dtype].0.index() == *dtype)
        };
        let arrays = (0..n).filter(stays).collect();
        let operands = occurring(arrays, n..size, &setting.numbers, get);
        for &a in &operands {
            for &b in &operands {
                let ab = get(a, b);
                for &c in &operands {
                    let (left, right) = (get(ab, c), get(a, get(b, c)));
                    if left != right {
                        let result = |i: usize| (i < size).then(|| decode(i));
                        return Some(Counterexample {
                            setting: at,
                            operands: [decode(a), decode(b), decode(c)],
                            left: result(left),
                            right: result(right),
                        });
                    }
                }
            }
        }
    }
    None
}

/// Returns the operands that can occur: arrays as they are made, weak numbers, and weak results of these.
/// `weak` is the range of the positions of weak operands.
fn occurring(
    arrays: Vec<usize>,
    weak: core::ops::Range<usize>,
    numbers: &[NumberCell; 4],
    get: impl Fn(usize, usize) -> usize,
) -> Vec<usize> {
    let mut found = arrays;
    if weak.is_empty() {
        return found;
    }
    let weak_numbers = numbers.iter().filter_map(|number| number.operand());
    for number in weak_numbers.filter(|operand| operand.category == Category::Weak) {
        let position = weak.start + number.dtype.index();
        if !found.contains(&position) {
            found.push(position);
        }
    }
    // The result of two operands may be a third one, and so on.
    let mut next = 0;
    while next < found.len() {
        for other in 0..=next {
            let result = get(found[next], found[other]);
            if result < weak.end && !found.contains(&result) {
                found.push(result);
            }
        }
        next += 1;
    }
    found
}
