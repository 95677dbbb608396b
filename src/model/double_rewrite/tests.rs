//! Pairs of commits, and what settles them.

use super::*;

fn add(path: &str) -> Step<'_> {
    Step { path, kind: StepKind::Add, rows: Some(100) }
}

fn remove(path: &str) -> Step<'_> {
    Step { path, kind: StepKind::Remove, rows: None }
}

type Commit<'a> = (u64, Told, Vec<Step<'a>>);

fn plain() -> Told {
    Told::default()
}

fn restores(version: u64) -> Told {
    Told { restored: Some(version), ..Told::default() }
}

fn undoes(versions: &[u64]) -> Told {
    Told { undone: versions.to_vec(), ..Told::default() }
}

fn found(commits: &[Commit<'_>]) -> Vec<DoubleRewrite> {
    let run = |commits: &mut dyn Iterator<Item = &Commit<'_>>| {
        let mut detector = Detector::default();
        for (version, told, steps) in commits {
            detector.push(*version, told.clone(), steps.iter().copied());
        }
        detector.finish()
    };
    let forward = run(&mut commits.iter());
    assert_eq!(forward, run(&mut commits.iter().rev()), "the order of reading must not matter");
    forward
}

fn two_compactions() -> Vec<Commit<'static>> {
    vec![
        (0, plain(), vec![add("a"), add("b"), add("c")]),
        (1, plain(), vec![remove("a"), remove("b"), add("ab")]),
        (2, plain(), vec![remove("b"), remove("c"), add("bc")]),
    ]
}

#[test]
fn two_compactions_double_what_both_removed() {
    let pairs = found(&two_compactions());
    assert_eq!(
        pairs,
        [DoubleRewrite {
            first_version: 1,
            second_version: 2,
            damage: Damage::Doubled,
            files: 1,
            rows: Some(100),
            added_by_second: 1
        }]
    );
}

#[test]
fn a_re_add_in_between_is_fine() {
    let commits = [
        (0, plain(), vec![add("a"), add("b")]),
        (1, plain(), vec![remove("a"), add("x")]),
        (2, plain(), vec![remove("x"), add("a")]),
        (3, plain(), vec![remove("a"), add("y")]),
        // A deletion vector: the same path, removed and added in one commit.
        (4, plain(), vec![add("b"), remove("b")]),
        (5, plain(), vec![add("b"), remove("b")]),
    ];
    assert!(found(&commits).is_empty());
}

#[test]
fn deletes_and_rewrites() {
    let twice = |first: Vec<Step<'static>>, second: Vec<Step<'static>>| {
        let commits = [(5, plain(), first), (6, plain(), second)];
        found(&commits).first().map(|d| (d.damage, d.rows))
    };
    assert_eq!(twice(vec![remove("a")], vec![remove("a")]), None);
    assert_eq!(twice(vec![remove("a")], vec![remove("a"), add("b")]), Some((Damage::Returned, None)));
    assert_eq!(twice(vec![remove("a"), add("b")], vec![remove("a")]), Some((Damage::Survived, None)));
}

#[test]
fn a_repair_says_what_it_repaired() {
    let repair = Told { repaired: vec![2], ..Told::default() };
    let mut commits = two_compactions();
    commits.push((3, repair, vec![remove("bc"), add("c")]));
    assert!(found(&commits).is_empty());
}

#[test]
fn an_undo_settles_what_it_takes_back_whole() {
    let after = |told: Told, steps: Vec<Step<'static>>| {
        let mut commits = two_compactions();
        commits.push((3, told, steps));
        found(&commits).len()
    };
    assert_eq!(after(undoes(&[2]), vec![remove("bc"), add("c")]), 0);
    // What both removed is there beside what the first made of it.
    assert_eq!(after(undoes(&[2]), vec![remove("bc"), add("b"), add("c")]), 1);
    let both = vec![remove("bc"), remove("ab"), add("a"), add("b"), add("c")];
    assert_eq!(after(undoes(&[1, 2]), both), 0);
    assert_eq!(after(undoes(&[1]), vec![remove("ab"), add("a"), add("b")]), 1);
}

#[test]
fn rows_that_are_gone_are_no_damage() {
    let overwrite = || Told { overwrites: true, ..Told::default() };
    let mut commits = two_compactions();
    // Their rows go to another file first.
    commits.push((3, plain(), vec![remove("bc"), remove("ab"), add("abc")]));
    assert_eq!(found(&commits).len(), 1);
    commits.push((4, overwrite(), vec![remove("abc"), add("new")]));
    assert!(found(&commits).is_empty());
    // An overwrite of another partition does not reach them.
    let mut commits = two_compactions();
    commits.push((3, overwrite(), vec![remove("other"), add("new")]));
    assert_eq!(found(&commits).len(), 1);
    // A stale delete missed what the first had moved; then that is deleted too.
    let mut commits = vec![
        (1, plain(), vec![remove("a"), remove("b"), add("ab")]),
        (2, plain(), vec![remove("a"), remove("b")]),
    ];
    assert_eq!(found(&commits).len(), 1);
    commits.push((3, plain(), vec![remove("ab")]));
    assert!(found(&commits).is_empty());
}

#[test]
fn the_files_with_wrong_rows_are_named() {
    let mut commits = two_compactions();
    commits.push((3, plain(), vec![remove("bc"), add("bc2"), add("d")]));
    let mut detector = Detector::default();
    for (version, told, steps) in &commits {
        detector.push(*version, told.clone(), steps.iter().copied());
    }
    let mut files: Vec<Box<str>> = detector.finish_with_files().1.into_iter().collect();
    files.sort_unstable();
    assert_eq!(files, ["ab".into(), "bc2".into(), "d".into()] as [Box<str>; 3]);
}

#[test]
fn repairs_settle_it() {
    let mut commits = two_compactions();
    commits.push((3, restores(1), vec![remove("bc"), add("c")]));
    assert!(found(&commits).is_empty());
    let mut commits = two_compactions();
    commits.push((3, restores(2), vec![]));
    assert_eq!(found(&commits).len(), 1);
    let mut commits = two_compactions();
    commits.push((3, plain(), vec![remove("bc")]));
    assert!(found(&commits).is_empty());
    let mut commits = two_compactions();
    commits.push((3, plain(), vec![remove("bc"), add("bc2")]));
    assert_eq!(found(&commits).len(), 1);
}
