//! The QR of the page's own address.

use fast_qr::{ECL, QRBuilder};
use maud::{Markup, html};

/// The light border that scanners need.
const QUIET_ZONE_MODULES: usize = 4;

/// A picture that a phone's camera opens; `None` for an address that is too long for a QR.
pub(crate) fn own_qr(url: &str, alt: &str) -> Option<Markup> {
    let code = QRBuilder::new(url).ecl(ECL::L).build().ok()?;
    let side = code.size + 2 * QUIET_ZONE_MODULES;
    let mut path = String::new();
    for row in 0..code.size {
        for (column, module) in code[row].iter().take(code.size).enumerate() {
            if module.value() {
                let (x, y) = (column + QUIET_ZONE_MODULES, row + QUIET_ZONE_MODULES);
                path.push_str(&format!("M{x} {y}h1v1h-1z"));
            }
        }
    }
    Some(html! {
        svg.own-qr role="img" aria-label=(alt) viewBox={ "0 0 " (side) " " (side) } {
            rect width="100%" height="100%" fill="#fff" {}
            path d=(path) fill="#000" shape-rendering="crispEdges" {}
        }
    })
}
