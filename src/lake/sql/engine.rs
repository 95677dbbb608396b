//! The query engine's set-up: memory, spilling, partitions, settings that delta-rs' scans need.

use std::sync::Arc;
use std::time::Duration;

use datafusion::catalog::CatalogProviderList;
use datafusion::error::Result;
use datafusion::execution::memory_pool::{FairSpillPool, TrackConsumersPool};
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion::execution::{FunctionRegistry, SessionStateBuilder};
use datafusion::prelude::{SessionConfig, SessionContext};
use deltalake::delta_datafusion::DeltaSessionConfig;

use super::nested::NestedNames;
use super::spark::{self, SecondsOfTimes, SparkOperators};

/// The catalog and schema that a bare table name is looked up in.
pub(super) const CATALOG: &str = "lakehouse";
pub(super) const SCHEMA: &str = "default";

/// What a query may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// Bytes of memory before sorts, joins and aggregates spill to disk; none: half of the memory
    /// that this process may have.
    pub memory: Option<u64>,
    /// How long a statement may run; none: for ever.
    pub time: Option<Duration>,
}

/// What all statements and tables of a session share.
#[derive(Debug, Clone)]
pub(super) struct Shared {
    pub(super) runtime: Arc<RuntimeEnv>,
}

impl Shared {
    pub(super) fn new(limits: Limits) -> Result<Shared> {
        let memory = limits.memory.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
        let pool = FairSpillPool::new(memory.unwrap_or_else(memory_share));
        let pool = TrackConsumersPool::new(pool, TOP_CONSUMERS);
        let runtime = RuntimeEnvBuilder::new().with_memory_pool(Arc::new(pool)).build_arc()?;
        Ok(Shared { runtime })
    }
}

pub(super) fn config() -> SessionConfig {
    // Names are folded before parsing (see `fold`), so the engine compares them as they are.
    let mut config: SessionConfig = DeltaSessionConfig::default().into();
    config = config.with_default_catalog_and_schema(CATALOG, SCHEMA).with_information_schema(true);
    config = config.with_create_default_catalog_and_schema(false);
    config.options_mut().sql_parser.collect_spans = true;
    // As in Spark: nulls come first upwards and last downwards, and 2.5 is a decimal.
    config.options_mut().sql_parser.default_null_ordering = "nulls_min".into();
    config.options_mut().sql_parser.parse_float_as_decimal = true;
    // Spark's old timestamps (INT96) reach past what nanoseconds can hold: from 1677 to 2262.
    config.options_mut().execution.parquet.coerce_int96 = Some("us".into());
    config
}

/// A context whose tables come from `catalogs`.
pub(super) fn context(catalogs: Arc<dyn CatalogProviderList>, shared: &Shared) -> Result<SessionContext> {
    let state = SessionStateBuilder::new()
        .with_default_features()
        .with_config(config())
        .with_runtime_env(Arc::clone(&shared.runtime))
        .with_catalog_list(catalogs);
    let mut state = state.build();
    // Planners are asked in order, and the default one takes any nested name as it is written.
    let mut planners: Vec<_> = vec![Arc::new(NestedNames) as _, Arc::new(SparkOperators) as _];
    planners.extend(state.expr_planners().iter().cloned());
    let mut rules: Vec<_> = vec![Arc::new(SecondsOfTimes) as _];
    rules.extend(state.analyzer().rules.iter().cloned());
    state = SessionStateBuilder::new_from_existing(state)
        .with_expr_planners(planners)
        .with_analyzer_rules(rules)
        .build();
    for function in spark::functions() {
        state.register_udf(function)?;
    }
    Ok(SessionContext::new_with_state(state))
}

/// How many users of memory an out-of-memory message names.
const TOP_CONSUMERS: std::num::NonZeroUsize = std::num::NonZeroUsize::new(3).unwrap();

/// Bytes that a query may use before it spills to disk: half of the memory that this process may
/// have, but at least 256 MiB.
fn memory_share() -> usize {
    const UNKNOWN: u64 = 4 << 30;
    let machine = physical_memory().unwrap_or(UNKNOWN);
    let limit = control_group_limit().map_or(machine, |limit| limit.min(machine));
    usize::try_from(limit / 2).unwrap_or(usize::MAX).max(256 << 20)
}

#[cfg(unix)]
fn physical_memory() -> Option<u64> {
    // SAFETY: sysconf only reads its argument.
    let (pages, size) = unsafe { (libc::sysconf(libc::_SC_PHYS_PAGES), libc::sysconf(libc::_SC_PAGESIZE)) };
    u64::try_from(pages).ok()?.checked_mul(u64::try_from(size).ok()?).filter(|bytes| *bytes > 0)
}

#[cfg(not(unix))]
fn physical_memory() -> Option<u64> {
    None
}

/// The limit of this process's control group (containers), in bytes; none where there is none.
fn control_group_limit() -> Option<u64> {
    ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
        .iter()
        .find_map(|path| std::fs::read_to_string(path).ok()?.trim().parse().ok())
}
