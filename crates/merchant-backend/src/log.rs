//! The log: one line of JSON an event, on the standard output.
//!
//! A thread of its own writes the lines. While the output takes none, because its disk is full or
//! its reader does not read, lines are lost, and a later line says how many. No request waits or breaks for them. The crate
//! `tracing-appender` has such a thread too, but says nothing of lines that could not be written, and the end of a program
//! prints to the output whose reader does not read, which can take forever.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Duration;
use tracing_subscriber::EnvFilter;

/// How many lines wait for an output that stands still: a few megabytes at the most.
const MOST_WAITING: usize = 4096;
/// How long the last lines may take when the program ends.
const LONGEST_END: Duration = Duration::from_secs(1);

/// The running log. Its drop writes the lines that still wait.
pub(crate) struct Log {
    entries: SyncSender<Entry>,
    /// Closed when the last line was written.
    ended: Receiver<()>,
}

enum Entry {
    Line(Vec<u8>),
    End,
}

impl Log {
    /// Starts the log of this process, which must have no subscriber of `tracing` yet.
    pub(crate) fn start() -> io::Result<Self> {
        let (entries, waiting) = sync_channel(MOST_WAITING);
        let (running, ended) = channel::<()>();
        let lost = Arc::<AtomicU64>::default();
        let lines = Lines {
            entries: entries.clone(),
            lost: Arc::clone(&lost),
        };
        thread::Builder::new()
            .name("log".to_owned())
            .spawn(move || {
                let told = |lost: u64| tracing::warn!(lost, "lines of the log were lost");
                write(&waiting, &lost, io::stdout(), told);
                drop(running);
            })?;
        let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
        tracing_subscriber::fmt()
            .json()
            .with_span_list(false)
            .with_env_filter(filter)
            // It would print on the standard error, and panic where that takes nothing either.
            .log_internal_errors(false)
            .with_writer(move || lines.clone())
            .init();
        Ok(Self { entries, ended })
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        if self.entries.try_send(Entry::End).is_ok() {
            // An error is the end too.
            let _ = self.ended.recv_timeout(LONGEST_END);
        }
    }
}

/// Takes lines for the thread; it never waits and never fails.
#[derive(Clone)]
struct Lines {
    entries: SyncSender<Entry>,
    lost: Arc<AtomicU64>,
}

impl Write for Lines {
    /// `tracing-subscriber` writes a whole line at once.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if self.entries.try_send(Entry::Line(line.to_vec())).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes lines until the end; tells how many were lost as soon as the output takes lines again.
fn write(entries: &Receiver<Entry>, lost: &AtomicU64, mut output: impl Write, told: impl Fn(u64)) {
    // True when the output may end in the middle of a line.
    let mut torn = false;
    for entry in entries {
        let Entry::Line(line) = entry else { return };
        let line = if torn {
            [b"\n".as_slice(), &line].concat()
        } else {
            line
        };
        torn = output
            .write_all(&line)
            .and_then(|()| output.flush())
            .is_err();
        if torn {
            lost.fetch_add(1, Ordering::Relaxed);
        } else {
            match lost.swap(0, Ordering::Relaxed) {
                0 => {}
                lost => told(lost),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Entry, Lines, write};
    use std::cell::Cell;
    use std::io::{self, Write};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::sync::mpsc::sync_channel;

    /// An output that is full for its first lines, of which it takes one byte each.
    struct Full<'a> {
        lines: u32,
        began: bool,
        taken: &'a mut String,
    }

    impl Write for Full<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let mut taken = bytes.len();
            if self.lines > 0 {
                self.began = !self.began;
                if !self.began {
                    self.lines -= 1;
                    return Err(io::ErrorKind::StorageFull.into());
                }
                taken = 1;
            }
            let text = std::str::from_utf8(&bytes[..taken]).unwrap();
            self.taken.push_str(text);
            Ok(taken)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn after_a_full_disk_whole_lines_come_and_the_lost_ones_are_counted() {
        let (entries, waiting) = sync_channel(9);
        for line in ["{1}\n", "{2}\n", "{3}\n", "{4}\n"] {
            entries.send(Entry::Line(line.into())).unwrap();
        }
        entries.send(Entry::End).unwrap();
        let (mut taken, told) = (String::new(), Cell::new(Vec::new()));
        let output = Full {
            lines: 2,
            began: false,
            taken: &mut taken,
        };
        write(&waiting, &AtomicU64::new(0), output, |lost| {
            told.set([told.take(), vec![lost]].concat());
        });
        let whole: Vec<_> = taken.lines().filter(|line| line.ends_with('}')).collect();
        assert_eq!(whole, ["{3}", "{4}"], "{taken:?}");
        assert_eq!(told.take(), [2]);
    }

    #[test]
    fn an_output_that_stands_still_holds_nobody_up() {
        let (entries, waiting) = sync_channel(2);
        let lost = Arc::<AtomicU64>::default();
        let mut lines = Lines {
            entries,
            lost: Arc::clone(&lost),
        };
        for _ in 0..5 {
            lines.write_all(b"{}\n").unwrap();
        }
        assert_eq!(lost.load(Ordering::Relaxed), 3);
        assert_eq!(waiting.try_iter().count(), 2);
    }
}
