//! Files written here, with all that a footer can say.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use arrow::array::{
    ArrayRef, BinaryArray, Date32Array, Decimal128Array, Float64Array, Int32Array, Int64Array, ListArray,
    NullArray, RecordBatch, StringArray, StructArray, TimestampMicrosecondArray,
};
use arrow::datatypes::{Field, Int32Type};
use deltop::lake::footer::{self, Survey};
use deltop::lake::watch::Watch;
use deltop::model::files::FileList;
use deltop::model::footer::{Bound, Chunk, Footer};
use deltop::model::footer_totals::DriftKind;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};

use super::{list, place};

const LONG: &str = "a text that is longer than the sixty-four bytes to which the writer cuts its bounds";

fn batch() -> RecordBatch {
    let list =
        ListArray::from_iter_primitive::<Int32Type, _, _>([Some(vec![Some(1), None]), None, Some(vec![])]);
    let inner: ArrayRef = Arc::new(Int32Array::from(vec![7, 8, 9]));
    let outer = StructArray::from(vec![(Arc::new(Field::new("x", inner.data_type().clone(), false)), inner)]);
    let decimal = Decimal128Array::from(vec![Some(-1), Some(12_345), None]).with_precision_and_scale(30, 2);
    RecordBatch::try_from_iter([
        ("id", Arc::new(Int64Array::from(vec![3, 1, 2])) as ArrayRef),
        ("gone", Arc::new(Int32Array::from(vec![None, None, None]))),
        ("void", Arc::new(NullArray::new(3))),
        ("name", Arc::new(StringArray::from(vec![Some("b"), None, Some(LONG)]))),
        ("day", Arc::new(Date32Array::from(vec![-1, 0, 1]))),
        ("at", Arc::new(TimestampMicrosecondArray::from(vec![0, 1, 2]).with_timezone("UTC"))),
        ("price", Arc::new(decimal.expect("a decimal"))),
        ("nan", Arc::new(Float64Array::from(vec![f64::NAN, f64::NAN, f64::NAN]))),
        ("raw", Arc::new(BinaryArray::from_vec(vec![&[0xff], &[0x01], &[0x80]]))),
        ("list", Arc::new(list)),
        ("s", Arc::new(outer)),
    ])
    .expect("columns of one length")
}

/// Writes each batch as a row group.
fn write(path: &Path, batches: &[RecordBatch], properties: WriterProperties) {
    let file = File::create(path).expect("a new file");
    let mut writer = ArrowWriter::try_new(file, batches[0].schema(), Some(properties)).expect("a writer");
    for batch in batches {
        writer.write(batch).expect("rows");
        writer.flush().expect("a row group");
    }
    writer.close().expect("a footer");
}

fn ids(n: i64) -> RecordBatch {
    let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(0..n));
    RecordBatch::try_from_iter([("id", ids)]).expect("a column")
}

async fn read(path: &Path) -> Footer {
    footer::of_file(&place(path), &Watch::default()).await.expect("a footer")
}

fn column<'a>(footer: &'a Footer, path: &str) -> &'a Chunk {
    let columns = &footer.row_groups[0].columns;
    columns.iter().find(|c| c.leaf.path == path).unwrap_or_else(|| panic!("no column {path}"))
}

