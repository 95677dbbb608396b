//! The form that says what a change shall do. Fields that do not apply are not shown.

mod change;

use crate::app::input::Input;
use crate::app::key::{Key, KeyCode};
use crate::app::marks::NamedValues;
use crate::model::change::{Change, Codec, Goal, Order, Scope};
use crate::model::plan::size_word;
use crate::model::plan::vacuum::Mode;
use crate::model::units::count;

/// A field; its place in the form is that in [`FieldId::ALL`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldId {
    Goal,
    Count,
    Size,
    Order,
    Columns,
    Codec,
    GroupRows,
    Purge,
    All,
    Stats,
    Scope,
    Predicate,
    Mode,
    Retain,
    BelowSafe,
    NeverReferenced,
    ToBefore,
}

impl FieldId {
    pub const ALL: [FieldId; 17] = [
        FieldId::Goal,
        FieldId::Count,
        FieldId::Size,
        FieldId::Order,
        FieldId::Columns,
        FieldId::Codec,
        FieldId::GroupRows,
        FieldId::Purge,
        FieldId::All,
        FieldId::Stats,
        FieldId::Scope,
        FieldId::Predicate,
        FieldId::Mode,
        FieldId::Retain,
        FieldId::BelowSafe,
        FieldId::NeverReferenced,
        FieldId::ToBefore,
    ];

    pub fn label(self) -> &'static str {
        match self {
            FieldId::Goal => "rewrite",
            FieldId::Count => "files",
            FieldId::Size => "target size",
            FieldId::Order => "order of rows",
            FieldId::Columns => "columns",
            FieldId::Codec => "codec",
            FieldId::GroupRows => "rows a row group",
            FieldId::Purge => "deletion vectors",
            FieldId::All => "good files too",
            FieldId::Stats => "statistics",
            FieldId::Scope => "scope",
            FieldId::Predicate => "where",
            FieldId::Mode => "delete",
            FieldId::Retain => "keep hours",
            FieldId::BelowSafe => "below 168 hours",
            FieldId::NeverReferenced => "never referenced",
            FieldId::ToBefore => "back to before version",
        }
    }

    /// What to put in, in a few words.
    pub fn help(self) -> &'static str {
        match self {
            FieldId::Goal => "what becomes of the files",
            FieldId::Codec => "compression of the new files",
            FieldId::Mode => "which files go",
            FieldId::Count => "a number",
            FieldId::Size => "such as 128mb; empty: what suits the table's size",
            FieldId::Order => "sorting moves whole rows, within each partition",
            FieldId::Columns => "names with commas between them",
            FieldId::GroupRows => "a number; empty: what suits the rows' width",
            FieldId::Purge => "also rewrite files with deleted rows",
            FieldId::All => "also rewrite files that are fine, to give all of them the codec",
            FieldId::Stats => "also rewrite files that lack those the table asks for",
            FieldId::Scope => "Space marks in Files and Partitions",
            FieldId::Predicate => "an SQL condition on partition columns",
            FieldId::Retain => "empty: the table's own retention",
            FieldId::BelowSafe => "readers and writers may still need such files",
            FieldId::NeverReferenced => "files that no commit ever named",
            FieldId::ToBefore => "empty: the last rewrite only",
        }
    }
}

/// What a field holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldValue {
    Choice { options: Vec<String>, at: usize },
    Text(Input),
    Switch(bool),
}

/// What is marked, and so can be a scope.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marked {
    pub partitions: Vec<NamedValues>,
    pub files: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Rewrite,
    Vacuum,
    Undo,
    Repair,
}

/// The form; its value is what [`Form::submit`] gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    pub kind: Kind,
    /// One for each of [`FieldId::ALL`].
    fields: Vec<FieldValue>,
    pub focus: FieldId,
    /// What is wrong with the last try.
    pub problem: Option<(FieldId, String)>,
    marked: Marked,
    /// Which scope each option of [`FieldId::Scope`] means.
    scopes: Vec<ScopeKind>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ScopeKind {
    Table,
    Partitions,
    Files,
    Where,
}

