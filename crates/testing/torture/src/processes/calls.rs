//! The calls of the system that `strace` has written down.

use super::trouble::{CALLS, trace_file};
use std::collections::HashMap;
use std::path::Path;

/// How often the busiest thread made each call, which is the number that a blow may have.
pub(super) type Counts = HashMap<&'static str, u32>;

/// Counts the calls so far.
pub(super) fn count(folder: &Path) -> Counts {
    let text = std::fs::read(trace_file(folder)).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let mut by_thread: HashMap<(&str, &'static str), u32> = HashMap::new();
    for line in text.lines() {
        let mut words = line.splitn(2, ' ');
        let (Some(thread), Some(rest)) = (words.next(), words.next()) else {
            continue;
        };
        let rest = rest.trim_start();
        let begun = |call: &&str| {
            rest.strip_prefix(call)
                .is_some_and(|rest| rest.starts_with('('))
        };
        if let Some(call) = CALLS.into_iter().find(begun) {
            *by_thread.entry((thread, call)).or_default() += 1;
        }
    }
    let mut counts = Counts::new();
    for ((_, call), count) in by_thread {
        let most = counts.entry(call).or_default();
        *most = (*most).max(count);
    }
    counts
}

/// True if `strace` made a call fail.
pub(super) fn has_failed_calls(folder: &Path) -> bool {
    let text = std::fs::read(trace_file(folder)).unwrap_or_default();
    String::from_utf8_lossy(&text).contains("(INJECTED)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_calls_of_the_busiest_thread_count_and_each_once() {
        let folder = tempfile::tempdir().unwrap();
        let text = "7 fsync(3 <unfinished ...>\n8 fsync(3) = 0\n7 <... fsync resumed>) = 0\n7 fsync(3) = 0\n9   writev(4) = 1\n";
        std::fs::write(trace_file(folder.path()), text).unwrap();
        let counts = count(folder.path());
        assert_eq!(counts.get("fsync"), Some(&2));
        assert_eq!(counts.get("writev"), Some(&1));
        assert_eq!(counts.get("pwrite64"), None);
    }
}
