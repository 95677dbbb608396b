//! From a filled form to the change that it asks for.

use super::{CODECS, FieldId, Form, Kind, ScopeKind};
use crate::model::change::{Change, Codec, Goal, Order, Rewrite, Scope, Vacuum};
use crate::model::plan::vacuum::Mode;
use crate::model::target::parse_size;

impl Form {
    /// What the form asks for; or the field that is wrong, which gets the focus, and why.
    pub fn submit(&mut self) -> Option<Change> {
        match self.change() {
            Ok(change) => Some(change),
            Err((field, problem)) => {
                self.focus = field;
                self.problem = Some((field, problem));
                None
            }
        }
    }

    fn change(&self) -> Result<Change, (FieldId, String)> {
        match self.kind {
            Kind::Repair => Ok(Change::Repair),
            Kind::Undo => Ok(Change::Undo { to_before: self.number(FieldId::ToBefore)? }),
            Kind::Vacuum => Ok(Change::Vacuum(Vacuum {
                mode: if self.choice(FieldId::Mode) == 1 { Mode::Full } else { Mode::Lite },
                retain_hours: self.number(FieldId::Retain)?,
                below_safe_retention: self.switch(FieldId::BelowSafe),
                include_never_referenced: self.applies(FieldId::NeverReferenced)
                    && self.switch(FieldId::NeverReferenced),
            })),
            Kind::Rewrite => Ok(Change::Rewrite(Rewrite {
                goal: self.goal()?,
                scope: self.chosen_scope()?,
                order: self.order()?,
                codec: CODECS.get(self.choice(FieldId::Codec)).map_or(Codec::Zstd, |(_, codec)| *codec),
                row_group_rows: self.number(FieldId::GroupRows)?,
                purge: self.switch(FieldId::Purge),
                stats: self.switch(FieldId::Stats),
                all: self.switch(FieldId::All),
            })),
        }
    }

    /// A whole number; none if the field is empty.
    fn number(&self, id: FieldId) -> Result<Option<u64>, (FieldId, String)> {
        match self.text(id) {
            "" => Ok(None),
            text => text
                .replace(['_', ','], "")
                .parse()
                .map(Some)
                .map_err(|_| (id, format!("\"{text}\" is not a whole number"))),
        }
    }

    fn goal(&self) -> Result<Goal, (FieldId, String)> {
        let size = || match self.text(FieldId::Size) {
            "" => Ok(None),
            text => match parse_size(text).filter(|n| *n > 0) {
                Some(bytes) => Ok(Some(bytes)),
                None => Err((FieldId::Size, format!("\"{text}\" is not a size such as 128mb"))),
            },
        };
        match self.choice(FieldId::Goal) {
            0 => Ok(Goal::Compact { target: size()? }),
            3 => match size()? {
                Some(bytes) => Ok(Goal::Size { bytes }),
                None => Err((FieldId::Size, "a size such as 128mb is needed".into())),
            },
            4 => Ok(Goal::Each),
            at => match self.number(FieldId::Count)?.filter(|n| *n > 0) {
                Some(count) => Ok(Goal::Files { count, per_partition: at == 2 }),
                None => Err((FieldId::Count, "a number of files from 1 on is needed".into())),
            },
        }
    }

    fn order(&self) -> Result<Order, (FieldId, String)> {
        let order = self.choice(FieldId::Order);
        if order == 0 {
            return Ok(Order::Kept);
        }
        let names = self.text(FieldId::Columns).split(',').map(str::trim).filter(|c| !c.is_empty());
        let names: Vec<String> = names.map(str::to_owned).collect();
        match (names.is_empty(), order) {
            (true, _) => Err((FieldId::Columns, "at least one column is needed".into())),
            (false, 1) => Ok(Order::Sorted(names)),
            (false, _) => Ok(Order::ZOrder(names)),
        }
    }

    fn chosen_scope(&self) -> Result<Scope, (FieldId, String)> {
        Ok(match self.scope() {
            ScopeKind::Table => Scope::Table,
            ScopeKind::Partitions => Scope::Partitions(self.marked.partitions.clone()),
            ScopeKind::Files => Scope::Files(self.marked.files.clone()),
            ScopeKind::Where => match self.text(FieldId::Predicate) {
                "" => return Err((FieldId::Predicate, "a condition is needed, such as year = 2024".into())),
                text => Scope::Where(text.to_owned()),
            },
        })
    }
}
