//! Where a new file's bytes go: a file on this machine, or an upload in parts.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use object_store::path::Path;
use object_store::{ObjectStoreExt, WriteMultipart};
use tokio::runtime::Handle;

use crate::lake::place::Place;

/// Parts of an upload: bytes of one, and how many are under way at once.
const PART: usize = 8 << 20;
const PARTS_AT_ONCE: usize = 3;
const BUFFER: usize = 256 << 10;

/// Takes bytes on a thread that may block.
pub struct Sink {
    to: To,
    /// Bytes so far.
    pub written: u64,
}

enum To {
    Disk(BufWriter<File>),
    Store(Option<WriteMultipart>, Handle),
}

impl Sink {
    /// A new file; one that is there already is an error.
    pub fn create(place: &Place, path: &Path, handle: &Handle) -> io::Result<Sink> {
        let to = if place.is_local() {
            let path = PathBuf::from(format!("/{path}"));
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            let file = OpenOptions::new().write(true).create_new(true).open(path)?;
            To::Disk(BufWriter::with_capacity(BUFFER, file))
        } else {
            let upload = handle.block_on(place.store.put_multipart(path)).map_err(io::Error::other)?;
            To::Store(Some(WriteMultipart::new_with_chunk_size(upload, PART)), handle.clone())
        };
        Ok(Sink { to, written: 0 })
    }

    /// Ends it. A file on disk has reached the disk then.
    pub fn finish(mut self) -> io::Result<u64> {
        match &mut self.to {
            To::Disk(buffer) => {
                buffer.flush()?;
                buffer.get_ref().sync_data()?;
            }
            To::Store(upload, handle) => {
                if let Some(upload) = upload.take() {
                    handle.block_on(upload.finish()).map_err(io::Error::other)?;
                }
            }
        }
        Ok(self.written)
    }
}

/// An upload that was not finished is given up; a file on disk is left for whoever removes staged files.
impl Drop for Sink {
    fn drop(&mut self) {
        if let To::Store(upload, handle) = &mut self.to
            && let Some(upload) = upload.take()
        {
            // Not waited for: stores drop unfinished uploads by themselves after a while.
            handle.spawn(async move { drop(upload.abort().await) });
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.to {
            To::Disk(buffer) => buffer.write_all(bytes)?,
            To::Store(Some(upload), handle) => {
                handle.block_on(upload.wait_for_capacity(PARTS_AT_ONCE)).map_err(io::Error::other)?;
                let _inside = handle.enter();
                upload.write(bytes);
            }
            To::Store(None, _) => return Err(io::Error::other("the upload has ended")),
        }
        self.written += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
