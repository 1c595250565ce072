//! Statements whose results differ, and the reasons.

/// A statement that gives another result with the rule set `datafusion`.
pub(crate) struct Excuse {
    /// A part of the statement.
    pub(crate) sql: &'static str,
    /// The modes in which the result differs.
    pub(crate) modes: &'static [&'static str],
    pub(crate) reason: &'static str,
}

pub(crate) const EXCUSED: [Excuse; 2] = [
    Excuse {
        sql: "IFNULL(column1, false) = IFNULL(column2, false)",
        modes: &["casts", "kernels"],
        reason: "`nvl` of a number and a boolean is text in DataFusion, and refused by the rule set",
    },
    Excuse {
        sql: "(isnan('-NaN'::double) AND '-NaN'::double < 0) b",
        modes: &["kernels"],
        reason: "a NaN with a sign is the least number in DataFusion, and a NaN as any other in kernels",
    },
];
