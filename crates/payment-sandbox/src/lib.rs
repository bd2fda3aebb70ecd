//! The payment service, simulated over real HTTP: a test double of a *service*. Merchants'
//! servers talk to it exactly as to the real one, and tests drive it from behind.
//!
//! **It is for tests and demos.** It keeps everything in memory, has no passwords of its own, and
//! lets every client that reaches it change everything: leave it on a loopback address.
//!
//! # Paths
//!
//! | Path | Content |
//! |---|---|
//! | `/charges…`, `/refund…` | the endpoints of the specification |
//! | `/phone`, `/phone/{operation}`, `/phone?qr={qr_id}` | the wallet that scans a QR and pays |
//! | `/lender/{operation}` | the target of `continue_url`: the lender, or the bank for transfers |
//! | `/agent`, `/agent/{cip}`, `/agent/{operation}`, `/agent?cip={cip}` | the agent who takes cash for a code |
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
//! Bodies are JSON; a wrong one is a 400 that names the field, in `{"error": "…"}`. A page of another site changes
//! nothing: 403.
//!
//! | Request | Effect |
//! |---|---|
//! | `POST /sandbox/operations` | creates an operation in any method and state: `merchant_code` (default `demo-merchant`), `merchant_operation_number` (random), `method_name` (`QR`), `state` (`PENDIENTE`), `amount` (`12990`), `currency` (`PEN`), `expires_in_s`, `redirect_url`, `callback_url`; all optional. Answers 201 with the operation, its `qr_id`, `qr_content` and `cip` |
//! | `GET /sandbox/operations`, `GET /sandbox/operations/{operation}` | the same view of all, the newest first, or of one |
//! | `POST /sandbox/operations/{operation}/{pay\|decline\|expire\|settle\|reverse\|invalidate}` | drives it; 409 when the state does not allow that. `?merchant_code=` where several merchants have the number. `pay` with `{"late": true}` makes a payment for an operation that was given up |
//! | `POST /sandbox/refunds/{refund_id}/{process\|resolve\|reject}` | drives a refund |
//! | `PUT /sandbox/faults`, `GET /sandbox/faults` | replaces the list of faults; shows those still to come |
//! | `PUT /sandbox/clock`, `GET /sandbox/clock` | `{"offset_s"}` moves the sandbox's time away from the system's; operations that are overdue then expire at once |
//! | `PUT /sandbox/settings`, `GET /sandbox/settings` | `qr_expires_in_s`, `installment_expires_in_s`, `cashcode_expires_in_s`, `other_expires_in_s` for operations to come; `invalidate_next` rejects so many authorizations as `INVALIDO`; `authorizable` is a list of further methods that an authorization may name; `token_expired` lets the token expire; `token` replaces it. An absent member does not change |
//! | `GET /sandbox/journal?after={seq}`, `DELETE /sandbox/journal` | lists every request, one JSON object a line; forgets them |
//! | `POST /sandbox/reset` | everything as at the start |
//!
//! # Faults
//!
//! `[{"kind", "method", "path", "times", "when", "then", …}]`. A request to the service takes the first
//! fault that it meets: `method` and `path` are met by anything when absent; a `path` without
//! a star is a prefix, with stars each stands for any text and the whole path must be met.
//! `times` is 1 by default. With `when: "before"` the request never reaches the service
//! (except for `delay`, after which it does); with `"after"` the service deals with it first.
//! Every kind waits `ms` milliseconds, when given. `then` is a list of further faults, which begin
//! at the moment when this one happens for the first time. Control and pages meet no fault.
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
//! | `duplicate_notification` | one notification is delivered twice | |
//! | `lose_notification` | one notification is never delivered | |
//!
//! For the last two `path` is met by the path of `callback_url`. So is the `path` of a `delay`,
//! which then delays a notification; without a `path` a delay is for requests only.
//!
//! # The journal
//!
//! The journal has every request to the service or to an unknown path, and every other change of an
//! operation. An entry is written under the lock of the change and before the answer: `seq`, `time`
//! (by the clock that tests do not move), `method`, `path`, `merchant_code`,
//! `merchant_operation_number`, `transaction_id`, `amount`, `currency`, `accepted` (did it change
//! the service's state?), `state_after`, `refunds` (those registered), `answered` (the plan:
//! `full`, `cut`, `dropped`, `delayed`), `fault`, `status` (null without an answer). It holds no
//! token, no person and no body.
//!
//! `docs/not-shown.md` lists the cases that the specification does not show, with the choices of
//! the sandbox and of the other programs.

mod charge;
mod clock;
mod control;
mod fault;
mod journal;
mod json;
mod notification;
mod pages;
mod qr;
mod random;
mod refund;
mod sandbox;
mod service;
mod settings;
mod world;

pub use clock::Clock;
pub use sandbox::{Sandbox, Setup};

use axum::Router;
use axum::routing::get;

/// Every route of the sandbox.
pub fn app(sandbox: Sandbox) -> Router {
    Router::new()
        .route("/healthz", get(async || "ok\n"))
        .nest("/sandbox", control::routes())
        .merge(pages::routes())
        .merge(service::routes())
        .with_state(sandbox)
}
