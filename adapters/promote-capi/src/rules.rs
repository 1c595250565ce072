//! The version of the interface, and rule sets by name.

use std::ffi::c_char;
use std::sync::{LazyLock, Mutex, PoisonError};

use promote::{RULE_SETS, RuleSet, rule_set};

use crate::error::{Failure, PromoteStatus, guard};
use crate::names::{Names, c_names, name_at};
use crate::pointer::{Place, get, text};

/// The version of this interface in the header. It changes if programs have to be compiled again, or changed.
pub const PROMOTE_API_MAJOR: u32 = 1;
/// The version of this interface in the header. It grows if functions or numbers are added.
pub const PROMOTE_API_MINOR: u32 = 0;

/// A rule set with values for its parameters. It lives as long as the program: do not free it. All threads
/// may use it at once.
pub struct PromoteRules(RuleSet);

/// Returns the rule set behind a pointer.
///
/// # Safety
///
/// The pointer is null or comes from this library.
pub(crate) unsafe fn rules(pointer: *const PromoteRules) -> Result<RuleSet, Failure> {
    // SAFETY: rule sets live as long as the program, and nothing writes to them.
    unsafe { get(pointer, "rules").map(|rules| rules.0) }
}

/// Returns the rule set at its address, which is the same for equal rule sets. There are few: one for each
/// choice of parameters that the program asks for.
fn at_address(rules: RuleSet) -> *const PromoteRules {
    static KNOWN: Mutex<Vec<&'static PromoteRules>> = Mutex::new(Vec::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = known.iter().find(|found| found.0 == rules) {
        return *found;
    }
    let made: &'static PromoteRules = Box::leak(Box::new(PromoteRules(rules)));
    known.push(made);
    made
}

/// Returns the version of the library, such as `0.1.0`. Do not free it.
#[unsafe(no_mangle)]
pub extern "C" fn promote_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// Checks that the library fits the header: `promote_check_api(PROMOTE_API_MAJOR, PROMOTE_API_MINOR)`.
///
/// The major versions must be equal, and the library must not have a lower minor version.
#[unsafe(no_mangle)]
pub extern "C" fn promote_check_api(major: u32, minor: u32) -> PromoteStatus {
    guard(|| {
        if major == PROMOTE_API_MAJOR && (0..=PROMOTE_API_MINOR).contains(&minor) {
            return Ok(());
        }
        Err(Failure::new(
            PromoteStatus::Version,
            format!(
                "the header has version {major}.{minor} of the interface, and the library has version \
                 {PROMOTE_API_MAJOR}.{PROMOTE_API_MINOR}; help: build with the header of this library, which \
                 is that of promote-capi {}",
                env!("CARGO_PKG_VERSION")
            ),
        ))
    })
}

static RULE_SET_NAMES: Names = LazyLock::new(|| c_names(RULE_SETS.iter().copied()));

/// Returns the name of the bundled rule set at a position, counted from 0; null if there are not as many. Do
/// not free it.
#[unsafe(no_mangle)]
pub extern "C" fn promote_rules_name(position: usize) -> *const c_char {
    name_at(&RULE_SET_NAMES, Some(position))
}

/// Finds the bundled rule set with a name, such as `torch`, with the default values of its parameters.
///
/// # Safety
///
/// `name` is null or a C string. `rules` is null or points to memory for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn promote_rules_find(
    name: *const c_char,
    rules: *mut *const PromoteRules,
) -> PromoteStatus {
    guard(|| {
        // SAFETY: as the caller promises.
        let (name, place) = unsafe { (text(name, "name")?, Place::new(rules, "rules")?) };
        let found = rule_set(name).ok_or_else(|| {
            Failure::argument(format!(
                "this build has no rule set `{name}`; help: its rule sets are {}; others are features of \
                 promote-capi",
                RULE_SETS.join(", ")
            ))
        })?;
        place.write(at_address(found));
        Ok(())
    })
}

/// Finds a rule set with another value of a parameter, such as `default_dtype` and `f64` under PyTorch's
/// rules.
///
/// # Safety
///
/// `rules` is null or comes from this library. `parameter` and `value` are null or C strings. `changed` is
/// null or points to memory for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn promote_rules_with(
    rules: *const PromoteRules,
    parameter: *const c_char,
    value: *const c_char,
    changed: *mut *const PromoteRules,
) -> PromoteStatus {
    guard(|| {
        // SAFETY: as the caller promises.
        let (rules, parameter, value, changed) = unsafe {
            let names = (text(parameter, "parameter")?, text(value, "value")?);
            (self::rules(rules)?, names.0, names.1, Place::new(changed, "changed")?)
        };
        let found = rules.with(parameter, value).ok_or_else(|| {
            Failure::argument(format!(
                "{} has no parameter `{parameter}` with a value `{value}`; help: `promote list` prints its \
                 parameters",
                rules.name()
            ))
        })?;
        changed.write(at_address(found));
        Ok(())
    })
}