#[tokio::test]
async fn a_footer_tells_all() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.parquet");
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_created_by("a writer".into())
        .set_key_value_metadata(Some(vec![
            KeyValue::new("com.microsoft.parquet.vorder.enabled".into(), "true".to_owned()),
            KeyValue::new("empty".into(), None),
        ]))
        .set_column_dictionary_enabled("id".into(), false)
        .set_column_compression("raw".into(), Compression::SNAPPY)
        .set_column_bloom_filter_enabled("id".into(), true)
        .set_column_statistics_enabled("day".into(), EnabledStatistics::None)
        .set_column_statistics_enabled("at".into(), EnabledStatistics::Chunk)
        .build();
    write(&path, &[batch(), batch()], properties);
    let footer = read(&path).await;

    assert_eq!(footer.size_in_bytes, path.metadata().unwrap().len());
    assert_eq!((footer.num_rows, footer.row_groups.len(), footer.v_order), (6, 2, true));
    assert_eq!(footer.created_by.as_deref(), Some("a writer"));
    assert_eq!(footer.key_value_metadata["empty"], None);
    let paths: Vec<&str> = footer.row_groups[0].columns.iter().map(|c| c.leaf.path.as_str()).collect();
    let expected =
        ["id", "gone", "void", "name", "day", "at", "price", "nan", "raw", "list.list.item", "s.x"];
    assert_eq!(paths, expected);
    assert_eq!(footer.row_groups[0].num_rows, 3);
    let sum: u64 = footer.row_groups[0].columns.iter().map(|c| c.compressed_size).sum();
    assert_eq!(footer.row_groups[0].compressed_size, sum);

    let id = column(&footer, "id");
    assert_eq!((&id.min, &id.max), (&Some(Bound::Int(1)), &Some(Bound::Int(3))));
    assert_eq!((id.codec, id.null_count, id.min_exact), ("ZSTD", Some(0), Some(true)));
    assert!(id.has_bloom_filter && !id.has_dictionary && id.has_page_index, "{id:?}");
    let gone = column(&footer, "gone");
    assert_eq!((gone.null_count, &gone.min, gone.max_exact), (Some(3), &None, None));
    let name = column(&footer, "name");
    assert_eq!((name.null_count, name.min_exact, name.max_exact), (Some(1), Some(false), Some(true)));
    assert_eq!(name.min, Some(Bound::Text(LONG[..64].into())));
    assert_eq!(name.leaf.type_text(), "BYTE_ARRAY STRING");
    assert!(name.has_dictionary && !name.has_bloom_filter && name.encodings.contains(&"RLE_DICTIONARY"));
    let day = column(&footer, "day");
    assert_eq!((day.null_count, &day.min, &day.max), (None, &None, &None));
    let at = column(&footer, "at");
    assert_eq!(at.max, Some(Bound::Text("1970-01-01T00:00:00.000002Z".into())));
    assert!(!at.has_page_index, "statistics of chunks only");
    let price = column(&footer, "price");
    assert_eq!(
        (&price.min, &price.max),
        (&Some(Bound::Text("-0.01".into())), &Some(Bound::Text("123.45".into())))
    );
    assert_eq!(price.leaf.type_text(), "FIXED_LEN_BYTE_ARRAY(13) DECIMAL(30,2)");
    let nan = column(&footer, "nan");
    assert_eq!((&nan.min, &nan.max), (&None, &None));
    let raw = column(&footer, "raw");
    assert_eq!(
        (raw.codec, &raw.min, &raw.max),
        ("SNAPPY", &Some(Bound::Text("AQ==".into())), &Some(Bound::Text("/w==".into())))
    );
    assert_eq!(column(&footer, "list.list.item").null_count, Some(3));
}

#[tokio::test]
async fn codecs_have_the_formats_names() {
    let dir = tempfile::tempdir().unwrap();
    let codecs = [
        (Compression::UNCOMPRESSED, "UNCOMPRESSED"),
        (Compression::SNAPPY, "SNAPPY"),
        (Compression::GZIP(Default::default()), "GZIP"),
        (Compression::BROTLI(Default::default()), "BROTLI"),
        (Compression::LZ4_RAW, "LZ4_RAW"),
        (Compression::LZ4, "LZ4"),
    ];
    for (codec, name) in codecs {
        let path = dir.path().join(name);
        write(&path, &[ids(100)], WriterProperties::builder().set_compression(codec).build());
        assert_eq!(read(&path).await.row_groups[0].columns[0].codec, name);
    }
}

/// A footer beyond the first request's 64 KiB.
#[tokio::test]
async fn long_footers_take_a_second_request() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("wide.parquet");
    let column: ArrayRef = Arc::new(Int32Array::from(vec![1]));
    let names: Vec<String> = (0..2_000).map(|n| format!("a column with a name of some length {n}")).collect();
    let wide = RecordBatch::try_from_iter(names.iter().map(|n| (n, column.clone()))).unwrap();
    write(&path, &[wide], WriterProperties::default());
    assert!(path.metadata().unwrap().len() > 200_000);
    let footer = read(&path).await;
    assert_eq!((footer.schema.len(), footer.row_groups[0].columns.len()), (2_000, 2_000));
    let by_log =
        footer::of_table(&place(dir.path()), "wide.parquet", Some(17), &Watch::default()).await.unwrap();
    assert_eq!(by_log.size_in_bytes, footer.size_in_bytes, "a wrong size in the log does no harm");
}

