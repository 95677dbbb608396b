//! Hand-computed cases, and the sweep against the definitions taken literally.

use proptest::prelude::*;

use super::*;
use crate::model::stats::{Scalar, StatKind, double_key};

fn longs(files: &[Option<(i64, i64)>]) -> Clustering {
    Clustering::of(&StatsColumn::of_ints(StatKind::Long, files))
}

fn near(a: Option<f64>, b: f64) -> bool {
    a.is_some_and(|a| (a - b).abs() < 1e-6)
}

#[test]
fn files_side_by_side_are_ideal() {
    let files: Vec<_> = (0..100).map(|i| Some((10 * i, 10 * i + 9))).collect();
    let c = longs(&files);
    assert_eq!((c.avg_depth, c.max_depth, c.overlaps), (Some(1.0), Some(1), Some(0.0)));
    assert!(near(c.point_read_share, 0.01), "{c:?}");
    // A window of one file's rows meets two files, unless it fits exactly.
    assert!(near(c.range_read_share, 0.02), "{c:?}");
    assert_eq!(c.overlap_ratio(), Some(0.0));
}

#[test]
fn files_over_each_other_are_the_worst() {
    let c = longs(&[Some((0, 99)); 8]);
    assert_eq!((c.avg_depth, c.max_depth, c.overlaps), (Some(8.0), Some(8), Some(7.0)));
    assert!(near(c.point_read_share, 1.0) && near(c.range_read_share, 1.0), "{c:?}");
    assert_eq!((c.overlap_ratio(), c.constant_files), (Some(1.0), 0));
}

#[test]
fn a_chain_and_a_wide_file() {
    // 0–4, 4–8 and 8–12 touch at one value each; 20–20 is apart and constant.
    let c = longs(&[Some((0, 4)), Some((4, 8)), Some((8, 12)), Some((20, 20))]);
    assert_eq!((c.avg_depth, c.max_depth, c.overlaps), (Some(7.0 / 4.0), Some(2), Some(1.0)));
    assert_eq!(c.constant_files, 1);
    // Each of the three has five values: a row at 4 or 8 meets two files, others one.
    // Files read: 15 rows of 15 read one; those at 4 (2 of 15) and at 8 (2 of 15) read two.
    assert!(near(c.point_read_share, (0.75 * (1.0 + 4.0 / 15.0) + 0.25) / 4.0), "{c:?}");
    // Two apart under one wide: they meet at depth 2 each, and the wide one meets both.
    let c = longs(&[Some((0, 1)), Some((8, 9)), Some((0, 9))]);
    assert_eq!((c.avg_depth, c.max_depth, c.overlaps), (Some(2.0), Some(2), Some(4.0 / 3.0)));
}

#[test]
fn unknown_files_are_always_read() {
    let column = StatsColumn::of_ints(StatKind::Long, &[Some((0, 4)), None, Some((5, 9)), None]);
    let c = Clustering::of(&column);
    assert_eq!((c.known_files, c.unknown_files, c.max_depth), (2, 2, Some(1)));
    assert!(near(c.point_read_share, (1.0 + 2.0) / 4.0), "{c:?}");
    let c = longs(&[None, None]);
    assert_eq!((c.avg_depth, c.max_depth, c.point_read_share), (None, None, Some(1.0)));
    assert_eq!(longs(&[]).point_read_share, None);
}

#[test]
fn all_null_files_are_never_read() {
    let mut column = StatsColumn::new("c", StatKind::Long);
    column.push(Ok(Some((Scalar::Int(1), Scalar::Int(2)))), true, Some(0), Some(5));
    column.push(Ok(None), true, Some(5), Some(5));
    let c = Clustering::of(&column);
    assert_eq!((c.all_null_files, c.unknown_files), (1, 0));
    assert!(near(c.point_read_share, 0.5), "{c:?}");
}

#[test]
fn an_outlier_does_not_flatter() {
    let mut files = vec![Some((0, 999)); 99];
    files.push(Some((0, i64::MAX)));
    let c = longs(&files);
    assert!(c.range_read_share.unwrap() > 0.95, "{c:?}");
    // Extremes of the type neither overflow nor vanish.
    let c = longs(&[Some((i64::MIN, -1)), Some((0, i64::MAX)), Some((7, 7))]);
    assert_eq!((c.max_depth, c.constant_files), (Some(2), 1));
    assert!(near(c.point_read_share, (1.0 / 3.0 + (1.0 / 3.0) + 2.0 / 3.0) / 3.0), "{c:?}");
}

#[test]
fn doubles_with_infinities_and_nan() {
    let of = |files: &[(f64, f64)]| {
        let files: Vec<_> = files.iter().map(|(a, b)| Some((double_key(*a), double_key(*b)))).collect();
        Clustering::of(&StatsColumn::of_ints(StatKind::Double, &files))
    };
    let c = of(&[(0.0, 1.0), (1.0, 2.0), (2.0, f64::NAN), (f64::NEG_INFINITY, -0.0)]);
    assert_eq!((c.max_depth, c.avg_depth), (Some(2), Some(2.0)));
    assert!(c.point_read_share.is_some_and(|s| s.is_finite() && s > 0.0 && s <= 1.0), "{c:?}");
    let c = of(&[(f64::MIN, f64::MAX), (f64::MIN, f64::MAX)]);
    assert!(near(c.point_read_share, 1.0), "{c:?}");
    let c = of(&[(f64::NAN, f64::NAN); 3]);
    assert_eq!((c.constant_files, c.max_depth), (3, Some(3)));
    assert!(near(c.range_read_share, 1.0), "{c:?}");
}

