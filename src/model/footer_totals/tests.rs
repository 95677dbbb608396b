//! Sums over made-up footers.

use proptest::prelude::*;

use super::*;
use crate::model::footer::Bound;

fn leaf(path: &str, physical: &str) -> Arc<Leaf> {
    Arc::new(Leaf { path: path.into(), physical_type: physical.into(), logical_type: None })
}

fn chunk(leaf: &Arc<Leaf>, codec: &'static str, size: u64, nulls: Option<u64>) -> Chunk {
    Chunk {
        leaf: leaf.clone(),
        codec,
        encodings: vec!["PLAIN"],
        compressed_size: size,
        uncompressed_size: size * 3,
        null_count: nulls,
        min: nulls.map(|_| Bound::Int(1)),
        max: nulls.map(|_| Bound::Int(2)),
        min_exact: nulls.map(|_| true),
        max_exact: nulls.map(|_| true),
        has_page_index: size.is_multiple_of(2),
        has_bloom_filter: false,
        has_dictionary: true,
    }
}

/// A file whose every group has the same columns.
fn file(path: &str, leaves: &[Arc<Leaf>], codec: &'static str, groups: &[(u64, u64, Option<u64>)]) -> Footer {
    let group = |(rows, size, nulls): &(u64, u64, Option<u64>)| RowGroup {
        num_rows: *rows,
        total_byte_size: size * 3 * leaves.len() as u64,
        compressed_size: size * leaves.len() as u64,
        columns: leaves.iter().map(|l| chunk(l, codec, *size, *nulls)).collect(),
    };
    Footer {
        path: path.into(),
        size_in_bytes: 100 + groups.iter().map(|g| g.1).sum::<u64>() * leaves.len() as u64,
        num_rows: groups.iter().map(|g| g.0).sum(),
        created_by: (!path.starts_with('x')).then(|| "writer 1".into()),
        v_order: path.ends_with('v'),
        key_value_metadata: BTreeMap::new(),
        row_groups: groups.iter().map(group).collect(),
        schema: leaves.into(),
    }
}

fn sum(footers: &[Footer]) -> FooterTotals {
    let mut sum = FooterTotals::default();
    footers.iter().for_each(|f| sum.add(f));
    sum
}

#[test]
fn columns_are_summed_and_unknown_nulls_stay_unknown() {
    let (a, b) = (leaf("a", "INT64"), leaf("b", "DOUBLE"));
    let both = [a.clone(), b];
    let total = sum(&[
        file("1v", &both, "ZSTD", &[(10, 7, Some(2)), (5, 4, Some(1))]),
        file("x2", &[a], "SNAPPY", &[(1, 1, None)]),
        file("3", &both, "ZSTD", &[]),
    ]);
    assert_eq!((total.files, total.rows, total.row_groups, total.v_order_files), (3, 16, 3, 1));
    assert_eq!(total.writers, BTreeMap::from([(None, 1), (Some("writer 1".into()), 2)]));
    assert_eq!(total.codecs["ZSTD"], CodecSum { chunks: 4, compressed_size: 22 });
    assert_eq!(total.chunks(), CodecSum { chunks: 5, compressed_size: 23 });
    assert_eq!((total.columns["a"].nulls(), total.columns["b"].nulls()), (None, Some(3)));
    assert_eq!((total.columns["a"].compressed, total.columns["a"].ratio()), (12, Some(3.0)));
    assert_eq!((total.columns["a"].with_bounds, total.columns["a"].with_page_index), (2, 1));
    let advice = total.summary(9);
    assert_eq!((advice.files, advice.of_files, advice.is_sample()), (3, 9, true));
    assert_eq!((advice.row_group_rows, advice.inner_row_group_rows), (vec![1, 5, 10], vec![10]));
    assert_eq!(advice.codecs["ZSTD"], 22);
    let report = total.report(None);
    assert_eq!(
        report.columns.iter().map(|c| (&*c.path, c.num_files)).collect::<Vec<_>>(),
        [("a", 3), ("b", 2)]
    );
    assert_eq!(report.row_group_rows.min, Some(1));
}

