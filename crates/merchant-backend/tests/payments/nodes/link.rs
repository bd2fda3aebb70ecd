//! The way from the nodes to the database, which a test can cut.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::Mutex;
use tokio::io::copy_bidirectional;
use tokio::net::{UnixListener, UnixStream};
use tokio::task::{JoinHandle, JoinSet};

/// The name that clients of PostgreSQL give a socket.
const SOCKET: &str = ".s.PGSQL.5432";

/// A socket of its own for the nodes, whose connections go on to the server's.
pub(crate) struct Link {
    folder: PathBuf,
    server: PathBuf,
    running: Mutex<Option<JoinHandle<()>>>,
}

impl Link {
    /// Opens the way to the server whose socket is in this folder.
    pub(crate) fn open(folder: &Path, server: &Path) -> Arc<Self> {
        let link = Self {
            folder: folder.to_owned(),
            server: server.join(SOCKET),
            running: Mutex::default(),
        };
        link.heal();
        Arc::new(link)
    }

    /// Ends every connection, and takes no other.
    pub(crate) fn cut(&self) {
        if let Some(running) = self.running.lock().unwrap().take() {
            running.abort();
        }
        std::fs::remove_file(self.folder.join(SOCKET)).unwrap();
    }

    /// Takes connections again.
    pub(crate) fn heal(&self) {
        let listener = UnixListener::bind(self.folder.join(SOCKET)).unwrap();
        let server = self.server.clone();
        let running = tokio::spawn(async move {
            // They end with this task.
            let mut connections = JoinSet::new();
            while let Ok((mut client, _)) = listener.accept().await {
                let server = server.clone();
                connections.spawn(async move {
                    if let Ok(mut server) = UnixStream::connect(server).await {
                        let _ = copy_bidirectional(&mut client, &mut server).await;
                    }
                });
            }
        });
        *self.running.lock().unwrap() = Some(running);
    }
}
