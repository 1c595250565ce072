//! The settings of a session.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use datafusion_common::Result;
use datafusion_common::config::{ConfigEntry, ConfigExtension, ConfigOptions, ExtensionOptions};
use promote_rules::diag::did_you_mean;

use crate::rules::{Rules, bad};

/// The settings of a session: `SET promote.rules`, `SET promote.parameters` and `SET promote.mode`.
///
/// [`Session::options`](crate::Session::options) makes them, and DataFusion's configuration keeps them.
///
/// ```
/// use datafusion::prelude::SessionConfig;
/// use promote_datafusion::Session;
///
/// let mut config = SessionConfig::new().with_option_extension(Session::new().options());
/// config.options_mut().set("promote.rules", "numpy")?;
/// let error = config.options_mut().set("promote.rules", "numpi").unwrap_err();
/// assert!(error.to_string().contains("did you mean `numpy`?"));
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Options {
    choice: Choice,
    /// The value of `promote.rules` as it was set.
    rules: String,
    parameters: String,
    /// The last choice of the session, for the planner of SQL, to which DataFusion passes no configuration.
    shared: Shared,
}

/// The last choice of a session.
pub(crate) type Shared = Arc<RwLock<Choice>>;

/// The settings of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Choice {
    /// The rule set; `None` for DataFusion's own rules.
    pub(crate) rules: Option<Rules>,
    pub(crate) mode: Mode,
}

/// The mode of a session: what computes the values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Mode {
    /// Operands are cast, and DataFusion computes.
    #[default]
    Casts,
    /// Functions of this crate compute.
    Kernels,
}

impl Mode {
    const ALL: [Mode; 2] = [Mode::Casts, Mode::Kernels];

    fn name(self) -> &'static str {
        match self {
            Mode::Casts => "casts",
            Mode::Kernels => "kernels",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

const KEYS: [(&str, &str); 3] = [
    ("rules", "A rule set such as `torch`, the path of a rule file, or `off` for DataFusion's own rules"),
    (
        "parameters",
        "Parameters of the rule set, such as `default_dtype=f64`; `SET promote.rules` clears them",
    ),
    ("mode", "`casts` has DataFusion compute on operands that are cast, `kernels` computes by functions"),
];

impl Options {
    pub(crate) fn new(shared: &Shared) -> Options {
        Options { shared: Arc::clone(shared), rules: "off".to_owned(), ..Options::default() }
    }

    /// Returns the choice that a configuration has; DataFusion's own rules if it has none.
    pub(crate) fn choice(config: &ConfigOptions) -> Choice {
        config.extensions.get::<Options>().map(|options| options.choice.clone()).unwrap_or_default()
    }
}

impl ConfigExtension for Options {
    const PREFIX: &'static str = "promote";
}

impl ExtensionOptions for Options {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn cloned(&self) -> Box<dyn ExtensionOptions> {
        Box::new(self.clone())
    }

    fn set(&mut self, key: &str, value: &str) -> Result<()> {
        let value = value.trim();
        match key {
            "rules" => {
                let is_off = value.is_empty() || value.eq_ignore_ascii_case("off");
                self.choice.rules = if is_off { None } else { Some(Rules::find(value)?) };
                value.clone_into(&mut self.rules);
                self.parameters.clear();
            }
            "parameters" => {
                if self.choice.rules.is_none() {
                    return Err(bad("there is no rule set; help: `SET promote.rules` first".to_owned()));
                }
                self.choice.rules = Some(Rules::find(&self.rules)?.with(value)?);
                value.clone_into(&mut self.parameters);
            }
            "mode" => {
                let known = Mode::ALL.map(Mode::name);
                let mode = Mode::ALL.into_iter().find(|mode| mode.name().eq_ignore_ascii_case(value));
                self.choice.mode = mode.ok_or_else(|| {
                    let help = did_you_mean(value, known);
                    let help = help.unwrap_or_else(|| format!("the modes are {}", known.join(" and ")));
                    bad(format!("there is no mode `{value}`; help: {help}"))
                })?;
            }
            other => {
                let known = KEYS.map(|(key, _)| key);
                let help = did_you_mean(other, known);
                let help = help.unwrap_or_else(|| format!("the settings are {}", known.join(", ")));
                return Err(bad(format!("there is no setting `promote.{other}`; help: {help}")));
            }
        }
        self.choice.clone_into(&mut self.shared.write().unwrap_or_else(PoisonError::into_inner));
        Ok(())
    }

    fn entries(&self) -> Vec<ConfigEntry> {
        let values = [self.rules.clone(), self.parameters.clone(), self.choice.mode.to_string()];
        let entries = KEYS.into_iter().zip(values).map(|((key, description), value)| ConfigEntry {
            key: format!("promote.{key}"),
            value: Some(value),
            description,
        });
        entries.collect()
    }
}
