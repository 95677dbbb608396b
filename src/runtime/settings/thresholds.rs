//! The thresholds of the advice in the configuration: names and types are those of
//! [`Thresholds`], so that a new one needs nothing here.

use serde_json::Value as Json;
use toml::de::{DeTable, DeValue};

use super::Settings;
use super::read::{Source, Value, dotted};
use crate::advice::{Changes, Profile, Thresholds};
use crate::model::Outcome;

/// The table's name in the file.
pub(super) const SECTION: &str = "thresholds";

/// Reads the table.
pub(super) fn read(source: Source<'_>, table: &DeTable<'_>) -> Outcome<Changes> {
    group(source, SECTION, table, &Thresholds::default().figures())
}

fn group(source: Source<'_>, section: &str, table: &DeTable<'_>, figures: &Changes) -> Outcome<Changes> {
    let mut out = Changes::new();
    for (name, value) in table {
        let Some(figure) = figures.get(name.get_ref().as_ref()) else {
            return Err(source.unknown(section, name, figures.keys().map(String::as_str)));
        };
        let taken = match (figure, value.get_ref()) {
            (Json::Object(inner), DeValue::Table(table)) => {
                group(source, &dotted(section, name), table, inner)?.into()
            }
            _ => single(figure, value).ok_or_else(|| source.wrong(section, name, value, expects(figure)))?,
        };
        out.insert(name.get_ref().to_string(), taken);
    }
    Ok(out)
}

/// The value, if it is of the figure's type.
fn single(figure: &Json, value: &Value<'_>) -> Option<Json> {
    match (figure, value.get_ref()) {
        (Json::Bool(_), DeValue::Boolean(b)) => Some((*b).into()),
        (Json::Number(n), DeValue::Integer(i)) if i.radix() == 10 => {
            let whole: u64 = i.as_str().parse().ok()?;
            if n.is_f64() { Some((whole as f64).into()) } else { Some(whole.into()) }
        }
        (Json::Number(n), DeValue::Float(f)) if n.is_f64() => {
            let number: f64 = f.as_str().parse().ok().filter(|v: &f64| v.is_finite() && *v >= 0.0)?;
            Some(number.into())
        }
        _ => None,
    }
}

fn expects(figure: &Json) -> &'static str {
    match figure {
        Json::Bool(_) => "true or false",
        Json::Number(n) if n.is_f64() => "a number that is not negative",
        Json::Number(_) => "a whole number that is not negative",
        _ => "a table",
    }
}

/// All thresholds in force as a part of the file; those of the profile are comments.
pub(super) fn show(settings: &Settings) -> String {
    let mut out = format!("\n[{SECTION}]\n");
    lines(&mut out, "", &base(settings.profile), &settings.thresholds);
    out
}

fn base(profile: Profile) -> Changes {
    Thresholds::of(profile).figures()
}

fn lines(out: &mut String, prefix: &str, figures: &Changes, set: &Changes) {
    for (name, figure) in figures {
        let mine = set.get(name);
        match figure {
            Json::Object(inner) => {
                let none = Changes::new();
                let mine = mine.and_then(Json::as_object).unwrap_or(&none);
                lines(out, &format!("{prefix}{name}."), inner, mine);
            }
            _ => {
                let mark = if mine.is_some() { "" } else { "#" };
                out.push_str(&format!("{mark}{prefix}{name} = {}\n", mine.unwrap_or(figure)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;

    #[test]
    fn thresholds_are_read_and_faults_name_their_lines() {
        let text = "profile = \"direct-lake\"\n[thresholds]\nlog_commits = 10\nskew_gini = 1\ntarget.floor = 1_000\n";
        let settings = parse(text, "c").unwrap();
        let limits = settings.limits(None).unwrap();
        assert_eq!((limits.log_commits, limits.skew_gini, limits.target.floor), (10, 1.0, 1000));
        assert_eq!(limits.guardrail_files, 1000);
        for (wrong, says) in [
            ("log_comits = 1", "there is no setting \"thresholds.log_comits\""),
            ("log_commits = -1", "not negative"),
            ("log_commits = 1.5", "a whole number"),
            ("skew_gini = nan", "not negative"),
            ("wants_v_order = 1", "true or false"),
            ("target = 5", "a table"),
            ("target.flor = 5", "thresholds.target.flor"),
        ] {
            let fault = parse(&format!("[thresholds]\n\n{wrong}\n"), "c").unwrap_err();
            assert!(fault.message.contains(says) && fault.message.contains("line 3"), "{wrong}: {fault:?}");
        }
        assert!(parse("profile = \"excel\"", "c").unwrap_err().message.contains("direct-lake"));
    }
}
