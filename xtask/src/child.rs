//! Child processes, which always end before this program.
//!
//! Each child leads a process group of its own, and it is always the group that is stopped:
//! `trunk` starts hooks, `cargo` starts compilers, Playwright starts browsers, and none of
//! these grandchildren may stay behind. Libraries for commands, such as `duct`, stop the child
//! alone.

use crate::interrupt;
use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How often a waiting loop looks again.
pub(crate) const GLANCE: Duration = Duration::from_millis(50);

/// How long a process may take to stop by itself before it is killed.
const PATIENCE: Duration = Duration::from_secs(8);

/// A running child with all its descendants.
pub(crate) struct Group {
    child: Child,
    leader: Option<Pid>,
}

impl Group {
    /// Starts `command` as the leader of a new group. It cannot read from the terminal: a
    /// background group that tries is suspended.
    pub(crate) fn start(command: &mut Command) -> Result<Self> {
        let child = command
            .stdin(Stdio::null())
            .process_group(0)
            .spawn()
            .with_context(|| format!("could not start {}", shown(command)))?;
        let leader = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        Ok(Self { child, leader })
    }

    /// The id of the leader.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// The exit status, once there is one.
    pub(crate) fn ended(&mut self) -> Result<Option<ExitStatus>> {
        self.child.try_wait().context("could not watch a child")
    }

    /// Asks the whole group to stop, without waiting for it.
    pub(crate) fn ask_to_stop(&self) {
        self.signal(Signal::TERM);
    }

    /// Stops the whole group, and returns when it is empty.
    pub(crate) fn stop(&mut self) {
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

/// Runs `command` to its end. True when it succeeded. Stops it when this program is asked to stop.
///
/// # Errors
/// It cannot be started, or this program was asked to stop.
pub fn run(command: &mut Command) -> Result<bool> {
    Ok(wait(Group::start(command)?)?.success())
}

/// As [`run`], but a failure is an error that names the command.
///
/// # Errors
/// It cannot be started or fails, or this program was asked to stop.
pub fn must(command: &mut Command) -> Result<()> {
    let name = shown(command);
    if run(command)? {
        Ok(())
    } else {
        bail!("`{name}` failed; its own words are above")
    }
}

/// Runs `command` to its end and hands every line of its standard output to `see`.
///
/// # Errors
/// It cannot be started, or this program was asked to stop.
pub fn run_and_see(command: &mut Command, mut see: impl FnMut(&str) + Send) -> Result<bool> {
    let mut group = Group::start(command.stdout(Stdio::piped()))?;
    let output = group.child.stdout.take();
    thread::scope(|scope| {
        scope.spawn(move || {
            for line in output
                .map(BufReader::new)
                .into_iter()
                .flat_map(BufRead::lines)
            {
                let Ok(line) = line else { break };
                see(&line);
            }
        });
        Ok(wait(group)?.success())
    })
}

/// Returns the standard output of `command`, or nothing when it cannot be run or fails.
pub fn answer(command: &mut Command) -> Option<String> {
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

fn wait(mut group: Group) -> Result<ExitStatus> {
    loop {
        if let Some(status) = group.ended()? {
            return Ok(status);
        }
        interrupt::check()?;
        thread::sleep(GLANCE);
    }
}

/// The command line as a person would type it.
pub(crate) fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}
