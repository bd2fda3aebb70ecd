//! The tests of the database, and of payments, on PostgreSQL.

use super::Selection;
use super::command::{cargo, count};
use super::tally::Tally;
use crate::child::{self, GLANCE, Group};
use crate::tools;
use anyhow::{Context, Result, bail};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How many tests of one program run at once.
const THREADS: &str = "6";

/// How long a server may take to start.
const PATIENCE: Duration = Duration::from_secs(30);

/// Tests that are about a file of SQLite, and say nothing of another database.
const ABOUT_FILES: [&str; 4] = [
    "startup::a_database_that_cannot_be_used_is_said_clearly",
    "startup::nobody_else_on_the_machine_reads_the_database",
    "log::with_a_full_disk_below_log_and_database_every_payer_gets_an_answer",
    "readiness::without_room_on_the_disk_the_server_is_not_ready",
];

/// Starts servers in a folder of their own, runs the tests against them, and stops them. Payments, and
/// whole nodes that are lost, take four minutes, and are left to `--all` and `--only`.
pub(crate) fn run(selection: &Selection) -> Result<Tally> {
    let programs = tools::postgres()?;
    let folder = Folder::make()?;
    let owner = Owner { programs, folder };
    let _main = owner.first()?;
    let _standby = owner.copy("standby", "-c hot_standby=on")?;
    let _careless = owner.copy("careless", "-c fsync=off")?;
    let tests = |words: &str| {
        let mut command = cargo(words);
        command
            .env("RUST_TEST_THREADS", THREADS)
            .env("TEST_POSTGRES", owner.address("main"))
            .env("TEST_POSTGRES_STANDBY", owner.address("standby"))
            .env("TEST_POSTGRES_CARELESS", owner.address("careless"));
        command
    };
    let mut tally = count(&mut tests(
        "test --package merchant-backend --lib -- --include-ignored db::",
    ))?;
    if !selection.is_long("postgres") {
        return Ok(tally);
    }
    let mut payments =
        tests("test --package merchant-backend --test payments -- --include-ignored");
    payments.env("TEST_FAKETIME", tools::faketime()?);
    for name in ABOUT_FILES {
        payments.args(["--skip", name]);
    }
    tally += count(&mut payments)?;
    Ok(tally)
}

/// The folder of the servers, removed at the end. A socket's path has room for 107 bytes, so that
/// it lies in the system's folder for such files and not in the project's.
struct Folder(PathBuf);

impl Folder {
    fn make() -> Result<Self> {
        let folder = std::env::temp_dir().join(format!("pg-{}", std::process::id()));
        fs::create_dir(&folder).with_context(|| format!("could not make {}", folder.display()))?;
        Ok(Self(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Files that stay behind disturb nobody.
        let _ = fs::remove_dir_all(&self.0);
    }
}

struct Owner {
    programs: PathBuf,
    folder: Folder,
}

impl Owner {
    /// A command of PostgreSQL's. Its server does not run as root.
    fn command(&self, program: &str) -> Command {
        let program = self.programs.join(program);
        let mut command = if rustix::process::geteuid().is_root() {
            let mut command = Command::new("setpriv");
            command
                .args(["--reuid=nobody", "--regid=nogroup", "--clear-groups"])
                .arg(program);
            command
        } else {
            Command::new(program)
        };
        command
            .current_dir(&self.folder.0)
            .stdout(Stdio::null())
            .env_remove("PGDATA");
        command
    }

    fn data(&self, name: &str) -> PathBuf {
        self.folder.0.join(name)
    }

    fn sockets(&self, name: &str) -> PathBuf {
        self.folder.0.join(format!("{name}-s"))
    }

    fn address(&self, name: &str) -> String {
        let sockets = self.sockets(name);
        format!(
            "postgres:///postgres?host={}&user=merchant",
            sockets.display()
        )
    }

    /// A new server.
    fn first(&self) -> Result<Group> {
        // Another user writes there.
        fs::set_permissions(&self.folder.0, fs::Permissions::from_mode(0o777))?;
        let mut make = self.command("initdb");
        make.arg("--pgdata").arg(self.data("main")).args([
            "--username=merchant",
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync",
        ]);
        child::must(&mut make)?;
        self.start("main", "")
    }

    /// A server with a copy of the first one's data. A standby knows by a file what it is.
    fn copy(&self, name: &str, settings: &str) -> Result<Group> {
        let data = self.data(name);
        let mut copy = self.command("pg_basebackup");
        copy.args(["--username=merchant", "--checkpoint=fast", "--no-sync"])
            .arg("--host")
            .arg(self.sockets("main"))
            .arg("--pgdata")
            .arg(&data);
        if name == "standby" {
            copy.arg("--write-recovery-conf");
        }
        child::must(&mut copy)?;
        self.start(name, settings)
    }

    fn start(&self, name: &str, settings: &str) -> Result<Group> {
        let sockets = self.sockets(name);
        fs::create_dir(&sockets)?;
        fs::set_permissions(&sockets, fs::Permissions::from_mode(0o777))?;
        let mut server = self.command("postgres");
        server
            .arg("-D")
            .arg(self.data(name))
            .arg("-k")
            .arg(&sockets)
            .args(["-c", "listen_addresses=", "-c", "max_connections=400"])
            // Its log is of use only when it does not start.
            .args(["-c", "log_min_messages=fatal"])
            .args(settings.split_whitespace())
            .stderr(Stdio::null());
        let mut server = Group::start(&mut server)?;
        self.wait(&mut server, &sockets)?;
        Ok(server)
    }

    /// Waits until a server answers. Its socket is there earlier.
    fn wait(&self, server: &mut Group, sockets: &Path) -> Result<()> {
        let begun = Instant::now();
        while !child::run(self.command("pg_isready").arg("-h").arg(sockets))? {
            if let Some(status) = server.ended()? {
                bail!("PostgreSQL did not start ({status})");
            }
            if begun.elapsed() > PATIENCE {
                bail!("PostgreSQL takes too long to start");
            }
            thread::sleep(GLANCE);
        }
        Ok(())
    }
}
