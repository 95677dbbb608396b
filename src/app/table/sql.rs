//! Queries on the open table: what runs, what waits, what a statement that changes it leads to.

use super::TableView;
use crate::app::ctx::{Ctx, Tone};
use crate::app::msg::JobEvent;
use crate::app::pane::Pane;
use crate::app::pane::sql::queue::Order;

impl TableView {
    /// On the version that is shown, so that all panes tell of the same one; after what runs already.
    pub fn run_sql(&mut self, orders: Vec<Order>, ctx: &mut Ctx) {
        let busy = self.sql.is_running();
        self.sql.queue.push(orders);
        self.next_sql(ctx);
        if busy {
            let n = self.sql.queue.len();
            let verb = if n == 1 { "waits" } else { "wait" };
            ctx.note(Tone::Plain, format!("{n} {verb} for the running query; Alt-q clears the queue"));
        }
    }

    /// Starts the statement that waits, if none runs.
    pub(super) fn next_sql(&mut self, ctx: &mut Ctx) {
        let version = self.table.value.as_ref().map(|t| t.version);
        self.sql.run_next(&self.location, version, ctx);
    }

    pub(super) fn sql_answer(&mut self, event: JobEvent, ctx: &mut Ctx) {
        let dropped = match event {
            JobEvent::SqlChange(change) => {
                self.tune.form = None;
                self.tune.plan(&self.location, *change, ctx);
                self.pane = Pane::Tune;
                self.sql.turned_to_change()
            }
            event => self.sql.answer(event),
        };
        if dropped > 0 {
            let s = if dropped == 1 { "" } else { "s" };
            ctx.note(Tone::Warning, format!("{dropped} statement{s} after it did not run"));
        }
        self.next_sql(ctx);
    }
}
