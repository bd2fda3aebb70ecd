//! How much memory this process has.

const PAGE_BYTES: u64 = 4096;

/// The resident memory in bytes; `None` where the system does not tell.
pub(super) fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split(' ').nth(1)?.parse().ok()?;
    Some(pages * PAGE_BYTES)
}
