//! What can be done to change a table, and with running tasks.

use super::{Command, Context, Enabled};
use crate::app::App;
use crate::app::ctx::Ctx;
use crate::app::key::{Key, KeyCode};
use crate::app::layer::Layer;
use crate::app::layer::tasks::TasksLayer;
use crate::app::pane::Pane;
use crate::app::pane::tune::Choice;
use crate::app::pane::tune::command::{compaction, purge, to_files, to_size, vacuum, z_order};
use crate::app::task::TaskState;
use crate::model::change::Report;

const ENTER: Key = Key::new(KeyCode::Enter);
const ESC: Key = Key::new(KeyCode::Esc);

fn with_form(app: &mut App, edit: impl FnOnce(&mut crate::app::pane::tune::form::Form)) {
    if let Some(form) = app.table_mut().and_then(|t| t.tune.form.as_mut()) {
        edit(form);
    }
}

fn back(app: &mut App, ctx: &mut Ctx) {
    if let Some(table) = app.table_mut() {
        table.tune.back(ctx);
    }
}

fn choice(app: &App) -> Option<Choice<'_>> {
    let table = app.table()?;
    table.choices().into_iter().nth(table.tune.scroll.selected)
}

fn has_finding(app: &App) -> Enabled {
    choice(app).and_then(|c| c.finding.map(|_| ())).ok_or("no finding is selected")
}

/// The command line that does the same as the plan in front.
fn plan_command(app: &App) -> Option<String> {
    let (_, view) = app.table()?.tune.ready()?;
    Some(match &view.report {
        Report::Rewrite(r) => r.command.clone(),
        Report::Undo(u) => u.command.clone(),
        Report::Vacuum(_) => {
            crate::app::pane::tune::command::vacuum_command(&app.table()?.location, &view.change)?
        }
    })
}

fn selected_task(app: &App) -> Option<usize> {
    match app.layers.last() {
        Some(Layer::Tasks(layer)) => app.task_at(layer.scroll.selected),
        _ => None,
    }
}

fn selected_change(app: &App) -> Option<&crate::model::change::Change> {
    selected_task(app).and_then(|at| app.tasks.list.get(at)).and_then(|t| t.change())
}

fn task_state(app: &App) -> Option<&TaskState> {
    app.tasks.list.get(selected_task(app)?).map(|t| &t.state)
}

/// The table of the selected task is the one in front, so that a plan for it can be shown.
fn is_in_front(app: &App) -> bool {
    let task = selected_task(app).and_then(|at| app.tasks.list.get(at));
    app.table().zip(task).is_some_and(|(table, task)| table.location == task.location)
}

