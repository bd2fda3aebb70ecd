//! What happens to the server's processes in the middle of a story.

use std::fmt;
use std::path::Path;

/// The calls of the system at which a server is killed.
pub(super) const CALLS: [&str; 6] = [
    "fsync",
    "fdatasync",
    "pwrite64",
    "writev",
    "sendto",
    "connect",
];
/// The calls that write to the disk.
pub(super) const DISK_CALLS: [&str; 3] = ["fsync", "fdatasync", "pwrite64"];
/// A full disk stays full for a while: for more calls than one transaction makes.
const FULL_FOR_CALLS: u32 = 30;

/// What happens at a call of the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Blow {
    /// The process ends at once; the call is not carried out.
    Kill,
    /// The disk fails.
    InputOutputError,
    /// The disk is full, until the thread has made so many more calls in vain as are in [`FULL_FOR_CALLS`].
    NoSpace,
}

/// The nodes that a mishap meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Met {
    One(usize),
    All,
}

impl Met {
    pub(super) fn contains(self, node: usize) -> bool {
        self == Self::All || self == Self::One(node)
    }
}

/// What happens to processes from outside, at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mishap {
    /// Processes end at once, and are started again after this time.
    Killed { met: Met, away_ms: u64 },
    /// Processes are halted for this time.
    Halted { met: Met, for_ms: u64 },
    /// The connections to the database end, and no other is taken for this time.
    Cut { met: Met, for_ms: u64 },
    /// All that goes to the database and comes from it is late by `delay_ms`, for `for_ms`.
    Slow {
        met: Met,
        delay_ms: u64,
        for_ms: u64,
    },
    /// The nodes are stopped by a signal and started again, one after the other.
    RollingRestart,
}

/// What happens in an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trouble {
    None,
    /// Nothing; the calls of the system are counted.
    Count,
    /// A blow at a call. Each thread counts its own calls, and the first that reaches the number is hit.
    Blow {
        blow: Blow,
        call: &'static str,
        at: u32,
    },
    /// The wall clock jumps by so many seconds before a step of the story.
    Jump {
        seconds: i64,
        step: usize,
    },
    /// A mishap so many milliseconds after a step of the story began.
    Mishap {
        mishap: Mishap,
        step: usize,
        after_ms: u64,
    },
    /// A standby that has what was committed at a step takes over so much later. The nodes are killed, and told of
    /// it before they are started again.
    Failover {
        step: usize,
        lost_ms: u64,
    },
}

impl Trouble {
    /// True for a blow that ends the process.
    pub(super) fn is_kill_at_call(self) -> bool {
        matches!(
            self,
            Self::Blow {
                blow: Blow::Kill,
                ..
            }
        )
    }

    /// The words of a command line before the program's path.
    pub(super) fn words(self, folder: &Path) -> Vec<String> {
        match self {
            Self::Count => self.strace(&CALLS.join(","), folder),
            Self::Blow { blow, call, at } => {
                let effect = match blow {
                    Blow::Kill => format!("signal=KILL:when={at}"),
                    Blow::InputOutputError => format!("error=EIO:when={at}"),
                    Blow::NoSpace => format!("error=ENOSPC:when={at}..{}", at + FULL_FOR_CALLS),
                };
                let mut words = self.strace(call, folder);
                words.push("-e".to_owned());
                words.push(format!("inject={call}:{effect}"));
                words
            }
            Self::None | Self::Jump { .. } | Self::Mishap { .. } | Self::Failover { .. } => {
                Vec::new()
            }
        }
    }

    fn strace(self, calls: &str, folder: &Path) -> Vec<String> {
        let mut words: Vec<String> = ["strace", "-D", "-f", "-qq"].map(str::to_owned).to_vec();
        // It makes the other calls fast, and loses signals: strace 6.1 sends none with it.
        if !self.is_kill_at_call() {
            words.push("--seccomp-bpf".to_owned());
        }
        words.push("-o".to_owned());
        words.push(trace_file(folder));
        words.push("-e".to_owned());
        words.push(format!("trace={calls}"));
        words
    }
}

/// The file in which `strace` writes the calls down.
pub(super) fn trace_file(folder: &Path) -> String {
    folder.join("calls").display().to_string()
}

impl fmt::Display for Met {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One(node) => write!(f, "node {node}"),
            Self::All => f.write_str("every node"),
        }
    }
}

impl fmt::Display for Mishap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Killed { met, away_ms } => {
                write!(f, "{met} is killed, and away for {away_ms} ms")
            }
            Self::Halted { met, for_ms } => write!(f, "{met} is halted for {for_ms} ms"),
            Self::Cut { met, for_ms } => {
                write!(f, "{met} loses the database for {for_ms} ms")
            }
            Self::Slow {
                met,
                delay_ms,
                for_ms,
            } => write!(
                f,
                "the database is {delay_ms} ms away from {met} for {for_ms} ms"
            ),
            Self::RollingRestart => f.write_str("the nodes are restarted one by one"),
        }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None | Self::Count => f.write_str("nothing happens"),
            Self::Blow { blow, call, at } => {
                let blow = match blow {
                    Blow::Kill => "the server is killed",
                    Blow::InputOutputError => "the disk fails (EIO)",
                    Blow::NoSpace => "the disk is full (ENOSPC)",
                };
                write!(f, "{blow} at {call} number {at} of a thread")
            }
            Self::Jump { seconds, step } => {
                write!(f, "the clock jumps by {seconds} s before step {step}")
            }
            Self::Mishap {
                mishap,
                step,
                after_ms,
            } => write!(f, "{mishap}, {after_ms} ms after step {step}"),
            Self::Failover { step, lost_ms } => {
                write!(f, "a standby lacks the last {lost_ms} ms since step {step}")
            }
        }
    }
}
