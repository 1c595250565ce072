//! Computes every cell, and notes what no clause answers.

use std::collections::{BTreeMap, BTreeSet};

use super::reach::Reach;
use super::{Cell, NumberCell, OpCell, OpIndex, Setting, Tables};
use crate::eval::{Eval, Hits, OpOutcome, Params, Stop};
use crate::model::{
    Block, Categories, Category, ClauseId, DTypeId, DTypeSet, NumberKind, Op, Operand, Output, Patterns,
    Rules, Var,
};

/// Something that operands can ask for and that no clause answers.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) setting: usize,
    /// The op, where the question is an op's.
    pub(crate) op: Option<usize>,
    pub(crate) operands: (Operand, Option<Operand>),
    pub(crate) stop: Stop,
}

/// Two operands of one rank that give one thing in this order and another in the other.
#[derive(Debug)]
pub(crate) struct Asymmetry {
    pub(crate) setting: usize,
    pub(crate) operands: (Operand, Operand),
    pub(crate) straight: Cell,
    pub(crate) swapped: Cell,
}

/// The tables, and what is to be said about them.
pub(crate) struct Computed {
    pub(crate) tables: Tables,
    pub(crate) problems: Vec<Problem>,
    pub(crate) asymmetries: Vec<Asymmetry>,
    /// For each op and map of it, the common dtypes that it can be asked about.
    pub(crate) live_maps: BTreeMap<(usize, usize), DTypeSet>,
    /// Numbers that no clause speaks of.
    pub(crate) undecided_numbers: Vec<NumberKind>,
    pub(crate) hits: Hits,
}

/// The most choices of parameters that are tabulated ..
pub(crate) const MAX_SETTINGS: usize = 256;
/// .. and the most cells of one plane under all of them together.
pub(crate) const MAX_CELLS: usize = 1 << 18;

/// The most clauses of ops that look at operands, times cells, times settings.
pub(crate) const MAX_WORK: usize = 1 << 26;

/// Computes every cell.
pub(crate) fn compute(rules: &Rules) -> Computed {
    let hits = Hits::none(rules);
    let mut build = Build {
        rules,
        hits: &hits,
        scrap: &Hits::none(rules),
        tables: Tables::default(),
        problems: Vec::new(),
        asymmetries: Vec::new(),
        reach: Reach::default(),
        decided: BTreeMap::new(),
        compared: BTreeSet::new(),
        planes: BTreeMap::new(),
        maps: BTreeMap::new(),
        pairs: BTreeMap::new(),
        casts: BTreeMap::new(),
        fixed_planes: BTreeMap::new(),
        live_maps: BTreeMap::new(),
        stored: BTreeMap::new(),
        fixed_ops: BTreeMap::new(),
    };
    let choices = choices(rules);
    let mut undecided_numbers = Vec::new();
    let numbers: Vec<_> =
        choices.iter().map(|values| build.numbers(values, &mut undecided_numbers)).collect();
    let mut reach = Reach::default();
    for (values, numbers) in choices.iter().zip(&numbers) {
        reach.add(rules, build.eval(values, false), numbers);
    }
    build.reach = reach;
    for (values, numbers) in choices.into_iter().zip(numbers) {
        build.setting(values, numbers);
    }
    let Build { tables, problems, asymmetries, live_maps, .. } = build;
    Computed { tables, problems, asymmetries, live_maps, undecided_numbers, hits }
}

/// Every choice of the parameters, in the order of the values as written, the last parameter changing fastest.
fn choices(rules: &Rules) -> Vec<Vec<usize>> {
    rules.params.iter().fold(vec![Vec::new()], |choices, param| {
        let extend = |choice: &Vec<usize>| {
            let choice = choice.clone();
            (0..param.values.len())
                .map(move |value| [choice.as_slice(), &[value]].concat())
                .collect::<Vec<_>>()
        };
        choices.iter().flat_map(extend).collect()
    })
}

