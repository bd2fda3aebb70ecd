use serde::{Deserialize, Serialize};
use std::fmt;

/// A QR code as the path of an SVG.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QrPath {
    /// The width and height of the view box, with the quiet zone.
    pub size: usize,
    /// The dark modules: the `d` of a path.
    pub path: String,
}

impl fmt::Debug for QrPath {
    /// Leaves what the code says out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("QrPath(redacted)")
    }
}
