//! A change from the command line that a finding names.

use crate::model::change::{Change, Codec, Goal, Order, Rewrite, Scope, Vacuum};
use crate::model::plan::vacuum::Mode;
use crate::model::plan::{names_of, shell_word, shell_words};
use crate::model::target::parse_size;

fn rewriting(goal: Goal, order: Order, purge: bool) -> Change {
    match compaction() {
        Change::Rewrite(rewrite) => Change::Rewrite(Rewrite { goal, order, purge, ..rewrite }),
        other => other,
    }
}

/// To a number of files, which the form asks for.
pub fn to_files() -> Change {
    rewriting(Goal::Files { count: 1, per_partition: false }, Order::Kept, false)
}

/// To files of a size.
pub fn to_size() -> Change {
    rewriting(Goal::Size { bytes: 128 << 20 }, Order::Kept, false)
}

/// Along the curve of columns that the form asks for.
pub fn z_order() -> Change {
    rewriting(Goal::Compact { target: None }, Order::ZOrder(Vec::new()), false)
}

/// Files with a deletion vector, one by one.
pub fn purge() -> Change {
    rewriting(Goal::Each, Order::Kept, true)
}

/// Merges small files of the whole table.
pub fn compaction() -> Change {
    Change::Rewrite(Rewrite {
        goal: Goal::Compact { target: None },
        scope: Scope::Table,
        order: Order::Kept,
        codec: Codec::default(),
        row_group_rows: None,
        purge: false,
        stats: false,
        all: false,
    })
}

pub fn vacuum() -> Change {
    let mode = Mode::Lite;
    Change::Vacuum(Vacuum {
        mode,
        retain_hours: None,
        below_safe_retention: false,
        include_never_referenced: false,
    })
}

/// The command line of a vacuum; none of another change.
pub fn vacuum_command(location: &str, change: &Change) -> Option<String> {
    let Change::Vacuum(v) = change else { return None };
    let mut out = format!("deltop vacuum {}", shell_word(location));
    if v.mode == Mode::Full {
        out.push_str(" --full");
    }
    if let Some(hours) = v.retain_hours {
        out.push_str(&format!(" --retain {hours}"));
    }
    if v.below_safe_retention {
        out.push_str(" --below-safe-retention");
    }
    if v.include_never_referenced {
        out.push_str(" --include-never-referenced");
    }
    Some(out)
}

/// The change that `deltop COMMAND LOCATION …` asks for; none if it is none that the pane can make.
pub fn change_of(command: &str) -> Option<Change> {
    let words = shell_words(command);
    let name = words.get(1)?.as_str();
    // The location follows.
    let mut options = Options(words.get(3..).unwrap_or_default());
    match name {
        "optimize" | "rewrite" => rewrite(name, &mut options),
        "vacuum" => Some(Change::Vacuum(Vacuum {
            mode: if options.flag("--full") { Mode::Full } else { Mode::Lite },
            retain_hours: match options.value("--retain") {
                Some(hours) => Some(hours.parse().ok()?),
                None => None,
            },
            below_safe_retention: options.flag("--below-safe-retention"),
            include_never_referenced: options.flag("--include-never-referenced"),
        })),
        "undo" => Some(Change::Undo { to_before: options.value("--to-before").and_then(|v| v.parse().ok()) }),
        "repair" => Some(Change::Repair),
        _ => None,
    }
}

fn rewrite(name: &str, options: &mut Options<'_>) -> Option<Change> {
    let size = options.value("--target-size").and_then(|text| parse_size(&text));
    let goal = match (name, options.value("--files"), size) {
        ("optimize", _, target) => Goal::Compact { target },
        (_, Some(count), _) => {
            Goal::Files { count: count.parse().ok()?, per_partition: options.flag("--per-partition") }
        }
        (_, None, Some(bytes)) => Goal::Size { bytes },
        _ if options.flag("--each-file") => Goal::Each,
        _ => return None,
    };
    let columns = |text: String| names_of(&text);
    let order = match (options.value("--sort-by"), options.value("--zorder")) {
        (Some(by), _) => Order::Sorted(columns(by)),
        (None, Some(by)) => Order::ZOrder(columns(by)),
        _ => Order::Kept,
    };
    let codec = match options.value("--codec").as_deref() {
        Some("snappy") => Codec::Snappy,
        Some("gzip") => Codec::Gzip,
        Some("lz4") => Codec::Lz4,
        Some("uncompressed") => Codec::Uncompressed,
        Some("source") => Codec::Source,
        _ => Codec::Zstd,
    };
    Some(Change::Rewrite(Rewrite {
        goal,
        scope: options.value("--where").map_or(Scope::Table, Scope::Where),
        order,
        codec,
        row_group_rows: options.value("--row-group-rows").and_then(|n| n.parse().ok()),
        purge: options.flag("--purge"),
        stats: options.flag("--stats"),
        all: !matches!(options.value("--codec").as_deref(), None | Some("source")),
    }))
}

struct Options<'a>(&'a [String]);

impl Options<'_> {
    fn flag(&self, name: &str) -> bool {
        self.0.iter().any(|word| word == name)
    }

    fn value(&self, name: &str) -> Option<String> {
        let at = self.0.iter().position(|word| word == name)?;
        self.0.get(at + 1).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewrite(command: &str) -> Rewrite {
        match change_of(command) {
            Some(Change::Rewrite(r)) => r,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn commands_of_findings_become_changes() {
        assert_eq!(change_of("deltop optimize '/a b'"), Some(compaction()));
        assert_eq!(rewrite("deltop rewrite /t --target-size 128MiB").goal, Goal::Size { bytes: 128 << 20 });
        let r = rewrite("deltop rewrite /t --files 7 --sort-by 'a b',c");
        assert_eq!(r.goal, Goal::Files { count: 7, per_partition: false });
        assert_eq!(r.order, Order::Sorted(vec!["a b".into(), "c".into()]));
        assert!(rewrite("deltop optimize /t --purge").purge);
        assert_eq!(change_of("deltop vacuum /t"), Some(vacuum()));
        let full = change_of("deltop vacuum /t --full --retain 200");
        assert!(matches!(
            full,
            Some(Change::Vacuum(Vacuum { mode: Mode::Full, retain_hours: Some(200), .. }))
        ));
        let full = full.unwrap();
        assert_eq!(vacuum_command("/t", &full).and_then(|c| change_of(&c)), Some(full));
        assert_eq!(change_of("deltop checkpoint /t"), None);
        assert_eq!(change_of(""), None);
    }
}
