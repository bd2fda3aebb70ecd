use super::{SecondFactorPolicy, SecondFactors, is_guessable};
use crate::clock::instant;
use crate::cookies::CookieKey;
use payment_model::Timestamp;
use payment_rules::second_factor::{
    ENROLMENT_LIFETIME, FactorChange, PendingEnrolment, StoredFactor,
};
use staff_model::SecondFactor;
use std::time::Duration;

const NOW: Timestamp = instant(1_763_700_000_000);
const STEP: Duration = Duration::from_secs(30);

fn with_key(key: &str, policy: SecondFactorPolicy) -> SecondFactors {
    SecondFactors::new(CookieKey::new(key), policy, "Retama: café")
}

fn required() -> SecondFactors {
    with_key(
        "0123456789abcdef0123456789abcdef",
        SecondFactorPolicy::Required,
    )
}

/// An account whose enrolment began, and the operator's code.
fn begun(factors: &SecondFactors, name: &str) -> (StoredFactor, String) {
    let (code, hash) = factors.enrolment_code(name).unwrap();
    let enrolment = PendingEnrolment {
        code: hash,
        until: NOW.saturating_add(ENROLMENT_LIFETIME),
        sealed_key: factors.sealed_key(name),
        session: Some("session".to_owned()),
    };
    let stored = StoredFactor {
        enrolment: Some(enrolment),
        ..StoredFactor::default()
    };
    (stored, code)
}

/// The code that the app of a sealed key shows at an instant.
fn shown_code(factors: &SecondFactors, name: &str, sealed: &str, at: Timestamp) -> String {
    let app = factors.app(name, Some(sealed)).unwrap();
    app.generate(u64::try_from(at.as_secs()).unwrap())
        .to_string()
}

/// An enrolled account and its recovery codes. The code of `NOW` is used up.
fn enrolled(factors: &SecondFactors, name: &str) -> (StoredFactor, Vec<String>) {
    let (stored, _) = begun(factors, name);
    let sealed = stored.enrolment.unwrap().sealed_key.unwrap();
    let code = shown_code(factors, name, &sealed, NOW);
    let (change, codes) = factors.confirmed(name, &sealed, &code, NOW).unwrap();
    let FactorChange::Enrol {
        sealed_key,
        step,
        recovery_codes,
    } = change
    else {
        panic!("it enrols");
    };
    let stored = StoredFactor {
        sealed_key: Some(sealed_key),
        was_enrolled: true,
        last_step: step,
        recovery_codes,
        enrolment: None,
    };
    (stored, codes)
}

#[test]
fn a_code_of_the_app_counts_once_and_one_step_early_or_late() {
    let factors = required();
    let (stored, _) = enrolled(&factors, "ana");
    let sealed = stored.sealed_key.clone().unwrap();
    let judged = |made_at: Timestamp, now: Timestamp, last_step: i64| {
        let code = shown_code(&factors, "ana", &sealed, made_at);
        let stored = StoredFactor {
            last_step,
            ..stored.clone()
        };
        match factors.judge("ana", &stored, &code, now)? {
            FactorChange::UseStep(step) => Some(step),
            _ => None,
        }
    };
    let step = NOW.as_secs() / 30;
    assert_eq!(stored.last_step, step);
    assert_eq!(judged(NOW, NOW, stored.last_step), None);
    assert_eq!(judged(NOW, NOW, step - 1), Some(step));
    let next = NOW.saturating_add(STEP);
    assert_eq!(judged(next, NOW, step), Some(step + 1));
    // Having used the next one, the present one counts no more.
    assert_eq!(judged(NOW, NOW, step + 1), None);
    assert_eq!(judged(NOW, next, 0), Some(step));
    assert_eq!(judged(NOW, next.saturating_add(STEP), 0), None);
    assert_eq!(judged(next.saturating_add(STEP), NOW, 0), None);
}

#[test]
fn codes_are_read_as_people_type_them() {
    let factors = required();
    let (stored, codes) = enrolled(&factors, "ana");
    let sealed = stored.sealed_key.clone().unwrap();
    let next = NOW.saturating_add(STEP);
    let code = shown_code(&factors, "ana", &sealed, next);
    let is_right = |typed: &str| factors.judge("ana", &stored, typed, next).is_some();
    assert!(is_right(&format!(" {} {}\n", &code[..3], &code[3..])));
    for odd in [
        "",
        "0",
        "12345",
        "1234567",
        "٠١٢٣٤٥",
        "📱📱📱📱📱📱",
        &"7".repeat(9_999),
    ] {
        assert!(!is_right(odd), "{odd}");
    }
    assert_eq!(codes.len(), 10);
    for code in &codes {
        assert_eq!(code.len(), 19);
        assert!(is_right(code) && is_right(&code.to_lowercase().replace('-', " ")));
        let typed = code.replace('0', "o").replace('1', "l").replace('-', "");
        assert!(is_right(&typed), "{typed}");
        assert!(!is_right(&code[..18]) && !is_right(&format!("{code}7")));
    }
}

