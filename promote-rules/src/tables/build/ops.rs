//! Computes the cells of ops.

use std::collections::BTreeMap;

use super::{Build, Occurring, Problem, Promotion, keep};
use crate::eval::{Eval, OpOutcome, Stop};
use crate::model::{
    Block, Categories, Category, Clause, ClauseId, DTypeId, DTypeSet, Op, Operand, Output, Pattern, Patterns,
    Rules, Var,
};
use crate::tables::{Cell, OpCell, OpIndex};

/// The operands of two categories that an op can have, and the planes for them.
#[derive(PartialEq)]
struct Asking {
    /// The dtypes of either operand.
    operands: (DTypeSet, DTypeSet),
    /// True if the left operand is the first one in `plane` and `by_value`.
    sorted: bool,
    /// The category of what the two promote to.
    higher: Category,
    /// A position in [`Tables::planes`](crate::tables::Tables::planes); so is `by_value`.
    plane: usize,
    /// A position in [`Tables::pairs`](crate::tables::Tables::pairs); so is `pairs_by_value`.
    pairs: Option<usize>,
    by_value: Option<usize>,
    pairs_by_value: Option<usize>,
}

impl Build<'_> {
    /// Computes the tables of every op under one setting.
    pub(super) fn ops(&mut self, promotion: &Promotion<'_>) -> Vec<OpIndex> {
        // The common dtypes are equal for all ops that have no clause of two patterns.
        let promoted = self.asked(promotion, None);
        let mut ops: Vec<OpIndex> = Vec::with_capacity(self.rules.ops.len());
        for which in 0..self.rules.ops.len() {
            let index = match self.like_another(which) {
                Some(other) => self.same_as(&ops, which, other),
                None => self.op(promotion, which, &promoted),
            };
            ops.push(index);
        }
        ops
    }

    /// Finds an earlier op with the same clauses and properties, and without mistakes that are reported for
    /// each op.
    fn like_another(&self, which: usize) -> Option<usize> {
        let ops = &self.rules.ops;
        let said = |op: &'_ Op| {
            let clauses: Vec<_> = op.block.iter().map(|clause| clause.id).collect();
            let categories = Category::ALL.map(|category| op.counts_as(category));
            (op.info.arity, op.joins_operands(), op.info.in_common_dtype(), categories, clauses)
        };
        let this = said(&ops[which]);
        let found =
            (0..which).find(|other| ops[*other].output == ops[which].output && said(&ops[*other]) == this)?;
        self.problems.iter().all(|problem| problem.op != Some(found)).then_some(found)
    }

    /// Gives an op the table of an earlier one.
    fn same_as(&mut self, ops: &[OpIndex], which: usize, other: usize) -> OpIndex {
        let index: OpIndex = ops[other].clone();
        for map in index.maps {
            if let Some(live) = self.live_maps.get(&(other, map)).copied() {
                let known = self.live_maps.entry((which, map)).or_default();
                *known = known.or(live);
            }
        }
        index
    }

    fn op(&mut self, promotion: &Promotion<'_>, which: usize, promoted: &Occurring) -> OpIndex {
        if let Some(known) = self.fixed_ops.get(&which) {
            return known.clone();
        }
        let rules = self.rules;
        let op = &rules.ops[which];
        let by_pairs = op.looks_at_pairs();
        let mut index = OpIndex { maps: [0; 4], pairs: None, values: None };
        if by_pairs {
            let pairs = self.pairs(promotion, which);
            index.values = self.pairs_by_value(promotion, which, &pairs);
            index.pairs = Some(pairs);
        }
        let asked = match op.info.arity {
            // The operand of a custom op is what all of its inputs promote to, or its only input.
            _ if op.joins_operands() => [rules.all(); 4],
            2 if by_pairs => self.asked(promotion, Some(&index)),
            2 => *promoted,
            _ => promotion.occurring,
        };
        index.maps = Category::ALL.map(|category| {
            let category = match rules.effective(category) {
                // The operand of a custom op counts as an array.
                Category::ZeroDim | Category::Number if op.joins_operands() => Category::Array,
                category => category,
            };
            self.map(promotion, which, category, asked[category as usize])
        });
        let fixed = |block: &Block| !Eval::depends_on_setting(rules, block);
        let mentions = op.output.as_ref().is_some_and(|o| !matches!(o, Output::Const(_) | Output::Var(_)));
        let blocks = [&op.block, &rules.opmath, &rules.stored, &rules.promote, &rules.yields, &rules.check];
        if blocks.into_iter().all(fixed) && !mentions {
            self.fixed_ops.insert(which, index.clone());
        }
        index
    }

    /// Computes the pairs of each two categories.
    fn pairs(&mut self, promotion: &Promotion<'_>, which: usize) -> [[usize; 4]; 4] {
        let rules = self.rules;
        let op = &rules.ops[which];
        if !rules.weak && op.as_array.is_empty() && looks_at_dtypes_only(rules, op) {
            let one = self.pair(promotion, which, (Category::Array, Category::Array));
            return [[one; 4]; 4];
        }
        // Categories that share the rules of another one share its planes.
        let mut known = BTreeMap::new();
        Category::ALL.map(|a| {
            Category::ALL.map(|b| {
                let categories = (rules.effective(a), rules.effective(b));
                *known.entry(categories).or_insert_with(|| self.pair(promotion, which, categories))
            })
        })
    }

    /// Computes the pairs of each two categories once more, for operands whose value counts; `None` where the
    /// values change nothing.
    fn pairs_by_value(
        &mut self,
        promotion: &Promotion<'_>,
        which: usize,
        pairs: &[[usize; 4]; 4],
    ) -> Option<[[Option<usize>; 4]; 4]> {
        let rules = self.rules;
        let op = &rules.ops[which];
        if !rules.asks_values() || op.as_array.is_empty() && !pairs_depend_on_common(op) {
            return None;
        }
        let mut known = BTreeMap::new();
        let planes = Category::ALL.map(|a| {
            Category::ALL.map(|b| {
                let (x, y) = (op.counts_as(a), op.counts_as(b));
                promotion.by_value[x.min(y) as usize][x.max(y) as usize]?;
                let plain = pairs[a as usize][b as usize];
                let categories = (rules.effective(a), rules.effective(b));
                *known.entry(categories).or_insert_with(|| {
                    let cells = self.pair_cells(promotion, which, categories, true);
                    let alike = cells.chunks(rules.dtypes.len()).zip(&self.tables.pairs[plain]).all(
                        |(cells, plain)| {
                            cells.iter().all(|cell| *cell == OpCell::Unreachable || cell == plain)
                        },
                    );
                    (!alike).then(|| keep(&mut self.pairs, &mut self.tables.pairs, cells))
                })
            })
        });
        planes.iter().flatten().any(Option::is_some).then_some(planes)
    }

    /// Returns what two operands promote to; `value` stands for the value of the lower one.
    fn common(&self, promotion: &Promotion<'_>, a: Operand, b: Operand, value: Option<DTypeId>) -> Cell {
        let n = self.rules.dtypes.len();
        let (a, b) = if a.category <= b.category { (a, b) } else { (b, a) };
        let (i, j, pair) = (a.category as usize, b.category as usize, a.dtype.index() * n + b.dtype.index());
        match value {
            None => self.tables.planes[promotion.planes[i][j]][pair],
            Some(value) => promotion.by_value[i][j]
                .map_or(Cell::Unreachable, |plane| self.tables.planes[plane][pair * n + value.index()]),
        }
    }

    /// Returns the common dtypes that the clauses of one pattern have to decide: those of operands for which
    /// no clause of two patterns decides. Without `index` there are no such clauses.
    fn asked(&self, promotion: &Promotion<'_>, index: Option<&OpIndex>) -> Occurring {
        let mut asked = Occurring::default();
        let mut seen = Vec::new();
        for (a, b) in Category::ALL.iter().flat_map(|a| Category::ALL.map(|b| (*a, b))) {
            let (low, high) = (a.min(b) as usize, a.max(b) as usize);
            let (i, j) = (a as usize, b as usize);
            let asking = Asking {
                operands: (promotion.occurring[i], promotion.occurring[j]),
                sorted: a <= b,
                higher: self.rules.higher(self.rules.effective(a), self.rules.effective(b)),
                plane: promotion.planes[low][high],
                pairs: index.and_then(|index| index.pairs).map(|planes| planes[i][j]),
                by_value: promotion.by_value[low][high],
                pairs_by_value: index.and_then(|index| index.values).and_then(|planes| planes[i][j]),
            };
            if !seen.contains(&asking) {
                self.ask(&asking, &mut asked);
                seen.push(asking);
            }
        }
        asked
    }

    /// Adds what the operands of two categories promote to, where no clause of two patterns decides.
    fn ask(&self, asking: &Asking, asked: &mut Occurring) {
        let (tables, n) = (&self.tables, self.rules.dtypes.len());
        let plane = &tables.planes[asking.plane];
        let pairs = asking.pairs.map(|pairs| &tables.pairs[pairs]);
        let pairs_by_value = asking.pairs_by_value.map(|pairs| &tables.pairs[pairs]);
        let mut add = |common: Cell| {
            if let Cell::Resolved(dtype, weak, _) = common {
                asked[if weak { Category::Weak } else { asking.higher } as usize].insert(dtype);
            }
        };
        for left in asking.operands.0.iter() {
            for right in asking.operands.1.iter() {
                let written = left.index() * n + right.index();
                let sorted = if asking.sorted { written } else { right.index() * n + left.index() };
                let open = pairs.is_none_or(|pairs| pairs[written] == OpCell::ByCommon);
                if open {
                    add(plane[sorted]);
                }
                let Some(by_value) = asking.by_value.map(|plane| &tables.planes[plane]) else { continue };
                for value in 0..n {
                    let decides = |pairs: &Vec<OpCell>| pairs[written * n + value] != OpCell::ByCommon;
                    if !pairs_by_value.map_or(!open, decides) {
                        add(by_value[sorted * n + value]);
                    }
                }
            }
        }
    }

    /// Computes the result of an op for each common dtype. Dtypes outside of `asked` need no clause.
    fn map(&mut self, promotion: &Promotion<'_>, which: usize, category: Category, asked: DTypeSet) -> usize {
        let mut cells = Vec::with_capacity(self.rules.dtypes.len());
        let mut all_live = DTypeSet::default();
        for dtype in self.rules.ids() {
            let c = Operand { dtype, category };
            let live = self.reach.contains(c) && asked.contains(dtype);
            if live {
                all_live.insert(dtype);
            }
            let (clause, outcome) = self.eval(promotion.values, live).op_common(&self.rules.ops[which], c);
            cells.push(self.op_cell(promotion.at, which, (c, None), live, clause, outcome));
        }
        let map = keep(&mut self.maps, &mut self.tables.maps, cells);
        let known = self.live_maps.entry((which, map)).or_default();
        *known = known.or(all_live);
        map
    }

    /// Returns the plane of two categories.
    fn pair(&mut self, promotion: &Promotion<'_>, which: usize, categories: (Category, Category)) -> usize {
        let cells = self.pair_cells(promotion, which, categories, false);
        keep(&mut self.pairs, &mut self.tables.pairs, cells)
    }

    /// Computes the results of the clauses of two patterns for each pair. `by_value` adds a dimension, the
    /// dtype that stands for the value of the lower operand.
    fn pair_cells(
        &mut self,
        promotion: &Promotion<'_>,
        which: usize,
        (a, b): (Category, Category),
        by_value: bool,
    ) -> Vec<OpCell> {
        let rules = self.rules;
        let op = &rules.ops[which];
        // As the op sees them.
        let (as_a, as_b) = (op.counts_as(a), op.counts_as(b));
        let count_as_arrays = (as_a, as_b) != (a, b);
        let higher = rules.higher(as_a, as_b);
        let stand_ins = self.stand_ins(by_value);
        let mut cells = Vec::with_capacity(rules.dtypes.len() * rules.dtypes.len() * stand_ins.len());
        for x in rules.ids() {
            for y in rules.ids() {
                let (x, y) = (Operand { dtype: x, category: a }, Operand { dtype: y, category: b });
                if !self.reach.contains(x) || !self.reach.contains(y) {
                    cells.resize(cells.len() + stand_ins.len(), OpCell::Unreachable);
                    continue;
                }
                let live = promotion.occurs(x) && promotion.occurs(y);
                let (x, y) = (Operand { category: as_a, ..x }, Operand { category: as_b, ..y });
                for value in &stand_ins {
                    let promoted = self.common(promotion, x, y, *value);
                    let common = match promoted {
                        Cell::Resolved(dtype, weak, _) => {
                            let category = if weak { Category::Weak } else { higher };
                            Some(Operand { dtype, category })
                        }
                        // The operand's kind has no such value.
                        Cell::Unreachable if by_value => {
                            cells.push(OpCell::Unreachable);
                            continue;
                        }
                        Cell::Refused(_) | Cell::Unreachable => None,
                    };
                    let found = self.eval(promotion.values, live).op_pair(op, x, y, common);
                    cells.push(match found {
                        // The promotion of the operands' own categories does not count.
                        None if count_as_arrays => {
                            self.cell_of_arrays(promotion, which, (x, y), live, (promoted, common))
                        }
                        None => OpCell::ByCommon,
                        Some((clause, outcome)) => {
                            self.op_cell(promotion.at, which, (x, Some(y)), live, Some(clause), outcome)
                        }
                    });
                }
            }
        }
        cells
    }

    /// Computes the cell of two operands that no clause of two patterns decides, where one of them counts as
    /// an array: from what they promote to as arrays.
    fn cell_of_arrays(
        &mut self,
        promotion: &Promotion<'_>,
        which: usize,
        (x, y): (Operand, Operand),
        live: bool,
        (promoted, common): (Cell, Option<Operand>),
    ) -> OpCell {
        let (by, common) = match (promoted, common) {
            (Cell::Resolved(_, _, clause), Some(common)) if live => (clause, common),
            (Cell::Refused(clause), _) => return OpCell::Refused(clause),
            _ => return OpCell::Unreachable,
        };
        let (clause, outcome) = self.eval(promotion.values, live).op_common(&self.rules.ops[which], common);
        self.op_cell(promotion.at, which, (x, Some(y)), live, clause.or(Some(by)), outcome)
    }

    fn op_cell(
        &mut self,
        setting: usize,
        op: usize,
        operands: (Operand, Option<Operand>),
        live: bool,
        clause: Option<ClauseId>,
        outcome: Result<OpOutcome, Stop>,
    ) -> OpCell {
        match outcome {
            Ok(OpOutcome { common, compute, output }) => {
                let weak = output.category == Category::Weak;
                OpCell::Resolved { common, compute, output: output.dtype, weak, clause }
            }
            Err(Stop::Refused(clause)) => OpCell::Refused(clause),
            Err(stop) => {
                if live {
                    self.problems.push(Problem { setting, op: Some(op), operands, stop });
                }
                OpCell::Unreachable
            }
        }
    }
}

