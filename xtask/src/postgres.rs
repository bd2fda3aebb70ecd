//! Servers of PostgreSQL in a folder of their own, which live as long as they are needed.

use crate::child::{self, GLANCE, Group};
use crate::{interrupt, tools};
use anyhow::{Result, bail};
use fs_err as fs;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How long a server may take to start.
const PATIENCE: Duration = Duration::from_secs(30);

/// The name of the first server.
const FIRST: &str = "main";

/// Running servers. A drop stops them and removes what they stored.
pub(crate) struct Postgres {
    running: Vec<Group>,
    /// PostgreSQL's own programs.
    programs: PathBuf,
    folder: PathBuf,
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.running.clear();
        // Files that stay behind do no harm.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Postgres {
    /// Starts an empty server.
    pub(crate) fn start() -> Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let mut servers = Self {
            running: Vec::new(),
            programs: tools::postgres()?,
            // A socket's path has room for 107 bytes, so it lies in the system's folder for such files and not in
            // the project's.
            folder: std::env::temp_dir().join(format!("pg-{}-{number}", std::process::id())),
        };
        fs::create_dir(&servers.folder)?;
        writable(&servers.folder)?;
        let mut make = servers.command("initdb");
        make.arg("--pgdata").arg(servers.folder.join(FIRST)).args([
            "--username=merchant",
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync",
        ]);
        child::must_quietly(&mut make, "PostgreSQL makes a database")?;
        servers.run(FIRST, "")?;
        Ok(servers)
    }

    /// Starts another one with a copy of the first one's data. A standby knows by a file what it is.
    pub(crate) fn copy(&mut self, name: &str, settings: &str) -> Result<()> {
        let mut copy = self.command("pg_basebackup");
        copy.args(["--username=merchant", "--checkpoint=fast", "--no-sync"])
            .arg("--host")
            .arg(self.sockets(FIRST))
            .arg("--pgdata")
            .arg(self.folder.join(name));
        if name == "standby" {
            copy.arg("--write-recovery-conf");
        }
        child::must_quietly(&mut copy, "PostgreSQL copies its database")?;
        self.run(name, settings)
    }

    /// Makes a database on the first server, and returns its address.
    pub(crate) fn database(&self, name: &str) -> Result<String> {
        let mut make = self.command("createdb");
        make.arg("--host").arg(self.sockets(FIRST));
        child::must(make.args(["--username=merchant", name]))?;
        Ok(self.address().replace("/postgres?", &format!("/{name}?")))
    }

    /// The address of the first server.
    pub(crate) fn address(&self) -> String {
        self.address_of(FIRST)
    }

    /// The address of a server.
    pub(crate) fn address_of(&self, name: &str) -> String {
        let sockets = self.sockets(name);
        format!(
            "postgres:///postgres?host={}&user=merchant",
            sockets.display()
        )
    }

    fn sockets(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}-s"))
    }

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
        command.current_dir(&self.folder).env_remove("PGDATA");
        command
    }

    /// Starts a server on its data, and waits until it answers. Its socket is there earlier.
    fn run(&mut self, name: &str, settings: &str) -> Result<()> {
        let sockets = self.sockets(name);
        fs::create_dir(&sockets)?;
        writable(&sockets)?;
        let mut server = self.command("postgres");
        server
            .arg("-D")
            .arg(self.folder.join(name))
            .arg("-k")
            .arg(&sockets)
            .args(["-c", "listen_addresses=", "-c", "max_connections=400"])
            // Its log is of use only when it does not start.
            .args(["-c", "log_min_messages=fatal"])
            .args(settings.split_whitespace())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut server = Group::start(&mut server)?;
        let begun = Instant::now();
        let mut ask = self.command("pg_isready");
        ask.arg("-h").arg(&sockets);
        while child::answer(&mut ask).is_none() {
            interrupt::check()?;
            if let Some(status) = server.ended()? {
                bail!("PostgreSQL did not start ({status})");
            }
            if begun.elapsed() > PATIENCE {
                bail!("PostgreSQL takes too long to start");
            }
            thread::sleep(GLANCE);
        }
        self.running.push(server);
        Ok(())
    }
}

/// Lets the server write, which another user runs.
fn writable(folder: &Path) -> Result<()> {
    Ok(fs::set_permissions(folder, Permissions::from_mode(0o777))?)
}
