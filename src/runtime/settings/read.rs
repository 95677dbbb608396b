//! From the file's text to settings, with the line of whatever is wrong.

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use crate::lake::place::StorageOptions;
use crate::model::{Fault, Outcome};

use super::keys::KEYS;
use super::nearest::nearest;
use super::{Location, Settings, thresholds};

const LOCATIONS: &str = "locations";

/// Reads a configuration; `file` names it in messages.
///
/// # Errors
/// `config` (usage) for broken TOML, an unknown key, or a value that the key does not take.
pub fn parse(text: &str, file: &str) -> Outcome<Settings> {
    let source = Source { text, file };
    let root = DeTable::parse(text).map_err(|e| {
        source.fault(e.span().map_or(0, |s| s.start), "it is not valid TOML").because(e.message())
    })?;
    let mut settings = Settings::default();
    for (key, value) in root.get_ref() {
        match value.get_ref() {
            DeValue::Table(table) if key.get_ref() == LOCATIONS => {
                settings.locations = source.locations(table)?;
            }
            DeValue::Table(table) if key.get_ref() == thresholds::SECTION => {
                settings.thresholds = thresholds::read(source, table)?;
            }
            DeValue::Table(table) if KEYS.iter().any(|k| k.section == *key.get_ref()) => {
                for (inner, value) in table {
                    source.set(&mut settings, key.get_ref(), inner, value)?;
                }
            }
            _ => source.set(&mut settings, "", key, value)?,
        }
    }
    Ok(settings)
}

#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    text: &'a str,
    file: &'a str,
}

pub(super) type Name<'i> = Spanned<DeString<'i>>;
pub(super) type Value<'i> = Spanned<DeValue<'i>>;

impl Source<'_> {
    fn set(self, settings: &mut Settings, section: &str, name: &Name<'_>, value: &Value<'_>) -> Outcome<()> {
        let Some(key) = KEYS.iter().find(|k| k.section == section && k.name == name.get_ref()) else {
            let names = KEYS.iter().filter(|k| k.section == section).map(|k| k.name);
            let sections = KEYS
                .iter()
                .map(|k| k.section)
                .chain([LOCATIONS, thresholds::SECTION])
                .filter(|_| section.is_empty());
            return Err(self.unknown(section, name, names.chain(sections)));
        };
        (key.set)(settings, value.get_ref()).ok_or_else(|| self.wrong(section, name, value, key.expects))
    }

    fn locations(self, table: &DeTable<'_>) -> Outcome<std::collections::BTreeMap<String, Location>> {
        let named = table.iter().map(|(name, value)| {
            let Some(table) = value.get_ref().as_table() else {
                return Err(self.wrong(LOCATIONS, name, value, "a table with location and options"));
            };
            let section = format!("{LOCATIONS}.{}", name.get_ref());
            self.location(&section, name, table).map(|location| (name.get_ref().to_string(), location))
        });
        named.collect()
    }

    fn location(self, section: &str, name: &Name<'_>, table: &DeTable<'_>) -> Outcome<Location> {
        let mut location = None;
        let mut options = StorageOptions::new();
        for (key, value) in table {
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("location", DeValue::String(text)) if !text.is_empty() => location = Some(at_home(text)),
                ("location", _) => return Err(self.wrong(section, key, value, "a path or URL in quotes")),
                ("options", DeValue::Table(table)) => options = self.options(section, table)?,
                ("options", _) => return Err(self.wrong(section, key, value, "a table of storage options")),
                _ => return Err(self.unknown(section, key, ["location", "options"])),
            }
        }
        let location = location
            .ok_or_else(|| self.fault(name.span().start, format!("{section} has no \"location\"")))?;
        Ok(Location { location, options })
    }

    fn options(self, section: &str, table: &DeTable<'_>) -> Outcome<StorageOptions> {
        let pairs = table.iter().map(|(key, value)| {
            let text = match value.get_ref() {
                DeValue::String(text) => text.to_string(),
                DeValue::Boolean(b) => b.to_string(),
                DeValue::Integer(n) if n.radix() == 10 => n.as_str().to_owned(),
                _ => return Err(self.wrong(&format!("{section}.options"), key, value, "text in quotes")),
            };
            Ok((key.get_ref().to_string(), text))
        });
        pairs.collect()
    }

    pub(super) fn unknown<'a>(
        self,
        section: &str,
        name: &Name<'_>,
        words: impl IntoIterator<Item = &'a str>,
    ) -> Fault {
        let dotted = dotted(section, name);
        let fault = self.fault(name.span().start, format!("there is no setting \"{dotted}\""));
        match nearest(name.get_ref(), words.into_iter().filter(|w| !w.is_empty())) {
            Some(word) => fault.hint(format!("Did you mean \"{word}\"?")),
            None => fault.hint("deltop config show lists all settings"),
        }
    }

    /// The value itself is not quoted: it may be a credential on the wrong line.
    pub(super) fn wrong(self, section: &str, name: &Name<'_>, value: &Value<'_>, expects: &str) -> Fault {
        let what = format!("\"{}\" takes {expects}", dotted(section, name));
        self.fault(value.span().start, what)
            .because(format!("it is set to another {}", kind(value.get_ref())))
    }

    fn fault(self, at: usize, what: impl AsRef<str>) -> Fault {
        let before = self.text.as_bytes().iter().take(at);
        let line = before.filter(|b| **b == b'\n').count() + 1;
        Fault::usage("config", format!("Configuration {}, line {line}: {}", self.file, what.as_ref()))
    }
}

