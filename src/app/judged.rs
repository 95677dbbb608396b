//! What an open table shows of its diagnosis, and what is marked of it.

use super::ctx::Ctx;
use super::msg::{Job, JobEvent};
use super::pane::overview::Item;
use super::pane::tune::form::Marked;
use super::pane::tune::{Choice, choices};
use super::table::TableView;
use crate::advice::Finding;
use crate::model::histogram::{Bucket, By, Histogram};

impl TableView {
    /// Has findings and figures gathered; `deep` as in [`Job::Diagnose`].
    pub fn gather(&mut self, deep: bool, ctx: &mut Ctx) {
        if let Some(version) = self.table.value.as_ref().map(|t| t.version) {
            let location = self.location.clone();
            self.diagnosis.start(Job::Diagnose { location, version, deep }, ctx);
        }
    }

    /// The files are those of another version: everything about them is looked at anew.
    pub(super) fn renew(&mut self, ctx: &mut Ctx) {
        self.survey = None;
        self.gather(false, ctx);
    }

    pub(super) fn diagnosis_answer(&mut self, event: JobEvent) {
        match event {
            JobEvent::Progress(progress) => self.diagnosis.progress = Some(progress),
            JobEvent::Diagnosis(found) => self.diagnosis.done(found),
            JobEvent::Failed(fault) => self.diagnosis.fail(fault),
            _ => {}
        }
    }

    pub fn findings(&self) -> &[Finding] {
        self.diagnosis.value.as_ref().map(|e| e.findings.as_slice()).unwrap_or_default()
    }

    /// The histogram that the Overview shows.
    pub fn histogram(&self) -> Option<&Histogram> {
        let summary = self.summary.as_deref()?;
        Some(match self.overview.by {
            By::Size => &summary.by_size,
            By::Rows => &summary.by_rows,
        })
    }

    pub fn bars(&self) -> Vec<Bucket> {
        self.histogram().map(Histogram::bars).unwrap_or_default()
    }

    /// What is selected in the Overview.
    pub fn overview_item(&self) -> Option<Item> {
        self.overview.item(self.findings().len(), self.bars().len())
    }

    /// What can be done to change the table.
    pub fn choices(&self) -> Vec<Choice<'_>> {
        choices(self.diagnosis.value.as_deref(), self.table.value.as_deref())
    }

    /// The marks as an action's scope takes them: partitions that are there, files by their paths.
    pub fn marked(&self) -> Marked {
        let partitions = self.summary.as_ref().map(|s| self.marks.leaves(&s.tree)).unwrap_or_default();
        Marked { partitions, files: self.marks.files.iter().cloned().collect() }
    }
}
