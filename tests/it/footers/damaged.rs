//! Files that are no parquet files, or no longer: always a fault with its code, never a panic.

use std::path::Path;
use std::sync::Arc;

use arrow::array::{ArrayRef, Int32Array, RecordBatch, StringArray};
use deltop::lake::footer;
use deltop::lake::watch::Watch;
use deltop::model::Fault;
use deltop::model::footer::Footer;
use parquet::arrow::ArrowWriter;

use super::place;

fn sound() -> Vec<u8> {
    let columns: [(&str, ArrayRef); 2] = [
        ("a", Arc::new(Int32Array::from(vec![Some(1), None]))),
        ("b", Arc::new(StringArray::from(vec!["x", "y"]))),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    bytes
}

async fn read(dir: &Path, bytes: &[u8]) -> Result<Footer, Fault> {
    let path = dir.join("f.parquet");
    std::fs::write(&path, bytes).unwrap();
    let place = place(dir);
    let by_log = footer::of_table(&place, "f.parquet", Some(bytes.len() as u64), &Watch::default()).await;
    let alone = footer::of_table(&place, "f.parquet", None, &Watch::default()).await;
    assert_eq!(by_log, alone);
    by_log
}

#[tokio::test]
async fn damage_has_a_name() {
    let dir = tempfile::tempdir().unwrap();
    let good = sound();
    let cut = &good[..good.len() - 20];
    let trailer = |length: u32, magic: &[u8]| [&good[..], &length.to_le_bytes(), magic].concat();
    let cases: [(&[u8], &str); 9] = [
        (b"", "not-parquet"),
        (b"PAR1", "not-parquet"),
        (b"a text, but no parquet", "not-parquet"),
        (cut, "truncated"),
        (&[&good[..], &[0; 100_000]].concat(), "truncated"),
        (&trailer(10, b"PARE"), "encrypted"),
        (&trailer(u32::MAX, b"PAR1"), "bad-footer"),
        (&trailer(1_000_000, b"PAR1"), "bad-footer"),
        (&trailer(10, b"PAR1"), "bad-footer"),
    ];
    for (bytes, code) in cases {
        let fault = read(dir.path(), bytes).await.expect_err(code);
        assert_eq!((fault.code, fault.exit_status()), (code, 3), "{fault}");
        assert!(!fault.cause.is_empty(), "{fault:?}");
    }
    let fault = footer::of_table(&place(dir.path()), "none.parquet", Some(99), &Watch::default()).await;
    assert_eq!(fault.unwrap_err().code, "not-found");
    let fault = footer::of_table(&place(dir.path()), "../f.parquet", None, &Watch::default()).await;
    assert_eq!(fault.unwrap_err().code, "bad-path");
}

/// Each byte of a footer turned over in several ways: a footer or a fault, and the process lives.
#[tokio::test]
async fn flipped_bytes_do_no_harm() {
    let dir = tempfile::tempdir().unwrap();
    let good = sound();
    let length = u32::from_le_bytes(*good[good.len() - 8..].first_chunk().unwrap()) as usize;
    let (mut read_well, mut refused) = (0, 0);
    for at in good.len() - 8 - length..good.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut bytes = good.clone();
            bytes[at] ^= flip;
            match read(dir.path(), &bytes).await {
                Ok(_) => read_well += 1,
                Err(fault) => {
                    refused += 1;
                    assert_eq!(fault.exit_status(), 3, "{fault}");
                }
            }
        }
    }
    assert!(read_well > 0 && refused > 0, "{read_well} {refused}");
}

/// A chain of groups that would exhaust the stack of a recursive reader.
#[tokio::test]
async fn a_bottomless_schema_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let levels = 300_000u32;
    // FileMetaData: version 1, then a schema list whose length is a varint of five bytes.
    let mut footer = vec![0x15, 2, 0x19, 0xfc];
    footer.extend((0..5).map(|i| (levels >> (7 * i)) as u8 & 0x7f | if i < 4 { 0x80 } else { 0 }));
    for _ in 0..levels {
        // SchemaElement: repetition (3) required, name (4) "a", num_children (5) 1.
        footer.extend([0x35, 0, 0x18, 1, b'a', 0x15, 2, 0]);
    }
    let length = (footer.len() as u32).to_le_bytes();
    let bytes = [b"PAR1", &footer[..], &length, b"PAR1"].concat();
    let fault = read(dir.path(), &bytes).await.unwrap_err();
    assert_eq!(fault.code, "bad-footer");
    assert!(fault.cause.contains("nests deeper"), "{fault}");
}
