//! `docs/advice.md` is made from the table of rules and kept true here.

use std::fs;
use std::path::Path;

use deltop::advice::{Profile, RULES, Thresholds};

#[test]
fn the_rules_are_documented() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/advice.md");
    let is = page();
    if std::env::var_os("DELTOP_UPDATE_DOCS").is_some() {
        fs::write(&path, &is).unwrap();
    }
    let stands = fs::read_to_string(&path).unwrap_or_default();
    assert!(stands == is, "docs/advice.md is not what the rules say; DELTOP_UPDATE_DOCS=1 writes it anew");
}

fn page() -> String {
    let mut out = String::from(
        "# Advice\n\nMade from the table of rules by a test. `deltop advise` gives each finding with its figures, its \
         source\nand what mends it.\n\n| id | looks for |\n|---|---|\n",
    );
    for rule in RULES {
        out.push_str(&format!("| `{}` | {} |\n", rule.id, rule.about));
    }
    out.push_str(
        "\n## Profiles\n\nThresholds that differ from those of `spark`, which stand in `config.example.toml`.\n\n\
         | profile | threshold | is |\n|---|---|---|\n",
    );
    let base = Thresholds::default().figures();
    for profile in Profile::ALL {
        for (name, figure) in &Thresholds::of(profile).figures() {
            if base.get(name) != Some(figure) {
                out.push_str(&format!("| `{profile}` | `{name}` | `{figure}` |\n"));
            }
        }
    }
    out
}
