//! The payment service, simulated over real HTTP. A merchant's server uses it exactly like the real service,
//! and tests control it by a separate interface.
//!
//! **It is for tests and demos only.** It keeps all data in memory, has no access control, and every client
//! that can reach it can change everything: use a loopback address only.
//!
//! # Paths
//!
//! | Path | Content |
//! |---|---|
//! | `/charges…`, `/refund…` | the endpoints of the specification |
//! | `/phone`, `/phone/{operation}`, `/phone?qr={qr_id}` | the wallet that scans a QR and pays |
//! | `/lender/{operation}` | the target of `continue_url`: the lender, or the bank for transfers |
//! | `/agent`, `/agent/{cip}`, `/agent/{operation}`, `/agent?cip={cip}` | the agent who takes cash for a code |
//! | `/seen` | the latest entries of the journal, for people, live |
//! | `/sandbox/…` | the control interface |
//! | `/healthz` | 200 as soon as it listens |
//!
//! `{operation}` is an operation's number or its transaction id. Pages are in Spanish, with
//! `?lang=en` in English. A link from a shop to `/phone/{operation}` or `/agent/{cip}` may add
//! `?back={address}`: when the charge has ended, a link leads back to that page of the shop. The
//! host must be this machine, or the sandbox's own.
//!
//! # The control interface
//!
//! Bodies are JSON. An invalid body is rejected with 400 and `{"error": "…"}`, which names the field; a request
//! from a page of another site with 403.
//!
//! | Request | Effect |
//! |---|---|
//! | `POST /sandbox/operations` | creates an operation in any method and state: `merchant_code` (default `demo-merchant`), `merchant_operation_number` (random), `method_name` (`QR`), `state` (`PENDIENTE`), `amount` (`12990`), `currency` (`PEN`), `expires_in_s`, `redirect_url`, `callback_url`; all optional. Answers 201 with the operation, its `qr_id`, `qr_content` and `cip` |
//! | `GET /sandbox/operations`, `GET /sandbox/operations/{operation}` | all operations in the same form, the newest first, or one of them |
//! | `POST /sandbox/operations/{operation}/{pay\|decline\|expire\|settle\|reverse\|invalidate}` | changes its state; 409 if the state does not allow that, or if the setting `limits` does not allow to pay. `?merchant_code=` is needed if several merchants use the number. `pay` with `{"late": true}` makes a payment after the operation has ended without one |
//! | `POST /sandbox/refunds/{refund_id}/{process\|resolve\|reject}` | changes the state of a refund |
//! | `PUT /sandbox/faults`, `GET /sandbox/faults` | replaces the list of faults; shows the remaining ones |
//! | `PUT /sandbox/clock`, `GET /sandbox/clock` | `{"offset_s"}` sets the offset of the sandbox's clock; operations that become overdue expire at once |
//! | `PUT /sandbox/settings`, `GET /sandbox/settings` | `qr_expires_in_s`, `installment_expires_in_s`, `cashcode_expires_in_s`, `other_expires_in_s` for operations to come; `invalidate_next` is the number of next authorizations that are rejected as `INVALIDO`; `authorizable` is a list of further methods that an authorization may have; `token_expired` makes the token expire; `token` replaces it; `test_amounts` lets amounts decide outcomes; `qr_form` is what QR codes to come say (`address`, as a camera opens it, or `emvco`, as wallets scan it); `limits` is what payers' wallets, lenders and agents take, as in `{"QR": {"PEN": {"least": 600, "most": 50000}}}`. Absent members are not changed |
//! | `GET /sandbox/journal?after={seq}`, `DELETE /sandbox/journal` | lists all requests as JSON lines; removes them |
//! | `POST /sandbox/reset` | restores the state after the start |
//!
//! # Faults
//!
//! `[{"kind", "method", "path", "times", "when", "then", …}]`. The first fault that matches a request to the
//! service is used. An absent `method` or `path` matches everything. A `path` without a star is a prefix; each
//! star matches any text, and a `path` with stars must match the whole path. `times` is 1 by default. With
//! `when: "before"` the request never reaches the service (except for `delay`, after which it does); with
//! `"after"` the service processes it first. Every kind waits `ms` milliseconds, if given. `then` is a list of
//! further faults, which are added when this one happens for the first time. Faults never affect the control
//! interface and the pages.
//!
//! | `kind` | Effect | Default `when` |
//! |---|---|---|
//! | `delay` | the answer, or the work, comes `ms` later | before |
//! | `status` | the answer has the status `status`, with `retry_after` and `location` as headers | before |
//! | `drop` | the connection closes without an answer | before |
//! | `cut` | the headers promise a whole body, `bytes` bytes of it come (0 by default, at most all but one), then the connection closes | after |
//! | `malformed` | 200 with half the JSON, or a page with `html: true` | after |
//! | `unknown_state` | every state in the answer, its lifecycle aside, is `state` | after |
//! | `replace` | the value at the JSON pointer `pointer` is `value` | after |
//! | `qr` | the QR in the answer to an authorization has wrong what `wrong` says: `checksum`, `currency`, `amount` (100 of the smallest unit more) or `no_name` in the form `emvco`, or `other_form`, which is an address. An absent `method` or `path` matches authorizations only | after |
//! | `duplicate_notification` | one notification is delivered twice | |
//! | `lose_notification` | one notification is never delivered | |
//!
//! For the last two kinds `path` is compared with the path of `callback_url`. A `delay` with a `path` that
//! matches it delays the notification; without a `path` a delay affects requests only.
//!
//! # The journal
//!
//! The journal has every request to the service or to an unknown path, every other change of an operation, and
//! every attempt to deliver a notification.
//! An entry is written under the lock of the change, before the answer is sent: `seq`, `time` (by the clock
//! without the tests' offset), `method`, `path`, `sent` (true for a notification, whose `path` is that of
//! `callback_url`; absent otherwise), `merchant_code`, `merchant_operation_number`,
//! `transaction_id`, `amount`, `currency`, `accepted` (true if the request changed the service's state),
//! `state_after`, `refunds` (the registered ones), `answered` (`full`, `cut`, `dropped` or `delayed`), `fault`,
//! `status` (null without an answer). It has no token, personal data or body.
//!
//! # Test amounts
//!
//! With the setting `test_amounts` the last two digits of an amount decide what happens to its operation.
//! `docs/sandbox.md` has the table.
//!
//! `docs/not-shown.md` lists the cases that the specification does not define, with the choices of the sandbox
//! and of the other programs.

mod charge;
mod clock;
mod config;
mod control;
mod fault;
mod journal;
mod json;
mod limits;
mod notification;
mod pages;
mod program;
mod qr;
mod qr_content;
mod random;
mod refund;
mod sandbox;
mod service;
mod settings;
mod test_amounts;
mod world;

pub use clock::Clock;
pub use limits::Limits;
pub use program::program;
pub use qr_content::QrForm;
pub use sandbox::{Sandbox, Setup};

use axum::Router;
use axum::routing::get;

/// Builds the router with all routes of the sandbox.
pub fn app(sandbox: Sandbox) -> Router {
    Router::new()
        .route("/healthz", get(async || "ok\n"))
        .nest("/sandbox", control::routes())
        .merge(pages::routes())
        .merge(service::routes())
        .with_state(sandbox)
}
