//! Signs members of staff in and out.

use super::Staff;
use super::second_factor::{take, use_code, warn};
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
use payment_rules::second_factor::StoredFactor;
use payment_rules::staff::AuditRecord;
use staff_model::{AuditAction, SecondFactor, SignIn, StaffSession};

/// `POST /api/staff/session`: signs in. An unknown name gets the same refusal as a wrong password, after
/// the same time. Only after the right password a code of the second factor is asked for.
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
    take(&app, &attempt)?;
    let hash = account
        .as_ref()
        .map(|account| account.password_hash.clone());
    let right = app.sign_ins.passwords.is_right(wanted.password, hash).await;
    let Some(account) = account.filter(|_| right) else {
        warn(&attempt, "somebody could not sign in");
        let detail = "The name or the password is wrong.";
        return Err(Problem::new(ProblemKind::SignInRefused, detail).into());
    };
    let stored = app.db.second_factor(&account.name).await?;
    let second_factor = app.sign_ins.second_factors.state(&account.name, &stored);
    let is_confirmed = if second_factor == SecondFactor::Enrolled {
        give_code(&app, &attempt, wanted.code.as_deref()).await?
    } else {
        false
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
    let begun = app
        .db
        .begin_session(&hash, &holder, &before, is_confirmed, now());
    begun.await?;
    let codes = super::codes(&account, &app).await?;
    let mut response = Json(shown(&app, account, codes, second_factor)).into_response();
    set_cookie(&mut response, &cookie);
    set_cookie(&mut response, &device);
    Ok(response)
}

/// Checks the code of a sign-in; `false` for an operator's code, with which the account may only enrol.
async fn give_code(
    app: &App,
    attempt: &SignInAttempt,
    code: Option<&str>,
) -> Result<bool, Failure> {
    let Some(code) = code else {
        // Most sign-ins begin without one.
        app.sign_ins.attempts.forgive(attempt);
        let record =
            AuditRecord::without_operation(&attempt.name, AuditAction::CodeAsked, "sign-in");
        app.db.audit(&record).await?;
        let detail = "This account has a second factor: repeat the request with a code of its app, or a recovery code.";
        return Err(Problem::new(ProblemKind::SecondFactorRequired, detail).into());
    };
    let factors = &app.sign_ins.second_factors;
    let judge = |stored: &StoredFactor| {
        let change = factors.judge(&attempt.name, stored, code, now())?;
        let confirms = change.confirms_session();
        Some((change, confirms))
    };
    use_code(app, attempt, None, judge).await
}

/// `GET /api/staff/session`: the account that is signed in.
pub(super) async fn show(State(app): State<App>, staff: Staff) -> Json<StaffSession> {
    Json(shown(&app, staff.account, staff.codes, staff.second_factor))
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

fn shown(
    app: &App,
    account: Account,
    merchant_codes: Vec<String>,
    second_factor: SecondFactor,
) -> StaffSession {
    let limits = account.limits();
    StaffSession {
        merchant_codes,
        name: account.name,
        permissions: account.permissions,
        refund_limit: limits.at_once.map(Cents::new),
        refund_limit_a_day: limits.a_day.map(Cents::new),
        time_zone: app.config.time_zone.iana_name().unwrap_or("UTC").to_owned(),
        second_factor,
    }
}

fn set_cookie(response: &mut Response, cookie: &str) {
    if let Ok(cookie) = cookie.parse() {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
}
