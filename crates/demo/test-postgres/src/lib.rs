//! Servers of PostgreSQL for tests, measurements and the demo, each with a folder of its own.
//!
//! A server ends with the process that started it, also when that process is killed: the shell that runs it
//! reads a pipe that closes then.
//!
//! Several nodes of the merchant's server need such a server; [`Link`] is the way of a node to it, and [`balance`]
//! lets their clients take turns.

mod balancer;
mod link;

pub use balancer::{Balancer, balance, free_port};
pub use link::Link;

use anyhow::{Context, Result, bail, ensure};
use fs_err as fs;
use std::fs::Permissions;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Debian has a folder for each version here.
const VERSIONS: &str = "/usr/lib/postgresql";
const START_TIMEOUT: Duration = Duration::from_secs(30);
const START_POLL_INTERVAL: Duration = Duration::from_millis(50);
/// The name of the user who owns every database.
const USER_NAME: &str = "merchant";
const USER: &str = "--username=merchant";

/// Runs a server until the standard input ends, and removes its folder. The data is not needed any more, so the
/// server does not write it out.
const RUN: &str = r#"folder=$1; shift; "$@" & server=$!; cat >/dev/null; kill -QUIT $server; wait $server; rm -rf "$folder""#;

/// The folder of PostgreSQL's programs, of the newest version that is installed.
pub fn programs() -> Option<PathBuf> {
    let version = |path: &PathBuf| path.file_name()?.to_str()?.parse::<u32>().ok();
    let versions = fs::read_dir(VERSIONS).into_iter().flatten().flatten();
    let newest = versions
        .map(|folder| folder.path())
        .filter(|path| path.join("bin/initdb").is_file())
        .max_by_key(version);
    let path = std::env::var_os("PATH").unwrap_or_default();
    newest
        .map(|folder| folder.join("bin"))
        .or_else(|| std::env::split_paths(&path).find(|folder| folder.join("initdb").is_file()))
}

/// The environment variable with which tests that run on any database run on PostgreSQL: `TEST_DATABASE=postgres`.
const TEST_DATABASE: &str = "TEST_DATABASE";

/// True when tests that run on any database are to run on PostgreSQL.
pub fn is_test_database() -> bool {
    std::env::var_os(TEST_DATABASE).is_some_and(|name| name == "postgres")
}

/// The server that all tests of this process share, as [`own`] starts it.
///
/// # Panics
///
/// If the server does not start, or is asked for and not installed.
pub fn shared() -> Option<&'static Postgres> {
    static SERVER: OnceLock<Option<Postgres>> = OnceLock::new();
    SERVER.get_or_init(own).as_ref()
}

/// Starts a server for one test. A test that copies its server uses this one: [`shared`] holds the databases of all tests,
/// and a copy of it takes up to 40 s. Returns `None`, and writes a line to the standard error, if PostgreSQL is not
/// installed and `TEST_DATABASE` does not ask for it; the test then has nothing to run on.
///
/// # Panics
///
/// If the server does not start, or is asked for and not installed.
#[expect(
    clippy::panic,
    reason = "tests call it, which have no other way to fail"
)]
pub fn own() -> Option<Postgres> {
    if programs().is_none() && !is_test_database() {
        // The harness captures what macros print.
        let _ = std::io::stderr().write_all(
            b"The tests that need PostgreSQL pass without a run: it is not installed (Debian: `apt-get install postgresql`).\n",
        );
        return None;
    }
    match Postgres::start() {
        Ok(server) => Some(server),
        Err(error) => panic!("{error:#}"),
    }
}

/// A running server. A drop stops it and removes its data.
pub struct Postgres {
    programs: PathBuf,
    folder: PathBuf,
    shell: Child,
}

impl Drop for Postgres {
    fn drop(&mut self) {
        drop(self.shell.stdin.take());
        let _ = self.shell.wait();
    }
}

impl Postgres {
    /// Starts an empty server. Fails if PostgreSQL is not installed.
    pub fn start() -> Result<Self> {
        let programs = programs();
        let programs = programs.context("PostgreSQL is not installed: it has no `initdb`")?;
        let folder = new_folder()?;
        let mut make = command(&programs, "initdb", &folder);
        make.arg("--pgdata").arg(data(&folder)).args([
            USER,
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync",
        ]);
        must(&mut make)?;
        Self::run(programs, folder, "")
    }