#[test]
fn strings_and_decimals() {
    let mut column = StatsColumn::new("c", StatKind::Text);
    for (a, b) in [("order-a", "order-f"), ("order-g", "order-m"), ("order-n", "order-z")] {
        column.push(Ok(Some((Scalar::Text(a.into()), Scalar::Text(b.into())))), true, Some(0), Some(1));
    }
    let c = Clustering::of(&column);
    assert_eq!((c.max_depth, c.overlaps), (Some(1), Some(0.0)));
    assert!(near(c.point_read_share, 1.0 / 3.0), "{c:?}");
    let mut column = StatsColumn::new("c", StatKind::Decimal { scale: 2 });
    for (a, b) in [(i128::MIN + 1, -1), (0, i128::MAX), (5, 5)] {
        column.push(Ok(Some((Scalar::Wide(a), Scalar::Wide(b)))), true, Some(0), Some(1));
    }
    let c = Clustering::of(&column);
    assert_eq!((c.max_depth, c.constant_files), (Some(2), 1));
    assert!(c.point_read_share.is_some_and(|s| s > 0.0 && s <= 1.0), "{c:?}");
}

/// The definitions, taken literally, over small integers.
fn naive(files: &[(i64, i64)]) -> (f64, u64, f64, f64) {
    let n = files.len() as f64;
    let covering = |v: i64| files.iter().filter(|(a, b)| (*a..=*b).contains(&v)).count() as u64;
    let depths: Vec<u64> = files.iter().map(|(a, b)| (*a..=*b).map(covering).max().unwrap_or(0)).collect();
    let meets = |a: &(i64, i64), b: &(i64, i64)| a.0 <= b.1 && b.0 <= a.1;
    let overlaps: usize = files.iter().map(|a| files.iter().filter(|b| meets(a, b)).count() - 1).sum();
    let reads = |(a, b): &(i64, i64)| (*a..=*b).map(covering).sum::<u64>() as f64 / (b - a + 1) as f64;
    let point = files.iter().map(reads).sum::<f64>() / n / n;
    (depths.iter().sum::<u64>() as f64 / n, depths.into_iter().max().unwrap_or(0), overlaps as f64 / n, point)
}

/// The range share by trying many windows over the rows' values.
fn naive_range(files: &[(i64, i64)]) -> f64 {
    let n = files.len() as f64;
    let below = |v: i64| {
        let share = |(a, b): &(i64, i64)| ((v - a) as f64 / (b - a + 1) as f64).clamp(0.0, 1.0);
        files.iter().map(share).sum::<f64>() / n
    };
    let spans: Vec<_> = files.iter().map(|(a, b)| (below(*a), below(*b + 1))).collect();
    let tries = 20_000;
    let mut read = 0usize;
    for i in 0..tries {
        let q = (f64::from(i) + 0.5) / f64::from(tries) * (1.0 - RANGE_SHARE);
        read += spans.iter().filter(|(a, b)| *a <= q + RANGE_SHARE && *b >= q).count();
    }
    read as f64 / f64::from(tries) / n
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn the_sweep_is_the_definition(pairs in prop::collection::vec((0i64..60, 0i64..25), 1..40)) {
        let files: Vec<(i64, i64)> = pairs.iter().map(|(a, w)| (*a, a + w)).collect();
        let c = longs(&files.iter().map(|f| Some(*f)).collect::<Vec<_>>());
        let (avg, max, overlaps, point) = naive(&files);
        prop_assert!(near(c.avg_depth, avg), "{:?} {}", c, avg);
        prop_assert_eq!(c.max_depth, Some(max));
        prop_assert!(near(c.overlaps, overlaps), "{:?} {}", c, overlaps);
        prop_assert!(near(c.point_read_share, point), "{:?} {}", c, point);
        let range = naive_range(&files);
        prop_assert!((c.range_read_share.unwrap() - range).abs() < 1e-3, "{:?} {}", c, range);
        prop_assert_eq!(c.constant_files, files.iter().filter(|(a, b)| a == b).count() as u64);
    }

    #[test]
    fn any_bounds_give_sane_figures(pairs in prop::collection::vec(any::<Option<(i64, i64)>>(), 0..30)) {
        let files: Vec<_> = pairs.iter().map(|p| p.map(|(a, b)| (a.min(b), a.max(b)))).collect();
        for kind in [StatKind::Long, StatKind::Timestamp, StatKind::Double] {
            let c = Clustering::of(&StatsColumn::of_ints(kind, &files));
            for share in [c.point_read_share, c.range_read_share].into_iter().flatten() {
                prop_assert!((0.0..=1.0).contains(&share), "{:?}", c);
            }
            if let (Some(avg), Some(max)) = (c.avg_depth, c.max_depth) {
                prop_assert!(avg >= 1.0 && avg <= max as f64 && max <= c.known_files);
            }
        }
    }
}