struct Build<'a> {
    rules: &'a Rules,
    hits: &'a Hits,
    /// Takes the hits of cells that nobody can ask for.
    scrap: &'a Hits,
    tables: Tables,
    problems: Vec<Problem>,
    asymmetries: Vec<Asymmetry>,
    reach: Reach,
    decided: BTreeMap<(Operand, Operand), Vec<Known>>,
    /// The planes whose two orders were compared.
    compared: BTreeSet<(Category, usize)>,
    planes: BTreeMap<Vec<Cell>, usize>,
    maps: BTreeMap<Vec<OpCell>, usize>,
    pairs: BTreeMap<Vec<OpCell>, usize>,
    casts: BTreeMap<Vec<Option<ClauseId>>, usize>,
    /// For each op and map of it, the common dtypes that it can be asked about.
    live_maps: BTreeMap<(usize, usize), DTypeSet>,
    /// Planes and ops that no parameter changes, from the first setting.
    fixed_planes: BTreeMap<(Category, Category, bool), usize>,
    stored: BTreeMap<Vec<(DTypeId, Option<ClauseId>)>, usize>,
    fixed_ops: BTreeMap<usize, OpIndex>,
}

/// What two operands promote to, under which setting and by which of its parameters.
struct Known {
    asked: Params,
    setting: Vec<usize>,
    cell: Cell,
}

