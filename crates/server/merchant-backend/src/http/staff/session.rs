//! Signs members of staff in and out.

use super::Staff;
use crate::clock::now;
use crate::db::Holder;
use crate::http::app::App;
use crate::http::body::JsonBody;
use crate::http::caller::Caller;
use crate::http::problem::{Failure, Problem, ProblemKind};
use crate::staff::{Account, SignInAttempt};
use axum::Json;
use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use payment_model::Cents;
use payment_rules::fingerprint;
use staff_model::{SignIn, StaffSession};
use std::net::IpAddr;

/// `POST /api/staff/session`: signs in. An unknown name gets the same refusal as a wrong password, after
/// the same time.
pub(super) async fn sign_in(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    JsonBody(wanted): JsonBody<SignIn>,
) -> Result<Response, Failure> {
    let accounts = app.config.staff_accounts.as_ref();
    let account = accounts.and_then(|accounts| accounts.find(&wanted.name));
    let device = account
        .as_ref()
        .and_then(|account| app.sign_ins.devices.of(&headers, account, now()));
    let attempt = SignInAttempt {
        name: wanted.name,
        address: caller.0,
        device,
    };
    app.sign_ins.attempts.take(&attempt).map_err(|wait| {
        let detail = "Too many attempts to sign in failed; wait as long as Retry-After says, or use a device on which you signed in before.";
        Problem::new(ProblemKind::TooManyRequests, detail).retry_after(wait)
    })?;
    let hash = account
        .as_ref()
        .map(|account| account.password_hash.clone());
    let right = app.sign_ins.passwords.is_right(wanted.password, hash).await;
    let Some(account) = account.filter(|_| right) else {
        // A typed name may be a password, and a full address identifies a person.
        let (name, client) = (fingerprint(&attempt.name), network(attempt.address));
        tracing::warn!(name, client, "somebody could not sign in");
        let detail = "The name or the password is wrong.";
        return Err(Problem::new(ProblemKind::SignInRefused, detail).into());
    };
    app.sign_ins.attempts.forgive(&attempt);
    let device = app
        .sign_ins
        .devices
        .remember(attempt.device, &account, now())?;
    let (hash, cookie) = app.sign_ins.cookies.start()?;
    let before = app.sign_ins.cookies.of(&headers);
    let holder = Holder {
        name: account.name.clone(),
        password: account.password_fingerprint(),
    };
    let begun = app.db.begin_session(&hash, &holder, &before, now());
    begun.await?;
    let codes = super::codes(&account, &app).await?;
    let mut response = Json(shown(&app, account, codes)).into_response();
    set_cookie(&mut response, &cookie);
    set_cookie(&mut response, &device);
    Ok(response)
}

/// `GET /api/staff/session`: the account that is signed in.
pub(super) async fn show(State(app): State<App>, staff: Staff) -> Json<StaffSession> {
    Json(shown(&app, staff.account, staff.codes))
}

/// `DELETE /api/staff/session`: signs out. It also succeeds without a session.
pub(super) async fn sign_out(
    State(app): State<App>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let hashes = app.sign_ins.cookies.of(&headers);
    app.db.end_sessions(&hashes).await?;
    let mut response = StatusCode::NO_CONTENT.into_response();
    set_cookie(&mut response, &app.sign_ins.cookies.end());
    Ok(response)
}

/// The network of a client, which does not identify a person: its /24, or the /64 of a [`Caller`].
fn network(client: IpAddr) -> String {
    match client {
        IpAddr::V4(client) => {
            let [a, b, c, _] = client.octets();
            format!("{a}.{b}.{c}.0/24")
        }
        IpAddr::V6(client) => format!("{client}/64"),
    }
}

fn shown(app: &App, account: Account, merchant_codes: Vec<String>) -> StaffSession {
    let limits = account.limits();
    StaffSession {
        merchant_codes,
        name: account.name,
        permissions: account.permissions,
        refund_limit: limits.at_once.map(Cents::new),
        refund_limit_a_day: limits.a_day.map(Cents::new),
        time_zone: app.config.time_zone.iana_name().unwrap_or("UTC").to_owned(),
    }
}

fn set_cookie(response: &mut Response, cookie: &str) {
    if let Ok(cookie) = cookie.parse() {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
}