pub(super) static COMMANDS: &[Command] = &[
    Command::new(Context::Table, "tune.show", &[Key::char('t')], "Tune: choose an action", |app, ctx| {
        app.tune_here(ctx);
    })
    .hint("tune")
    .early(1),
    Command::new(Context::Table, "tune.compact", &[Key::char('C')], "Compact small files", |app, _| {
        app.ask(&compaction());
    }),
    Command::new(Context::Table, "tune.files", &[], "Rewrite to a number of files", |app, _| {
        app.ask(&to_files());
    }),
    Command::new(Context::Table, "tune.size", &[], "Rewrite to files of a size", |app, _| {
        app.ask(&to_size());
    }),
    Command::new(Context::Table, "tune.sort", &[], "Sort or Z-order the rows", |app, _| {
        app.ask(&z_order());
    }),
    Command::new(Context::Table, "tune.purge", &[], "Purge deletion vectors", |app, _| {
        app.ask(&purge());
    }),
    Command::new(
        Context::Table,
        "tune.vacuum",
        &[Key::char('V')],
        "Vacuum: delete files of old versions",
        |app, _| {
            app.ask(&vacuum());
        },
    ),
    Command::new(
        Context::Table,
        "tune.undo",
        &[Key::char('U')],
        "Plan the undo of the last rewrite",
        |app, ctx| {
            app.plan_undo(ctx);
        },
    ),
    Command::new(Context::Global, "tasks.show", &[Key::char('T')], "Show the tasks", |app, _| {
        app.layers.push(Layer::Tasks(TasksLayer::default()));
    }),
    Command::new(Context::Tune, "tune.choose", &[ENTER], "Fill in the form of the action", |app, ctx| {
        app.choose(ctx);
    })
    .hint("choose"),
    Command::new(Context::Tune, "tune.finding", &[Key::char('i')], "Show the finding", |app, _| {
        let layer = choice(app).and_then(|c| Some(app.table()?.finding_layer(c.finding?)));
        app.layers.extend(layer.map(Layer::Finding));
    })
    .hint("finding")
    .when(has_finding),
    Command::new(Context::Tune, "tune.copy", &[Key::char('y')], "Copy what mends the finding", |app, ctx| {
        if let Some(action) = choice(app).and_then(|c| c.finding?.action.as_ref()) {
            let what = if action.command.is_some() { "command" } else { "instructions" };
            ctx.copy(what, action.text().to_owned());
        }
    })
    .hint("copy")
    .when(has_finding),
    Command::new(Context::Tune, "tune.plan", &[Key::char('p')], "Show the last plan again", |app, _| {
        if let Some(table) = app.table_mut() {
            table.tune.step = crate::app::pane::tune::Step::Plan;
        }
    })
    .hint("last plan")
    .when(|app| {
        let plan = app.table().and_then(|t| t.tune.plan.as_ref());
        plan.map(|_| ()).ok_or("nothing was planned yet")
    }),
    Command::new(Context::TuneForm, "form.plan", &[ENTER], "Show what it would do", |app, ctx| {
        app.submit(ctx)
    })
    .hint("plan"),
    Command::new(Context::TuneForm, "form.back", &[ESC], "Go back to the actions", back).hint("back"),
    Command::new(
        Context::TuneForm,
        "form.next",
        &[Key::new(KeyCode::Down), Key::new(KeyCode::Tab), Key::ctrl('n')],
        "Go to the next field",
        |app, _| with_form(app, |f| f.step(true)),
    )
    .hint("next"),
    Command::new(
        Context::TuneForm,
        "form.previous",
        &[Key::new(KeyCode::Up), Key::new(KeyCode::BackTab), Key::ctrl('p')],
        "Go to the previous field",
        |app, _| with_form(app, |f| f.step(false)),
    ),
    Command::new(Context::TunePlan, "plan.run", &[ENTER], "Run this plan", |app, _| app.confirm_plan())
        .hint("run")
        .when(App::can_run),
    Command::new(
        Context::TunePlan,
        "plan.undo",
        &[Key::char('u')],
        "Plan the undo of what it did",
        |app, ctx| {
            app.plan_undo(ctx);
        },
    )
    .hint("undo")
    .when(|app| {
        let id = app.table().and_then(|t| t.tune.plan.as_ref()).map(|p| p.id);
        let task = id.and_then(|id| app.tasks.of_plan(id)).map(|(at, _)| at);
        task.map_or(Err("nothing was rewritten yet"), |at| app.tasks.can_undo(at))
    }),
    Command::new(
        Context::TunePlan,
        "plan.again",
        &[Key::char('r')],
        "Plan it again on the table as it is",
        |app, ctx| {
            app.replan(ctx);
        },
    )
    .hint("plan again"),
    Command::new(Context::TunePlan, "plan.back", &[ESC], "Go back to the form", back).hint("back"),
    Command::new(
        Context::TunePlan,
        "plan.copy",
        &[Key::char('y')],
        "Copy the command that does the same",
        |app, ctx| {
            if let Some(command) = plan_command(app) {
                ctx.copy("command", command);
            }
        },
    )
    .hint("copy")
    .when(|app| plan_command(app).map(|_| ()).ok_or("there is no plan yet")),
    Command::new(
        Context::Tasks,
        "tasks.close",
        &[ESC, ENTER, Key::char('T')],
        "Close the tasks",
        |app, _| {
            app.layers.pop();
        },
    )
    .hint("close"),
    Command::new(
        Context::Tasks,
        "tasks.cancel",
        &[Key::char('x')],
        "Cancel the selected task",
        |app, ctx| {
            if let Some(at) = selected_task(app) {
                app.tasks.cancel(at, ctx);
            }
        },
    )
    .hint("cancel")
    .when(|app| match task_state(app) {
        Some(TaskState::Waiting | TaskState::Running(_)) => Ok(()),
        Some(TaskState::Ending(_)) => Err("it is ending already"),
        _ => Err("no task that runs is selected"),
    }),
    Command::new(
        Context::Tasks,
        "tasks.undo",
        &[Key::char('u')],
        "Plan the undo of what it did",
        |app, ctx| {
            app.layers.pop();
            app.plan_undo(ctx);
        },
    )
    .hint("undo")
    .when(|app| {
        selected_task(app).map_or(Err("no task is selected"), |at| app.tasks.can_undo(at))?;
        if is_in_front(app) { Ok(()) } else { Err("open its table first") }
    }),
    Command::new(
        Context::Tasks,
        "tasks.again",
        &[Key::char('r')],
        "Plan the same change again",
        |app, ctx| {
            let change = selected_change(app).cloned();
            app.layers.pop();
            if let (Some(change), Some(table)) = (change, app.table_mut()) {
                let location = table.location.clone();
                table.pane = Pane::Tune;
                table.tune.plan(&location, change, ctx);
            }
        },
    )
    .hint("plan again")
    .when(|app| match task_state(app) {
        _ if selected_change(app).is_none() => Err("no change is selected"),
        Some(TaskState::Failed(_) | TaskState::Done(_)) if is_in_front(app) => Ok(()),
        Some(TaskState::Failed(_) | TaskState::Done(_)) => Err("open its table first"),
        _ => Err("no ended task is selected"),
    }),
    Command::new(
        Context::Tasks,
        "tasks.clear",
        &[Key::char('c')],
        "Take ended tasks off the list",
        |app, _| {
            app.tasks.clear();
        },
    )
    .hint("clear"),
];
