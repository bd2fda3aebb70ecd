//! The way from a node to its server, which a test can cut and make slow.

use crate::USER_NAME;
use anyhow::{Context, Result};
use fs_err as fs;
use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The name that clients of PostgreSQL give a socket.
const SOCKET: &str = ".s.PGSQL.5432";

/// A socket of its own in a folder, whose connections go on to the server's. It is cut when it is dropped.
pub struct Link {
    folder: PathBuf,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    /// How long each piece waits on its way, in milliseconds.
    delay_ms: AtomicU64,
    way: Mutex<Way>,
}

#[derive(Default)]
struct Way {
    is_open: bool,
    /// The socket of the server.
    server: PathBuf,
    /// Both ends of every connection.
    streams: Vec<UnixStream>,
}

impl Shared {
    fn way(&self) -> MutexGuard<'_, Way> {
        self.way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Link {
    /// Opens the way to the server whose socket is in the folder `server`.
    pub fn open(folder: &Path, server: &Path) -> Result<Self> {
        let link = Self {
            folder: folder.to_owned(),
            shared: Arc::default(),
        };
        link.lead_to(server);
        link.heal()?;
        Ok(link)
    }

    /// The address of a database by this way, as a URL.
    pub fn address_of(&self, database: &str) -> String {
        let folder = self.folder.display();
        format!("postgres:///{database}?host={folder}&user={USER_NAME}")
    }

    /// Leads the next connections to the server whose socket is in this folder.
    pub fn lead_to(&self, server: &Path) {
        self.shared.way().server = server.join(SOCKET);
    }

    /// Ends every connection, and takes no other.
    pub fn cut(&self) {
        let mut way = self.shared.way();
        if !way.is_open {
            return;
        }
        way.is_open = false;
        for stream in way.streams.drain(..) {
            // A connection may have ended by itself.
            let _ = stream.shutdown(Shutdown::Both);
        }
        drop(way);
        let socket = self.folder.join(SOCKET);
        // The thread waits for a connection, and looks whether the way is open before it passes one on.
        let _ = UnixStream::connect(&socket);
        // The folder may be gone already.
        let _ = fs::remove_file(&socket);
    }

    /// Takes connections again.
    pub fn heal(&self) -> Result<()> {
        let mut way = self.shared.way();
        if way.is_open {
            return Ok(());
        }
        let socket = self.folder.join(SOCKET);
        let listener = UnixListener::bind(&socket)
            .with_context(|| format!("no socket at {}", socket.display()))?;
        way.is_open = true;
        let shared = Arc::clone(&self.shared);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let mut way = shared.way();
                if !way.is_open {
                    return;
                }
                // A client whose connection is dropped here tries again.
                if let Ok(streams) = pass(&client, &way.server, &shared) {
                    way.streams.extend(streams);
                }
            }
        });
        Ok(())
    }

    /// Lets each piece of data wait for so long on its way, in both directions.
    pub fn slow_down(&self, delay: Duration) {
        let millis = u64::try_from(delay.as_millis()).unwrap_or(u64::MAX);
        self.shared.delay_ms.store(millis, Ordering::Relaxed);
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.cut();
    }
}

/// Passes bytes both ways until either side ends; returns both ends.
fn pass(client: &UnixStream, server: &Path, shared: &Arc<Shared>) -> Result<[UnixStream; 2]> {
    let server = UnixStream::connect(server)?;
    one_way(client.try_clone()?, server.try_clone()?, shared);
    one_way(server.try_clone()?, client.try_clone()?, shared);
    Ok([client.try_clone()?, server])
}

fn one_way(mut from: UnixStream, mut to: UnixStream, shared: &Arc<Shared>) {
    let shared = Arc::clone(shared);
    thread::spawn(move || {
        let mut piece = [0; 16 * 1024];
        while let Ok(length @ 1..) = from.read(&mut piece) {
            thread::sleep(Duration::from_millis(
                shared.delay_ms.load(Ordering::Relaxed),
            ));
            let written = piece.get(..length).map(|piece| to.write_all(piece));
            if !matches!(written, Some(Ok(()))) {
                break;
            }
        }
        // The other direction ends with this one: a connection of PostgreSQL is never open in one direction only.
        let _ = to.shutdown(Shutdown::Both);
        let _ = from.shutdown(Shutdown::Both);
    });
}
