//! A member of staff with an authenticator app, and the operator who permits its enrolment.

use crate::support::accounts::PASSWORD;
use crate::support::database::{tamper, values};
use crate::support::payer::Answer;
use crate::support::stack::Stack;
use crate::support::staff_client::StaffClient;
use merchant_backend::simulation::carry_out;
use reqwest::Method;
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};
use totp_rs::{Builder, Secret, Totp};

/// An authenticator app with the key of one account.
pub(crate) struct App(Totp);

impl App {
    pub(crate) fn of_key(key: &str) -> Self {
        let key = Secret::try_from_base32(key.replace(' ', "")).unwrap();
        Self(Builder::new().with_secret(key).build().unwrap())
    }

    /// The code that it shows this many time steps from now.
    pub(crate) fn code(&self, steps: i64) -> String {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        let at = now.as_secs().saturating_add_signed(30 * steps);
        self.0.generate(at).to_string()
    }

    /// A code that is wrong in each of the time steps that may count.
    pub(crate) fn wrong_code(&self) -> String {
        let right = [-2, -1, 0, 1, 2].map(|steps| self.code(steps));
        let mut codes = (0..).map(|code| format!("{code:06}"));
        codes.find(|code| !right.contains(code)).unwrap()
    }
}

/// An account that is enrolled.
pub(crate) struct EnrolledStaff {
    pub(crate) client: StaffClient,
    /// The cookie of the device on which it was enrolled.
    pub(crate) device: String,
    pub(crate) app: App,
    pub(crate) recovery_codes: Vec<String>,
    pub(crate) enrolment_code: String,
}

/// Runs the operator's command for an account; returns the code that it prints.
pub(crate) async fn enrolment_code(stack: &Stack, name: &str) -> String {
    let settings = stack.settings_for(&["second-factor", name]);
    let printed = carry_out(&settings).await.unwrap();
    printed.trim_end().to_owned()
}

/// Signs in by a password, and a code where one is given.
pub(crate) async fn sign_in(stack: &Stack, name: &str, code: Option<&str>) -> Answer {
    sign_in_from(&StaffClient::nobody(stack), name, code).await
}

/// The cookies of an answer, as a browser sends them: of the session, and of the device.
pub(crate) fn cookies(answer: &Answer) -> Vec<String> {
    let set = answer.headers.get_all("set-cookie").iter();
    let pair = |cookie: &str| cookie.split(';').next().unwrap().to_owned();
    set.map(|cookie| pair(cookie.to_str().unwrap())).collect()
}

/// The same, in a browser in which nobody is signed in.
pub(crate) async fn sign_in_from(nobody: &StaffClient, name: &str, code: Option<&str>) -> Answer {
    let mut body = json!({"name": name, "password": PASSWORD});
    if let Some(code) = code {
        body["code"] = code.into();
    }
    nobody
        .send(Method::POST, "/session", None, Some(&body))
        .await
}

pub(crate) async fn begin(client: &StaffClient, enrolment_code: &str) -> Answer {
    let body = json!({"enrolment_code": enrolment_code});
    client
        .send(Method::POST, "/second-factor", None, Some(&body))
        .await
}

pub(crate) async fn confirm(client: &StaffClient, enrolment_code: &str, code: &str) -> Answer {
    let body = json!({"enrolment_code": enrolment_code, "code": code});
    let path = "/second-factor/confirm";
    client.send(Method::POST, path, None, Some(&body)).await
}

pub(crate) async fn step_up(client: &StaffClient, code: &str) -> Answer {
    let body = json!({"code": code});
    client
        .send(Method::POST, "/session/code", None, Some(&body))
        .await
}

/// Enrols the account of a client, whose session the app confirms by the code before the present one.
pub(crate) async fn enrol(stack: &Stack, client: StaffClient, name: &str) -> EnrolledStaff {
    let enrolment_code = enrolment_code(stack, name).await;
    let begun = begin(&client, &enrolment_code).await;
    assert_eq!(begun.status, 200, "{}", begun.text);
    let app = App::of_key(begun.json()["key"].as_str().unwrap());
    let confirmed = confirm(&client, &enrolment_code, &app.code(-1)).await;
    assert_eq!(confirmed.status, 200, "{}", confirmed.text);
    let codes = confirmed.json()["recovery_codes"].clone();
    EnrolledStaff {
        device: cookies(&confirmed).remove(0),
        client,
        app,
        recovery_codes: serde_json::from_value(codes).unwrap(),
        enrolment_code,
    }
}

/// Makes the last code of every session older than five minutes, so that acts with money ask for another one.
pub(crate) async fn five_minutes_pass(stack: &Stack) {
    tamper(
        stack,
        "UPDATE staff_sessions SET confirmed_at = confirmed_at - 300000",
    )
    .await;
}

/// Makes the wrong codes so old that the longest wait is over.
pub(crate) async fn an_hour_passes(stack: &Stack) {
    tamper(
        stack,
        "UPDATE staff_wrong_codes SET last_at = last_at - 3600000",
    )
    .await;
}

/// Makes the used codes so old that each of the present ones counts.
pub(crate) async fn forget_used_codes(stack: &Stack) {
    tamper(stack, "UPDATE staff_second_factors SET last_step = 0").await;
}

/// What the audit has about an account's second factor, in its sequence.
pub(crate) async fn records(stack: &Stack, name: &str) -> Vec<String> {
    let sql = format!(
        "SELECT action FROM audit WHERE staff = '{name}' AND action IN ('code-asked', 'code-refused',
             'step-up', 'recovery-code', 'enrol', 'sign-in') ORDER BY id"
    );
    values(stack, &sql).await
}

/// The `second_factor` of a session.
pub(crate) fn second_factor(session: &Value) -> &str {
    session["second_factor"].as_str().unwrap()
}
