//! Named locations and the storage options that hold for them and all below.

use std::fmt;

use crate::lake::place::StorageOptions;

use super::super::logging::is_secret;
use super::Settings;

/// A location with a name.
#[derive(Clone, PartialEq, Eq)]
pub struct Location {
    /// A path or URL.
    pub location: String,
    pub options: StorageOptions,
}

impl fmt::Debug for Location {
    /// Without the options' values: some are credentials.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let options: Vec<&str> = self.options.iter().map(|(key, _)| key.as_str()).collect();
        f.debug_struct("Location").field("location", &self.location).field("options", &options).finish()
    }
}

impl Location {
    /// As in the configuration file; values that may be secret are hidden.
    pub(super) fn show(&self, name: &str) -> String {
        let text = |text: &str| toml::Value::String(text.to_owned()).to_string();
        let mut out = format!("[locations.{}]\nlocation = {}\n", text(name), text(&self.location));
        if !self.options.is_empty() {
            let shown = |(key, value): &(String, String)| {
                let value = if is_secret(key) { "hidden" } else { value };
                format!("{} = {}", text(key), text(value))
            };
            let options: Vec<String> = self.options.iter().map(shown).collect();
            out.push_str(&format!("options = {{ {} }}\n", options.join(", ")));
        }
        out
    }

    fn holds(&self, location: &str) -> bool {
        let base = self.location.trim_end_matches('/');
        location.strip_prefix(base).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

impl Settings {
    /// The location that is meant by what was typed (a configured name, or a location itself),
    /// and its storage options: those of every configured location that it lies in, the nearest
    /// one winning, and above them those `given` on the command line.
    pub fn resolve(&self, typed: &str, given: &StorageOptions) -> (String, StorageOptions) {
        let location = self.locations.get(typed).map_or(typed, |l| &l.location);
        let mut around: Vec<&Location> = self.locations.values().filter(|l| l.holds(location)).collect();
        around.sort_by_key(|l| l.location.len());
        let mut options = StorageOptions::new();
        for (key, value) in around.iter().flat_map(|l| &l.options).chain(given) {
            options.retain(|(k, _)| k != key);
            options.push((key.clone(), value.clone()));
        }
        (location.to_owned(), options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(pairs: &[(&str, &str)]) -> StorageOptions {
        pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
    }

    fn settings() -> Settings {
        let location = |at: &str, pairs| Location { location: at.into(), options: options(pairs) };
        let lake = location("s3://b/lake/", &[("region", "x"), ("secret", "1")]);
        let sales = location("s3://b/lake/sales", &[("region", "y")]);
        let locations = [("lake".to_owned(), lake), ("sales".to_owned(), sales)];
        Settings { locations: locations.into(), ..Settings::default() }
    }

    #[test]
    fn names_and_prefixes_bring_their_options() {
        let given = options(&[("secret", "2")]);
        let (location, found) = settings().resolve("sales", &given);
        assert_eq!(location, "s3://b/lake/sales");
        assert_eq!(found, options(&[("region", "y"), ("secret", "2")]));
        let (_, found) = settings().resolve("s3://b/lake/other/t", &Vec::new());
        assert_eq!(found, options(&[("region", "x"), ("secret", "1")]));
        assert_eq!(settings().resolve("s3://b/lake2", &Vec::new()).1, options(&[]));
    }

    #[test]
    fn credentials_are_not_shown() {
        let shown = super::super::show(&settings()) + &format!("{:?}", settings());
        assert!(shown.contains("region") && shown.contains("\"x\"") && !shown.contains("\"1\""), "{shown}");
    }
}
