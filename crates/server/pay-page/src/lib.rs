//! The page of the merchant's server on which a payer pays an order without scripts, as HTML.
//!
//! ```text
//! state     what the page shows
//! page      the page with what its contents share: texts, amounts, times and addresses
//! document  the frame of every page: head, order, amount
//! choosing, waiting, ended, message
//!           the content of each state
//! element   the element, which takes the place of all this where it runs
//! formats   money and instants as the element writes them, without a browser
//! own_qr    the QR of the page's own address, for a payer who sits at a computer
//! ```
//!
//! It draws and decides nothing: no clock, no database, no HTTP.

mod choosing;
mod document;
mod element;
mod ended;
mod formats;
mod message;
mod own_qr;
mod page;
mod state;
mod waiting;

pub use document::STYLE;
pub use element::{ELEMENT_PAGE, ELEMENT_STYLE, Element};
pub use formats::{instant, money};
pub use own_qr::qr_path;
pub use page::Page;
pub use state::{End, LastAttempt, Message, State, Waiting};
