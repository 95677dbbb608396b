//! All rows of a statement into files and a new table, read again by other programs.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::journey::Journey;
use crate::support::lake::Lake;
use crate::support::peer;

/// 60,000 rows, many times what the screen takes, with what forms differ in: NULL and the empty
/// text, a quote and a line break, a decimal, a date, binary, nested values.
const QUERY: &str = "select a.id * 1000 + b.product_id as k, \
    case a.id % 3 when 0 then null when 1 then '' else 'x\"\n,y' end as s, \
    cast(a.amount as decimal(12,2)) as d, date '2024-02-29' as day, \
    named_struct('i', a.id, 'n', b.name) as st, array(a.id, null) as l \
    from sales a cross join product b";

/// What another program has to find: rows, the sum of `k`, NULLs and empty texts in `s`, the sum of `d`.
fn expected() -> Value {
    // `id` runs from 0 to 299 in both regions; `product_id` from 0 to 9; `amount` is as the lake says.
    let rows = 600 * 10;
    let k: i64 = (0..300).flat_map(|a| (0..10).map(move |b| 2 * (a * 1000 + b))).sum();
    json!({"rows": rows, "k": k, "null": 2000, "empty": 2000, "d": "297000.00"})
}

/// Opens the console on the lakehouse's table `sales` with the query in it, in a result.
fn console(lake: &Lake, writing: bool) -> Journey {
    let location = lake.path().join("sales");
    let location = location.to_str().unwrap();
    let j = if writing { Journey::writing(location, 120, 40) } else { Journey::start(location, 120, 40) };
    j.sees("600 rows").keys("6i<C-l>").paste(&query(lake)).keys("<F5>").sees("there are more");
    j.keys("<Esc>");
    j
}

fn query(lake: &Lake) -> String {
    let product = lake.table("product");
    QUERY.replace("join product b", &format!("join delta.`{}` b", product.display()))
}

/// Types a path into the export's prompt.
fn export_to(j: &Journey, path: &Path) {
    j.keys("E").sees("Write all rows of the query to").keys("<C-u>").paste(path.to_str().unwrap());
    j.keys("<Enter>");
}

fn out(lake: &Lake) -> PathBuf {
    let out = lake.home().join("out");
    fs::create_dir_all(&out).unwrap();
    out
}

fn names(folder: &Path) -> Vec<String> {
    let mut all: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    all.sort();
    all
}

/// Reads `t` in its form and says what is in it.
const READ: &str = r#"
import csv, decimal
import pyarrow.parquet as pq
def told(rows):
    return {"rows": len(rows), "k": sum(int(r["k"]) for r in rows),
            "null": sum(r["s"] is None for r in rows), "empty": sum(r["s"] == "" for r in rows),
            "d": str(sum(decimal.Decimal(str(r["d"])) for r in rows))}
if t.endswith(".parquet"):
    rows = pq.read_table(t).to_pylist()
elif t.endswith(".csv"):
    # Python's reader does not tell NULL from the empty text; pyarrow's does.
    import pyarrow.csv as pc
    table = pc.read_csv(t, parse_options=pc.ParseOptions(newlines_in_values=True),
        convert_options=pc.ConvertOptions(strings_can_be_null=True, quoted_strings_can_be_null=False, column_types={"d": pa.string()}))
    rows = table.to_pylist()
elif t.endswith(".ndjson"):
    rows = [json.loads(line) for line in open(t, encoding="utf-8")]
elif t.endswith(".json"):
    rows = json.load(open(t, encoding="utf-8"))
else:
    rows = DeltaTable(t).to_pyarrow_table().to_pylist()
"#;

#[test]
fn every_form_holds_all_rows_as_another_program_reads_them() {
    let Some(python) = peer::python() else { return };
    let lake = Lake::new();
    let j = console(&lake, true);
    let out = out(&lake);
    for name in ["a.csv", "a.json", "a.ndjson", "a.parquet", "table"] {
        let path = out.join(name);
        export_to(&j, &path);
        j.sees(&format!("{name}: 6,000 rows written"));
        let told = peer::run(python, &path, &format!("{READ}say(told(rows))"));
        assert_eq!(told, expected(), "{name}");
    }
    assert_eq!(names(&out), ["a.csv", "a.json", "a.ndjson", "a.parquet", "table"], "nothing else is left");
    let nested = |name: &str| {
        let script =
            format!("{READ}r = min(rows, key=lambda r: int(r['k']))\nsay([r['st'], r['l'], str(r['day'])])");
        peer::run(python, &out.join(name), &script)
    };
    let want = json!([{"i": 0, "n": "product 0"}, [0, null], "2024-02-29"]);
    for name in ["a.json", "a.ndjson", "a.parquet", "table"] {
        assert_eq!(nested(name), want, "{name}");
    }
    // The drawer tells rows, bytes and where they are.
    j.keys("T").sees("6,000 rows").sees("Export to").keys("<Esc>");
    let table = out.join("table");
    let log = peer::run(
        python,
        &table,
        "d = DeltaTable(t)\nadds = pa.table(d.get_add_actions(flatten=True)).to_pylist()\nsay([d.version(), d.schema().fields[2].type.type, [[a['num_records'], a['null_count.s'], a['min.k'], a['max.k']] for a in adds]])",
    );
    assert_eq!(log, json!([0, "decimal(12,2)", [[6000, 2000, 0, 299_009]]]));
    j.keys("q");
    assert_eq!(j.ends(), 0);
}

