//! What deltop adds to a query: each one as the SQL console runs it, side by side with bare
//! DataFusion over the same parquet files.
//!
//! ```sh
//! cargo bench --bench sql                      # a table of a million rows in 400 files
//! cargo bench --bench sql -- --rows 20000000 --runs 9
//! ```

#[path = "../support/mod.rs"]
mod support;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow::datatypes::DataType;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl};
use datafusion::prelude::SessionContext;
use deltop::lake::place::Place;
use deltop::lake::sql::SqlSession;
use deltop::lake::watch::Watch;
use deltop::model::table::AsOf;
use futures::StreamExt;
use support::{generate, machine, peer, seconds};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    // `cargo test` runs benchmarks too: there is nothing to be tested here.
    if !std::env::args().any(|a| a == "--bench") {
        return;
    }
    let number = |name: &str, otherwise: u64| {
        let at = arguments.iter().position(|a| a == name);
        at.and_then(|at| arguments.get(at + 1)?.parse().ok()).unwrap_or(otherwise)
    };
    let (rows, runs) = (number("--rows", 1_000_000).max(1000), number("--runs", 5).max(1));
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("change");
    let Some(table) = generate::sales(&scratch, &peer::Peer::find(), rows) else {
        return println!("no table to query");
    };
    println!("{}; {rows} rows, the median of {runs} runs each\n", machine());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(compare(table, runs));
}

async fn compare(table: PathBuf, runs: u64) {
    let watch = Watch::default();
    let place = Place::parse(&table.to_string_lossy(), &Vec::new()).expect("a place");
    let session = SqlSession::open(&place, AsOf::Latest, &watch).await.expect("a session");
    let bare = bare(&table).await;
    let queries: Vec<&str> =
        include_str!("queries.sql").lines().filter(|l| !l.starts_with("--") && !l.is_empty()).collect();
    let (mut all_ours, mut all_bare) = (Vec::new(), Vec::new());
    println!("{:>9} {:>9} {:>7}", "deltop", "bare", "ratio");
    for query in queries {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..runs {
            let start = Instant::now();
            let mut run = session.run(query).await.expect("a query");
            let mut n = 0;
            while let Some(batch) = run.batches.next().await {
                n += batch.expect("rows").num_rows();
            }
            ours.push(start.elapsed());
            let start = Instant::now();
            let batches = bare.sql(query).await.expect("a plan").collect().await.expect("rows");
            theirs.push(start.elapsed());
            assert_eq!(n, batches.iter().map(|b| b.num_rows()).sum::<usize>(), "{query}");
        }
        let (a, b) = (median(&mut ours), median(&mut theirs));
        println!("{:>9} {:>9} {:>6.2}×  {query}", seconds(a), seconds(b), a.as_secs_f64() / b.as_secs_f64());
        all_ours.push(a);
        all_bare.push(b);
    }
    let (a, b) = (median(&mut all_ours), median(&mut all_bare));
    println!(
        "{:>9} {:>9} {:>6.2}×  the median query",
        seconds(a),
        seconds(b),
        a.as_secs_f64() / b.as_secs_f64()
    );
    let (a, b): (Duration, Duration) = (all_ours.iter().sum(), all_bare.iter().sum());
    println!("{:>9} {:>9} {:>6.2}×  all together", seconds(a), seconds(b), a.as_secs_f64() / b.as_secs_f64());

    let start = Instant::now();
    let session = SqlSession::open(&place, AsOf::Latest, &watch).await.expect("a session");
    let mut run = session.run("select * from t").await.expect("a query");
    let first = run.batches.next().await.expect("a batch").expect("rows");
    println!("\nfirst {} rows of SELECT * after opening: {}", first.num_rows(), seconds(start.elapsed()));
}

/// The folder as a table of parquet files: no log, all files there are.
async fn bare(table: &Path) -> SessionContext {
    let context = SessionContext::new();
    let options = ListingOptions::new(Arc::new(ParquetFormat::default()))
        .with_file_extension(".parquet")
        .with_table_partition_cols(vec![("day".into(), DataType::Int32)]);
    let url = ListingTableUrl::parse(format!("{}/", table.display())).expect("a folder");
    let schema = options.infer_schema(&context.state(), &url).await.expect("a schema");
    let config = ListingTableConfig::new(url).with_listing_options(options).with_schema(schema);
    let listing = ListingTable::try_new(config).expect("a table");
    context.register_table("t", Arc::new(listing)).expect("registered");
    context
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
