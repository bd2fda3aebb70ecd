//! The log: one line of JSON for each event, on the standard output.
//!
//! A separate thread writes the lines, so that no request waits for the output or fails with it. While
//! the output blocks, because its disk is full or its reader stopped, lines are dropped, and a later
//! line contains their number. `tracing-appender` has such a thread too, but does not report dropped
//! lines, and at the end of the program it may wait for a blocked output for ever.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Duration;
use tracing_subscriber::EnvFilter;

/// The capacity of the queue: a few megabytes while the output blocks.
const MAX_QUEUED_LINES: usize = 4096;
/// The end of the program waits at most this time for the queued lines.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

/// The running log. Dropping it writes the queued lines.
pub(crate) struct Log {
    entries: SyncSender<Entry>,
    /// Disconnected when the thread has written the last line.
    ended: Receiver<()>,
}

enum Entry {
    Line(Vec<u8>),
    End,
}

impl Log {
    /// Starts the thread, and installs the log as the global `tracing` subscriber.
    ///
    /// # Panics
    /// The process already has a subscriber.
    pub(crate) fn start() -> io::Result<Self> {
        let (entries, waiting) = sync_channel(MAX_QUEUED_LINES);
        let (running, ended) = channel::<()>();
        let lost = Arc::<AtomicU64>::default();
        let lines = Lines {
            entries: entries.clone(),
            lost: Arc::clone(&lost),
        };
        thread::Builder::new()
            .name("log".to_owned())
            .spawn(move || {
                let report = |lost: u64| tracing::warn!(lost, "lines of the log were lost");
                write(&waiting, &lost, io::stdout(), report);
                drop(running);
            })?;
        let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
        tracing_subscriber::fmt()
            .json()
            .with_span_list(false)
            .with_env_filter(filter)
            // Internal errors would be printed to the standard error, which panics when it is closed.
            .log_internal_errors(false)
            .with_writer(move || lines.clone())
            .init();
        Ok(Self { entries, ended })
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        if self.entries.try_send(Entry::End).is_ok() {
            // The channel carries no values: it disconnects at the end of the thread.
            let _ = self.ended.recv_timeout(FLUSH_TIMEOUT);
        }
    }
}

/// Queues lines for the thread. It never blocks and never fails.
#[derive(Clone)]
struct Lines {
    entries: SyncSender<Entry>,
    lost: Arc<AtomicU64>,
}

impl Write for Lines {
    /// Queues a line: `tracing-subscriber` writes each line with one call.
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

/// Writes the queued lines until [`Entry::End`]. Reports the number of lost lines as soon as the output
/// works again.
fn write(
    entries: &Receiver<Entry>,
    lost: &AtomicU64,
    mut output: impl Write,
    report: impl Fn(u64),
) {
    // True when a failed write may have ended in the middle of a line.
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
                lost => report(lost),
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

    /// An output that fails after the first byte of each of its first lines.
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
        let (mut taken, reported) = (String::new(), Cell::new(Vec::new()));
        let output = Full {
            lines: 2,
            began: false,
            taken: &mut taken,
        };
        write(&waiting, &AtomicU64::new(0), output, |lost| {
            reported.set([reported.take(), vec![lost]].concat());
        });
        let whole: Vec<_> = taken.lines().filter(|line| line.ends_with('}')).collect();
        assert_eq!(whole, ["{3}", "{4}"], "{taken:?}");
        assert_eq!(reported.take(), [2]);
    }

    #[test]
    fn an_output_that_blocks_delays_no_request() {
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
