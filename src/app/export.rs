//! From a result to a file: the prompt, the task, and what follows from a name that is taken.

use super::App;
use super::ctx::{Ctx, Tone};
use super::layer::Layer;
use super::layer::export::ExportLayer;
use super::pane::sql::SqlFocus;
use super::pane::sql::statement::gives_rows;
use super::task::{Task, TaskState};
use crate::model::export::Form;

impl App {
    /// Asks where the result of the last query goes; from the editor that of the statement under the
    /// cursor, which need not have run.
    pub(crate) fn ask_export(&mut self, ctx: &mut Ctx) {
        let Some(table) = self.table() else { return };
        let order = match table.sql.focus {
            SqlFocus::Editor => {
                let version = table.table.value.as_ref().map(|t| t.version);
                table.sql.statement().map(|text| (version, text))
            }
            SqlFocus::Result => table.sql.run.as_ref().map(|run| (run.version, run.text.clone())),
        };
        let Some((version, text)) = order else {
            return ctx.note(Tone::Warning, "No statement under the cursor");
        };
        if !gives_rows(&text) {
            return ctx.note(Tone::Warning, "This statement gives no rows that could be written");
        }
        let name = table.table.value.as_ref().map_or("", |t| &t.name);
        let layer = ExportLayer::new(&table.location, name, version, &text);
        self.layers.push(Layer::Export(layer));
    }

    /// Starts what the prompt in front says.
    pub(crate) fn start_export(&mut self, ctx: &mut Ctx) {
        let allow_writes = self.startup.allow_writes;
        let Some(Layer::Export(layer)) = self.layers.last_mut() else { return };
        let Some(order) = layer.order() else { return };
        if order.form == Form::Delta && !allow_writes {
            layer.fault = Some("Read-only: start with --allow-writes to make a table".into());
            return;
        }
        self.layers.pop();
        let name = self.table().and_then(|t| t.table.value.as_ref()).map_or("", |t| &t.name).to_owned();
        self.tasks.export(&name, order, ctx);
        self.tasks.trim();
        ctx.note(Tone::Good, "Started; T shows the tasks from everywhere");
    }

    /// Asks again where a name was taken, unless one is busy with something else by now.
    pub(super) fn export_again(&mut self, at: usize) {
        let taken = |task: &Task| match (&task.state, task.export()) {
            (TaskState::Failed(fault), Some(order)) if fault.code == "file-exists" && !order.replace => {
                Some(ExportLayer::again(order))
            }
            _ => None,
        };
        let Some(layer) = self.tasks.list.get(at).and_then(taken).filter(|_| self.layers.is_empty()) else {
            return;
        };
        self.tasks.list.remove(at);
        self.layers.push(Layer::Export(layer));
    }
}
