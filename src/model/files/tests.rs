use super::*;

fn file(path: &str, size: u64) -> NewFile<'_> {
    NewFile { path, size, records: Some(size / 10), ..NewFile::default() }
}

#[test]
fn files_come_back_as_they_were_pushed() {
    let mut a = ChunkBuilder::new(true, 4);
    a.push(file("p=1/a", 10));
    a.push(NewFile { records: None, ..file("p=2/b", 20) });
    let mut b = ChunkBuilder::new(true, 4);
    let dv = DeletionVector {
        storage_type: "u".into(),
        path_or_inline_dv: "x".into(),
        offset: Some(1),
        size_in_bytes: 36,
        cardinality: 2,
    };
    b.push(NewFile { deletion_vector: Some(dv), tags: Some(vec![("k".into(), None)]), ..file("c", 30) });
    b.push(file("d", 40));
    let mut list = FileList::new(Arc::default(), true, true);
    list.push_chunk(Arc::new(a.finish()));
    list.push_chunk(Arc::new(ChunkBuilder::default().finish()));
    list.push_chunk(Arc::new(b.finish()));
    assert_eq!(list.len(), 4);
    assert_eq!(list.iter().map(|f| f.path.to_owned()).collect::<Vec<_>>(), ["p=1/a", "p=2/b", "c", "d"]);
    assert_eq!(list.get(1).records, None);
    assert_eq!(list.get(2).live_records(), Some(1));
    assert_eq!(list.get(2).tags, Some(&vec![("k".into(), None)]));
    assert_eq!((list.get(3).tags, list.get(3).size), (None, 40));
    assert_eq!(list.ranges().collect::<Vec<_>>(), [0..2, 2..4]);
}

#[test]
fn builders_drop_and_join() {
    let tag = |k: &str| Some(vec![(k.to_owned(), None)]);
    let vector = DeletionVector {
        storage_type: "i".into(),
        path_or_inline_dv: "x".into(),
        offset: None,
        size_in_bytes: 1,
        cardinality: 1,
    };
    let mut a = ChunkBuilder::new(true, 0);
    a.push(NewFile { tags: tag("x"), ..file("a", 1) });
    a.push(NewFile { tags: tag("y"), deletion_vector: Some(vector.clone()), partition: 1, ..file("b", 2) });
    a.push(file("c", 3));
    a.retain(&[false, true, true]);
    let mut b = ChunkBuilder::new(true, 0);
    b.push(file("d", 4));
    b.push(NewFile { tags: tag("x"), deletion_vector: Some(vector), ..file("e", 5) });
    a.append(b);
    a.renumber_partitions(&[7, 9]);
    let chunk = a.finish();
    let rows: Vec<_> = (0..chunk.len())
        .map(|i| {
            let f = chunk.get(i);
            let tag = f.tags.map(|t| t[0].0.clone()).unwrap_or_default();
            (f.path.to_owned(), f.size, f.partition, f.deletion_vector.is_some(), tag)
        })
        .collect();
    let row = |p: &str, s, n, v, t: &str| (p.to_owned(), s, n, v, t.to_owned());
    assert_eq!(
        rows,
        [
            row("b", 2, 9, true, "y"),
            row("c", 3, 7, false, ""),
            row("d", 4, 7, false, ""),
            row("e", 5, 7, true, "x")
        ]
    );
}
