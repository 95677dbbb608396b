//! Which row groups of the files that it opens the plan's own reader would skip by their statistics:
//! its predicate, brought to each file's schema as the reader does, against the file's footer. No data
//! is read. Bloom filters and page indexes, which skip more, are not looked at.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use datafusion::common::{DataFusionError, ScalarValue};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::parquet::{
    ParquetAccessPlan, RowGroupAccessPlanFilter, apply_file_schema_type_coercions,
};
use datafusion::datasource::physical_plan::{FileScanConfig, FileSource, ParquetFileMetrics, ParquetSource};
use datafusion::execution::SessionState;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::simplifier::PhysicalExprSimplifier;
use datafusion::physical_expr_adapter::{
    DefaultPhysicalExprAdapterFactory, PhysicalExprAdapterFactory, replace_columns_with_literals,
};
use datafusion::physical_optimizer::pruning::PruningPredicateBuilder;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use futures::StreamExt;
use object_store::path::Path;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::file::metadata::ParquetMetaData;

use super::scans::reader;
use crate::lake::evidence::Footers;
use crate::lake::footer;
use crate::lake::watch::Watch;
use crate::model::query_plan::RowGroups;

/// For each file that was looked at what its reader would leave; an even sample where there are more
/// than were asked for. A file whose footer cannot be read is left out.
pub(super) async fn look(
    state: &SessionState,
    physical: &Arc<dyn ExecutionPlan>,
    asked: Footers,
) -> HashMap<Path, RowGroups> {
    let mut files = BTreeMap::new();
    collect(physical, &mut files);
    let all: Vec<(Path, (Arc<FileScanConfig>, PartitionedFile))> = files.into_iter().collect();
    let total = all.len();
    let runs = asked.of(total);
    // In 128 bits: the product of two counts of files can exceed 64.
    let middle = |run: usize| ((2 * run as u128 + 1) * total as u128 / (2 * runs as u128)) as usize;
    let picked = (0..runs).map(middle).filter_map(|at| all.get(at));
    let looks = picked.map(|(path, (config, file))| async move {
        let left = one(state, config, file).await?;
        Some((path.clone(), left))
    });
    let looks: Vec<_> = looks.collect();
    futures::stream::iter(looks)
        .buffer_unordered(footer::CONCURRENCY)
        .filter_map(futures::future::ready)
        .collect()
        .await
}

/// Each file once, with the reader that opens it; a large one comes in pieces. A reader lists all its
/// files, so that it is kept once.
fn collect(
    plan: &Arc<dyn ExecutionPlan>,
    files: &mut BTreeMap<Path, (Arc<FileScanConfig>, PartitionedFile)>,
) {
    if let Some(config) = reader(plan) {
        let config = Arc::new(config.clone());
        for file in config.file_groups.iter().flat_map(|group| group.iter()) {
            let at = file.object_meta.location.clone();
            files.entry(at).or_insert_with(|| (Arc::clone(&config), file.clone()));
        }
    }
    plan.children().into_iter().for_each(|child| collect(child, files));
}

async fn one(
    state: &SessionState,
    config: &Arc<FileScanConfig>,
    file: &PartitionedFile,
) -> Option<RowGroups> {
    let store = state.runtime_env().object_store(&config.object_store_url).ok()?;
    let meta = &file.object_meta;
    let shown = meta.location.to_string();
    let raw = footer::metadata(&store, &meta.location, &shown, meta.size, &Watch::default()).await.ok()?;
    let (config, file) = (Arc::clone(config), file.clone());
    // The engine's code on a file that may be damaged: a panic in it says no more than that.
    tokio::task::spawn_blocking(move || left(&config, &file, raw).ok()).await.ok()?
}

/// What the reader leaves of a file.
fn left(
    config: &FileScanConfig,
    file: &PartitionedFile,
    metadata: ParquetMetaData,
) -> Result<RowGroups, DataFusionError> {
    let metadata = ArrowReaderMetadata::try_new(Arc::new(metadata), ArrowReaderOptions::new())?;
    let groups = metadata.metadata().row_groups();
    let mut rows = RowGroupAccessPlanFilter::new(ParquetAccessPlan::new_all(groups.len()));
    let logical = config.file_schema();
    let coerced = apply_file_schema_type_coercions(logical, metadata.schema());
    let schema = coerced.map_or_else(|| Arc::clone(metadata.schema()), Arc::new);
    if let Some(predicate) = predicate(config, file)? {
        let factory = config.expr_adapter_factory.clone().unwrap_or_else(|| {
            Arc::new(DefaultPhysicalExprAdapterFactory) as Arc<dyn PhysicalExprAdapterFactory>
        });
        let adapter = factory.create(Arc::clone(logical), Arc::clone(&schema))?;
        let predicate = PhysicalExprSimplifier::new(&schema).simplify(adapter.rewrite(predicate)?)?;
        let pruning = PruningPredicateBuilder::new().with_file_schema(Arc::clone(&schema)).build(predicate);
        if let Some(pruning) = pruning {
            let metrics = ParquetFileMetrics::new(0, "", &ExecutionPlanMetricsSet::new());
            let columns = metadata.metadata().file_metadata().schema_descr();
            rows.prune_by_statistics(&schema, columns, groups, &pruning, &metrics);
        }
    }
    let size = |at: usize| groups.get(at).map_or(0, |g| u64::try_from(g.compressed_size()).unwrap_or(0));
    let kept: Vec<usize> = rows.row_group_indexes().collect();
    Ok(RowGroups {
        total: groups.len() as u64,
        kept: kept.len() as u64,
        kept_bytes: kept.into_iter().map(size).fold(0, u64::saturating_add),
    })
}

/// The reader's predicate with the file's partition values in it; none if it has none.
fn predicate(
    config: &FileScanConfig,
    file: &PartitionedFile,
) -> Result<Option<Arc<dyn PhysicalExpr>>, DataFusionError> {
    let source = config.file_source().downcast_ref::<ParquetSource>();
    let Some(predicate) = source.and_then(|s| s.filter()) else { return Ok(None) };
    let names = config.table_partition_cols().iter().map(|field| field.name().clone());
    let values: HashMap<String, ScalarValue> = names.zip(file.partition_values.iter().cloned()).collect();
    replace_columns_with_literals(predicate, &values).map(Some)
}
