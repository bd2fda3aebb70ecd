//! Child processes, which always end before this program.
//!
//! Each child leads a process group of its own, and it is always the group that is stopped:
//! `cargo` starts compilers, Playwright starts browsers, and none of
//! these grandchildren may stay behind. Libraries for commands, such as `duct`, stop only the
//! child.

use crate::interrupt;
use crate::say;
use anyhow::{Context, Result, bail};
use fs_err::File;
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How often a waiting loop looks again.
pub const GLANCE: Duration = Duration::from_millis(50);

/// How long a process may take to stop by itself before it is killed.
const PATIENCE: Duration = Duration::from_secs(8);

/// How long a child may run without a line for the person at the terminal.
const SILENCE: Duration = Duration::from_secs(10);

/// True for the variables in which `cargo run` tells this program about its package. Cargo as a child would pass them on
/// to build scripts, and one of a dependency asks to run again when they change: cargo at a terminal and cargo in a chore
/// would compile it, and all that needs it, in turns.
fn is_of_package(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
}

/// A running child with all its descendants.
pub struct Group {
    child: Child,
    leader: Option<Pid>,
}

impl Group {
    /// Starts `command` as the leader of a new group. It cannot read from the terminal: a
    /// background group that tries is suspended.
    pub fn start(command: &mut Command) -> Result<Self> {
        for (name, _) in std::env::vars_os().filter(|(name, _)| is_of_package(name)) {
            command.env_remove(name);
        }
        let child = command
            .stdin(Stdio::null())
            .process_group(0)
            .spawn()
            .with_context(|| format!("could not start {}", shown(command)))?;
        let leader = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        Ok(Self { child, leader })
    }

    /// As [`Group::start`], with the output in a file.
    pub fn start_with_log(command: &mut Command, log: &Path) -> Result<Self> {
        let (output, _) = File::create(log)?.into_parts();
        let errors = output.try_clone()?;
        Self::start(command.stdout(output).stderr(errors))
    }

    /// The id of the leader.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// The exit status, once there is one.
    pub fn ended(&mut self) -> Result<Option<ExitStatus>> {
        self.child.try_wait().context("could not watch a child")
    }

    /// Asks the whole group to stop, without waiting for it.
    pub fn ask_to_stop(&self) {
        self.signal(Signal::TERM);
    }

    /// Stops the whole group, and returns when it is empty.
    pub fn stop(&mut self) {
        self.ask_to_stop();
        let start = Instant::now();
        while self.lives() {
            if start.elapsed() > PATIENCE {
                self.signal(Signal::KILL);
                break;
            }
            thread::sleep(GLANCE);
        }
        // Reaps the leader; its violent end is no error here.
        drop(self.child.wait());
    }

    fn lives(&mut self) -> bool {
        // An unreaped leader still counts as a member, so it is reaped first.
        let leader_lives = matches!(self.child.try_wait(), Ok(None));
        leader_lives
            || self
                .leader
                .is_some_and(|leader| test_kill_process_group(leader).is_ok())
    }

    fn signal(&self, signal: Signal) {
        if let Some(leader) = self.leader {
            // An error means that the group has ended already.
            let _ = kill_process_group(leader, signal);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Runs `command` to its end with its output shown. True when it succeeded. Stops it when this program is
/// asked to stop.
pub fn run(command: &mut Command) -> Result<bool> {
    run_lines(command, |line| say!("{line}"))
}

/// As [`run`], but a failure is an error that names the command.
pub fn run_ok(command: &mut Command) -> Result<()> {
    match run(command)? {
        true => Ok(()),
        false => bail!("`{}` failed; its output is above", shown(command)),
    }
}

/// As [`run_ok`], but the output is shown only after a failure. `title` says what the command does.
pub fn run_ok_quietly(command: &mut Command, title: &str) -> Result<()> {
    let mut hidden = Vec::new();
    if drive(command, title, &mut |line| hidden.push(line.text))? {
        return Ok(());
    }
    for line in hidden {
        say!("{line}");
    }
    bail!("`{}` failed; its output is above", shown(command))
}

/// Runs `command` to its end, passes every line of its standard output to `see`, and shows its standard error.
pub fn run_lines(command: &mut Command, mut see: impl FnMut(&str)) -> Result<bool> {
    let title = shown(command);
    drive(command, &title, &mut |line| {
        if line.is_error {
            say!("{}", line.text);
        } else {
            see(&line.text);
        }
    })
}

/// A line that a child wrote.
struct Line {
    text: String,
    is_error: bool,
}

/// Runs `command` and hands each line to `see`. Whenever nothing was printed for ten seconds, a line says
/// what still runs and what its output was last.
fn drive(command: &mut Command, title: &str, see: &mut dyn FnMut(Line)) -> Result<bool> {
    let mut group = Group::start(command.stdout(Stdio::piped()).stderr(Stdio::piped()))?;
    let (sender, lines) = channel();
    if let Some(output) = group.child.stdout.take() {
        forward(output, false, sender.clone());
    }
    if let Some(errors) = group.child.stderr.take() {
        forward(errors, true, sender);
    }
    let start = Instant::now();
    let mut last = String::new();
    let mut ended_at = None;
    loop {
        match lines.recv_timeout(GLANCE) {
            Ok(line) => {
                // Cargo's report in JSON is for programs.
                if !line.text.starts_with('{') {
                    last.clone_from(&line.text);
                }
                see(line);
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => thread::sleep(GLANCE),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Some(status) = group.ended()? {
            // A grandchild may keep the pipes open; what the child itself wrote has arrived by then.
            let ended_at = *ended_at.get_or_insert_with(Instant::now);
            if ended_at.elapsed() > GLANCE {
                return Ok(status.success());
            }
        }
        interrupt::check()?;
        if say::silence() >= SILENCE {
            let time = say::duration(start.elapsed());
            let colon = if last.is_empty() { "" } else { ": " };
            say!("    … {time}: {title}{colon}{}", last.trim());
        }
    }
}

fn forward(output: impl Read + Send + 'static, is_error: bool, to: Sender<Line>) {
    thread::spawn(move || {
        let mut output = BufReader::new(output);
        let mut line = Vec::new();
        // A line need not be text.
        while output
            .read_until(b'\n', &mut line)
            .is_ok_and(|read| read > 0)
        {
            let text = String::from_utf8_lossy(&line).trim_end().to_owned();
            line.clear();
            if to.send(Line { text, is_error }).is_err() {
                break;
            }
        }
    });
}

/// Returns the trimmed standard output of `command`; `None` when it cannot be run or fails.
pub fn output(command: &mut Command) -> Option<String> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The command line as a person would type it.
pub fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}
