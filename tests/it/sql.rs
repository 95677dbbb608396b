//! Queries over the shared tables.

use std::path::{Path, PathBuf};

use deltop::lake::place::Place;
use deltop::lake::sql::{SqlSession, json_rows};
use deltop::lake::watch::Watch;
use deltop::model::Outcome;
use deltop::model::table::AsOf;
use futures::StreamExt;
use serde_json::Value;

fn place(path: &Path) -> Place {
    Place::parse(path.to_str().unwrap(), &Vec::new()).unwrap()
}

async fn rows(path: &Path, sql: &str) -> Outcome<Vec<Value>> {
    let session = SqlSession::open(&place(path), AsOf::Latest, &Watch::default()).await?;
    let mut run = session.run(sql).await?;
    let mut out = Vec::new();
    while let Some(batch) = run.batches.next().await {
        out.extend(json_rows(&batch?)?.into_iter().map(Value::Object));
    }
    Ok(out)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sweep() {
    let root = PathBuf::from("/work/shared/tables");
    let expected: Value =
        serde_json::from_str(&std::fs::read_to_string(root.join("expected.json")).unwrap()).unwrap();
    for (name, table) in expected["tables"].as_object().unwrap() {
        let open = table["open"].as_str().unwrap_or("");
        let want = table["num_rows"].as_u64();
        let start = std::time::Instant::now();
        let sql = std::env::var("SQL").unwrap_or("select count(*) as n from t".into());
        let got = rows(&root.join(name), &sql).await;
        let ms = start.elapsed().as_millis();
        match got {
            Ok(r) if sql.contains('*') && !sql.contains("count") => {
                if Some(r.len() as u64) != want {
                    println!("{name} {open}: want {want:?} got {} rows {ms}ms", r.len())
                }
            }
            Ok(r) if r.first().and_then(|r| r["n"].as_u64()) == want && open == "ok" => {}
            Ok(r) => println!("{name} {open}: want {want:?} got {:?} {ms}ms", r.first()),
            Err(f) => println!(
                "{name} {open}: want {want:?} FAULT {} {} | {} | {}",
                f.exit_status(),
                f.code,
                f.message,
                f.cause.chars().take(400).collect::<String>()
            ),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn probe() {
    let t = PathBuf::from("/work/shared/tables/gen__sales/salesorderdetail");
    let text = std::fs::read_to_string("/tmp/probe.sql").unwrap();
    let session = SqlSession::open(&place(&t), AsOf::Latest, &Watch::default()).await.unwrap();
    for sql in text.lines() {
        let run = async {
            let mut run = session.run(sql).await?;
            let mut out = Vec::new();
            while let Some(batch) = run.batches.next().await {
                out.extend(json_rows(&batch?)?.into_iter().map(Value::Object));
            }
            Ok::<_, deltop::model::Fault>(out)
        };
        match run.await {
            Ok(r) => println!(
                "OK  {sql}\n     {}",
                r.iter().take(3).map(|v| v.to_string()).collect::<Vec<_>>().join("\n     ")
            ),
            Err(f) => println!(
                "ERR {sql}\n     {} {} | {} | {} | {}",
                f.exit_status(),
                f.code,
                f.message,
                f.cause,
                f.hint
            ),
        }
    }
}