pub(super) fn dotted(section: &str, name: &Name<'_>) -> String {
    if section.is_empty() { name.get_ref().to_string() } else { format!("{section}.{}", name.get_ref()) }
}

fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "text",
        DeValue::Integer(_) | DeValue::Float(_) => "number",
        DeValue::Table(_) => "table",
        _ => "value",
    }
}

/// `~/…` as the shell would have it.
fn at_home(location: &str) -> String {
    let home = directories::BaseDirs::new();
    match (location.strip_prefix("~/"), home.as_ref().and_then(|h| h.home_dir().to_str())) {
        (Some(rest), Some(home)) => format!("{home}/{rest}"),
        _ => location.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::settings::LogLevel;

    fn fault(text: &str) -> Fault {
        parse(text, "c.toml").unwrap_err()
    }

    #[test]
    fn values_are_taken() {
        let text = "mouse = true\n[sql]\nmax_rows = 1_000\n[log]\nlevel = \"debug\"\n\
                    [locations.lake]\nlocation = \"s3://b/l\"\noptions = { a = \"x\", b = true, c = 3 }\n";
        let settings = parse(text, "c.toml").unwrap();
        assert!(settings.mouse);
        assert_eq!(settings.sql_max_rows, 1000);
        assert_eq!(settings.log_level, LogLevel::Debug);
        let values: Vec<&str> = settings.locations["lake"].options.iter().map(|(_, v)| v.as_str()).collect();
        assert_eq!(values, ["x", "true", "3"]);
        assert_eq!(parse("", "c.toml").unwrap(), Settings::default());
    }

    #[test]
    fn faults_name_line_and_key() {
        let unknown = fault("\nmouse = true\n\n[sql]\nmaxrows = 5\n");
        assert!(unknown.message.contains("c.toml, line 5") && unknown.message.contains("sql.maxrows"));
        assert_eq!(unknown.hint, "Did you mean \"max_rows\"?");
        assert_eq!(unknown.exit_status(), 2);
        assert_eq!(fault("colour = \"16\"").hint, "Did you mean \"color\"?");
        assert_eq!(fault("[location.x]\n").hint, "Did you mean \"locations\"?");
        let wrong = fault("[sql]\nmax_rows = 0\n");
        assert!(wrong.message.contains("line 2") && wrong.message.contains("1 to 1000000"), "{wrong:?}");
        assert!(fault("ascii = \"yes\"").message.contains("true or false"));
        assert!(fault("mouse = tru\n").message.contains("line 1"));
        assert!(fault("sql = 5").message.contains("sql"));
        assert!(fault("[locations.a]\n").message.contains("no \"location\""));
        assert!(fault("[locations]\na = 1\n").message.contains("locations.a"));
        assert!(
            fault("[locations.a]\nlocation = \"x\"\noptions = { k = [1] }").message.contains("options.k")
        );
    }

    #[test]
    fn a_wrong_value_is_not_quoted() {
        let fault = fault("color = \"hunter2\"");
        assert!(!format!("{fault:?}").contains("hunter2"));
    }
}
