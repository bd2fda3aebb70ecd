//! Confirms a session by a code of the second factor, and enrols one.

use super::Staff;
use crate::clock::now;
use crate::db::{CodeAttempt, CodeOutcome, CodeSession};
use crate::http::app::App;
use crate::http::body::JsonBody;
use crate::http::caller::Caller;
use crate::http::problem::{Failure, Problem, ProblemKind};
use crate::staff::{SignInAttempt, is_guessable};
use axum::Json;
use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use payment_rules::fingerprint;
use payment_rules::second_factor::{FactorChange, StoredFactor};
use staff_model::{BeginEnrolment, ConfirmEnrolment, Enrolled, EnrolmentKey, StepUp};
use std::net::IpAddr;
use std::time::Duration;

/// `POST /api/staff/session/code`: confirms the session for acts with money.
pub(super) async fn step_up(
    State(app): State<App>,
    staff: Staff,
    caller: Caller,
    headers: HeaderMap,
    JsonBody(body): JsonBody<StepUp>,
) -> Result<StatusCode, Failure> {
    let factors = &app.sign_ins.second_factors;
    let judge = |stored: &StoredFactor| {
        let change = factors.judge(staff.name(), stored, &body.code, now())?;
        // The operator's code only permits to enrol.
        change.confirms_session().then_some((change, ()))
    };
    give_code(&app, &staff, caller, &headers, &body.code, judge).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/staff/second-factor`: begins an enrolment, or shows its key to the same session again.
pub(super) async fn begin_enrolment(
    State(app): State<App>,
    staff: Staff,
    caller: Caller,
    headers: HeaderMap,
    JsonBody(body): JsonBody<BeginEnrolment>,
) -> Result<Json<EnrolmentKey>, Failure> {
    let factors = &app.sign_ins.second_factors;
    let judge = |stored: &StoredFactor| {
        permits_enrolment(&app, &staff, stored, &body.enrolment_code)?;
        let seen = stored.enrolment.as_ref()?.key_seen_by(&staff.session);
        let made = || factors.sealed_key(staff.name());
        let Some(sealed) = seen.map(str::to_owned).or_else(made) else {
            return Some((FactorChange::PermitEnrolment, None));
        };
        let shown = factors.shown(staff.name(), &sealed);
        Some((FactorChange::BeginEnrolment(sealed), shown))
    };
    let typed = &body.enrolment_code;
    let shown = give_code(&app, &staff, caller, &headers, typed, judge).await?;
    // Only a system without random bytes makes no key.
    Ok(Json(shown.ok_or(Failure::Internal)?))
}

/// `POST /api/staff/second-factor/confirm`: the account has a second factor from now on, and no other session.
pub(super) async fn confirm_enrolment(
    State(app): State<App>,
    staff: Staff,
    caller: Caller,
    headers: HeaderMap,
    JsonBody(body): JsonBody<ConfirmEnrolment>,
) -> Result<Response, Failure> {
    let factors = &app.sign_ins.second_factors;
    let judge = |stored: &StoredFactor| {
        permits_enrolment(&app, &staff, stored, &body.enrolment_code)?;
        let sealed = stored.enrolment.as_ref()?.key_seen_by(&staff.session)?;
        let (change, codes) = factors.confirmed(staff.name(), sealed, &body.code, now())?;
        Some((change, (codes, sealed.to_owned())))
    };
    let given = give_code(&app, &staff, caller, &headers, &body.code, judge);
    let (recovery_codes, sealed) = given.await?;
    let mut response = Json(Enrolled { recovery_codes }).into_response();
    // The enrolment made every device cookie invalid. Without a new one the codes are still answered, as they are not
    // stored.
    let devices = &app.sign_ins.devices;
    if let Ok(device) = devices.remember(None, &staff.account, Some(&sealed), now()) {
        set_cookie(&mut response, &device);
    }
    Ok(response)
}

fn permits_enrolment(app: &App, staff: &Staff, stored: &StoredFactor, code: &str) -> Option<()> {
    let factors = &app.sign_ins.second_factors;
    let change = factors.judge(staff.name(), stored, code, now())?;
    matches!(change, FactorChange::PermitEnrolment).then_some(())
}

/// Checks a code that a signed-in member of staff gives.
async fn give_code<T>(
    app: &App,
    staff: &Staff,
    caller: Caller,
    headers: &HeaderMap,
    typed: &str,
    judge: impl FnOnce(&StoredFactor) -> Option<(FactorChange, T)>,
) -> Result<T, Failure> {
    let sealed_key = staff.factor.sealed_key.as_deref();
    let devices = &app.sign_ins.devices;
    let attempt = SignInAttempt {
        name: staff.name().to_owned(),
        address: caller.0,
        device: devices.of(headers, &staff.account, sealed_key, now()),
    };
    let session = CodeSession::Present(&staff.session);
    use_code(app, &attempt, session, typed, judge).await
}

/// Checks the code of an attempt. A wrong one counts for its account and its address.
pub(super) async fn use_code<T>(
    app: &App,
    attempt: &SignInAttempt,
    session: CodeSession<'_>,
    typed: &str,
    judge: impl FnOnce(&StoredFactor) -> Option<(FactorChange, T)>,
) -> Result<T, Failure> {
    let attempts = &app.sign_ins.attempts;
    attempts
        .take_code(attempt)
        .map_err(|wait| too_many(attempt, wait))?;
    let code = CodeAttempt {
        name: &attempt.name,
        device: attempt.device.as_deref(),
        is_guessable: is_guessable(typed),
        session,
        now: now(),
    };
    let outcome = app.db.use_code(code, judge).await;
    if !matches!(outcome, Ok(CodeOutcome::Wrong)) {
        attempts.forgive_code(attempt);
    }
    match outcome? {
        CodeOutcome::Right(value) => Ok(value),
        CodeOutcome::Wrong => {
            warn_of(attempt, "a code of the second factor was wrong");
            let detail = "The code is wrong, was used before or has expired. Every code counts once: wait for the next one.";
            Err(Problem::new(ProblemKind::SecondFactorRefused, detail).into())
        }
        CodeOutcome::Wait(wait) => {
            warn_of(attempt, "a code of the second factor came too early");
            Err(too_many(attempt, wait).into())
        }
    }
}

/// The refusal of an attempt after too many that failed.
pub(super) fn too_many(attempt: &SignInAttempt, wait: Duration) -> Problem {
    let detail = match attempt.device {
        None => {
            "Too many attempts failed; wait as long as Retry-After says, or use a device on which you signed in before."
        }
        Some(_) => "Too many attempts failed; wait as long as Retry-After says.",
    };
    Problem::new(ProblemKind::TooManyRequests, detail).retry_after(wait)
}

/// Logs a failed attempt. A typed name may be a password, and a full address identifies a person.
pub(super) fn warn_of(attempt: &SignInAttempt, what: &'static str) {
    let (name, client) = (fingerprint(&attempt.name), network(attempt.address));
    tracing::warn!(name, client, "{what}");
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

pub(super) fn set_cookie(response: &mut Response, cookie: &str) {
    if let Ok(cookie) = cookie.parse() {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
}
