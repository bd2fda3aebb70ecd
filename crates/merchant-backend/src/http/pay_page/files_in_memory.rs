//! Files in memory: each is read once, and again when it was written or replaced. A client that takes nothing of its
//! answer holds no file open beside its connection, and gets the whole file although an update shortens it.

use axum::body::Bytes;
use futures_util::future::{BoxFuture, Ready, ready};
use std::collections::HashMap;
use std::fs::Metadata;
use std::io::{self, Cursor, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::fs;
use tokio::io::{AsyncRead, AsyncSeek, ReadBuf};
use tokio::sync::Mutex;
use tower_http::services::fs::{Backend, File};

/// The element has some twenty files. More are earlier versions, or other spellings of a name where the file system
/// takes any.
const MOST_FILES: usize = 100;

#[derive(Clone, Default)]
pub(super) struct FilesInMemory(Arc<Mutex<HashMap<PathBuf, FileInMemory>>>);

#[derive(Clone)]
pub(super) struct FileInMemory {
    content: Cursor<Bytes>,
    metadata: Metadata,
}

impl FilesInMemory {
    async fn file(self, path: PathBuf) -> io::Result<FileInMemory> {
        let metadata = fs::metadata(&path).await?;
        if !metadata.is_file() {
            return Err(io::ErrorKind::NotFound.into());
        }
        // Held over the reading, so that one file is open at a time.
        let mut files = self.0.lock().await;
        let kept = files.get(&path);
        if let Some(file) = kept.filter(|file| version(&file.metadata) == version(&metadata)) {
            return Ok(file.clone());
        }
        let content = fs::read(&path).await?;
        if content.len() as u64 != metadata.len() {
            return Err(io::Error::other("the file is being written"));
        }
        let content = Cursor::new(content.into());
        let file = FileInMemory { content, metadata };
        if files.len() >= MOST_FILES {
            files.clear();
        }
        files.insert(path, file.clone());
        Ok(file)
    }
}

/// Another version of a file may have the same length, and the time of its making.
fn version(of: &Metadata) -> impl PartialEq {
    (of.dev(), of.ino(), of.ctime(), of.ctime_nsec(), of.len())
}

impl Backend for FilesInMemory {
    type File = FileInMemory;
    type Metadata = Metadata;
    type OpenFuture = BoxFuture<'static, io::Result<FileInMemory>>;
    type MetadataFuture = BoxFuture<'static, io::Result<Metadata>>;

    fn open(&self, path: PathBuf) -> Self::OpenFuture {
        Box::pin(self.clone().file(path))
    }

    fn metadata(&self, path: PathBuf) -> Self::MetadataFuture {
        Box::pin(fs::metadata(path))
    }
}

impl File for FileInMemory {
    type Metadata = Metadata;
    type MetadataFuture<'a> = Ready<io::Result<Metadata>>;

    fn metadata(&self) -> Self::MetadataFuture<'_> {
        ready(Ok(self.metadata.clone()))
    }
}

impl AsyncRead for FileInMemory {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.content).poll_read(context, buffer)
    }
}

impl AsyncSeek for FileInMemory {
    fn start_seek(mut self: Pin<&mut Self>, position: SeekFrom) -> io::Result<()> {
        Pin::new(&mut self.content).start_seek(position)
    }

    fn poll_complete(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<u64>> {
        Pin::new(&mut self.content).poll_complete(context)
    }
}