#[test]
fn a_recovery_code_is_of_its_account_and_unused() {
    let factors = required();
    let (stored, codes) = enrolled(&factors, "ana");
    let change = factors.judge("ana", &stored, &codes[3], NOW);
    let Some(FactorChange::UseRecoveryCode(hash)) = change else {
        panic!("the code is right");
    };
    assert!(!hash.contains(&codes[3]));
    assert!(factors.judge("bea", &stored, &codes[3], NOW).is_none());
    let mut later = stored;
    later.recovery_codes.retain(|code| *code != hash);
    assert_eq!(later.recovery_codes.len(), 9);
    assert!(factors.judge("ana", &later, &codes[3], NOW).is_none());
    assert!(factors.judge("ana", &later, &codes[4], NOW).is_some());
}

#[test]
fn an_operators_code_permits_its_account_to_enrol_for_an_hour() {
    let factors = required();
    let (stored, code) = begun(&factors, "ana");
    let judged = |name: &str, stored: &StoredFactor, now| {
        let change = factors.judge(name, stored, &code, now);
        matches!(change, Some(FactorChange::PermitEnrolment))
    };
    let end = NOW.saturating_add(ENROLMENT_LIFETIME);
    assert!(judged("ana", &stored, NOW));
    assert!(judged(
        "ana",
        &stored,
        end.saturating_sub(Duration::from_millis(1))
    ));
    assert!(!judged("ana", &stored, end));
    assert!(!judged("bea", &stored, NOW));
    let (newer, _) = begun(&factors, "ana");
    assert!(!judged("ana", &newer, NOW));
    assert!(!judged("ana", &StoredFactor::default(), NOW));
}

#[test]
fn only_the_app_with_the_shown_key_confirms_an_enrolment() {
    let factors = required();
    let [shown, other] = [(); 2].map(|()| factors.sealed_key("ana").unwrap());
    let code = shown_code(&factors, "ana", &other, NOW);
    assert!(factors.confirmed("ana", &other, &code, NOW).is_some());
    assert!(factors.confirmed("ana", &shown, &code, NOW).is_none());
    assert!(factors.confirmed("bea", &other, &code, NOW).is_none());
}

#[test]
fn a_key_that_one_session_saw_is_unknown_to_another_one() {
    let (stored, _) = begun(&required(), "ana");
    let enrolment = stored.enrolment.unwrap();
    assert!(enrolment.key_seen_by("session").is_some());
    assert!(enrolment.key_seen_by("another").is_none());
}

#[test]
fn only_codes_of_an_app_can_be_guessed() {
    for guessable in [
        "123456",
        "12 34 56",
        "",
        "1234567",
        "0000-0000-0000-000",
        "٠١٢٣٤٥",
    ] {
        assert!(is_guessable(guessable), "{guessable}");
    }
    for long in ["0000-0000-0000-0000", "00000-00000-00000-00000"] {
        assert!(!is_guessable(long), "{long}");
    }
}

#[test]
fn a_key_is_sealed_for_its_account_and_by_the_servers_key() {
    let factors = required();
    let (stored, _) = enrolled(&factors, "ana");
    let sealed = stored.sealed_key.as_deref();
    assert!(factors.app("ana", sealed).is_some());
    assert!(factors.app("bea", sealed).is_none());
    let other = with_key(
        "another key of the same length 32",
        SecondFactorPolicy::Optional,
    );
    assert!(other.app("ana", sealed).is_none());
    for odd in ["", "A", "AAAA", &sealed.unwrap()[1..], "not base64"] {
        assert!(factors.app("ana", Some(odd)).is_none(), "{odd}");
    }
    assert_ne!(factors.sealed_key("ana"), factors.sealed_key("ana"));
}

#[test]
fn an_account_without_a_usable_key_may_only_look_where_it_must_have_one() {
    let optional = || {
        with_key(
            "another key of the same length 32",
            SecondFactorPolicy::Optional,
        )
    };
    let none = StoredFactor::default();
    assert_eq!(required().state("ana", &none), SecondFactor::Missing);
    assert_eq!(optional().state("ana", &none), SecondFactor::Optional);
    let (permitted, _) = begun(&optional(), "ana");
    assert_eq!(optional().state("ana", &permitted), SecondFactor::Optional);
    let (mine, _) = enrolled(&optional(), "ana");
    assert_eq!(optional().state("ana", &mine), SecondFactor::Enrolled);
    // After a restore, and after a change of COOKIE_KEY, the password alone is not enough again.
    let restored = StoredFactor {
        sealed_key: None,
        ..mine
    };
    let (foreign, _) = enrolled(&required(), "ana");
    for ended in [restored, foreign] {
        assert_eq!(optional().state("ana", &ended), SecondFactor::Missing);
    }
}

#[test]
fn a_key_is_shown_as_text_address_and_qr() {
    let factors = required();
    let sealed = factors.sealed_key("ana.2").unwrap();
    let shown = factors.shown("ana.2", &sealed).unwrap();
    let key = shown.key.replace(' ', "");
    assert_eq!(key.len(), 32);
    assert!(shown.key.split(' ').all(|group| group.len() == 4));
    // A colon in the name of the shop would end it.
    assert_eq!(
        shown.uri,
        format!("otpauth://totp/Retama%20caf%C3%A9:ana.2?secret={key}&issuer=Retama%20caf%C3%A9")
    );
    assert!(shown.qr.size > 30 && shown.qr.path.starts_with("M4 4h1v1h-1z"));
    assert!(!format!("{shown:?}").contains(&key));
}