const GOALS: [&str; 5] = [
    "merge small files",
    "to a number of files in all",
    "to a number of files in each partition",
    "to files of a size",
    "each file by itself",
];
const ORDERS: [&str; 3] = ["as it is", "sorted by columns", "Z-order of columns"];
const CODECS: [(&str, Codec); 6] = [
    ("zstd", Codec::Zstd),
    ("snappy", Codec::Snappy),
    ("gzip", Codec::Gzip),
    ("lz4", Codec::Lz4),
    ("none", Codec::Uncompressed),
    ("as the input files", Codec::Source),
];
const MODES: [&str; 2] = ["what the log's tombstones name", "also unused files that a listing finds"];

impl Form {
    /// With what a change says; what is marked can be chosen as its scope.
    pub fn of(change: &Change, marked: Marked) -> Form {
        let mut scopes = vec![ScopeKind::Table];
        let mut scope_names = vec!["the whole table".to_owned()];
        let s = |n: usize| if n == 1 { "" } else { "s" };
        if !marked.partitions.is_empty() {
            let n = marked.partitions.len();
            scopes.push(ScopeKind::Partitions);
            scope_names.push(format!("{} marked partition{}", count(n as u64), s(n)));
        }
        if !marked.files.is_empty() {
            let n = marked.files.len();
            scopes.push(ScopeKind::Files);
            scope_names.push(format!("{} marked file{}", count(n as u64), s(n)));
        }
        scopes.push(ScopeKind::Where);
        scope_names.push("a condition".to_owned());
        let rewrite = match change {
            Change::Rewrite(r) => Some(r),
            _ => None,
        };
        let vacuum = match change {
            Change::Vacuum(v) => Some(v),
            _ => None,
        };
        let scope = match rewrite.map(|r| &r.scope) {
            Some(Scope::Where(_)) => ScopeKind::Where,
            Some(Scope::Partitions(_)) => ScopeKind::Partitions,
            Some(Scope::Files(_)) => ScopeKind::Files,
            _ => ScopeKind::Table,
        };
        let choice = |options: &[&str], at: usize| FieldValue::Choice {
            options: options.iter().map(|s| (*s).to_owned()).collect(),
            at,
        };
        let text = |text: String| FieldValue::Text(Input::new(&text));
        let number = |n: Option<u64>| text(n.map_or_else(String::new, |n| n.to_string()));
        let codec = rewrite.map_or(Codec::Zstd, |r| r.codec);
        let field = |id: FieldId| match id {
            FieldId::Goal => choice(&GOALS, rewrite.map_or(0, |r| goal_index(&r.goal))),
            FieldId::Count => number(rewrite.and_then(|r| match r.goal {
                Goal::Files { count, .. } => Some(count),
                _ => None,
            })),
            FieldId::Size => text(
                rewrite
                    .and_then(|r| match r.goal {
                        Goal::Compact { target } => target,
                        Goal::Size { bytes } => Some(bytes),
                        Goal::Files { .. } | Goal::Each => None,
                    })
                    .map_or_else(String::new, size_word),
            ),
            FieldId::Order => choice(&ORDERS, rewrite.map_or(0, |r| order_index(&r.order))),
            FieldId::Columns => text(match rewrite.map(|r| &r.order) {
                Some(Order::Sorted(by) | Order::ZOrder(by)) => by.join(", "),
                _ => String::new(),
            }),
            FieldId::Codec => {
                let at = CODECS.iter().position(|(_, c)| *c == codec).unwrap_or(0);
                choice(&CODECS.map(|(name, _)| name), at)
            }
            FieldId::GroupRows => number(rewrite.and_then(|r| r.row_group_rows)),
            FieldId::Purge => FieldValue::Switch(rewrite.is_some_and(|r| r.purge)),
            FieldId::All => FieldValue::Switch(rewrite.is_some_and(|r| r.all)),
            FieldId::Stats => FieldValue::Switch(rewrite.is_some_and(|r| r.stats)),
            FieldId::Scope => FieldValue::Choice {
                options: scope_names.clone(),
                at: scopes.iter().position(|s| *s == scope).unwrap_or(0),
            },
            FieldId::Predicate => text(match rewrite.map(|r| &r.scope) {
                Some(Scope::Where(predicate)) => predicate.clone(),
                _ => String::new(),
            }),
            FieldId::Mode => choice(&MODES, usize::from(vacuum.is_some_and(|v| v.mode == Mode::Full))),
            FieldId::Retain => number(vacuum.and_then(|v| v.retain_hours)),
            FieldId::BelowSafe => FieldValue::Switch(vacuum.is_some_and(|v| v.below_safe_retention)),
            FieldId::NeverReferenced => {
                FieldValue::Switch(vacuum.is_some_and(|v| v.include_never_referenced))
            }
            FieldId::ToBefore => number(match change {
                Change::Undo { to_before } => *to_before,
                _ => None,
            }),
        };
        let kind = match change {
            Change::Rewrite(_) => Kind::Rewrite,
            Change::Vacuum(_) => Kind::Vacuum,
            Change::Undo { .. } => Kind::Undo,
            Change::Repair => Kind::Repair,
        };
        let fields = FieldId::ALL.map(field).to_vec();
        let mut form = Form { kind, fields, focus: FieldId::Goal, problem: None, marked, scopes };
        form.focus = form.visible().first().copied().unwrap_or(FieldId::Goal);
        form
    }

