//! Keys and pasted text: to the command that has the key, else to the input in focus.

use super::command::{Command, Context, lookup};
use super::ctx::{Ctx, Tone};
use super::key::Key;
use super::layer::Layer;
use super::pane::Pane;
use super::{App, Scene};

impl App {
    pub(super) fn key(&mut self, key: Key, ctx: &mut Ctx) {
        let contexts = self.contexts();
        if let Some(command) = lookup(self, &contexts, key) {
            return command.give(self, ctx);
        }
        match (self.layers.last_mut(), &mut self.scene) {
            (Some(Layer::Palette(palette)), _) => palette.key(key),
            (Some(Layer::Filter(filter)), _) => {
                filter.input.key(key);
                let text = filter.input.text().to_owned();
                self.set_filter(&text, ctx);
            }
            (Some(Layer::Confirm(confirm)), _) => drop(confirm.input.key(key)),
            (Some(Layer::Prune(prune)), _) if prune.typing => drop(prune.input.key(key)),
            (Some(Layer::Export(export)), _) => {
                export.input.key(key);
                export.fault = None;
            }
            (None, Scene::Table(table)) if contexts.first() == Some(&Context::TuneForm) => {
                table.tune.form.iter_mut().for_each(|f| f.key(key));
            }
            (None, Scene::Table(table)) if contexts.first().is_some_and(|c| c.is_of_editor()) => {
                table.sql.key(key);
            }
            // What is typed ahead must not be lost unseen.
            (None, Scene::Place(load)) if load.running() && key.is_for_input() => {
                ctx.note(Tone::Plain, "Still opening; 1–7 choose the pane that it opens on");
            }
            _ => {}
        }
    }

    pub(super) fn paste(&mut self, text: &str, ctx: &mut Ctx) {
        let context = self.context();
        match (self.layers.last_mut(), &mut self.scene) {
            (Some(Layer::Palette(palette)), _) => palette.paste(text),
            (Some(Layer::Filter(filter)), _) => {
                filter.input.paste(text);
                let text = filter.input.text().to_owned();
                self.set_filter(&text, ctx);
            }
            (Some(Layer::Confirm(confirm)), _) => confirm.input.paste(text),
            (Some(Layer::Prune(prune)), _) if prune.typing => prune.input.paste(text),
            (Some(Layer::Export(export)), _) => {
                export.input.paste(text);
                export.fault = None;
            }
            (None, Scene::Table(table)) if context == Context::TuneForm => {
                table.tune.form.iter_mut().for_each(|f| f.paste(text));
            }
            (None, Scene::Table(table)) if context.is_of_editor() => table.sql.paste(text),
            _ => {}
        }
    }

    /// Filters the list behind the filter's line.
    pub(super) fn set_filter(&mut self, text: &str, ctx: &mut Ctx) {
        match &mut self.scene {
            Scene::Place(_) => {}
            Scene::Home(_) => self.home.iter_mut().for_each(|h| h.set_filter(text)),
            Scene::Table(table) if table.pane == Pane::Sql => {
                if let Some(run) = &mut table.sql.run {
                    run.search(text);
                }
            }
            Scene::Table(table) => table.files_pane.set_filter(text, ctx),
        }
    }

    /// Takes over the text that another editor made of the query.
    pub(super) fn edited(&mut self, text: &str, ctx: &mut Ctx) {
        let Some(table) = self.table_mut() else { return };
        if table.sql.text() == text {
            return ctx.note(Tone::Plain, "The text is as it was");
        }
        table.sql.replace(text);
        ctx.note(Tone::Good, "Ctrl-u brings the text before back");
    }

    /// Gives a command by its id, as its key would.
    pub(crate) fn give(&mut self, id: &str, ctx: &mut Ctx) {
        if let Some(command) = Command::by_id(id) {
            command.give(self, ctx);
        }
    }
}
