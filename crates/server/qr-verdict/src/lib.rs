//! Reads the QR code of a picture as a payer's wallet does, and judges if it asks for an order's amount and currency:
//! a payment service that draws a wrong code would have the payer pay another sum, or see a refusal after the scan.
//!
//! Only a merchant-presented code of EMVCo says what it asks for. A code of another form, such as an address, has the
//! verdict [`Verdict::Unknown`], and never [`Verdict::Wrong`].
//!
//! The functions neither panic nor do input or output. They read the clock only to stop at a deadline.

mod emvco;
mod finders;
mod picture;
mod read;
mod verdict;

pub use picture::{MOST_BYTES, MOST_PIXELS, Unreadable};
pub use read::{Read, read};
pub use verdict::{Expected, Mismatch, Verdict, judge};