    /// Starts a standby of this server, which follows it.
    pub fn standby(&self) -> Result<Self> {
        self.copy("--write-recovery-conf", "-c hot_standby=on")
    }

    /// Starts a server with a copy of this server's data, and with settings such as `-c fsync=off`.
    pub fn copy_with(&self, settings: &str) -> Result<Self> {
        self.copy("--no-verify-checksums", settings)
    }

    fn copy(&self, option: &str, settings: &str) -> Result<Self> {
        let folder = new_folder()?;
        let mut copy = command(&self.programs, "pg_basebackup", &folder);
        copy.args([USER, "--checkpoint=fast", "--no-sync", option])
            .arg("--host")
            .arg(&self.folder)
            .arg("--pgdata")
            .arg(data(&folder));
        must(&mut copy)?;
        Self::run(self.programs.clone(), folder, settings)
    }

    /// Makes a database, and returns its address.
    pub fn database(&self, name: &str) -> Result<String> {
        let mut make = command(&self.programs, "createdb", &self.folder);
        must(make.arg("--host").arg(&self.folder).args([USER, name]))?;
        Ok(self.address_of(name))
    }

    /// The address of the database that each server has, as a URL.
    pub fn address(&self) -> String {
        self.address_of("postgres")
    }

    /// The address of a database, as a URL.
    pub fn address_of(&self, database: &str) -> String {
        let sockets = self.folder.display();
        format!("postgres:///{database}?host={sockets}&user={USER_NAME}")
    }

    /// The folder of this server's socket.
    pub fn sockets(&self) -> &Path {
        &self.folder
    }

    /// A way to this server with a socket in this folder, which can be cut.
    pub fn link(&self, folder: &Path) -> Result<Link> {
        Link::open(folder, &self.folder)
    }

    /// Starts a server on its data, and waits until it answers. Its socket exists earlier.
    fn run(programs: PathBuf, folder: PathBuf, settings: &str) -> Result<Self> {
        let log = folder.join("log");
        let server = command(&programs, "postgres", &folder);
        let mut shell = Command::new("sh");
        shell
            .args(["-c", RUN, "sh"])
            .arg(&folder)
            .arg(server.get_program())
            .args(server.get_args())
            .arg("-D")
            .arg(data(&folder))
            .arg("-k")
            .arg(&folder)
            .args(["-c", "listen_addresses=", "-c", "max_connections=400"])
            // A copy that begins during a long checkpoint would otherwise lose the log that it needs.
            .args(["-c", "wal_keep_size=1GB"])
            .args(settings.split_whitespace())
            .env_remove("PGDATA")
            .current_dir(&folder)
            // An interrupt from the keyboard stops the server through the pipe, after its clients.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(fs::File::create(&log)?.into_file());
        let server = Self {
            shell: shell.spawn()?,
            programs,
            folder,
        };
        let begun = Instant::now();
        let mut is_ready = command(&server.programs, "pg_isready", &server.folder);
        is_ready.arg("-h").arg(&server.folder);
        while !is_ready.output()?.status.success() {
            if begun.elapsed() > START_TIMEOUT {
                let mut said = String::new();
                fs::File::open(&log)?.read_to_string(&mut said)?;
                bail!("PostgreSQL did not start within {START_TIMEOUT:?}: {said}");
            }
            thread::sleep(START_POLL_INTERVAL);
        }
        Ok(server)
    }
}

/// A new folder in the system's folder for temporary files, since the path of a socket has at most 107 bytes. The
/// server may write to it as another user.
fn new_folder() -> Result<PathBuf> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("pg-{}-{number}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    fs::create_dir(&folder)?;
    fs::set_permissions(&folder, Permissions::from_mode(0o777))?;
    Ok(folder)
}

fn data(folder: &Path) -> PathBuf {
    folder.join("data")
}

/// A command of PostgreSQL's. PostgreSQL does not run as root.
fn command(programs: &Path, program: &str, folder: &Path) -> Command {
    let program = programs.join(program);
    let mut command = if rustix::process::geteuid().is_root() {
        let mut command = Command::new("setpriv");
        command
            .args(["--reuid=nobody", "--regid=nogroup", "--clear-groups"])
            .arg(program);
        command
    } else {
        Command::new(program)
    };
    command.current_dir(folder).env_remove("PGDATA");
    command
}

fn must(command: &mut Command) -> Result<()> {
    let output = command.output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{command:?} failed: {said}");
    Ok(())
}
