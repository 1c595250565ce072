//! Computes every cell, and records cells that no clause decides.

mod ops;

use std::collections::{BTreeMap, BTreeSet};

use super::reach::Reach;
use super::{Cell, NumberCell, OpCell, OpIndex, Setting, Tables};
use crate::eval::{Eval, Hits, Params, Stop};
use crate::model::{Category, ClauseId, DTypeId, DTypeSet, NumberKind, Operand, Rules};

/// A cell for operands that can occur, which no clause decides.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) setting: usize,
    /// The op, for a cell of an op.
    pub(crate) op: Option<usize>,
    pub(crate) operands: (Operand, Option<Operand>),
    pub(crate) stop: Stop,
}

/// Two operands of one rank whose result depends on their order.
#[derive(Debug)]
pub(crate) struct Asymmetry {
    pub(crate) setting: usize,
    pub(crate) operands: (Operand, Operand),
    pub(crate) straight: Cell,
    pub(crate) swapped: Cell,
}

/// The tables, with the facts about them that the checks need.
pub(crate) struct Computed {
    pub(crate) tables: Tables,
    pub(crate) problems: Vec<Problem>,
    pub(crate) asymmetries: Vec<Asymmetry>,
    /// For each op and map of it, the common dtypes that it can be asked about.
    pub(crate) live_maps: BTreeMap<(usize, usize), DTypeSet>,
    /// The kinds of numbers that no clause matches.
    pub(crate) undecided_numbers: Vec<NumberKind>,
    pub(crate) hits: Hits,
}

/// The limit of settings.
pub(crate) const MAX_SETTINGS: usize = 256;
/// The limit of cells of one plane under all settings together.
pub(crate) const MAX_CELLS: usize = 1 << 18;

/// The limit of clauses of ops that look at operands, times cells, times settings.
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

/// Returns every choice of the parameters, in the order of the values as written. The last parameter changes
/// fastest.
pub(crate) fn choices(rules: &Rules) -> Vec<Vec<usize>> {
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
    /// Records the clauses that decide cells of operands that cannot occur.
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

/// The promotion tables of one setting, from which the tables of its ops are made.
struct Promotion<'a> {
    /// The position of the setting.
    at: usize,
    /// The position of each parameter's value.
    values: &'a [usize],
    /// The planes, as in [`Setting::planes`].
    planes: [[usize; 4]; 4],
    /// The planes for known values, as in [`Setting::values`].
    by_value: [[Option<usize>; 4]; 4],
    /// The operands that can occur.
    occurring: Occurring,
}

/// Dtypes of each category.
type Occurring = [DTypeSet; 4];

impl Promotion<'_> {
    /// Returns true if there can be such an operand.
    fn occurs(&self, operand: Operand) -> bool {
        self.occurring[operand.category as usize].contains(operand.dtype)
    }
}

/// A computed result of promotion, with its setting and the parameters that it depends on.
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
            Ok(found) => NumberCell::Resolved(found.operand, found.clause),
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
        // Categories that share the rules of another one share its planes.
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
        let occurring = self.occurring(stored);
        let ops = self.ops(&Promotion { at, values: &values, planes, by_value, occurring });
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

    /// Computes the dtypes that arrays get when they are made, if there is a `stored` block.
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

    /// Returns the operands that can occur: arrays change when they are made.
    fn occurring(&self, stored: Option<usize>) -> Occurring {
        let made = |operand: &Operand| match (stored, operand.category) {
            (Some(plane), Category::Array | Category::ZeroDim) => {
                self.tables.stored[plane][operand.dtype.index()].0 == operand.dtype
            }
            _ => true,
        };
        Category::ALL.map(|category| {
            let operands = self.rules.ids().map(|dtype| Operand { dtype, category });
            let occurring = operands.filter(|operand| self.reach.contains(*operand) && made(operand));
            occurring.map(|operand| operand.dtype).collect()
        })
    }

    /// Computes the cells of two categories. `by_value` adds a dimension, the dtype that stands for the value
    /// of `b`.
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
                let low = if rules.rank(a) < rules.rank(b) { y } else { x };
                let reached = self.reach.contains(x) && self.reach.contains(y);
                for value in self.stand_ins(by_value) {
                    // A value is of the kind of its number.
                    let live = reached && value.is_none_or(|value| kind(value) == kind(low.dtype));
                    if value.is_some() && !live {
                        cells.push(Cell::Unreachable);
                        continue;
                    }
                    cells.push(self.cell(at, values, (x, y), value, live));
                }
            }
        }
        let index = keep(&mut self.planes, &mut self.tables.planes, cells);
        // A plane of two categories does not have the other order, which is compared under each setting.
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

    /// Returns the dtypes that can stand for a value, or none to stand for a value that is not known.
    fn stand_ins(&self, by_value: bool) -> Vec<Option<DTypeId>> {
        if by_value { self.rules.ids().map(Some).collect() } else { vec![None] }
    }

    /// Promotes two operands. Most cells depend on no parameter, or on a few: the result under a setting that
    /// agrees in those is used again.
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
            // Recorded for each setting, since a message may name its parameters.
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

    /// Records operands of one rank whose result depends on their order.
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
}

fn gives(found: crate::eval::Decided) -> Cell {
    Cell::Resolved(found.operand.dtype, found.operand.category == Category::Weak, found.clause)
}

/// Returns the position of a plane. Equal planes are kept once.
fn keep<T: Ord + Clone>(known: &mut BTreeMap<Vec<T>, usize>, all: &mut Vec<Vec<T>>, plane: Vec<T>) -> usize {
    *known.entry(plane).or_insert_with_key(|plane| {
        all.push(plane.clone());
        all.len() - 1
    })
}
