//! The payer's flow as a pure state machine: events in, commands out.
//!
//! [`Flow::handle`] takes one [`Input`] (an event, its time, and some random bits) and returns the
//! [`Command`]s to carry out; [`Flow::view`] returns the screen to show. The crate does no input or
//! output, reads no clock and makes no random numbers, so every run can be repeated. The example
//! `one_payment` drives it through a payment and prints every screen.
//!
//! # States
//!
//! ```text
//!          Started
//!   New ──────────────► Choosing ◄───────────────────────────────────────────┐
//!    │                     │ MethodChosen: a new key                         │
//!    │ an attempt was      ▼                            retry: the same key  │
//!    │ kept           Authorizing ─────────────────────► Failed ─────────────┤
//!    ├───────────────►     │    ◄──────────────────────────┘                 │
//!    │                     │ answered, or "paid by …"    another way, or     │
//!    │ an operation is     ▼                             refused for good    │
//!    └───────────────►   Live ───────────────────────► Choosing, or Failed   │
//!      kept or named,      │  the server knows no       ("not found")        │
//!      or found while      │  such operation                                 │
//!      the payer chooses   │                                                 │
//!                          │                                                 │
//!                          │ the status endpoint       another way, and it   │
//!                          │ names an end              ended unpaid          │
//!                          ├─────────────────────────────────────────────────┤
//!                          ▼                                                 │
//!                        Ended ──────────────────────────────────────────────┘
//!                          ▲                     retry or another way, if unpaid
//!                          │
//!      an operation that is not in front is paid: from any of these states
//!
//!   Authorizing ──► AskingToReplace: an operation of another method is live
//!                     ├─► Authorizing: it may end; the same key
//!                     └─► Live: the payer goes on with it
//! ```
//!
//! A method by which the server does not take the order leads from *Authorizing* back to *Choosing*. Without a method to
//! choose, *Choosing* shows the error `no-method`.
//!
//! *Live* follows one operation, the one *in front*. Its screen depends on the server's last answer
//! and on the time:
//!
//! ```text
//!   Checking ──► Qr, Continue, Waiting ──► LastCheck ──► Overdue ──► (a new attempt)
//!      ▲                 │      at the deadline    the grace is over, and after
//!      │ retry           ▼                         it the server still waits
//!   Failed ◄──── it cannot be shown
//!
//!   Confirming: the server names an unknown state, at any time
//!   Unconfirmed: a new code was asked for, and the server does not know how this one ended
//!   Cancelling: ask the state ──► still waiting: cancel ──► ask the state, and show it
//! ```
//!
//! The flow enters *Ended* only on an answer of the status endpoint. It leaves it for a corrected
//! ending (unpaid to paid, paid to reversed) or for a new attempt. It still watches operations that
//! are not in front any more: a late payment of one of them puts that one in front. The flow
//! withdraws a waiting one: it asks for the state, cancels the operation while it still waits, and
//! asks again. It never cancels a paid operation.
//!
//! # What never happens
//!
//! - *Paid* without a paid state in an answer of the status endpoint.
//! - Two idempotency keys for one attempt, or one for two.
//! - Two status requests at the same time, or two starts within a second.
//! - A result that goes back to waiting.
//! - Two operations at once that a payer is asked to pay.
//! - The end of a live operation for another method, unless the payer agreed to it.
//! - A state without a way out.
//!
//! # Files
//!
//! | File | What it has |
//! |---|---|
//! | `start`, `event` | what comes in: settings, the snapshot of the last page; then events and answers |
//! | `command`, `notice`, `state` | what goes out: commands, reports to the page, and the kind of screen in a word |
//! | `operation_ref`, `failure`, `time` | names of operations, attempts and requests; failed requests and error codes; every kind of time |
//! | `qr_image`, `continue_url` | checks of what a payer is shown or led to |
//! | `hold_turns` | how several checkouts of one page share its connections |
//! | `words` | enums with a word for each variant |
//! | `flow` | the flow with its phases, and the table of who handles which event |
//! | `flow/button_presses` | the choice, "try again" and "another way" |
//! | `flow/method_choice` | which methods the choice has, by the page and by the server |
//! | `flow/asking_page`, `flow/authorizing` | an attempt, from the question to the page to the operation |
//! | `flow/operations`, `flow/tracked_operation`, `flow/offer` | what is known of each operation: its answers, and with what it can be paid |
//! | `flow/due_requests`, `flow/poller`, `flow/schedule` | which request is due, when one may leave, how long each pause is |
//! | `flow/status_answers` | the answers that decide the state of an operation |
//! | `flow/check`, `flow/live_question` | the payer's own "check now"; the question of a tab that knows no operation |
//! | `flow/cancelling` | the payer's cancellation, and the withdrawal of what must not be paid any more |
//! | `flow/remembering` | the start from a snapshot, and the next snapshot |
//! | `flow/screen` | the view: the screen that the payer sees |
//! | `flow/reporting` | the notices to the page, from which the element makes its events |
//!
//! No file beside the flow knows it, except `state`, which names its screens. In its folder `operations`, `poller` and what
//! they use do not know it either; every other file there is an act of the flow, with the type that the act is about.

mod command;
mod continue_url;
mod event;
mod failure;
mod flow;
mod hold_turns;
mod notice;
mod operation_ref;
mod qr_image;
mod start;
mod state;
mod time;
mod words;

pub use command::Command;
pub use continue_url::ContinueUrl;
pub use event::{Answer, Answered, CancelledBy, Event, Input, PageAnswer};
pub use failure::{ErrorCode, Failure, Problem};
pub use flow::Flow;
pub use flow::cancelling::Intent;
pub use flow::check::Checked;
pub use flow::method_choice::Choice;
pub use flow::screen::{Connection, End, Screen, View};
pub use hold_turns::HoldTurns;
pub use notice::{Action, Notice, ResultNotice, StatusNotice};
pub use operation_ref::{Attempt, CallId, OperationRef};
/// The key of an attempt; staff have such keys too.
pub use payment_model::IdempotencyKey;
/// An amount in a currency.
pub use payment_model::Money;
pub use qr_image::QrImage;
pub use start::{Settings, Snapshot, Start};
pub use state::State;
pub use time::{ClockOffset, Moment, MonotonicTime};
