//! Signs members of staff in and out.

use super::Staff;
use super::second_factor::{set_cookie, too_many, use_code, warn_of};
use crate::clock::now;
use crate::db::{CodeSession, Holder, NewSession};
use crate::http::app::App;
use crate::http::body::JsonBody;
use crate::http::caller::Caller;
use crate::http::problem::{Failure, Problem, ProblemKind};
use crate::staff::{Account, SignInAttempt};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use payment_model::{Cents, Currency};
use payment_rules::second_factor::StoredFactor;
use payment_rules::staff::AuditRecord;
use staff_model::{AuditAction, SecondFactor, SignIn, StaffSession, StaffStore};

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
    // An unknown name is looked up too, as an empty one, so that its refusal takes as long.
    let known = account.as_ref().map_or("", |account| &*account.name);
    let stored = app.db.second_factor(known).await?;
    let sealed_key = stored.sealed_key.as_deref();
    let devices = &app.sign_ins.devices;
    let device = account
        .as_ref()
        .and_then(|account| devices.of(&headers, account, sealed_key, now()));
    let attempt = SignInAttempt {
        name: wanted.name,
        address: caller.0,
        device,
    };
    let attempts = &app.sign_ins.attempts;
    let taken = attempts.take(&attempt);
    taken.map_err(|wait| too_many(&attempt, wait))?;
    let hash = account
        .as_ref()
        .map(|account| account.password_hash.clone());
    let right = app.sign_ins.passwords.is_right(wanted.password, hash).await;
    let Some(account) = account.filter(|_| right) else {
        warn_of(&attempt, "somebody could not sign in");
        let detail = "The name or the password is wrong.";
        return Err(Problem::new(ProblemKind::SignInRefused, detail).into());
    };
    attempts.forgive(&attempt);
    let (hash, cookie) = app.sign_ins.cookies.start()?;
    let before = app.sign_ins.cookies.of(&headers);
    let holder = Holder {
        name: account.name.clone(),
        password: account.password_fingerprint(),
    };
    let new = NewSession {
        hash: &hash,
        holder: &holder,
        before: &before,
        most_idle: app.config.look_only_idle,
    };
    open(&app, &attempt, new, wanted.code.as_deref()).await?;
    let device = devices.remember(attempt.device, &account, sealed_key, now())?;
    let codes = super::codes(&account, &app).await?;
    let second_factor = app.sign_ins.second_factors.state(&account.name, &stored);
    let mut response = Json(shown(&app, account, codes, second_factor)).into_response();
    set_cookie(&mut response, &cookie);
    set_cookie(&mut response, &device);
    Ok(response)
}

/// Opens the session of a sign-in, with a code where the account is enrolled. An operator's code opens one that may only
/// look and enrol.
async fn open(
    app: &App,
    attempt: &SignInAttempt,
    new: NewSession<'_>,
    code: Option<&str>,
) -> Result<(), Failure> {
    let (name, factors) = (&attempt.name, &app.sign_ins.second_factors);
    let permits = |stored: &StoredFactor| factors.state(name, stored) != SecondFactor::Enrolled;
    if app.db.begin_session(new, permits, now()).await? {
        return Ok(());
    }
    let Some(code) = code else {
        // Most sign-ins begin without one.
        let record = AuditRecord::without_operation(name, AuditAction::CodeAsked, "sign-in");
        app.db.audit(&record).await?;
        let detail = "This account has a second factor: repeat the request with a code of its app, or a recovery code.";
        return Err(Problem::new(ProblemKind::SecondFactorRequired, detail).into());
    };
    let judge = |stored: &StoredFactor| Some((factors.judge(name, stored, code, now())?, ()));
    use_code(app, attempt, CodeSession::New(new), code, judge).await
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
    // An account without permissions needs no second factor, since it may only look.
    let is_needed = second_factor != SecondFactor::Missing || !account.permissions.is_empty();
    let second_factor = if is_needed {
        second_factor
    } else {
        SecondFactor::Optional
    };
    let link_limits = account.link_limits();
    let open = app.config.stores.all();
    let open = open.filter(|store| merchant_codes.contains(&store.merchant_code));
    let stores = open.map(|store| StaffStore {
        merchant_code: store.merchant_code.clone(),
        merchant_name: store.merchant_name.clone(),
        currency: Currency::new(&*store.currency),
    });
    StaffSession {
        stores: stores.collect(),
        link_limit: link_limits.at_once.map(Cents::new),
        link_limit_a_day: link_limits.a_day.map(Cents::new),
        merchant_codes,
        name: account.name,
        permissions: account.permissions,
        refund_limit: limits.at_once.map(Cents::new),
        refund_limit_a_day: limits.a_day.map(Cents::new),
        time_zone: app.config.time_zone.iana_name().unwrap_or("UTC").to_owned(),
        second_factor,
    }
}
