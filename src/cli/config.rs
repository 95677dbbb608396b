//! `deltop config`: where the configuration is, what is in force, whether it is right.

use serde_json::json;

use super::args::ConfigCommand;
use super::output::{self, Format, Sink, failed};
use crate::model::{Fault, Outcome};
use crate::runtime::settings;

pub fn run(what: ConfigCommand, format: Format, out: &mut Sink) -> Outcome<()> {
    let path = settings::path().ok_or_else(|| {
        Fault::usage("config", "There is no place for a configuration file")
            .because("No home folder is known")
            .hint(format!("Set HOME, or {} to the file's path", settings::CONFIG_VARIABLE))
    })?;
    let (path, exists) = (path.display().to_string(), path.is_file());
    if what == ConfigCommand::Path {
        return match format {
            Format::Text => writeln!(out, "{}", crate::model::text::clean(&path)).map_err(failed),
            _ => output::object(out, format, &json!({"path": path, "exists": exists})),
        };
    }
    let settings = settings::load()?;
    match (what, format) {
        (ConfigCommand::Check, Format::Text) => {
            let verdict = if exists { "is right" } else { "does not exist; the defaults hold" };
            writeln!(out, "{} {verdict}", crate::model::text::clean(&path)).map_err(failed)
        }
        (ConfigCommand::Check, _) => {
            output::object(out, format, &json!({"path": path, "exists": exists, "valid": true}))
        }
        (_, Format::Text) => {
            let text = settings::show(&settings);
            out.write_all(crate::model::text::clean_lines(&text).as_bytes()).map_err(failed)
        }
        _ => output::object(out, format, &json!({"toml": settings::show(&settings)})),
    }
}
