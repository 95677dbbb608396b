//! Footers: files that the tests write, parquet-testing's files as another reader reads them, and
//! every shared table.

mod damaged;
mod headless;
mod pyarrow;
mod shared;
mod written;

use std::path::Path;
use std::sync::Arc;

use deltop::lake::place::Place;
use deltop::model::files::{ChunkBuilder, FileList, NewFile};

/// A place on this machine, for a folder or a file.
fn place(path: &Path) -> Place {
    let path = path.canonicalize().expect("the path exists");
    let url =
        if path.is_dir() { url::Url::from_directory_path(&path) } else { url::Url::from_file_path(&path) };
    Place {
        store: Arc::new(object_store::local::LocalFileSystem::new()),
        root: object_store::path::Path::parse(path.to_str().expect("a UTF-8 path")).expect("a plain path"),
        url: url.expect("an absolute path"),
        display: path.display().to_string(),
        name: "t".into(),
        options: Vec::new(),
    }
}

/// Files as a log would name them.
fn list<'a>(files: impl IntoIterator<Item = (&'a str, u64)>) -> FileList {
    let mut chunk = ChunkBuilder::new(false, 8);
    for (path, size) in files {
        chunk.push(NewFile { path, size, ..NewFile::default() });
    }
    let mut list = FileList::new(Arc::default(), false, false);
    list.push_chunk(Arc::new(chunk.finish()));
    list
}
