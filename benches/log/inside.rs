//! What the screen and the commands do with a log that was read, each measured by itself.

use std::path::Path;
use std::time::{Duration, Instant};

use deltop::app::pane::files::arrange::{Narrow, Sort, SortBy, arrange};
use deltop::app::summary::Summary;
use deltop::lake::history;
use deltop::lake::log::{Look, OpenTable, Want};
use deltop::lake::place::Place;
use deltop::lake::watch::Watch;
use deltop::model::clustering::Clustering;
use deltop::model::stats::wanted_columns;
use deltop::model::table::AsOf;
use deltop::model::trends::Trends;

use crate::support::seconds;

/// Prints a line for each piece of work; each is done a few times, and the fastest one counts.
pub fn measure(log: &Path) {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let watch = Watch::default();
        let place = Place::parse(&log.to_string_lossy(), &Vec::new()).expect("a place");
        let table = OpenTable::open(&place, AsOf::Latest, &watch).await.expect("a table");
        let want = Want { records: true, tombstones: true, tags: false };
        let files = table.files(want, &watch).await.expect("files");
        let list = &files.list;
        let per_file = list.heap_bytes() / list.len().max(1);
        println!("  {:<44} {} files, {per_file} bytes each", "held in memory", list.len());

        for by in SortBy::ALL {
            let sort = Sort::default().toggle(by);
            say(&format!("sort by {}", by.title()), fastest(|| arrange(list, sort, &Narrow::default(), &|| false)));
        }
        for text in ["country=de part-0", "<64mb", "nothing like that"] {
            let narrow = Narrow { text: text.into(), scope: None, band: None };
            let work = || arrange(list, Sort::default(), &narrow, &|| false);
            say(&format!("filter \"{text}\""), fastest(work));
        }
        say("histogram, partition tree, totals", fastest(|| Summary::of(list, &table.table.metadata)));

        let wanted = wanted_columns(&table.table.metadata);
        let start = Instant::now();
        let (_, stats) = table.files_with_stats(want, &wanted, &watch).await.expect("statistics");
        say("files with the statistics of their columns", start.elapsed());
        for column in wanted.iter().filter_map(|w| stats.column(&w.name)) {
            if column.unknown_files() < column.len() as u64 {
                say(&format!("clustering of {}", column.name), fastest(|| Clustering::of(column)));
            }
        }

        say("look for newer commits: none", look(&table, &watch).await);
        let next = table.table.version + 1;
        let path = log.join(format!("_delta_log/{next:020}.json"));
        let gone = list.get(list.len() / 2).path;
        let commit = format!(
            "{{\"add\":{{\"path\":\"x\",\"partitionValues\":{{}},\"size\":1,\"modificationTime\":1,\"dataChange\":true}}}}\n{{\"remove\":{{\"path\":\"{gone}\",\"dataChange\":true}}}}\n"
        );
        std::fs::write(&path, commit).expect("a commit");
        let mut best = Duration::MAX;
        for _ in 0..5 {
            let start = Instant::now();
            let news = table.news(Look::Next, &watch).await.expect("a look").expect("news");
            let changed = news.files(&table, &files, &watch).await.expect("files");
            best = best.min(start.elapsed());
            assert_eq!(changed.files.list.len(), list.len(), "one came, one went");
        }
        std::fs::remove_file(&path).expect("the log as it was");
        say("refresh after one new commit", best);

        let mut commits = Vec::new();
        let start = Instant::now();
        history::commits(&table, None, 10_000, &watch, &mut |c| commits.push(c)).await.expect("commits");
        say(&format!("history of {} commits", commits.len()), start.elapsed());
        say("trends over them", fastest(|| Trends::of(&commits, &[], &[], 1_800_000_000_000)));
    });
}

async fn look(table: &OpenTable, watch: &Watch) -> Duration {
    let mut best = Duration::MAX;
    for _ in 0..20 {
        let start = Instant::now();
        assert!(table.news(Look::Next, watch).await.expect("a look").is_none());
        best = best.min(start.elapsed());
    }
    best
}

fn fastest<T>(work: impl Fn() -> T) -> Duration {
    let once = || {
        let start = Instant::now();
        std::hint::black_box(work());
        start.elapsed()
    };
    (0..5).map(|_| once()).min().unwrap_or_default()
}

fn say(what: &str, time: Duration) {
    println!("  {what:<44} {}", seconds(time));
}
