//! The table of features and changes: `docs/features.md` is made from it and kept true here.

use std::fmt::Write;
use std::path::Path;

use deltop::model::features::{Condition, FEATURES, Feature, Rule};
use deltop::model::gate::Action;

/// Set to write the page anew.
const UPDATE: &str = "DELTOP_UPDATE_DOCS";

#[test]
fn the_page_on_features_is_true() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/features.md");
    let page = page();
    if std::env::var_os(UPDATE).is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(written, page, "make it anew with {UPDATE}=1");
}

fn page() -> String {
    let mut out = String::from(HEAD);
    let mut notes: Vec<&'static str> = Vec::new();
    for feature in FEATURES {
        let cells: Vec<String> =
            Action::ALL.iter().map(|action| cell(feature.rule(*action), &mut notes)).collect();
        let sql = if feature.sql { "yes" } else { "no" };
        let Feature { name, how, .. } = feature;
        writeln!(out, "| `{name}` | {sql} | {} | {how} |", cells.join(" | ")).unwrap();
    }
    out.push('\n');
    for (i, note) in notes.iter().enumerate() {
        writeln!(out, "{}. {note}", i + 1).unwrap();
    }
    out
}

fn cell(rule: Rule, notes: &mut Vec<&'static str>) -> String {
    let mut note = |why: &'static str| {
        let at = notes.iter().position(|n| *n == why).unwrap_or_else(|| {
            notes.push(why);
            notes.len() - 1
        });
        at + 1
    };
    match rule {
        Rule::May => "yes".into(),
        Rule::Not(why) => format!("no ({})", note(why)),
        Rule::NotIf(Condition::Property(key), why) => format!("not if `{key}` ({})", note(why)),
        Rule::NotIf(Condition::IdentityColumn, why) => format!("not with such columns ({})", note(why)),
    }
}

const HEAD: &str = "\
# What may be done with which table feature

Every table can be looked at, whatever its features: detail, files, partitions, columns, history. SQL and changes
depend on the features that the table's protocol lists. A change that a feature forbids ends with exit status 4 and
the feature's name, before anything of the table's data is read. A feature that is not in this list, or a protocol
version that is not published, forbids every change.

Rewrites and undo are commits of this program's own, without delta-rs' operations. The numbers in brackets lead to
the reasons below.

| feature | SQL | rewrite, optimize | vacuum | undo | repair | how it is done |
|---|---|---|---|---|---|---|
";
