//! What can be done in the panes with lists.

use super::{Command, Context, Enabled};
use crate::app::App;
use crate::app::ctx::{Ctx, Tone};
use crate::app::key::{Key, KeyCode};
use crate::app::layer::Layer;
use crate::app::layer::filter::FilterLayer;
use crate::app::layer::sheet::{Sheet, SheetLayer};
use crate::app::marks::Marks;
use crate::app::pane::Pane;
use crate::app::scroll::Motion;
use crate::app::table::TableView;
use crate::model::units::count;

const ENTER: &[Key] = &[Key::new(KeyCode::Enter)];
const RIGHT: &[Key] = &[Key::char('l'), Key::new(KeyCode::Right)];
const LEFT: &[Key] = &[Key::char('h'), Key::new(KeyCode::Left)];
const COPY: &[Key] = &[Key::char('y')];
const SORT: &[Key] = &[Key::char('o')];
const MARK: &[Key] = &[Key::char(' ')];
const UNMARK: &[Key] = &[Key::char('u')];
const REVERSE: &[Key] = &[Key::char('O')];

fn with(app: &mut App, ctx: &mut Ctx, run: impl FnOnce(&mut TableView, &mut Ctx)) {
    if let Some(table) = app.table_mut() {
        run(table, ctx);
    }
}

fn check(app: &App, test: impl FnOnce(&TableView) -> bool, reason: &'static str) -> Enabled {
    app.table().is_some_and(test).then_some(()).ok_or(reason)
}

fn has_file(app: &App) -> Enabled {
    check(app, |t| t.files_pane.selected().is_some(), "no file is selected")
}

fn has_files(app: &App) -> Enabled {
    check(app, |t| t.files.value.is_some(), "no files have been read yet")
}

fn has_all_files(app: &App) -> Enabled {
    check(app, |t| t.files.complete, "the files are not all read yet")
}

fn can_find(app: &App) -> Enabled {
    check(app, |t| t.files_pane.can_find(), "there is no filter; / sets one")
}

fn find(table: &mut TableView, forward: bool, ctx: &mut Ctx) {
    if !table.files_pane.find(forward) {
        ctx.note(Tone::Plain, "No other file is found by the filter");
    }
}

fn marked_note(marks: &Marks) -> String {
    let many = |n: usize, what: &str| format!("{} {what}{}", count(n as u64), if n == 1 { "" } else { "s" });
    let (files, partitions) = (marks.files.len(), marks.partitions.len());
    format!("Marked: {}, {}; t tunes them", many(files, "file"), many(partitions, "partition"))
}

fn is_narrowed(app: &App) -> Enabled {
    check(app, |t| t.files_pane.is_narrowed(), "nothing is filtered")
}

fn has_partition(app: &App) -> Enabled {
    let partitioned = |t: &TableView| t.partitions.tree().is_some_and(|tree| !tree.columns.is_empty());
    check(app, |t| partitioned(t) && t.partitions.selected_node().is_some(), "there are no partitions")
}

fn has_odd(app: &App) -> Enabled {
    check(app, |t| t.partitions.has_odd(), "no value looks like a mistake")
}

fn has_column(app: &App) -> Enabled {
    check(app, |t| t.columns.selected().is_some(), "there are no columns")
}

fn is_nested(app: &App) -> Enabled {
    check(app, |t| t.columns.selected().is_some_and(|c| c.has_children), "the column has no parts")
}