impl Build<'_> {
    fn eval<'e>(&'e self, setting: &'e [usize], live: bool) -> Eval<'e> {
        Eval { rules: self.rules, setting, hits: if live { self.hits } else { self.scrap } }
    }

    fn numbers(&self, values: &[usize], undecided: &mut Vec<NumberKind>) -> [NumberCell; 4] {
        NumberKind::ALL.map(|kind| match self.eval(values, true).number(kind) {
            Ok(found) => NumberCell::Gives(found.operand, found.clause),
            Err(Stop::Refused(clause)) => NumberCell::Refused(clause),
            Err(_) => {
                if !self.rules.numbers.is_empty() && !undecided.contains(&kind) {
                    undecided.push(kind);
                }
                NumberCell::Undefined
            }
        })
    }

    fn setting(&mut self, values: Vec<usize>, numbers: [NumberCell; 4]) {
        let at = self.tables.settings.len();
        let (mut planes, mut by_value) = ([[0; 4]; 4], [[None; 4]; 4]);
        // Categories that follow the rules of another are not asked again.
        let mut known = BTreeMap::new();
        for (i, a) in Category::ALL.into_iter().enumerate() {
            for (j, b) in Category::ALL.into_iter().enumerate().skip(i) {
                let (x, y) = (self.rules.effective(a), self.rules.effective(b));
                planes[i][j] = *known.entry((x, y)).or_insert_with(|| self.plane(at, &values, x, y, false));
                if self.rules.asks_values() && self.rules.rank(a) != self.rules.rank(b) {
                    by_value[i][j] = Some(self.plane(at, &values, x, y, true));
                }
            }
        }
        let stored = self.store(at, &values);
        let mut ops = Vec::with_capacity(self.rules.ops.len());
        for which in 0..self.rules.ops.len() {
            let index = match self.like_another(which) {
                Some(other) => self.same_as(&ops, which, other),
                None => self.op(at, &values, which, &planes),
            };
            ops.push(index);
        }
        let casts = (0..self.rules.casts.len()).map(|level| self.cast(&values, level)).collect();
        self.tables.settings.push(Setting {
            choice: values,
            numbers,
            planes,
            values: by_value,
            stored,
            ops,
            casts,
        });
    }

    /// What arrays become when they are made, if a clause speaks of that.
    fn store(&mut self, at: usize, values: &[usize]) -> Option<usize> {
        let rules = self.rules;
        let mut cells = Vec::with_capacity(rules.dtypes.len());
        for dtype in rules.ids() {
            let array = Operand { dtype, category: Category::Array };
            let found = self.eval(values, true).stored(array);
            cells.push(found.unwrap_or_else(|stop| {
                self.problems.push(Problem { setting: at, op: None, operands: (array, None), stop });
                (dtype, None)
            }));
        }
        (!rules.stored.is_empty()).then(|| keep(&mut self.stored, &mut self.tables.stored, cells))
    }

    /// The cells of two categories; `by_value` asks for one more dimension, the dtype that stands for the value of `b`.
    fn plane(&mut self, at: usize, values: &[usize], a: Category, b: Category, by_value: bool) -> usize {
        let (a, b) = (a.min(b), a.max(b));
        if let Some(known) = self.fixed_planes.get(&(a, b, by_value)) {
            return *known;
        }
        let rules = self.rules;
        let n = rules.dtypes.len();
        if !self.reach.any(a) || !self.reach.any(b) {
            let nobody_asks = vec![Cell::Unreachable; n * n * if by_value { n } else { 1 }];
            return keep(&mut self.planes, &mut self.tables.planes, nobody_asks);
        }
        let mut cells = Vec::with_capacity(n * n);
        let kind = |id: DTypeId| rules.dtypes[id.index()].kind;
        for x in rules.ids() {
            for y in rules.ids() {
                let (x, y) = (Operand { dtype: x, category: a }, Operand { dtype: y, category: b });
                let reached = self.reach.contains(x) && self.reach.contains(y);
                let stand_ins: Vec<_> = if by_value { rules.ids().map(Some).collect() } else { vec![None] };
                for value in stand_ins {
                    // A value is of the kind of its number.
                    let live = reached && value.is_none_or(|value| kind(value) == kind(y.dtype));
                    if value.is_some() && !live {
                        cells.push(Cell::Unreachable);
                        continue;
                    }
                    cells.push(self.cell(at, values, (x, y), value, live));
                }
            }
        }
        let index = keep(&mut self.planes, &mut self.tables.planes, cells);
        // A plane of two categories does not say what comes of the other order: that is asked under each setting.
        let known = a == b && !self.compared.insert((a, index));
        if rules.rank(a) == rules.rank(b) && !by_value && !known {
            self.compare_orders(at, values, (a, b), index);
        }
        if [&rules.promote, &rules.yields, &rules.check]
            .iter()
            .all(|block| !Eval::depends_on_setting(rules, block))
        {
            self.fixed_planes.insert((a, b, by_value), index);
        }
        index
    }

    /// What two operands promote to. Most cells do not look at the parameters, or at some only: what is known of a setting that agrees
    /// in those is not decided again.
    fn cell(
        &mut self,
        at: usize,
        values: &[usize],
        (x, y): (Operand, Operand),
        value: Option<DTypeId>,
        live: bool,
    ) -> Cell {
        let known = self.decided.get(&(x, y)).filter(|_| value.is_none());
        let known =
            known.and_then(|known| known.iter().find(|known| known.asked.agree(&known.setting, values)));
        if let Some(known) = known {
            return known.cell;
        }
        let eval = self.eval(values, live);
        eval.hits.take_params();
        let found = eval.across(x, y, value);
        let asked = eval.hits.take_params();
        let cell = match found {
            Ok(found) => gives(found),
            Err(Stop::Refused(clause)) => Cell::Refused(clause),
            // Told for each setting: a mistake may name its parameters.
            Err(stop) => {
                if live {
                    let operands = (x, Some(y));
                    self.problems.push(Problem { setting: at, op: None, operands, stop });
                }
                return Cell::Unreachable;
            }
        };
        if value.is_none() {
            self.decided.entry((x, y)).or_default().push(Known { asked, setting: values.to_vec(), cell });
        }
        cell
    }

    /// Notes where two operands of one rank give something else the other way round.
    fn compare_orders(&mut self, at: usize, values: &[usize], (a, b): (Category, Category), index: usize) {
        let n = self.rules.dtypes.len();
        let cells = self.tables.planes[index].clone();
        for x in self.rules.ids() {
            for y in self.rules.ids() {
                let operands = (Operand { dtype: x, category: a }, Operand { dtype: y, category: b });
                let straight = cells[x.index() * n + y.index()];
                let swapped = if a == b {
                    cells[y.index() * n + x.index()]
                } else {
                    match self.eval(values, false).across(operands.1, operands.0, None) {
                        Ok(found) => gives(found),
                        Err(Stop::Refused(clause)) => Cell::Refused(clause),
                        Err(_) => Cell::Unreachable,
                    }
                };
                let live = self.reach.contains(operands.0) && self.reach.contains(operands.1);
                if live && !straight.says_as(swapped) {
                    self.asymmetries.push(Asymmetry { setting: at, operands, straight, swapped });
                }
            }
        }
    }

    /// An earlier op of which the file says the same, and that has no mistakes of which each op is told.
    fn like_another(&self, which: usize) -> Option<usize> {
        let ops = &self.rules.ops;
        let said = |op: &'_ Op| {
            let clauses: Vec<_> = op.block.iter().map(|clause| clause.id).collect();
            (op.info.arity, op.path.is_some(), clauses)
        };
        let this = said(&ops[which]);
        let found =
            (0..which).find(|other| ops[*other].output == ops[which].output && said(&ops[*other]) == this)?;
        self.problems.iter().all(|problem| problem.op != Some(found)).then_some(found)
    }

    /// What an earlier op of this setting does, as that of another.
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

    fn op(&mut self, at: usize, values: &[usize], which: usize, planes: &[[usize; 4]; 4]) -> OpIndex {
        if let Some(known) = self.fixed_ops.get(&which) {
            return known.clone();
        }
        let rules = self.rules;
        let op = &rules.ops[which];
        let looks = op.info.arity == 2 && op.block.iter().any(crate::model::Clause::sees_operands);
        let pairs = looks.then(|| {
            if !rules.weak && looks_at_dtypes_only(rules, op) {
                let one = self.pair(at, values, which, (Category::Array, Category::Array), planes);
                return [[one; 4]; 4];
            }
            // Categories that follow the rules of another are not asked again.
            let mut known = BTreeMap::new();
            Category::ALL.map(|a| {
                Category::ALL.map(|b| {
                    let categories = (rules.effective(a), rules.effective(b));
                    *known
                        .entry(categories)
                        .or_insert_with(|| self.pair(at, values, which, categories, planes))
                })
            })
        });
        let asked = pairs.as_ref().map(|pairs| self.asked(planes, pairs));
        let maps = Category::ALL.map(|category| {
            let category = match rules.effective(category) {
                // What all inputs of a user's op promote to stands for an array.
                Category::ZeroDim | Category::Number if op.path.is_some() => Category::Array,
                category => category,
            };
            self.map(at, values, which, category, asked.as_ref().map(|asked| asked[category as usize]))
        });
        let index = OpIndex { maps, pairs };
        let fixed = |block: &Block| !Eval::depends_on_setting(rules, block);
        let mentions = op.output.as_ref().is_some_and(|o| !matches!(o, Output::Const(_) | Output::Var(_)));
        if fixed(&op.block)
            && fixed(&rules.opmath)
            && fixed(&rules.promote)
            && fixed(&rules.yields)
            && fixed(&rules.check)
            && !mentions
        {
            self.fixed_ops.insert(which, index.clone());
        }
        index
    }

    fn cast(&mut self, values: &[usize], level: usize) -> usize {
        let rules = self.rules;
        let eval = self.eval(values, true);
        let refused = |from, to| match eval.cast(&rules.casts[level].block, from, to) {
            Some((clause, true)) => Some(clause),
            Some((_, false)) | None => None,
        };
        let cells = rules
            .ids()
            .flat_map(|from| rules.ids().map(move |to| (from, to)))
            .map(|(a, b)| refused(a, b))
            .collect();
        keep(&mut self.casts, &mut self.tables.casts, cells)
    }

    /// The common dtypes of each category that an op is asked about whose pairs these are: all others are decided before.
    fn asked(&self, planes: &[[usize; 4]; 4], pairs: &[[usize; 4]; 4]) -> [DTypeSet; 4] {
        let (n, rules) = (self.rules.dtypes.len(), self.rules);
        let mut asked = [DTypeSet::default(); 4];
        let mut seen = Vec::new();
        for a in Category::ALL {
            for b in Category::ALL {
                let higher = rules.higher(rules.effective(a), rules.effective(b));
                let plane = planes[a.min(b) as usize][a.max(b) as usize];
                let (pair, key) = (pairs[a as usize][b as usize], (a <= b, higher));
                if seen.contains(&(plane, pair, key)) {
                    continue;
                }
                seen.push((plane, pair, key));
                for (at, cell) in self.tables.pairs[pair].iter().enumerate() {
                    let common = if a <= b { at } else { at % n * n + at / n };
                    if let (OpCell::ByCommon, Cell::Gives(dtype, weak, _)) =
                        (*cell, self.tables.planes[plane][common])
                    {
                        asked[if weak { Category::Weak } else { higher } as usize].insert(dtype);
                    }
                }
            }
        }
        asked
    }

    fn map(
        &mut self,
        at: usize,
        values: &[usize],
        which: usize,
        category: Category,
        asked: Option<DTypeSet>,
    ) -> usize {
        let mut cells = Vec::with_capacity(self.rules.dtypes.len());
        let mut all_live = DTypeSet::default();
        for dtype in self.rules.ids() {
            let c = Operand { dtype, category };
            let live = self.reach.contains(c) && asked.is_none_or(|asked| asked.contains(dtype));
            if live {
                all_live.insert(dtype);
            }
            let (clause, outcome) = self.eval(values, live).op_common(&self.rules.ops[which], c);
            cells.push(self.op_cell(at, which, (c, None), live, clause, outcome));
        }
        let map = keep(&mut self.maps, &mut self.tables.maps, cells);
        let known = self.live_maps.entry((which, map)).or_default();
        *known = known.or(all_live);
        map
    }

    fn pair(
        &mut self,
        at: usize,
        values: &[usize],
        which: usize,
        (a, b): (Category, Category),
        planes: &[[usize; 4]; 4],
    ) -> usize {
        let (n, rules) = (self.rules.dtypes.len(), self.rules);
        let mut cells = Vec::with_capacity(n * n);
        for x in rules.ids() {
            for y in rules.ids() {
                let (first, second) = if a <= b { (x, y) } else { (y, x) };
                let plane = &self.tables.planes[planes[a.min(b) as usize][a.max(b) as usize]];
                let common = match plane[first.index() * n + second.index()] {
                    Cell::Gives(dtype, weak, _) => {
                        let category = if weak { Category::Weak } else { rules.higher(a, b) };
                        Some(Operand { dtype, category })
                    }
                    _ => None,
                };
                let (x, y) = (Operand { dtype: x, category: a }, Operand { dtype: y, category: b });
                let live = self.reach.contains(x) && self.reach.contains(y);
                if !live {
                    cells.push(OpCell::Unreachable);
                    continue;
                }
                let cell = match self.eval(values, live).op_pair(&rules.ops[which], x, y, common) {
                    None => OpCell::ByCommon,
                    Some((clause, outcome)) => {
                        self.op_cell(at, which, (x, Some(y)), live, Some(clause), outcome)
                    }
                };
                cells.push(cell);
            }
        }
        keep(&mut self.pairs, &mut self.tables.pairs, cells)
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
                OpCell::Gives { common, compute, output: output.dtype, weak, clause }
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

fn gives(found: crate::eval::Decided) -> Cell {
    Cell::Gives(found.operand.dtype, found.operand.category == Category::Weak, found.clause)
}

/// Whether what an op's clauses of two patterns give depends on nothing but the two dtypes.
fn looks_at_dtypes_only(rules: &Rules, op: &Op) -> bool {
    let blind = |pattern: &crate::model::Pattern| pattern.categories == Categories::ALL;
    let names_categories =
        |clause: &crate::model::Clause| matches!(&clause.patterns, Patterns::One(pattern) if !blind(pattern));
    if rules.opmath.iter().any(names_categories) {
        return false;
    }
    let fixed = |output: &Output| matches!(output, Output::Refuse(_) | Output::Const(_) | Output::Param(_));
    let last_pair = op.block.iter().rposition(crate::model::Clause::sees_operands);
    op.block.iter().take(last_pair.map_or(0, |at| at + 1)).all(|clause| match &clause.patterns {
        Patterns::Two(a, b) => blind(a) && blind(b) && clause.outputs().all(fixed) && clause.guard.is_none(),
        Patterns::Same(_) => clause.outputs().all(fixed) && clause.guard.is_none(),
        Patterns::Any | Patterns::One(_) => false,
    }) && op.output.as_ref().is_none_or(|o| fixed(o) || matches!(o, Output::Var(Var::C)))
}

/// The index of a plane, kept once.
fn keep<T: Ord + Clone>(known: &mut BTreeMap<Vec<T>, usize>, all: &mut Vec<Vec<T>>, plane: Vec<T>) -> usize {
    *known.entry(plane).or_insert_with_key(|plane| {
        all.push(plane.clone());
        all.len() - 1
    })
}
