//! The pages and figures, as `tests/bench/page.mjs` names them.

pub(super) const BEFORE: &str = "before";
pub(super) const BEFORE_HINTS: &str = "before, hints";
pub(super) const NOW: &str = "now";
pub(super) const NOW_HINTS: &str = "now, hints";
pub(super) const PLAIN: &str = "plain";

/// The pages in the order of their columns.
pub(super) const PAGES: [&str; 5] = [BEFORE, BEFORE_HINTS, NOW, NOW_HINTS, PLAIN];

pub(super) const FIRST_SCREEN: &str = "first screen, ms";
pub(super) const ANSWERED: &str = "pressed at once: answered, ms";
pub(super) const QR: &str = "pressed at once: QR, ms";
pub(super) const CALM: &str = "pressed later: press to QR, ms";
pub(super) const LONGEST_AFTER: &str = "longest task after ready, ms";

/// The figures in the order of their lines.
pub(super) const FIGURES: [&str; 10] = [
    FIRST_SCREEN,
    "ready, ms",
    ANSWERED,
    QR,
    CALM,
    "the same without its request, ms",
    "bytes until the QR",
    "requests until the QR",
    "blocked before ready, ms",
    LONGEST_AFTER,
];