pub(super) static COMMANDS: &[Command] = &[
    Command::new(
        Context::Overview,
        "overview.open",
        ENTER,
        "Open the finding, or show the bar's files",
        |app, ctx| app.open_overview_item(ctx),
    )
    .hint("open")
    .when(|app| check(app, |t| t.overview_item().is_some(), "nothing is selected")),
    Command::new(
        Context::Overview,
        "overview.deeper",
        &[Key::char('f')],
        "Look deeper: footers, files not in the log",
        |app, ctx| with(app, ctx, |t, ctx| t.gather(true, ctx)),
    )
    .hint("deeper")
    .when(has_all_files),
    Command::new(
        Context::Overview,
        "overview.histogram",
        &[Key::char('b')],
        "Count the histogram by size or by rows",
        |app, ctx| {
            with(app, ctx, |t, _| t.overview.switch_histogram());
        },
    )
    .hint("rows/size")
    .when(has_files),
    Command::new(
        Context::Overview,
        "overview.detail",
        &[Key::char('i')],
        "Show all that the log says of the table",
        |app, _| {
            let detail = app.table().and_then(TableView::about);
            app.layers.extend(detail.map(Layer::Detail));
        },
    )
    .hint("details")
    .when(|app| check(app, |t| t.table.value.is_some(), "the table is not open yet")),
    Command::new(Context::Overview, "overview.copy", COPY, "Copy the table's location", |app, ctx| {
        with(app, ctx, |t, ctx| ctx.copy("location", t.location.clone()));
    })
    .hint("copy"),
    Command::new(
        Context::Files,
        "files.footer",
        ENTER,
        "Open the parquet footer: row groups, then columns",
        |app, ctx| app.open_footer(ctx),
    )
    .hint("footer")
    .when(has_file),
    Command::new(
        Context::Files,
        "files.survey",
        &[Key::char('P')],
        "Sum up the footers of all files",
        |app, ctx| app.open_survey(ctx),
    )
    .hint("footers")
    .when(has_all_files),
    Command::new(
        Context::Files,
        "files.filter",
        &[Key::char('/')],
        "Filter by path, partition, size: june <64mb",
        |app, _| {
            let filter = app.table().map(|t| FilterLayer::new(&t.files_pane.filter));
            app.layers.extend(filter.map(Layer::Filter));
        },
    )
    .hint("filter")
    .when(has_files),
    Command::new(
        Context::Files,
        "files.clear",
        &[Key::new(KeyCode::Esc)],
        "Show all files again, or go back to where they were chosen",
        |app, ctx| {
            with(app, ctx, |t, ctx| {
                let files = &t.files_pane;
                match files.filter.is_empty() {
                    true if files.scope.is_some() => t.pane = Pane::Partitions,
                    true if files.band.is_some() => t.pane = Pane::Overview,
                    _ => {}
                }
                t.files_pane.widen(ctx);
            });
        },
    )
    .hint("back")
    .when(is_narrowed),
    Command::new(
        Context::Files,
        "files.detail",
        &[Key::char('i')],
        "Show all that the log says of the file",
        |app, _| {
            let detail = app.table().and_then(|t| t.files_pane.detail());
            app.layers.extend(detail.map(Layer::Detail));
        },
    )
    .hint("details")
    .when(has_file),
    Command::new(Context::Files, "files.sort", SORT, "Sort by the next column", |app, ctx| {
        with(app, ctx, |t, ctx| t.files_pane.set_sort(t.files_pane.sort.next(), ctx));
    })
    .hint("sort")
    .when(has_files),
    Command::new(Context::Files, "files.reverse", REVERSE, "Reverse the order", |app, ctx| {
        with(app, ctx, |t, ctx| t.files_pane.set_sort(t.files_pane.sort.reversed(), ctx));
    })
    .when(has_files),
    Command::new(
        Context::Files,
        "files.histogram",
        &[Key::char('b')],
        "Show the histogram of the listed files",
        |app, _| app.open_histogram(),
    )
    .hint("histogram")
    .when(has_all_files),
    Command::new(Context::Files, "files.mark", MARK, "Mark the file, to scope an action", |app, ctx| {
        with(app, ctx, |t, ctx| {
            if let Some(path) = t.files_pane.selected().map(|f| f.path.to_owned()) {
                t.marks.toggle_file(&path);
                t.files_pane.scroll.go(Motion::By(1), t.files_pane.shown.len());
            }
            ctx.note(Tone::Plain, marked_note(&t.marks));
        });
    })
    .hint("mark")
    .when(has_file),
    Command::new(Context::Files, "files.unmark", UNMARK, "Take all marks of files away", |app, ctx| {
        with(app, ctx, |t, _| t.marks.files.clear());
    })
    .when(|app| check(app, |t| !t.marks.files.is_empty(), "no file is marked")),
    Command::new(
        Context::Files,
        "files.next",
        &[Key::char('n')],
        "Go to the next file that the filter finds",
        |app, ctx| {
            with(app, ctx, |t, ctx| find(t, true, ctx));
        },
    )
    .when(can_find),
    Command::new(
        Context::Files,
        "files.previous",
        &[Key::char('N')],
        "Go to the previous file that the filter finds",
        |app, ctx| {
            with(app, ctx, |t, ctx| find(t, false, ctx));
        },
    )
    .when(can_find),
    Command::new(Context::Files, "files.copy", COPY, "Copy the file's path", |app, ctx| {
        with(app, ctx, |t, ctx| {
            if let Some(file) = t.files_pane.selected() {
                ctx.copy("path", file.path.to_owned());
            }
        });
    })
    .hint("copy")
    .when(has_file),
    Command::new(
        Context::Partitions,
        "partitions.toggle",
        ENTER,
        "Unfold the partition, or show its files",
        |app, ctx| {
            let leaf = app
                .table()
                .and_then(|t| t.partitions.selected_node())
                .is_some_and(|(_, n)| n.children.is_empty());
            if leaf {
                app.show_partition_files(ctx);
            } else {
                with(app, ctx, |t, _| t.partitions.toggle());
            }
        },
    )
    .hint("open")
    .when(has_partition),
    Command::new(
        Context::Partitions,
        "partitions.files",
        &[Key::char('f')],
        "Show the partition's files",
        |app, ctx| {
            app.show_partition_files(ctx);
        },
    )
    .hint("its files")
    .when(has_partition),
    Command::new(Context::Partitions, "partitions.unfold", RIGHT, "Unfold", |app, ctx| {
        with(app, ctx, |t, _| t.partitions.unfold());
    })
    .motion(),
    Command::new(Context::Partitions, "partitions.fold", LEFT, "Fold, or go to the parent", |app, ctx| {
        with(app, ctx, |t, _| t.partitions.fold());
    })
    .motion(),
    Command::new(Context::Partitions, "partitions.sort", SORT, "Sort by the next measure", |app, ctx| {
        with(app, ctx, |t, _| t.partitions.next_sort());
    })
    .hint("sort")
    .when(has_partition),
    Command::new(Context::Partitions, "partitions.reverse", REVERSE, "Reverse the order", |app, ctx| {
        with(app, ctx, |t, _| t.partitions.reverse());
    })
    .when(has_partition),
    Command::new(
        Context::Partitions,
        "partitions.all",
        &[Key::char('*')],
        "Unfold or fold everything",
        |app, ctx| {
            with(app, ctx, |t, _| t.partitions.toggle_all());
        },
    )
    .hint("unfold all")
    .when(|app| check(app, |t| t.partitions.is_nested(), "there is nothing to unfold")),
    Command::new(
        Context::Partitions,
        "partitions.odd",
        &[Key::char('n')],
        "Go to the next value that looks like a mistake",
        |app, ctx| with(app, ctx, |t, _| t.partitions.find_odd(true)),
    )
    .when(has_odd),
    Command::new(
        Context::Partitions,
        "partitions.odd-before",
        &[Key::char('N')],
        "Go to the value before that looks like a mistake",
        |app, ctx| with(app, ctx, |t, _| t.partitions.find_odd(false)),
    )
    .when(has_odd),
    Command::new(
        Context::Partitions,
        "partitions.mark",
        MARK,
        "Mark the partition, to scope an action",
        |app, ctx| {
            with(app, ctx, |t, ctx| {
                if let Some(values) = t.partitions.selected_values() {
                    t.marks.toggle_partition(values);
                    t.partitions.scroll.go(Motion::By(1), t.partitions.visible.len());
                }
                ctx.note(Tone::Plain, marked_note(&t.marks));
            });
        },
    )
    .hint("mark")
    .when(has_partition),
    Command::new(
        Context::Partitions,
        "partitions.unmark",
        UNMARK,
        "Take all marks of partitions away",
        |app, ctx| {
            with(app, ctx, |t, _| t.marks.partitions.clear());
        },
    )
    .when(|app| check(app, |t| !t.marks.partitions.is_empty(), "no partition is marked")),
    Command::new(
        Context::Partitions,
        "partitions.histogram",
        &[Key::char('b')],
        "Show the histogram of the partition's files",
        |app, _| app.open_histogram(),
    )
    .hint("histogram")
    .when(has_partition),
    Command::new(
        Context::Partitions,
        "partitions.candidates",
        &[Key::char('c')],
        "Show columns that the table could be partitioned by",
        |app, _| {
            let candidates =
                app.table().and_then(|t| t.diagnosis.value.as_ref()).map(|e| e.candidates.clone());
            app.layers.extend(candidates.map(|c| SheetLayer::ready(Sheet::candidates(c))));
        },
    )
    .hint("candidates")
    .when(|app| check(app, |t| t.diagnosis.value.is_some(), "the statistics are not read yet")),
    Command::new(Context::Partitions, "partitions.copy", COPY, "Copy the partition's values", |app, ctx| {
        with(app, ctx, |t, ctx| {
            if let Some(label) = t.partitions.selected_label() {
                ctx.copy("partition", label);
            }
        });
    })
    .hint("copy")
    .when(has_partition),
    Command::new(
        Context::Columns,
        "columns.detail",
        ENTER,
        "Show all that is known of the column",
        |app, _| {
            let detail = app.table().and_then(|t| t.column_detail());
            app.layers.extend(detail.map(Layer::Detail));
        },
    )
    .hint("details")
    .when(has_column),
    Command::new(
        Context::Columns,
        "columns.survey",
        &[Key::char('P')],
        "Sum up the footers of all files: bytes a column",
        |app, ctx| app.open_survey(ctx),
    )
    .hint("footers")
    .when(has_all_files),
    Command::new(Context::Columns, "columns.unfold", RIGHT, "Unfold a nested column", |app, ctx| {
        with(app, ctx, |t, _| t.unfold_column(true));
    })
    .hint("unfold")
    .when(is_nested)
    .motion(),
    Command::new(Context::Columns, "columns.fold", LEFT, "Fold, or go to the parent", |app, ctx| {
        with(app, ctx, |t, _| t.unfold_column(false));
    })
    .motion(),
    Command::new(Context::Columns, "columns.copy", COPY, "Copy the column's name", |app, ctx| {
        with(app, ctx, |t, ctx| {
            if let Some(column) = t.columns.selected() {
                ctx.copy("name", column.path.join("."));
            }
        });
    })
    .hint("copy")
    .when(has_column),
];
