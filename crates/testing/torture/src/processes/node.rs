//! A server in a process of its own, which is started again whenever it ends.

use super::machine::SERVER;
use super::rows::{Database, Rows};
use super::story_log::StoryLog;
use super::trouble::Trouble;
use crate::service::Service;
use crate::settings::{COOKIE_KEY, EVENTS_SECRET, MERCHANT, SHOP_PAGE, TOKEN};
use anyhow::{Context as _, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::sleep;

/// A server that ended so often does not come up any more.
const MOST_STARTS: u32 = 12;

/// The backoff between two starts, which doubles as that of operators' supervisors does: a server ends while it cannot
/// reach its database.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// All that a start needs.
pub(super) struct Setup {
    /// The program of this search, which is the shop's program, too.
    pub(super) program: PathBuf,
    /// The folder of the attempt, with the staff file.
    pub(super) folder: PathBuf,
    pub(super) index: usize,
    pub(super) port: u16,
    /// The address at which clients and the service reach it, maybe through a balancer.
    pub(super) base: String,
    /// The address of the database for this node.
    pub(super) address: String,
    /// The same database, as this search reads it.
    pub(super) database: Database,
    pub(super) service: Arc<Service>,
    pub(super) receiver_url: String,
    /// What happens to the first process; the next ones have no trouble.
    pub(super) trouble: Trouble,
    /// The library that makes the clock jump.
    pub(super) faketime: Option<PathBuf>,
    pub(super) log: StoryLog,
}

/// A node. It ends with the value.
pub(super) struct Node {
    port: u16,
    shared: Arc<Shared>,
    keeper: JoinHandle<()>,
}

#[derive(Default)]
struct Shared {
    /// The id of the running process; zero between two.
    process: AtomicU32,
    /// How often a process ended.
    deaths: AtomicU32,
    /// True while no further process is started.
    is_held: AtomicBool,
    stop: Notify,
}

/// The file that tells the library by how much the clock is wrong.
pub(super) fn clock_file(folder: &Path) -> PathBuf {
    folder.join("clock")
}

/// The file to which a node writes its log.
fn log_file(folder: &Path, index: usize) -> PathBuf {
    folder.join(format!("log-{index}"))
}

impl Node {
    pub(super) fn start(setup: Setup) -> Result<Self> {
        let first = spawn(&setup, setup.trouble)?;
        let shared = Arc::new(Shared::default());
        let id = first.id().unwrap_or_default();
        shared.process.store(id, Ordering::Relaxed);
        Ok(Self {
            port: setup.port,
            keeper: tokio::spawn(keep(setup, first, Arc::clone(&shared))),
            shared,
        })
    }

    /// Waits until it listens.
    pub(super) async fn listens(&self, folder: &Path, bound: Duration) -> Result<()> {
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).await.is_err() {
            if begun.elapsed() > bound {
                let told = std::fs::read_to_string(log_file(folder, 0));
                bail!("it does not listen: {}", told.unwrap_or_default().trim());
            }
            sleep(Duration::from_millis(50)).await;
        }
        Ok(())
    }

    /// Sends a signal, such as `-STOP`; a process that has ended takes none.
    pub(super) async fn signal(&self, signal: &str) {
        let id = self.shared.process.load(Ordering::Relaxed);
        if id != 0 {
            let mut kill = Command::new("kill");
            let _ = kill.args([signal, &id.to_string()]).status().await;
        }
    }

    /// Ends its process by a signal, and starts no other before it is released.
    pub(super) async fn end_and_hold(&self, signal: &str) {
        self.shared.is_held.store(true, Ordering::Relaxed);
        self.ends_by(signal).await;
    }

    /// Starts the next process.
    pub(super) fn release(&self) {
        self.shared.is_held.store(false, Ordering::Relaxed);
    }

    /// Sends a signal that ends the process, and waits for its end.
    pub(super) async fn ends_by(&self, signal: &str) {
        let deaths = self.deaths();
        if self.shared.process.load(Ordering::Relaxed) == 0 {
            return;
        }
        self.signal(signal).await;
        while self.deaths() == deaths && !self.keeper.is_finished() {
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// How often its process ended so far.
    pub(super) fn deaths(&self) -> u32 {
        self.shared.deaths.load(Ordering::Relaxed)
    }

    /// Ends it for good.
    pub(super) async fn end(&self) {
        self.shared.stop.notify_one();
        // The task ends once its process did.
        while !self.keeper.is_finished() {
            sleep(Duration::from_millis(10)).await;
        }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        // Its process is killed with the task.
        self.keeper.abort();
    }
}

async fn keep(setup: Setup, mut child: Child, shared: Arc<Shared>) {
    let (log, index) = (&setup.log, setup.index);
    for start in 0..MOST_STARTS {
        let ended = tokio::select! {
            ended = child.wait() => ended,
            () = shared.stop.notified() => {
                // A process that has ended meanwhile needs no end.
                let _ = child.kill().await;
                return;
            }
        };
        shared.process.store(0, Ordering::Relaxed);
        shared.deaths.fetch_add(1, Ordering::Relaxed);
        let ended = ended.map_or_else(|error| error.to_string(), |status| status.to_string());
        let last = last_words(&setup);
        log.tell(&format!("node {index} ended: {ended}: {last}"));
        // A standby may lack operations that the service accepted.
        let is_whole = !matches!(setup.trouble, Trouble::Failover { .. });
        if is_whole && let Err(error) = look_behind(&setup).await {
            log.tell(&format!("what it left was not read: {error:#}"));
        }
        let pause = FIRST_PAUSE * 2_u32.pow(start);
        tokio::select! {
            () = may_start(&shared, pause.min(LONGEST_PAUSE)) => {}
            () = shared.stop.notified() => return,
        }
        match spawn(&setup, Trouble::None) {
            Ok(next) => child = next,
            Err(error) => {
                log.broken(format!("the server is not started again: {error:#}"));
                return;
            }
        }
        let id = child.id().unwrap_or_default();
        shared.process.store(id, Ordering::Relaxed);
        log.tell(&format!("node {index} is started again"));
    }
    let last = last_words(&setup);
    log.broken(format!("the server ends after each start: {last}"));
}

/// The last line of a node's log.
fn last_words(setup: &Setup) -> String {
    let told = std::fs::read_to_string(log_file(&setup.folder, setup.index)).unwrap_or_default();
    told.lines().next_back().unwrap_or_default().to_owned()
}

/// Returns when the pause is over and nobody holds the next process back.
async fn may_start(shared: &Shared, pause: Duration) {
    sleep(pause).await;
    while shared.is_held.load(Ordering::Relaxed) {
        sleep(Duration::from_millis(20)).await;
    }
}

/// An operation that the service accepted is on the disk before its request leaves, so that it is there whenever
/// the server dies.
async fn look_behind(setup: &Setup) -> Result<()> {
    // A request that is still on its way arrives meanwhile.
    sleep(Duration::from_millis(100)).await;
    let accepted = setup.service.operations().await?;
    let rows = Rows::left_behind(&setup.database).await?;
    for operation in accepted {
        if !rows.knows(&operation.number) {
            setup.log.broken(format!(
                "the service accepted {}, which is not in the database of the dead server",
                operation.number
            ));
        }
    }
    Ok(())
}

fn spawn(setup: &Setup, trouble: Trouble) -> Result<Child> {
    let folder = &setup.folder;
    let log = std::fs::File::options()
        .create(true)
        .append(true)
        .open(log_file(folder, setup.index))?;
    let mut words = trouble.words(folder);
    words.push(setup.program.display().to_string());
    words.push(SERVER.to_owned());
    let (first, rest) = words.split_first().context("no words of a command")?;
    let mut command = Command::new(first);
    command
        .args(rest)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("BACKEND_LISTEN", format!("127.0.0.1:{}", setup.port))
        .env("PUBLIC_URL", &setup.base)
        .env("DATABASE", &setup.address)
        .env("PAYMENT_URL", &setup.service.url)
        .env("PAYMENT_TOKEN", TOKEN)
        // What a dead node left is in doubt half a minute after twice this time.
        .env("PAYMENT_TIMEOUT_MS", "2000")
        .env("MERCHANT_CODE", MERCHANT)
        .env("MERCHANT_NAME", "Retama")
        .env("COOKIE_KEY", COOKIE_KEY)
        .env("STAFF_FILE", folder.join("staff.toml"))
        .env("STAFF_SECOND_FACTOR", "optional")
        .env("EVENTS_URL", &setup.receiver_url)
        .env("EVENTS_SECRET", EVENTS_SECRET)
        .env("REDIRECT_ALLOW", SHOP_PAGE)
        // Attempts share one server of PostgreSQL, so that the standby of one would keep the nodes of all others from
        // starting; where it takes over, `restored` follows.
        .env("STANDBYS_MAY_LACK_COMMITS", "true")
        // One thread makes all calls to sockets, so that a number names the same call each time.
        .env("TOKIO_WORKER_THREADS", "1")
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log)
        .kill_on_drop(true);
    if let Some(library) = &setup.faketime {
        command
            .env("LD_PRELOAD", library)
            .env("FAKETIME_TIMESTAMP_FILE", clock_file(folder))
            .env("FAKETIME_NO_CACHE", "1")
            // Nobody sets the steady clock.
            .env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    }
    Ok(command.spawn()?)
}
