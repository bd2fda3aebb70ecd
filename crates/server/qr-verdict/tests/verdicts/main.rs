//! Verdicts about real pictures.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on has failed, also in its helpers"
)]

mod drawing;
mod emvco_text;
mod pictures;
mod png_file;
mod right;
mod wrong;

use drawing::Drawing;
use payment_model::Currency;
use png_file::{Kind, file, gray};
use qr_verdict::{Expected, Verdict, judge, read};
use std::time::{Duration, Instant};

/// Long enough for a slow machine: only the test of the deadline is about time.
fn soon() -> Instant {
    Instant::now() + Duration::from_secs(60)
}

/// The verdict about a file, for an order of S/ 620.00.
fn verdict_of(png: &[u8]) -> Verdict {
    let currency = Currency::new("PEN");
    let expected = Expected {
        amount_cents: 62_000,
        currency: &currency,
    };
    judge(&read(png, soon()), expected)
}

fn verdict(drawing: &Drawing, kind: Kind) -> Verdict {
    verdict_of(&file(drawing, kind))
}

/// The verdict about a content, drawn as most services do.
fn verdict_of_content(content: impl AsRef<[u8]>) -> Verdict {
    verdict(&Drawing::usual(content), gray(1))
}
