//! The table of settings.

use std::time::Duration;

use toml::de::DeValue;

use crate::model::change::LEAST_MEMORY;
use crate::model::plan::size_word;
use crate::model::target::parse_size;
use crate::ui::Colours;

use super::{ColourChoice, LogLevel, Settings};

/// A setting.
pub(super) struct Key {
    /// Its table in the file; empty at the top.
    pub section: &'static str,
    pub name: &'static str,
    /// What values it takes, for error messages.
    pub expects: &'static str,
    /// Takes the value; none if it is not one of those.
    pub set: fn(&mut Settings, &DeValue<'_>) -> Option<()>,
    /// The value as TOML.
    pub get: fn(&Settings) -> String,
}

/// All settings but the locations, in the order of the example file.
pub(super) const KEYS: &[Key] = &[
    Key {
        section: "",
        name: "color",
        expects: "\"auto\", \"truecolor\", \"256\", \"16\" or \"none\"",
        set: |settings, value| {
            settings.colour = word(value, COLOURS)?;
            Some(())
        },
        get: |settings| name(settings.colour, COLOURS),
    },
    Key {
        section: "",
        name: "ascii",
        expects: "\"auto\", true or false",
        set: |settings, value| {
            settings.ascii = match value.as_str() {
                Some("auto") => None,
                _ => Some(value.as_bool()?),
            };
            Some(())
        },
        get: |settings| settings.ascii.map_or("\"auto\"".into(), |ascii| ascii.to_string()),
    },
    Key {
        section: "",
        name: "mouse",
        expects: "true or false",
        set: |settings, value| {
            settings.mouse = value.as_bool()?;
            Some(())
        },
        get: |settings| settings.mouse.to_string(),
    },
    Key {
        section: "",
        name: "profile",
        expects: PROFILES,
        set: |settings, value| {
            settings.profile = value.as_str()?.parse().ok()?;
            Some(())
        },
        get: |settings| format!("\"{}\"", settings.profile),
    },
    Key {
        section: "live",
        name: "interval",
        expects: "a whole number of seconds from 0 (off) to 3600",
        set: |settings, value| {
            let number = value.as_integer().filter(|n| n.radix() == 10)?.as_str().parse().ok()?;
            settings.interval = Some(number).filter(|n| *n <= 3600)?;
            Some(())
        },
        get: |settings| settings.interval.to_string(),
    },
    Key {
        section: "sql",
        name: "max_rows",
        expects: "a whole number from 1 to 1000000",
        set: |settings, value| {
            let number = value.as_integer().filter(|n| n.radix() == 10)?.as_str().parse().ok()?;
            settings.sql_max_rows = Some(number).filter(|n| (1..=1_000_000).contains(n))?;
            Some(())
        },
        get: |settings| settings.sql_max_rows.to_string(),
    },
    Key {
        section: "sql",
        name: "memory_limit",
        expects: "\"auto\" or a size such as \"512 MiB\" or \"4 GiB\" (at least 64 MiB)",
        set: |settings, value| {
            settings.sql_limits.memory = match value.as_str()? {
                "auto" => None,
                size => Some(mebibytes(size).filter(|n| *n >= 64)? << 20),
            };
            Some(())
        },
        get: |settings| match settings.sql_limits.memory {
            None => "\"auto\"".into(),
            Some(bytes) => format!("\"{} MiB\"", bytes >> 20),
        },
    },
    Key {
        section: "sql",
        name: "timeout",
        expects: "a whole number of seconds, 0 for none",
        set: |settings, value| {
            let seconds: u64 = value.as_integer().filter(|n| n.radix() == 10)?.as_str().parse().ok()?;
            settings.sql_limits.time = (seconds > 0).then(|| Duration::from_secs(seconds));
            Some(())
        },
        get: |settings| settings.sql_limits.time.map_or(0, |t| t.as_secs()).to_string(),
    },
    Key {
        section: "tune",
        name: "memory",
        expects: "\"auto\" or a size such as \"512MB\", at least \"64MB\"",
        set: |settings, value| {
            settings.tune_memory = match value.as_str()? {
                "auto" => None,
                size => Some(parse_size(size).filter(|bytes| *bytes >= LEAST_MEMORY)?),
            };
            Some(())
        },
        get: |settings| settings.tune_memory.map_or("\"auto\"".into(), |n| format!("\"{}\"", size_word(n))),
    },
    Key {
        section: "log",
        name: "level",
        expects: "\"off\", \"error\", \"warn\", \"info\", \"debug\" or \"trace\"",
        set: |settings, value| {
            settings.log_level = word(value, LEVELS)?;
            Some(())
        },
        get: |settings| name(settings.log_level, LEVELS),
    },
];

/// Of [`crate::advice::Profile`].
const PROFILES: &str =
    "\"spark\", \"databricks\", \"fabric-sql\", \"direct-lake\", \"duckdb\" or \"delta-rs\"";

const COLOURS: &[(&str, ColourChoice)] = &[
    ("auto", ColourChoice::Auto),
    ("truecolor", ColourChoice::Exactly(Colours::True)),
    ("256", ColourChoice::Exactly(Colours::Indexed)),
    ("16", ColourChoice::Exactly(Colours::Sixteen)),
    ("none", ColourChoice::Exactly(Colours::None)),
];

pub(super) const LEVELS: &[(&str, LogLevel)] = &[
    ("off", LogLevel::Off),
    ("error", LogLevel::Error),
    ("warn", LogLevel::Warn),
    ("info", LogLevel::Info),
    ("debug", LogLevel::Debug),
    ("trace", LogLevel::Trace),
];

/// A size in MiB, written `512 MiB` or `4 GiB`.
fn mebibytes(text: &str) -> Option<u64> {
    let (number, factor) = match text.trim().strip_suffix("GiB") {
        Some(number) => (number, 1024),
        None => (text.trim().strip_suffix("MiB")?, 1),
    };
    let number: u64 = number.trim().parse().ok()?;
    number.checked_mul(factor).filter(|n| *n < 1 << 40)
}

fn word<T: Copy>(value: &DeValue<'_>, words: &[(&str, T)]) -> Option<T> {
    let text = value.as_str()?;
    words.iter().find(|(word, _)| *word == text).map(|(_, meaning)| *meaning)
}

fn name<T: PartialEq>(value: T, words: &[(&str, T)]) -> String {
    let word = words.iter().find(|(_, meaning)| *meaning == value);
    format!("\"{}\"", word.map_or("", |(word, _)| word))
}