#[test]
fn a_taken_name_asks_again_and_a_table_is_never_replaced() {
    let lake = Lake::new();
    let j = console(&lake, true);
    let out = out(&lake);
    let taken = out.join("a.csv");
    fs::write(&taken, "mine").unwrap();
    export_to(&j, &taken);
    j.sees("Enter replaces it");
    assert_eq!(fs::read_to_string(&taken).unwrap(), "mine");
    j.keys("<Enter>").sees("a.csv: 6,000 rows written");
    assert!(fs::read_to_string(&taken).unwrap().starts_with("k,s,d,day,st,l\n"));
    let folder = out.join("folder");
    fs::create_dir(&folder).unwrap();
    export_to(&j, &folder);
    j.sees("folder was not written: that name is taken");
    assert!(names(&folder).is_empty());
    assert_eq!(names(&out), ["a.csv", "folder"]);
    j.keys("q");
    assert_eq!(j.ends(), 0);
}

#[test]
fn read_only_writes_files_but_no_table() {
    let lake = Lake::new();
    let j = console(&lake, false);
    let out = out(&lake);
    export_to(&j, &out.join("table"));
    j.sees("Read-only: start with --allow-writes").keys("<Esc>");
    assert!(names(&out).is_empty());
    export_to(&j, &out.join("a.ndjson"));
    j.sees("a.ndjson: 6,000 rows written");
    assert_eq!(fs::read_to_string(out.join("a.ndjson")).unwrap().lines().count(), 6000);
    export_to(&j, &out.join("no/such/folder/a.csv"));
    j.sees("a.csv was not written: there is no folder").keys("T").sees("cannot be written").keys("<Esc>");
    j.keys("E")
        .sees("Write all")
        .keys("<C-u>a.xlsx<Enter>")
        .sees("Nothing is written as .xlsx")
        .keys("<Esc>");
    // Tab goes from form to form.
    j.keys("E").sees("sales.csv").keys("<Tab>").sees("sales.json").keys("<Tab><Tab>").sees("sales.parquet");
    j.keys("<Tab>").sees("A new folder with a table").keys("<Esc>q");
    assert_eq!(j.ends(), 0);
}

#[test]
fn a_cancelled_export_leaves_nothing() {
    let lake = Lake::new();
    let j = console(&lake, true);
    let out = out(&lake);
    // Some 10¹¹ rows.
    j.keys("i<C-l>select a.id from t a, t b, t c, t d");
    for name in ["a.csv", "a.parquet", "table"] {
        j.keys("<A-e>").sees("Write all").keys("<C-u>").paste(out.join(name).to_str().unwrap());
        j.keys("<Enter>").sees("Started").keys("<A-6><Esc>").sees_no("editing");
        j.keys("T")
            .sees("writing …")
            .sees("B/s")
            .keys("<C-c>")
            .sees("cancelled; nothing is left")
            .keys("<Esc>i");
        j.sees("editing");
        assert!(names(&out).is_empty(), "{name}: {:?}", names(&out));
    }
    j.keys("<Esc>q");
    assert_eq!(j.ends(), 0);
    assert!(names(&out).is_empty());
}

#[test]
fn what_changes_data_is_not_exported_and_the_palette_knows_the_way() {
    let lake = Lake::new();
    let j = console(&lake, true);
    j.keys("i<C-l>delete from t<A-e>").sees("gives no rows that could be written");
    j.keys("<C-l>with a as (select 1 as n) select * from a<A-e>")
        .sees("with a as (select 1 as n)")
        .sees("Write all rows");
    j.keys("<Esc>")
        .keys("<Esc>:")
        .sees("Commands")
        .keys("write all rows<Enter>")
        .sees("Write all rows of the query to");
    j.keys("<Esc>q");
    assert_eq!(j.ends(), 0);
}
