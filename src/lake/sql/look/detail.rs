//! `DESCRIBE DETAIL t`, with Spark's columns.

use super::{answer, split};
use crate::lake::log::Want;
use crate::lake::sql::lakehouse::Lakehouse;
use crate::lake::sql::session::SqlRun;
use crate::lake::watch::Watch;
use crate::model::Outcome;
use crate::model::detail::Detail;

pub(super) async fn detail(lakehouse: &Lakehouse, name: &[String]) -> Outcome<SqlRun> {
    let (schema, table) = split(name);
    let entry = lakehouse.known_entry(schema, table).await?;
    let open = entry.open().await?;
    let want = Want { records: true, tags: false, tombstones: false };
    let files = open.files(want, &Watch::default()).await?;
    let d = Detail::new(&open.table, &files.list, files.tombstones.unwrap_or_default(), &files.warnings);
    let text = |value: Option<String>| answer::text(std::iter::once(value));
    let number = |value: u64| answer::integer(std::iter::once(Some(value)));
    let time = |value| answer::time(std::iter::once(value));
    let properties = d.properties.into_iter().map(|(k, v)| (k, Some(v))).collect();
    answer::columns(vec![
        ("format", text(Some(d.format))),
        ("id", text(Some(d.id))),
        ("name", text(d.name)),
        ("description", text(d.description)),
        ("location", text(Some(d.location))),
        ("createdAt", time(open.table.metadata.created)),
        ("lastModified", time(open.table.modified)),
        ("partitionColumns", answer::list(&d.partition_columns)),
        ("clusteringColumns", answer::list(&d.clustering_columns)),
        ("numFiles", number(d.num_files)),
        ("sizeInBytes", number(d.size_in_bytes)),
        ("properties", answer::maps(std::iter::once(Some(properties)))?),
        ("minReaderVersion", number(d.min_reader_version.into())),
        ("minWriterVersion", number(d.min_writer_version.into())),
        ("tableFeatures", answer::list(&d.table_features)),
    ])
}
