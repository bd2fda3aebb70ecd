//! The payer's flow as a pure state machine: events in, commands out.
//!
//! [`Flow::handle`] takes one [`Input`] (what happened, when, and some random bits) and
//! answers with the [`Command`]s to carry out; [`Flow::view`] says what to show. The crate
//! does no input or output, reads no clock and rolls no dice, so every run can be repeated.
//!
//! # States
//!
//! ```text
//!            Started                        MethodChosen
//!   (new) ─────────────► Choosing ──────────────────────────► Authorizing ──► Failed
//!     │                     ▲  ▲                                │      ▲         │
//!     │ operation known     │  │ pay another way,               │      └─────────┘ retry,
//!     │ (reload, return,    │  │ once the server says           │ answered         same key
//!     │  attributes)        │  │ that it is not paid            ▼
//!     └─────────────────────┼──┴──────────────────────────── Live ◄────────────────┐
//!                           │                                   │  checking → waiting │
//!                           │                                   │  → last check → overdue
//!                           │ retry                             │  asking → cancelling │
//!                           │                                   ▼                      │
//!                           └───────────────────────────────  Ended ───────────────────┘
//!                                                        a new code (expired, overdue):
//!                                                        the old operation stays watched
//! ```
//!
//! *Live* follows one operation; which screen it shows depends on what the server said last
//! and on the time: see [`Screen`]. *Ended* is entered on an answer of the status endpoint
//! only, and left for a corrected ending (unpaid to paid, paid to reversed) or for a new
//! attempt. Operations that are not in front any more stay watched: a payment that lands on
//! one of them late takes the front, and whatever was waiting there is withdrawn.
//!
//! # What never happens
//!
//! - *Paid* without a paid state in an answer of the status endpoint.
//! - Two idempotency keys for one attempt, or one for two.
//! - Two status requests at the same time, or two starts within a second.
//! - A result that goes back to waiting.
//! - Two operations that a payer is asked to pay.
//! - A state without a way out.

mod attempt;
mod cancel;
mod command;
mod continue_url;
mod event;
mod failure;
mod flow;
mod live;
mod money;
mod notice;
mod operation_ref;
mod operations;
mod poller;
mod qr_image;
mod schedule;
mod screen;
mod settings;
mod snapshot;
mod time;
mod tracked;
mod withdrawal;

pub use attempt::{Attempt, IdempotencyKey};
pub use command::Command;
pub use continue_url::ContinueUrl;
pub use event::{Answer, Answered, CallId, Event, Input, Start};
pub use failure::{ErrorCode, Failure, Problem};
pub use flow::Flow;
pub use money::Money;
pub use notice::{Notice, ResultNotice, StatusNotice};
pub use operation_ref::OperationRef;
pub use qr_image::QrImage;
pub use screen::{Connection, End, Screen, View};
pub use settings::Settings;
pub use snapshot::Snapshot;
pub use time::Moment;
