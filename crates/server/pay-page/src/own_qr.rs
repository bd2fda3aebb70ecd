//! The QR of the page's own address.

use crate::page::Page;
use checkout_texts::PageText;
use fast_qr::{ECL, QRBuilder};
use maud::{Markup, html};

/// The light border that scanners need.
const QUIET_ZONE_MODULES: usize = 4;

/// The QR of this page, for a payer who sits at a computer and pays on a phone.
pub(crate) fn on_phone(page: &Page<'_>) -> Markup {
    let picture = page
        .url
        .and_then(|url| own_qr(url, page.own(PageText::OnPhoneAlt)));
    html! {
        @if let Some(picture) = picture {
            details.on-phone.no-print {
                summary { (page.own(PageText::OnPhone)) }
                p { (page.own(PageText::OnPhoneLead)) }
                (picture)
            }
        }
    }
}

/// A picture that a phone's camera opens; `None` for an address that is too long for a QR.
fn own_qr(url: &str, alt: &str) -> Option<Markup> {
    let (side, path) = qr_path(url)?;
    Some(html! {
        svg.own-qr role="img" aria-label=(alt) viewBox={ "0 0 " (side) " " (side) } {
            rect width="100%" height="100%" fill="#fff" {}
            path d=(path) fill="#000" shape-rendering="crispEdges" {}
        }
    })
}

/// The QR of a text as an SVG: the side of the square view box with the light border, and the path of the dark modules.
/// `None` for a text that is too long for a QR.
#[must_use]
pub fn qr_path(text: &str) -> Option<(usize, String)> {
    let code = QRBuilder::new(text).ecl(ECL::L).build().ok()?;
    let mut path = String::new();
    for row in 0..code.size {
        for (column, module) in code[row].iter().take(code.size).enumerate() {
            if module.value() {
                let (x, y) = (column + QUIET_ZONE_MODULES, row + QUIET_ZONE_MODULES);
                path.push_str(&format!("M{x} {y}h1v1h-1z"));
            }
        }
    }
    Some((code.size + 2 * QUIET_ZONE_MODULES, path))
}
