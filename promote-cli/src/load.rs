//! From a compiled rule file to a run-time rule set: where the two libraries meet.

use promote::kernel::KernelOp;
use promote::kernel::ops::words;
use promote::table::{Category, Clause, InPlace, NumberEntry, OpTable, Param, ScalarEntry, Setting};
use promote::{Casting, CustomDType, CustomOp, DType, Op, RuleSet, Tables};
use promote_rules::{Compiled, data, model};

/// The run-time rule set of a compiled rule file, with the kernels of this build.
///
/// Its tables live as long as the process, as those of a compiled set do: a dtype is known by its address.
///
/// # Errors
/// The names of ops that the run-time library does not know.
pub fn rule_set(compiled: &Compiled) -> Result<RuleSet, Vec<String>> {
    let Compiled { rules, tables } = compiled;
    let ops: Vec<OpTable> = rules.ops.iter().filter_map(op).collect();
    if ops.len() != rules.ops.len() {
        let unknown = rules.ops.iter().filter(|o| op(o).is_none());
        return Err(unknown.map(|op| op.name.clone()).collect());
    }
    let dtypes = leak(rules.dtypes.iter().map(dtype).collect());
    let tables: &'static Tables = Box::leak(Box::new(Tables {
        name: text(&rules.name.to_string()),
        file: text(&rules.files[0]),
        dtypes,
        places: Tables::places(dtypes),
        params: leak(rules.params.iter().map(|p| param(rules, p)).collect()),
        clauses: leak(rules.clauses.iter().map(|c| clause(rules, c)).collect()),
        ranks: data::ranks(rules),
        op_places: Tables::op_places(&ops),
        ops: leak(ops),
        settings: leak(tables.settings.iter().map(setting).collect()),
        planes: planes(&tables.planes, |cell| data::cell(*cell)),
        maps: planes(&tables.maps, |cell| data::op_cell(*cell)),
        pairs: planes(&tables.pairs, |cell| data::op_cell(*cell)),
        stored: planes(&tables.stored, |cell| data::stored(*cell)),
        castings: leak(rules.casts.iter().filter_map(casting).collect()),
        casts: planes(&tables.casts, |cell| data::cast(*cell)),
        inplace: rules.inplace.map(|inplace| match inplace {
            model::InPlace::Cast(level) => InPlace::Cast(level as u16),
            model::InPlace::Result => InPlace::Result,
        }),
        by_kind: rules.by_kind,
    }));
    Ok(RuleSet::new(tables).with_kernels(promote::__private::KERNELS))
}

fn leak<T>(list: Vec<T>) -> &'static [T] {
    Box::leak(list.into_boxed_slice())
}

fn text(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

fn dtype(dtype: &model::DType) -> DType {
    dtype.name.parse().unwrap_or_else(|_| {
        let custom = CustomDType::new(text(&dtype.name), dtype.bits, 1);
        DType::Custom(Box::leak(Box::new(custom)))
    })
}

fn param(rules: &model::Rules, param: &model::Param) -> Param {
    let values = param.values.iter().map(|value| text(&rules.value_text(value))).collect();
    Param { name: text(&param.name), values: leak(values), default: param.default as u16 }
}

fn clause(rules: &model::Rules, clause: &model::ClauseInfo) -> Clause {
    Clause {
        text: text(&clause.text),
        block: text(&clause.block),
        reason: clause.reason.as_deref().map(text),
        file: text(&rules.files[clause.layer]),
        line: clause.span.start().line as u32,
    }
}

fn op(op: &model::Op) -> Option<OpTable> {
    let kernel = KernelOp::from_name(&op.name);
    let bits = op.words().map(|(key, word)| words::of(key, word)).sum();
    Some(OpTable {
        op: match &op.path {
            Some(_) => Op::Custom(Box::leak(Box::new(CustomOp::named(text(&op.name))))),
            None => op.name.parse().ok()?,
        },
        kernel: kernel.map(|kernel| kernel.with_words(bits)),
        scalar: op.word("scalar").map_or(Some(ScalarEntry::Rounded), ScalarEntry::from_word)?,
        number: op.word("number").map_or(Some(NumberEntry::Wraps), NumberEntry::from_word)?,
        words: leak(op.words().collect()),
    })
}

fn casting(cast: &model::Cast) -> Option<Casting> {
    model::CASTINGS[cast.level].parse().ok()
}

fn setting(setting: &promote_rules::tables::Setting) -> Setting {
    let category = |category| match category {
        model::Category::Array => Category::Array,
        model::Category::ZeroDim => Category::ZeroDim,
        model::Category::Number => Category::Number,
        model::Category::Weak => Category::Weak,
    };
    Setting {
        numbers: data::numbers(setting).map(|(dtype, c, clause)| (dtype, category(c), clause)),
        planes: data::square(&setting.planes),
        values: data::sparse_square(&setting.values),
        stored: setting.stored.map_or(data::NO_PLANE, |plane| plane as u16),
        ops: leak(setting.ops.iter().flat_map(data::op_index).collect()),
        op_values: leak(data::op_values(setting)),
        casts: leak(setting.casts.iter().map(|plane| *plane as u16).collect()),
    }
}

fn planes<T, const N: usize>(planes: &[Vec<T>], encode: impl Fn(&T) -> [u8; N]) -> &'static [&'static [u8]] {
    leak(planes.iter().map(|plane| leak(plane.iter().flat_map(&encode).collect())).collect())
}