async fn survey(dir: &Path, files: &FileList, limit: Option<usize>) -> Survey {
    let mut calls = 0;
    let mut grown = |_: &_| calls += 1;
    let survey =
        footer::survey(&place(dir), files, limit, &Watch::default(), &mut grown).await.expect("a survey");
    assert_eq!(calls, limit.unwrap_or(files.len()).min(files.len()));
    survey
}

#[tokio::test]
async fn a_table_is_summed_up_with_its_bad_files() {
    let dir = tempfile::tempdir().unwrap();
    let size = |name: &str| dir.path().join(name).metadata().map_or(1, |m| m.len());
    write(&dir.path().join("a b%20c.parquet"), &[ids(10), ids(5)], WriterProperties::default());
    std::fs::create_dir(dir.path().join("p=ü")).unwrap();
    write(&dir.path().join("p=ü/x.parquet"), &[ids(7)], WriterProperties::default());
    std::fs::rename(dir.path().join("p=ü/x.parquet"), dir.path().join("stored")).unwrap();
    std::os::unix::fs::symlink("../stored", dir.path().join("p=ü/x.parquet")).unwrap();
    let texts: ArrayRef = Arc::new(StringArray::from(vec!["x"]));
    let other = RecordBatch::try_from_iter([("id", texts.clone()), ("more", texts)]).unwrap();
    write(&dir.path().join("z.parquet"), &[other], WriterProperties::default());
    std::fs::write(dir.path().join("text.parquet"), "no parquet at all").unwrap();
    let absolute = format!("file://{}/z.parquet", dir.path().canonicalize().unwrap().display());
    let names = ["a b%20c.parquet", "p=ü/x.parquet", "gone.parquet", "text.parquet", &absolute];
    let files = list(names.map(|n| (n, size(n))));

    let all = survey(dir.path(), &files, None).await;
    let sum = &all.totals;
    assert_eq!((sum.files, sum.rows, sum.row_groups), (3, 23, 4), "{:?}", sum.failures.problems);
    assert_eq!((sum.missing(), sum.unreadable(), all.sample.is_none()), (1, 1, true));
    assert_eq!(sum.failures.problems["text.parquet"].code, "not-parquet");
    let drift: Vec<_> = sum.drift().into_iter().map(|d| (d.column, d.kind, d.files, d.example)).collect();
    let expected = [
        ("id".to_owned(), DriftKind::Type, 1, absolute.clone()),
        ("more".to_owned(), DriftKind::Added, 1, absolute),
    ];
    assert_eq!(drift, expected);

    let some = survey(dir.path(), &files, Some(2)).await;
    assert_eq!(some.sample.map(|s| (s.num_files, s.of_files)), Some((2, 5)));
}

#[tokio::test]
async fn cancelling_ends_a_survey() {
    let dir = tempfile::tempdir().unwrap();
    write(&dir.path().join("x.parquet"), &[ids(7)], WriterProperties::default());
    let files = list((0..500).map(|_| ("x.parquet", 0)));
    let watch = Watch::default();
    let cancel = watch.cancel.clone();
    let mut seen = 0;
    let mut grown = |_: &_| {
        seen += 1;
        cancel.cancel();
    };
    let fault = footer::survey(&place(dir.path()), &files, None, &watch, &mut grown).await.unwrap_err();
    assert_eq!((fault.code, fault.exit_status(), seen), ("cancelled", 130, 1));
}

/// The promise is 2 s for 1,000 local files; the bound leaves room for a busy machine.
#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_files_take_little_time() {
    let dir = tempfile::tempdir().unwrap();
    let first = dir.path().join("0.parquet");
    write(&first, &[batch()], WriterProperties::default());
    let bytes = std::fs::read(&first).unwrap();
    let names: Vec<String> = (0..1_000).map(|n| format!("{n}.parquet")).collect();
    names.iter().for_each(|name| std::fs::write(dir.path().join(name), &bytes).unwrap());
    let files = list(names.iter().map(|n| (n.as_str(), bytes.len() as u64)));
    let start = Instant::now();
    let all = survey(dir.path(), &files, None).await;
    println!("1,000 footers in {:?}", start.elapsed());
    assert_eq!((all.totals.files, all.totals.rows), (1_000, 3_000));
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
