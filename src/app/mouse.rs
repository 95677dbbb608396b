//! Clicks and the wheel, by what the last frame showed there.

use super::ctx::Ctx;
use super::frame::Hit;
use super::key::{Mouse, MouseKind};
use super::layer::Layer;
use super::pane::Pane;
use super::pane::history::View;
use super::pane::partitions::PartitionSort;
use super::pane::sql::SqlFocus;
use super::pane::tune::Step;
use super::scroll::Motion;
use super::{App, Scene};

/// Rows a notch of the wheel.
const WHEEL: isize = 3;

impl App {
    pub(super) fn mouse(&mut self, mouse: Mouse, ctx: &mut Ctx) {
        match mouse.kind {
            MouseKind::WheelDown => self.go(Motion::By(WHEEL), ctx),
            MouseKind::WheelUp => self.go(Motion::By(-WHEEL), ctx),
            MouseKind::Click => {
                if let Some(hit) = self.drawn.hit(mouse.column, mouse.row) {
                    self.click(hit, ctx);
                }
            }
        }
    }

    fn click(&mut self, hit: Hit, ctx: &mut Ctx) {
        match hit {
            Hit::Nothing => {}
            Hit::Pane(pane) => self.show(pane, ctx),
            Hit::Command(id) => self.give(id, ctx),
            Hit::Row(row) => self.click_row(row, ctx),
            Hit::SortBy(column) => self.sort_by(column, ctx),
            Hit::Editor => {
                if let Some(table) = self.table_mut() {
                    table.sql.focus = SqlFocus::Editor;
                }
            }
            Hit::Cell(row, column) => {
                if let Some(table) = self.table_mut() {
                    table.sql.focus = SqlFocus::Result;
                    if let Some(run) = &mut table.sql.run {
                        run.column = column.min(run.grid.columns.len().saturating_sub(1));
                        run.scroll.selected = row.min(run.len().saturating_sub(1));
                    }
                }
            }
        }
    }

    /// The first click selects, a second one opens.
    fn click_row(&mut self, row: usize, ctx: &mut Ctx) {
        let tasks = self.tasks.list.len();
        match self.layers.last_mut() {
            Some(Layer::Palette(palette)) => {
                palette.scroll.selected = row.min(palette.matches.len().saturating_sub(1));
                return self.give("palette.choose", ctx);
            }
            Some(Layer::Tasks(layer)) => {
                layer.scroll.selected = row.min(tasks.saturating_sub(1));
                return;
            }
            Some(Layer::Sheet(sheet)) => {
                let Some(sheet) = &mut sheet.load.value else { return };
                if sheet.scroll.selected == row {
                    return self.give("sheet.open", ctx);
                }
                sheet.scroll.selected = row.min(sheet.rows.len().saturating_sub(1));
                return;
            }
            Some(Layer::Histogram(layer)) => {
                let was = std::mem::replace(&mut layer.scroll.selected, row);
                return if was == row {
                    self.give("histogram.files", ctx)
                };
            }
            Some(Layer::Prune(layer)) => {
                let was = std::mem::replace(&mut layer.scroll.selected, row);
                return if was == row {
                    self.give("prune.detail", ctx)
                };
            }
            Some(Layer::Runs(layer)) => {
                let was = std::mem::replace(&mut layer.scroll.selected, row);
                return if was == row {
                    self.give("runs.show", ctx)
                };
            }
            Some(_) => return,
            None => {}
        }
        let scroll = match &mut self.scene {
            Scene::Place(_) => None,
            Scene::Home(_) => self.home.as_mut().map(|h| (&mut h.scroll, h.shown.len(), "home.open")),
            Scene::Table(t) => match t.pane {
                Pane::Sql => match (&mut t.sql.queries, &mut t.sql.offer) {
                    (Some(queries), _) => Some((&mut queries.scroll, queries.shown.len(), "queries.take")),
                    (None, Some(offer)) => Some((&mut offer.scroll, offer.items.len(), "offer.take")),
                    (None, None) => {
                        t.sql.focus = SqlFocus::Result;
                        let plan = t.sql.run.as_mut().and_then(|r| Some((r.tree.as_ref()?.lines().len(), r)));
                        plan.map(|(len, run)| (&mut run.scroll, len, "sql.detail"))
                    }
                },
                Pane::Overview => {
                    let was = std::mem::replace(&mut t.overview.cursor, row);
                    return if was == row {
                        self.give("overview.open", ctx)
                    };
                }
                Pane::Tune if t.tune.step == Step::Choose => {
                    let len = t.choices().len();
                    Some((&mut t.tune.scroll, len, "tune.choose"))
                }
                Pane::Tune => None,
                Pane::Files => Some((&mut t.files_pane.scroll, t.files_pane.shown.len(), "files.footer")),
                Pane::Partitions => {
                    Some((&mut t.partitions.scroll, t.partitions.visible.len(), "partitions.toggle"))
                }
                Pane::Columns => Some((&mut t.columns.scroll, t.columns.rows.len(), "columns.detail")),
                Pane::History if t.history.looks.view != View::List => None,
                Pane::History => Some((&mut t.history.scroll, t.history.rows.len(), "history.open")),
            },
        };
        let Some((scroll, len, open)) = scroll.filter(|(_, len, _)| row < *len) else { return };
        if scroll.selected == row && len > 0 {
            self.give(open, ctx);
        } else {
            scroll.selected = row;
        }
    }

    fn sort_by(&mut self, column: usize, ctx: &mut Ctx) {
        let Some(table) = self.table_mut() else { return };
        match (table.pane, PartitionSort::ALL.get(column)) {
            (Pane::Files, _) => table.files_pane.sort_by_column(column, ctx),
            (Pane::Partitions, Some(sort)) => table.partitions.set_sort(*sort),
            _ => {}
        }
    }
}
