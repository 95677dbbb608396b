//! The bytes of a footer, and what is wrong where there are none.

use std::sync::Arc;

use bytes::Bytes;
use object_store::path::Path;
use object_store::{GetOptions, GetRange, ObjectStore, ObjectStoreExt};

use crate::lake::log::store;
use crate::model::{Fault, Outcome};

/// Read at first: nearly every footer fits, so that one request is enough.
const TAIL: u64 = 64 << 10;

/// Length of the footer (4 bytes, little-endian) and magic, at the very end of the file.
const TRAILER: u64 = 8;

/// The smallest parquet file: the magic in front, and the trailer.
const SMALLEST: u64 = 12;

/// No real footer is longer; a length beyond it is damage, and reading it could exhaust memory.
const LONGEST: u64 = 512 << 20;

const MAGIC: &[u8] = b"PAR1";
const MAGIC_ENCRYPTED: &[u8] = b"PARE";

/// A footer as it stands in the file: Thrift's compact protocol.
pub(super) struct RawFooter {
    pub bytes: Bytes,
    /// The file's real size, bytes.
    pub file_size: u64,
}

pub(super) async fn footer_bytes(
    store: &Arc<dyn ObjectStore>,
    at: &Path,
    shown: &str,
    stated_size: Option<u64>,
) -> Outcome<RawFooter> {
    let file = File { store, at, shown };
    let (tail, file_size) = file.tail(stated_size).await?;
    let Some(Tail { head, length, magic }) = Tail::split(&tail, file_size) else {
        return Err(
            file.not_parquet(format!("It has {file_size} bytes; the smallest parquet file has {SMALLEST}"))
        );
    };
    if magic == MAGIC_ENCRYPTED {
        return Err(Fault::read("encrypted", format!("The footer of {shown} is encrypted"))
            .because("The file ends with PARE: parquet modular encryption with an encrypted footer")
            .hint("Its layout can be read only with the key, which this program does not take"));
    }
    if magic != MAGIC {
        return Err(file.without_magic(magic).await);
    }
    if length > LONGEST.min(file_size.saturating_sub(SMALLEST)) {
        return Err(file.bad_length(length, file_size));
    }
    let bytes = match head.len().checked_sub(length as usize) {
        Some(start) => tail.slice(start..head.len()),
        None => file.range(file_size - TRAILER - length, file_size - TRAILER).await?.0,
    };
    if bytes.len() as u64 != length {
        return Err(file.bad_length(length, file_size));
    }
    Ok(RawFooter { bytes, file_size })
}

/// The end of a file, cut before its trailer.
struct Tail<'a> {
    head: &'a [u8],
    /// Bytes of the footer, as the trailer states it.
    length: u64,
    magic: &'a [u8],
}

impl Tail<'_> {
    /// None if the file is too short.
    fn split(bytes: &[u8], file_size: u64) -> Option<Tail<'_>> {
        let (head, trailer) = bytes.split_last_chunk::<{ TRAILER as usize }>()?;
        let (length, magic) = trailer.split_first_chunk::<4>()?;
        let length = u64::from(u32::from_le_bytes(*length));
        (file_size >= SMALLEST).then_some(Tail { head, length, magic })
    }
}

struct File<'a> {
    store: &'a Arc<dyn ObjectStore>,
    at: &'a Path,
    shown: &'a str,
}

impl File<'_> {
    /// The file's last bytes, and its real size. A wrong `stated` size costs further requests, but
    /// gives no wrong answer.
    async fn tail(&self, stated: Option<u64>) -> Outcome<(Bytes, u64)> {
        if let Some(size) = stated.filter(|size| *size > 0) {
            match self.range(size.saturating_sub(TAIL), size).await {
                Ok((bytes, real)) if real == size => return Ok((bytes, real)),
                Err(fault) if fault.code == "not-found" => return Err(fault),
                // Too short or too long for the stated size, or a passing failure: look anew.
                _ => {}
            }
        }
        let size = self.store.head(self.at).await.map_err(|e| self.store_fault(e))?.size;
        if size == 0 {
            return Ok((Bytes::new(), 0));
        }
        let (bytes, real) = self.range(size.saturating_sub(TAIL), size).await?;
        if real != size {
            return Err(Fault::read("unreadable", format!("{} changed while it was read", self.shown))
                .hint("Data files of a table never change; see who writes there"));
        }
        Ok((bytes, size))
    }

    /// Bytes from `from` to `to`, and the size of the whole file as the store tells it.
    async fn range(&self, from: u64, to: u64) -> Outcome<(Bytes, u64)> {
        let options = GetOptions { range: Some(GetRange::Bounded(from..to)), ..GetOptions::default() };
        let read = async {
            let answer = self.store.get_opts(self.at, options).await?;
            let size = answer.meta.size;
            Ok((answer.bytes().await?, size))
        };
        read.await.map_err(|e| self.store_fault(e))
    }

    fn not_parquet(&self, why: String) -> Fault {
        Fault::read("not-parquet", format!("{} is not a parquet file", self.shown)).because(why)
    }

    /// The end is not that of a parquet file; its start tells whether it ever was one.
    async fn without_magic(&self, magic: &[u8]) -> Fault {
        let end = format!("it ends with {} in place of PAR1", magic.escape_ascii());
        match self.range(0, 4).await {
            Ok((start, _)) if start == MAGIC || start == MAGIC_ENCRYPTED => Fault::read(
                "truncated",
                format!("{} is cut off or damaged at its end", self.shown),
            )
            .because(format!("It starts as a parquet file, but {end}"))
            .hint(
                "The writer did not finish, or the file was changed afterwards; its rows are lost to readers",
            ),
            Ok(_) => self.not_parquet(format!("It neither starts nor ends with PAR1: {end}")),
            Err(fault) => fault,
        }
    }

    fn bad_length(&self, length: u64, file_size: u64) -> Fault {
        Fault::read("bad-footer", format!("The footer of {} cannot be read", self.shown))
            .because(format!("It is said to have {length} bytes; the file has {file_size}"))
            .hint("The file is damaged; write it again from its source")
    }

    fn store_fault(&self, error: object_store::Error) -> Fault {
        let fault = store::fault(self.at, error);
        let whole = format!("/{}", self.at);
        let at = if fault.message.contains(&whole) { &whole } else { self.at.as_ref() };
        let message = fault.message.replacen(at, self.shown, 1);
        let fault = Fault { message, ..fault };
        if fault.code != "not-found" {
            return fault;
        }
        fault.hint("If the table's log still names it, somebody deleted it: restore a version without it, or write its rows again from their source")
    }
}
