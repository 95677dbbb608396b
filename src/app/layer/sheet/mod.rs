//! A table in a window: figures of a footer, of all footers, of candidates. Rows can be opened.

mod candidates;
mod footer;
mod survey;

use std::sync::Arc;

use super::Layer;
use super::detail::{DetailLayer, DetailRow};
use crate::app::ctx::Ctx;
use crate::app::load::Load;
use crate::app::msg::{Job, JobEvent, JobId};
use crate::app::scroll::Scroll;
use crate::model::candidates::Candidate;
use crate::model::footer::Footer;
use crate::model::footer_totals::Report as Survey;

/// A column of a sheet; higher ranks are left out first where there is no room, 0 never.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SheetColumn {
    pub title: &'static str,
    pub right: bool,
    pub rank: u8,
}

const fn text(title: &'static str, rank: u8) -> SheetColumn {
    SheetColumn { title, right: false, rank }
}

const fn figure(title: &'static str, rank: u8) -> SheetColumn {
    SheetColumn { title, right: true, rank }
}

/// Where the rows come from, and what opening one shows.
#[derive(Debug, Clone)]
enum Source {
    Groups(Arc<Footer>),
    /// Of this row group.
    Chunks(Arc<Footer>, usize),
    Survey(Arc<Survey>),
    Candidates(Vec<Candidate>),
}

/// What is shown; texts as they are in the table.
#[derive(Debug, Clone)]
pub struct Sheet {
    pub title: String,
    /// What is known of the whole, a line each.
    pub facts: Vec<DetailRow>,
    pub columns: &'static [SheetColumn],
    pub rows: Vec<Vec<String>>,
    /// In the place of rows where there are none.
    pub empty: &'static str,
    pub scroll: Scroll,
    source: Source,
}

impl Sheet {
    pub fn footer(footer: Arc<Footer>) -> Sheet {
        footer::groups(footer)
    }

    pub fn survey(survey: Arc<Survey>) -> Sheet {
        survey::sheet(survey)
    }

    pub fn candidates(candidates: Vec<Candidate>) -> Sheet {
        candidates::sheet(candidates)
    }

    /// All that is known of the selected row.
    pub fn open_row(&self) -> Option<Layer> {
        let at = self.scroll.selected;
        match &self.source {
            Source::Groups(footer) => {
                footer.row_groups.get(at)?;
                Some(SheetLayer::ready(footer::chunks(footer.clone(), at)))
            }
            Source::Chunks(footer, group) => {
                Some(Layer::Detail(footer::chunk(footer.row_groups.get(*group)?.columns.get(at)?)))
            }
            Source::Survey(survey) => Some(Layer::Detail(survey::column(survey.columns.get(at)?))),
            Source::Candidates(list) => Some(Layer::Detail(candidates::detail(list.get(at)?))),
        }
    }

    /// All that is known of the whole.
    pub fn about(&self) -> DetailLayer {
        match &self.source {
            Source::Groups(footer) | Source::Chunks(footer, _) => footer::about(footer),
            Source::Survey(survey) => survey::about(survey),
            Source::Candidates(_) => {
                DetailLayer { rows: self.facts.clone(), ..DetailLayer::new(&self.title) }
            }
        }
    }

    /// As text for the clipboard: facts, then rows parted by tabs.
    pub fn to_text(&self) -> String {
        let facts = DetailLayer { rows: self.facts.clone(), ..DetailLayer::default() }.to_text();
        let titles: Vec<&str> = self.columns.iter().map(|c| c.title).collect();
        let rows = self.rows.iter().map(|row| row.join("\t")).collect::<Vec<_>>().join("\n");
        format!("{facts}\n{}\n{rows}\n", titles.join("\t"))
    }
}

/// A sheet, or its way here.
#[derive(Debug)]
pub struct SheetLayer {
    pub title: String,
    /// What it waits for.
    pub waiting: &'static str,
    pub load: Load<Sheet>,
    retry: Option<Job>,
}

impl SheetLayer {
    pub fn ready(sheet: Sheet) -> Layer {
        let mut load = Load::default();
        let title = sheet.title.clone();
        load.done(sheet);
        Layer::Sheet(Box::new(SheetLayer { title, waiting: "", load, retry: None }))
    }

    /// With a job that brings it.
    pub fn loading(title: String, waiting: &'static str, job: Job, ctx: &mut Ctx) -> Layer {
        let mut layer = SheetLayer { title, waiting, load: Load::default(), retry: Some(job.clone()) };
        layer.load.start(job, ctx);
        Layer::Sheet(Box::new(layer))
    }

    /// Starts the job again after a failure.
    pub fn retry(&mut self, ctx: &mut Ctx) {
        if let (Some(job), Some(_)) = (self.retry.clone(), &self.load.fault) {
            self.load.start(job, ctx);
        }
    }

    /// Takes an event of its job.
    pub fn answer(&mut self, id: JobId, event: &JobEvent) {
        if !self.load.awaits(id) {
            return;
        }
        match event {
            JobEvent::Progress(progress) => self.load.progress = Some(progress.clone()),
            JobEvent::Footer(footer) => self.load.done(Sheet::footer(footer.clone())),
            JobEvent::Survey(survey) => self.load.done(Sheet::survey(survey.clone())),
            JobEvent::Failed(fault) => self.load.fail(fault.clone()),
            _ => {}
        }
    }
}

/// Uncompressed over compressed bytes, two digits.
fn ratio(uncompressed: u64, compressed: u64) -> String {
    match compressed {
        0 => "–".into(),
        _ => format!("{:.2}", uncompressed as f64 / compressed as f64),
    }
}

/// A figure that may be unknown.
fn count_or(n: Option<u64>) -> String {
    n.map_or_else(|| "?".into(), crate::model::units::count)
}