    pub fn title(&self) -> &'static str {
        match self.kind {
            Kind::Rewrite => "Rewrite the same rows into other files",
            Kind::Vacuum => "Delete files that no version needs any more",
            Kind::Undo => "Take a rewrite back",
            Kind::Repair => "Remove rows that a second rewrite doubled",
        }
    }

    pub fn field(&self, id: FieldId) -> &FieldValue {
        // One for each id, by construction.
        &self.fields[id as usize]
    }

    /// The fields that apply, in their order.
    pub fn visible(&self) -> Vec<FieldId> {
        FieldId::ALL.into_iter().filter(|id| self.applies(*id)).collect()
    }

    fn applies(&self, id: FieldId) -> bool {
        let rewrite = self.kind == Kind::Rewrite;
        match id {
            FieldId::Goal | FieldId::Order | FieldId::Codec | FieldId::GroupRows => rewrite,
            FieldId::Purge | FieldId::All | FieldId::Stats | FieldId::Scope => rewrite,
            FieldId::Count => rewrite && matches!(self.choice(FieldId::Goal), 1 | 2),
            FieldId::Size => rewrite && matches!(self.choice(FieldId::Goal), 0 | 3),
            FieldId::Columns => rewrite && self.choice(FieldId::Order) > 0,
            FieldId::Predicate => rewrite && self.scope() == ScopeKind::Where,
            FieldId::Mode | FieldId::Retain | FieldId::BelowSafe => self.kind == Kind::Vacuum,
            FieldId::NeverReferenced => self.kind == Kind::Vacuum && self.choice(FieldId::Mode) == 1,
            FieldId::ToBefore => self.kind == Kind::Undo,
        }
    }

    fn choice(&self, id: FieldId) -> usize {
        match self.field(id) {
            FieldValue::Choice { at, .. } => *at,
            _ => 0,
        }
    }

    fn scope(&self) -> ScopeKind {
        self.scopes.get(self.choice(FieldId::Scope)).copied().unwrap_or(ScopeKind::Table)
    }

    fn text(&self, id: FieldId) -> &str {
        match self.field(id) {
            FieldValue::Text(input) => input.text().trim(),
            _ => "",
        }
    }

    fn switch(&self, id: FieldId) -> bool {
        matches!(self.field(id), FieldValue::Switch(true))
    }

    /// To the next field, or back; around the end.
    pub fn step(&mut self, forward: bool) {
        let visible = self.visible();
        let len = visible.len().max(1);
        let at = visible.iter().position(|id| *id == self.focus).unwrap_or(0);
        let at = if forward { (at + 1) % len } else { (at + len - 1) % len };
        self.focus = visible.get(at).copied().unwrap_or(self.focus);
    }

    /// The next value of a choice or a switch, or the one before it.
    pub fn turn(&mut self, forward: bool) {
        match self.fields.get_mut(self.focus as usize) {
            Some(FieldValue::Choice { options, at }) => {
                let len = options.len().max(1);
                *at = if forward { (*at + 1) % len } else { (*at + len - 1) % len };
            }
            Some(FieldValue::Switch(on)) => *on = !*on,
            _ => {}
        }
        self.problem = None;
    }

    /// A key that no command took: turns choices, is typed into texts.
    pub fn key(&mut self, key: Key) {
        match self.fields.get_mut(self.focus as usize) {
            Some(FieldValue::Text(input)) => {
                let changed = input.key(key);
                self.problem = self.problem.take().filter(|_| !changed);
            }
            _ => match key.code {
                KeyCode::Char(' ') | KeyCode::Right => self.turn(true),
                KeyCode::Left => self.turn(false),
                _ => {}
            },
        }
    }

    pub fn paste(&mut self, text: &str) {
        if let Some(FieldValue::Text(input)) = self.fields.get_mut(self.focus as usize) {
            input.paste(text);
            self.problem = None;
        }
    }
}