/// Returns the clauses of an op that are tried on two operands: all up to the last one of two patterns.
fn tried_on_pairs(op: &Op) -> &[Clause] {
    let last = op.block.iter().rposition(Clause::sees_operands);
    &op.block[..last.map_or(0, |at| at + 1)]
}

/// Returns true if the clauses that are tried on two operands look at what these promote to.
fn pairs_depend_on_common(op: &Op) -> bool {
    tried_on_pairs(op).iter().any(|clause| !clause.sees_operands() || clause.names(Var::Common))
        || op.output.as_ref().is_some_and(|output| output.names(Var::Common))
}

/// Returns true if what the clauses of two patterns give depends on nothing but the two dtypes.
fn looks_at_dtypes_only(rules: &Rules, op: &Op) -> bool {
    let blind = |pattern: &Pattern| pattern.categories == Categories::ALL;
    let names_categories =
        |clause: &Clause| matches!(&clause.patterns, Patterns::One(pattern) if !blind(pattern));
    if rules.opmath.iter().any(names_categories) {
        return false;
    }
    let fixed = |output: &Output| matches!(output, Output::Refuse(_) | Output::Const(_) | Output::Param(_));
    tried_on_pairs(op).iter().all(|clause| match &clause.patterns {
        Patterns::Two(a, b) => blind(a) && blind(b) && clause.outputs().all(fixed) && clause.guard.is_none(),
        Patterns::Same(_) => clause.outputs().all(fixed) && clause.guard.is_none(),
        Patterns::Any | Patterns::One(_) => false,
    }) && op.output.as_ref().is_none_or(|o| fixed(o) || matches!(o, Output::Var(Var::Result)))
}
