//! The configuration file: what can be set, and what was set.
//!
//! Every setting is one row of `keys::KEYS`; reading, showing and checking go by that table.
//! `config.example.toml` holds each with its default, which a test compares.

mod keys;
mod locations;
mod nearest;
mod read;
mod thresholds;

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::advice::{Changes, Profile, Thresholds};
use crate::lake::sql::Limits;
use crate::model::{Fault, Outcome};
use crate::ui::Colours;

pub use locations::Location;
pub use nearest::nearest;
pub use read::parse;

/// Where the configuration file is looked for instead of the usual place.
pub const CONFIG_VARIABLE: &str = "DELTOP_CONFIG";

/// All settings, with their defaults where the file is silent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    pub colour: ColourChoice,
    /// Only ASCII characters; none: by terminal and locale.
    pub ascii: Option<bool>,
    /// Whether clicks and the wheel go to the program from the start.
    pub mouse: bool,
    /// Seconds between two looks for newer commits of the table on the screen; 0: none.
    pub interval: u32,
    /// Rows of a query's result that the screen fetches at most.
    pub sql_max_rows: usize,
    /// What a statement may use of memory and time.
    pub sql_limits: Limits,
    /// Bytes that rewriting a table may hold in memory; none: a quarter of the machine's.
    pub tune_memory: Option<u64>,
    pub log_level: LogLevel,
    /// Who reads the tables that are judged.
    pub profile: Profile,
    /// Thresholds of the advice that differ from the profile's.
    pub thresholds: Changes,
    /// Locations by name.
    pub locations: BTreeMap<String, Location>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            colour: ColourChoice::Auto,
            ascii: None,
            mouse: false,
            interval: 5,
            sql_max_rows: 10_000,
            sql_limits: Limits::default(),
            tune_memory: None,
            log_level: LogLevel::Info,
            profile: Profile::default(),
            thresholds: Changes::new(),
            locations: BTreeMap::new(),
        }
    }
}

impl Settings {
    /// What the advice goes by: the figures of the profile (none: the configured one), but for those
    /// that were set.
    pub fn thresholds(&self, profile: Option<Profile>) -> Outcome<Thresholds> {
        Thresholds::with(profile.unwrap_or(self.profile), &self.thresholds)
            .map_err(|e| Fault::usage("config", "The thresholds of the configuration do not fit").because(e))
    }
}

/// How many colours to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColourChoice {
    /// By terminal and `NO_COLOR`.
    Auto,
    Exactly(Colours),
}

/// What the log file records of the program's own work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogLevel {
    Off,
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

/// The configuration file's path, whether or not it exists; none without a home folder.
pub fn path() -> Option<PathBuf> {
    match std::env::var_os(CONFIG_VARIABLE).filter(|p| !p.is_empty()) {
        Some(path) => Some(path.into()),
        None => super::logging::folders().map(|folders| folders.config_dir().join("config.toml")),
    }
}

/// Reads the configuration file; without one, all defaults.
///
/// # Errors
/// `config` (usage) if it cannot be read, or holds a wrong key or value; the message names file,
/// line and key.
pub fn load() -> Outcome<Settings> {
    let Some(path) = path() else { return Ok(Settings::default()) };
    match std::fs::read_to_string(&path) {
        Ok(text) => parse(&text, &path.display().to_string()),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound && std::env::var_os(CONFIG_VARIABLE).is_none() => {
            Ok(Settings::default())
        }
        Err(e) => Err(Fault::usage("config", format!("Cannot read the configuration {}", path.display()))
            .because(e)
            .hint("deltop config path shows where it is looked for")),
    }
}

/// The settings in force, as a configuration file; values that may be secret are hidden.
pub fn show(settings: &Settings) -> String {
    let mut out = String::new();
    let mut section = "";
    for key in keys::KEYS {
        if key.section != section {
            section = key.section;
            out.push_str(&format!("\n[{section}]\n"));
        }
        out.push_str(&format!("{} = {}\n", key.name, (key.get)(settings)));
    }
    out.push_str(&thresholds::show(settings));
    for (name, location) in &settings.locations {
        out.push('\n');
        out.push_str(&location.show(name));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: &str = include_str!("../../../config.example.toml");

    #[test]
    fn the_example_holds_every_setting_with_its_default() {
        assert_eq!(parse(EXAMPLE, "example").unwrap(), Settings::default());
        let table: toml::Table = EXAMPLE.parse().unwrap();
        for key in keys::KEYS {
            let section = if key.section.is_empty() { Some(&table) } else { table[key.section].as_table() };
            assert!(section.is_some_and(|s| s.contains_key(key.name)), "{} is missing", key.name);
        }
    }

    #[test]
    fn the_example_of_a_location_is_right_too() {
        let commented = EXAMPLE.lines().skip_while(|l| !l.starts_with("#[locations."));
        let text: String = commented.map(|l| format!("{}\n", l.trim_start_matches('#'))).collect();
        let settings = parse(&text, "example").unwrap();
        assert_eq!(settings.locations.len(), 1);
        assert!(settings.locations.values().all(|l| !l.options.is_empty()));
    }

    #[test]
    fn the_example_holds_every_threshold_with_its_default() {
        let commented = EXAMPLE.lines().skip_while(|l| !l.starts_with("[thresholds]"));
        let until = commented.take_while(|l| !l.starts_with("# Locations"));
        let text: String = until
            .map(|l| format!("{}\n", l.strip_prefix('#').filter(|l| !l.starts_with(' ')).unwrap_or(l)))
            .collect();
        let settings = parse(&text, "example").unwrap();
        assert_eq!(settings.thresholds(None).unwrap(), Thresholds::default());
        let names = |m: &Changes| m.keys().cloned().collect::<std::collections::BTreeSet<_>>();
        let figures = Thresholds::default().figures();
        assert_eq!(names(&settings.thresholds), names(&figures));
        for (name, value) in &figures {
            if let (Some(all), Some(set)) = (value.as_object(), settings.thresholds[name].as_object()) {
                assert_eq!(names(all), names(set), "{name}");
            }
        }
    }

    #[test]
    fn what_is_shown_reads_back() {
        let settings = Settings {
            colour: ColourChoice::Exactly(Colours::Indexed),
            ascii: Some(true),
            mouse: true,
            interval: 60,
            sql_max_rows: 5,
            sql_limits: Limits { memory: Some(512 << 20), time: Some(std::time::Duration::from_secs(90)) },
            log_level: LogLevel::Debug,
            profile: Profile::DirectLake,
            thresholds: serde_json::from_str(r#"{"log_commits":7,"target":{"floor":9}}"#).unwrap(),
            ..Settings::default()
        };
        assert_eq!(parse(&show(&settings), "shown").unwrap(), settings);
        assert_eq!(parse(&show(&Settings::default()), "shown").unwrap(), Settings::default());
    }
}
