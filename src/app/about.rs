//! All that the log says of the table as a whole, in full; the Overview cuts what is long.

use super::layer::detail::DetailLayer;
use super::table::TableView;
use crate::model::units;

impl TableView {
    /// None until the table is open.
    pub fn about(&self) -> Option<DetailLayer> {
        let table = self.table.value.as_ref()?;
        let metadata = &table.metadata;
        let mut d = DetailLayer::new("Table");
        d.row("name", table.name.clone());
        d.row("location", table.location.clone());
        d.row("version", table.version.to_string());
        let time = |ms| format!("{} UTC", units::screen_time(ms));
        d.value("modified", table.modified.map(time).as_deref());
        d.value("created", metadata.created.map(time).as_deref());
        d.row("id", metadata.id.clone());
        d.value("description", metadata.description.as_deref());
        for (label, columns) in
            [("partitioned by", &metadata.partition_columns), ("clustered by", &table.clustering_columns())]
        {
            d.row(label, if columns.is_empty() { "nothing".to_owned() } else { columns.join(", ") });
        }
        let p = &table.protocol;
        d.row("protocol", format!("reader {}, writer {}", p.min_reader, p.min_writer));
        d.row("features", p.features().join(", "));
        for txn in &table.txns {
            d.row("application", format!("{} at version {}", txn.app_id, txn.version));
        }
        let files = self.files.value.as_ref().map(|f| f.warnings.as_slice()).unwrap_or_default();
        for warning in table.warnings.iter().chain(files) {
            d.warn("warning", warning.clone());
        }
        if !metadata.configuration.is_empty() {
            d.heading("Properties");
        }
        for (key, value) in &metadata.configuration {
            d.row(key, value.clone());
        }
        Some(d)
    }
}
