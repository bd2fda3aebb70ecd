//! Servers of PostgreSQL in a folder of their own, which live as long as they are needed.

use crate::child::{self, GLANCE, Group};
use crate::tools;
use anyhow::{Context, Result, bail};
use std::fs;
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
    /// They stop before their folder is removed.
    running: Vec<Group>,
    owner: Owner,
}

impl Postgres {
    /// Starts an empty server.
    pub(crate) fn start() -> Result<Self> {
        let programs = tools::postgres()?;
        let folder = Folder::make()?;
        let owner = Owner { programs, folder };
        let running = vec![owner.first()?];
        Ok(Self { running, owner })
    }

    /// Starts another one with a copy of the first one's data. A standby knows by a file what it is.
    pub(crate) fn copy(&mut self, name: &str, settings: &str) -> Result<()> {
        self.running.push(self.owner.copy(name, settings)?);
        Ok(())
    }

    /// Makes a database on the first server, and returns its address.
    pub(crate) fn database(&self, name: &str) -> Result<String> {
        let mut make = self.owner.command("createdb");
        make.arg("--host").arg(self.owner.sockets(FIRST));
        child::must(make.args(["--username=merchant", name]))?;
        Ok(self.address().replace("/postgres?", &format!("/{name}?")))
    }

    /// The address of the first server.
    pub(crate) fn address(&self) -> String {
        self.address_of(FIRST)
    }

    /// The address of a server.
    pub(crate) fn address_of(&self, name: &str) -> String {
        self.owner.address(name)
    }
}

/// The folder of the servers, removed at the end. A socket's path has room for 107 bytes, so that
/// it lies in the system's folder for such files and not in the project's.
struct Folder(PathBuf);

impl Folder {
    fn make() -> Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("pg-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
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
        make.arg("--pgdata").arg(self.data(FIRST)).args([
            "--username=merchant",
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync",
        ]);
        child::must(&mut make)?;
        self.start(FIRST, "")
    }

    fn copy(&self, name: &str, settings: &str) -> Result<Group> {
        let data = self.data(name);
        let mut copy = self.command("pg_basebackup");
        copy.args(["--username=merchant", "--checkpoint=fast", "--no-sync"])
            .arg("--host")
            .arg(self.sockets(FIRST))
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