fn goal_index(goal: &Goal) -> usize {
    match goal {
        Goal::Compact { .. } => 0,
        Goal::Files { per_partition: false, .. } => 1,
        Goal::Files { per_partition: true, .. } => 2,
        Goal::Size { .. } => 3,
        Goal::Each => 4,
    }
}

fn order_index(order: &Order) -> usize {
    match order {
        Order::Kept => 0,
        Order::Sorted(_) => 1,
        Order::ZOrder(_) => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::super::command::{change_of, compaction, vacuum};
    use super::*;
    use crate::model::change::Rewrite;

    fn typed(form: &mut Form, field: FieldId, text: &str) {
        form.focus = field;
        form.paste(text);
    }

    #[test]
    fn a_form_gives_back_the_change_it_was_made_of() {
        let marked = Marked { partitions: vec![vec![("p".into(), None)]], files: vec!["f".into()] };
        let commands = [
            "deltop optimize /t --purge",
            "deltop rewrite /t --files 26 --per-partition --zorder a,b",
            "deltop rewrite /t --target-size 5MiB --codec source --where 'p = 1' --row-group-rows 1000",
            "deltop vacuum /t --full --retain 24 --below-safe-retention --include-never-referenced",
            "deltop undo /t --to-before 12",
            "deltop repair /t",
        ];
        for command in commands {
            let change = change_of(command).unwrap();
            assert_eq!(Form::of(&change, marked.clone()).submit(), Some(change), "{command}");
        }
        for scope in [Scope::Partitions(marked.partitions.clone()), Scope::Files(marked.files.clone())] {
            let Change::Rewrite(rewrite) = compaction() else { panic!() };
            let change = Change::Rewrite(Rewrite { scope, ..rewrite });
            assert_eq!(Form::of(&change, marked.clone()).submit(), Some(change));
        }
    }

    #[test]
    fn only_what_applies_is_shown() {
        let form = Form::of(&vacuum(), Marked::default());
        assert_eq!(form.visible(), [FieldId::Mode, FieldId::Retain, FieldId::BelowSafe]);
        let mut form = Form::of(&compaction(), Marked::default());
        assert!(!form.visible().contains(&FieldId::Count));
        form.key(Key::char(' '));
        assert_eq!(form.visible()[..2], [FieldId::Goal, FieldId::Count]);
        form.step(true);
        form.key(Key::char('7'));
        form.step(false);
        assert_eq!(form.focus, FieldId::Goal);
        let Some(Change::Rewrite(rewrite)) = form.submit() else { panic!() };
        assert_eq!(rewrite.goal, Goal::Files { count: 7, per_partition: false });
    }

    #[test]
    fn what_is_wrong_is_said_where_it_is() {
        let mut form = Form::of(&compaction(), Marked::default());
        typed(&mut form, FieldId::Size, "huge");
        assert_eq!(form.submit(), None);
        assert_eq!(form.problem.as_ref().map(|(f, _)| *f), Some(FieldId::Size));
        let mut form = Form::of(&change_of("deltop rewrite /t --files 3").unwrap(), Marked::default());
        typed(&mut form, FieldId::Count, "x");
        assert_eq!((form.submit(), form.focus), (None, FieldId::Count));
    }
}