#[test]
fn drift_is_told_against_the_schema_of_most_files() {
    let (a, a32, b, c) = (leaf("a", "INT64"), leaf("a", "INT32"), leaf("b", "DOUBLE"), leaf("c", "BOOLEAN"));
    let total = sum(&[
        file("1", &[a.clone(), b.clone()], "ZSTD", &[]),
        file("2", &[a.clone(), b.clone()], "ZSTD", &[]),
        file("5", std::slice::from_ref(&a), "ZSTD", &[]),
        file("4", &[a, c.clone()], "ZSTD", &[]),
        file("3", &[a32, b, c], "ZSTD", &[]),
    ]);
    let drift = total.drift();
    let short: Vec<_> =
        drift.iter().map(|d| (d.column.as_str(), d.kind, d.found.as_deref(), d.files, &*d.example)).collect();
    assert_eq!(
        short,
        [
            ("a", DriftKind::Type, Some("INT32"), 1, "3"),
            ("b", DriftKind::Missing, None, 2, "4"),
            ("c", DriftKind::Added, Some("BOOLEAN"), 2, "3"),
        ]
    );
    assert_eq!(drift[0].expected.as_deref(), Some("INT64"));
    assert!(sum(&[]).drift().is_empty());
}

#[test]
fn failures_are_counted_and_only_the_first_are_kept() {
    let mut total = FooterTotals::default();
    for n in (0..250).rev() {
        let code = if n % 2 == 0 { "not-found" } else { "bad-footer" };
        total.failures.add(&format!("{n:03}"), Stated::default(), Problem { code, reason: "r".into() });
    }
    assert_eq!(
        (total.missing(), total.unreadable(), total.failures.problems.len()),
        (125, 125, KEPT_PROBLEMS)
    );
    assert_eq!(total.failures.problems.last_key_value().map(|(p, _)| p.as_str()), Some("099"));
}

fn any_totals() -> impl Strategy<Value = FooterTotals> {
    let group = (0u64..1 << 40, 0u64..1 << 40, prop::option::of(0u64..9));
    let footer = ("[ax][0-9]{2}v?", prop::collection::vec(group, 0..4), 0usize..4, prop::bool::ANY);
    let failure = ("[0-9]{2}", prop::sample::select(vec!["not-found", "bad-footer", "encrypted"]));
    let all = (prop::collection::vec(footer, 0..6), prop::collection::vec(failure, 0..90));
    all.prop_map(|(footers, failures)| {
        let schemas = [
            vec![],
            vec![leaf("a", "INT32")],
            vec![leaf("a", "INT64"), leaf("b", "DOUBLE")],
            vec![leaf("a", "INT64"), leaf("c", "DOUBLE")],
        ];
        let mut sum = FooterTotals::default();
        for (path, groups, schema, zstd) in footers {
            sum.add(&file(&path, &schemas[schema], if zstd { "ZSTD" } else { "SNAPPY" }, &groups));
        }
        for (path, code) in failures {
            sum.failures.add(&path, Stated::default(), Problem { code, reason: "r".into() });
        }
        sum
    })
}

fn merged(a: &FooterTotals, b: &FooterTotals) -> FooterTotals {
    let mut out = a.clone();
    out.merge(b);
    out
}

proptest! {
    #[test]
    fn merging_is_associative_and_conserves(a in any_totals(), b in any_totals(), c in any_totals()) {
        let left = merged(&merged(&a, &b), &c);
        prop_assert_eq!(&left, &merged(&a, &merged(&b, &c)));
        prop_assert_eq!(&merged(&a, &b), &merged(&b, &a));
        prop_assert_eq!(&merged(&a, &FooterTotals::default()), &a);
        prop_assert_eq!(&merged(&FooterTotals::default(), &a), &a);
        let parts = [&a, &b, &c];
        let total = |f: fn(&FooterTotals) -> u64| parts.iter().map(|s| f(s)).sum::<u64>();
        prop_assert_eq!(left.rows, total(|s| s.rows));
        prop_assert_eq!(left.bytes, total(|s| s.bytes));
        prop_assert_eq!(left.missing() + left.unreadable(), total(|s| s.missing() + s.unreadable()));
        let columns: u64 = left.columns.values().map(|c| c.compressed).sum();
        prop_assert_eq!(columns, left.chunks().compressed_size);
        prop_assert_eq!(columns, left.row_group_bytes.sum);
        let binned: u64 = left.row_group_rows.bins().iter().map(|b| b.row_groups).sum();
        prop_assert_eq!(binned, left.row_groups);
        prop_assert_eq!(left.summary(0).row_group_rows.len() as u64, left.row_groups);
        let by_writer: u64 = left.writers.values().sum();
        let by_schema: u64 = left.schemas.values().map(|s| s.files).sum();
        prop_assert_eq!((by_writer, by_schema), (left.files, left.files));
    }
}
