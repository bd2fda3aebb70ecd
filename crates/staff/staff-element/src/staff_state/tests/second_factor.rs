//! The code at the sign-in, and the enrolment.

use super::super::permitted_actions::Way;
use super::super::second_factor::{Enrolment, EnrolmentStep};
use super::super::test_data::{details, row, session};
use super::super::{
    Announcement, Answer, Ask, Dialog, Event, Failure, FailureKind, Field, Focus, Page, Press,
    Reference, Request,
};
use super::{Staff, required};
use payment_model::ProblemMoney;
use staff_model::{Enrolled, EnrolmentKey, Permission, QrPath, SecondFactor, StaffSession};
use std::time::Duration;

const ENROLMENT_CODE: &str = "ABCDE-FGHIJ-KLMNO-PQRST";

pub(super) fn fails(kind: FailureKind) -> Result<Answer, Failure> {
    Err(kind.into())
}

pub(super) fn with(second_factor: SecondFactor) -> Result<Answer, Failure> {
    Ok(Answer::Session(StaffSession {
        second_factor,
        ..session("ana")
    }))
}

fn key() -> Result<Answer, Failure> {
    Ok(Answer::EnrolmentKey(Box::new(EnrolmentKey {
        key: "JBSWY3DP".to_owned(),
        uri: "otpauth://totp/shop:ana?secret=JBSWY3DP".to_owned(),
        qr: QrPath {
            size: 1,
            path: "M0 0h1v1z".to_owned(),
        },
    })))
}

fn codes() -> Result<Answer, Failure> {
    Ok(Answer::Enrolled(Enrolled {
        recovery_codes: vec!["AAAA-BBBB-CCCC-DDDD".to_owned()],
    }))
}

impl Staff {
    /// At the sign-in, with a name and a password that the server knows.
    fn asked_for_a_code() -> Self {
        let mut staff = Self::new();
        staff.hears(required());
        staff.types(Field::Name, "ana");
        staff.types(Field::Password, "secret");
        staff.does(Event::SignInPressed);
        staff.hears(fails(FailureKind::SecondFactorRequired));
        staff
    }

    /// On an operation, with this second factor.
    pub(super) fn on_operation_with(second_factor: SecondFactor) -> Self {
        let mut staff = Self::new();
        staff.hears(with(second_factor));
        staff.sent.clear();
        staff.does(Event::Opened(Page::Operation(Reference::of(&row("1")))));
        staff.hears(Ok(Answer::Details(Box::new(details(row("1"), 10_000)))));
        staff
    }

    /// A refund that waits for a code, and its request.
    pub(super) fn stepping_up() -> (Self, Request) {
        let mut staff = Self::on_operation_with(SecondFactor::Enrolled);
        staff.does(Event::Asked(Ask::GiveBack(Way::Refund)));
        staff.types(Field::Amount(0), "12.34");
        staff.presses();
        staff.presses();
        let act = staff.hears(fails(FailureKind::SecondFactorRequired));
        assert!(staff.sent.is_empty());
        (staff, act)
    }

    pub(super) fn presses(&mut self) {
        self.does(Event::DialogPressed(Press::On));
    }

    pub(super) fn is_stepping_up(&self) -> bool {
        matches!(self.state.dialog, Some(Dialog::StepUp(_)))
    }

    /// In an enrolment that was begun from the page.
    fn enrolling() -> Self {
        let mut staff = Self::on_operation_with(SecondFactor::Missing);
        staff.does(Event::Asked(Ask::Enrolment));
        staff.types(Field::DialogCode, ENROLMENT_CODE);
        staff.presses();
        staff.hears(key());
        staff
    }

    fn enrolment(&self) -> &Enrolment {
        match &self.state.dialog {
            Some(Dialog::Enrolment(enrolment)) => enrolment,
            other => panic!("{other:?}"),
        }
    }

    pub(super) fn announced(&self) -> Option<Announcement> {
        self.state.announcement.clone().map(|(_, said)| said)
    }
}

#[test]
fn a_sign_in_asks_for_the_code_that_the_server_wants_and_keeps_what_is_typed() {
    let mut staff = Staff::asked_for_a_code();
    let sign_in = &staff.state.sign_in;
    assert!(sign_in.asks_code && sign_in.form.submission.failure().is_none());
    assert_eq!((&*sign_in.name, &*sign_in.password.0), ("ana", "secret"));
    assert_eq!(staff.state.focus, Some(Focus::Field(Field::Code)));
    assert_eq!(
        staff.announced(),
        Some(Announcement::Code(FailureKind::SecondFactorRequired))
    );
    staff.does(Event::SignInPressed);
    assert!(staff.sent.is_empty());
    staff.types(Field::Code, " 123 456 ");
    staff.does(Event::SignInPressed);
    staff.does(Event::SignInPressed);
    let [(_, Request::SignIn(body))] = &staff.sent[..] else {
        panic!("{:?}", staff.sent);
    };
    assert_eq!(body.code.as_deref(), Some("123 456"));
    staff.hears(with(SecondFactor::Enrolled));
    assert!(staff.state.dialog.is_none());
    assert_eq!(staff.state.sign_in.form.code.0, "");
}

#[test]
fn an_account_without_a_second_factor_signs_in_without_a_code() {
    let mut staff = Staff::new();
    staff.hears(required());
    staff.types(Field::Name, "ana");
    staff.types(Field::Password, "secret");
    staff.does(Event::SignInPressed);
    let Request::SignIn(body) = staff.hears(with(SecondFactor::Optional)) else {
        panic!();
    };
    assert_eq!(body.code, None);
}

#[test]
fn a_refused_code_is_emptied_and_the_password_stays() {
    let mut staff = Staff::asked_for_a_code();
    staff.types(Field::Code, "123456");
    staff.does(Event::SignInPressed);
    staff.state.focus = None;
    staff.hears(fails(FailureKind::SecondFactorRefused));
    let sign_in = &staff.state.sign_in;
    assert!(sign_in.asks_code && sign_in.form.code.0.is_empty());
    assert_eq!(sign_in.password.0, "secret");
    assert_eq!(staff.state.focus, Some(Focus::Field(Field::Code)));
}

#[test]
fn too_many_codes_at_the_sign_in_wait_and_keep_the_code() {
    let mut staff = Staff::asked_for_a_code();
    staff.types(Field::Code, "123456");
    staff.does(Event::SignInPressed);
    staff.hears(Err(Failure {
        retry_after: Some(Duration::from_secs(30)),
        ..FailureKind::TooManyRequests.into()
    }));
    staff.does(Event::SignInPressed);
    assert!(staff.sent.is_empty());
    staff.passes(Duration::from_secs(30));
    staff.does(Event::SignInPressed);
    assert_eq!(staff.sent.len(), 1);
}

#[test]
fn another_name_is_asked_for_no_code_until_the_server_wants_one() {
    let mut staff = Staff::asked_for_a_code();
    staff.types(Field::Code, "123456");
    staff.types(Field::Name, "bea");
    assert!(!staff.state.sign_in.asks_code);
    staff.does(Event::SignInPressed);
    let [(_, Request::SignIn(body))] = &staff.sent[..] else {
        panic!("{:?}", staff.sent);
    };
    assert_eq!(body.code, None);
}

#[test]
fn an_account_without_its_second_factor_may_only_look() {
    let mut staff = Staff::on_operation_with(SecondFactor::Missing);
    for permission in [Permission::Cancel, Permission::Refund] {
        assert!(!staff.state.may(permission));
    }
    staff.does(Event::Asked(Ask::GiveBack(Way::Refund)));
    assert!(staff.state.dialog.is_none());
    for second_factor in [
        SecondFactor::Optional,
        SecondFactor::Enrolled,
        SecondFactor::Unknown,
    ] {
        let mut staff = Staff::on_operation_with(second_factor);
        assert!(staff.state.may(Permission::Refund), "{second_factor:?}");
        staff.does(Event::Asked(Ask::GiveBack(Way::Refund)));
        assert!(staff.state.dialog.is_some(), "{second_factor:?}");
    }
}

#[test]
fn a_server_that_requires_a_second_factor_by_now_ends_the_acts() {
    let mut staff = Staff::on_operation_with(SecondFactor::Optional);
    staff.does(Event::Asked(Ask::GiveBack(Way::Refund)));
    staff.types(Field::Amount(0), "12.34");
    staff.presses();
    staff.presses();
    staff.hears(fails(FailureKind::SecondFactorMissing));
    assert!(!staff.state.may(Permission::Refund));
    assert!(!staff.refund_form().is_sending());
}

#[test]
fn an_enrolment_leads_from_its_code_over_the_key_to_the_recovery_codes() {
    let mut staff = Staff::enrolling();
    assert!(matches!(staff.enrolment().step, EnrolmentStep::Key(..)));
    assert_eq!(staff.enrolment().form.code.0, "");
    assert_eq!(staff.announced(), Some(Announcement::EnrolmentKey));
    staff.types(Field::DialogCode, "123456");
    staff.presses();
    staff.presses();
    let Request::ConfirmEnrolment(body) = staff.hears(codes()) else {
        panic!();
    };
    assert_eq!(
        (&*body.enrolment_code, &*body.code),
        (ENROLMENT_CODE, "123456")
    );
    assert!(staff.sent.is_empty());
    assert_eq!(staff.state.second_factor(), SecondFactor::Enrolled);
    assert!(staff.state.may(Permission::Refund));
    // Escape would lose the codes.
    staff.does(Event::Closed);
    assert!(matches!(staff.enrolment().step, EnrolmentStep::Done(_)));
    staff.presses();
    assert!(staff.state.dialog.is_none() && staff.sent.is_empty());
}

#[test]
fn a_closed_enrolment_sends_nothing_and_begins_anew_with_its_code() {
    let mut staff = Staff::enrolling();
    staff.types(Field::DialogCode, "123456");
    staff.does(Event::Closed);
    assert!(staff.state.dialog.is_none() && staff.sent.is_empty());
    staff.does(Event::Asked(Ask::Enrolment));
    assert_eq!(staff.enrolment().step, EnrolmentStep::Code);
    assert_eq!(staff.enrolment().form.code.0, "");
}

#[test]
fn refused_codes_of_an_enrolment_are_emptied_and_its_step_stays() {
    let mut staff = Staff::enrolling();
    staff.types(Field::DialogCode, "123456");
    staff.presses();
    staff.hears(fails(FailureKind::SecondFactorRefused));
    assert!(matches!(staff.enrolment().step, EnrolmentStep::Key(..)));
    assert_eq!(staff.enrolment().form.code.0, "");
    assert!(!staff.enrolment().is_unsure);
    assert_eq!(staff.state.focus, Some(Focus::Field(Field::DialogCode)));
}

#[test]
fn a_confirmation_whose_answer_is_lost_says_so_until_the_end() {
    let lost = Failure {
        money: ProblemMoney::Unknown,
        ..FailureKind::Server.into()
    };
    for failure in [lost, FailureKind::Timeout.into()] {
        let mut staff = Staff::enrolling();
        staff.types(Field::DialogCode, "123456");
        staff.presses();
        staff.hears(Err(failure));
        staff.presses();
        staff.hears(fails(FailureKind::SecondFactorRefused));
        assert!(staff.enrolment().is_unsure);
    }
    let mut staff = Staff::on_operation_with(SecondFactor::Missing);
    staff.does(Event::Asked(Ask::Enrolment));
    staff.types(Field::DialogCode, ENROLMENT_CODE);
    staff.presses();
    staff.hears(fails(FailureKind::Network));
    assert!(!staff.enrolment().is_unsure, "the same key comes again");
}

#[test]
fn a_session_that_ends_during_an_enrolment_confirms_nothing_by_itself() {
    let mut staff = Staff::enrolling();
    staff.types(Field::DialogCode, "123456");
    staff.presses();
    staff.hears(required());
    staff.types(Field::Password, "secret");
    staff.does(Event::SignInPressed);
    staff.hears(with(SecondFactor::Missing));
    let confirms = |(_, one): &(u32, Request)| matches!(one, Request::ConfirmEnrolment(_));
    assert!(!staff.sent.iter().any(confirms));
    assert!(matches!(staff.enrolment().step, EnrolmentStep::Key(..)));
}

#[test]
fn an_enrolment_code_at_the_sign_in_opens_the_enrolment_with_it() {
    for (code, opens) in [
        (ENROLMENT_CODE, true),
        ("abcde fghij klmno pqrst", true),
        ("AAAA-BBBB-CCCC-DDDD", false),
        ("123 456", false),
    ] {
        let mut staff = Staff::asked_for_a_code();
        staff.types(Field::Code, code);
        staff.does(Event::SignInPressed);
        staff.hears(with(SecondFactor::Missing));
        let begun = staff.sent.iter().any(
            |(_, one)| matches!(one, Request::BeginEnrolment(body) if body.enrolment_code == code),
        );
        assert_eq!(begun, opens, "{} characters", code.len());
        assert_eq!(staff.state.dialog.is_some(), opens);
    }
}

#[test]
fn a_sign_out_during_an_enrolment_forgets_the_key_and_the_codes() {
    let mut staff = Staff::on_operation_with(SecondFactor::Missing);
    staff.does(Event::SignOutPressed);
    staff.does(Event::Asked(Ask::Enrolment));
    staff.types(Field::DialogCode, ENROLMENT_CODE);
    staff.presses();
    let begun = staff.sent[1].0;
    staff.hears(Ok(Answer::Nothing));
    assert!(staff.state.dialog.is_none() && !staff.state.is_signed_in());
    staff.answers(begun, key());
    assert!(staff.state.dialog.is_none());
}

#[test]
fn no_code_key_or_password_is_in_the_debug_text_of_the_state() {
    let secrets = ["secret", "123456", "ABCDE", "JBSWY3DP", "AAAA-BBBB"];
    let hides = |staff: &Staff| {
        let text = format!("{:?} {:?}", staff.state, staff.sent);
        for secret in secrets {
            assert!(!text.contains(secret), "{text}");
        }
    };
    let mut staff = Staff::asked_for_a_code();
    staff.types(Field::Code, "123456");
    hides(&staff);
    staff.does(Event::SignInPressed);
    hides(&staff);
    let (mut staff, _) = Staff::stepping_up();
    staff.types(Field::DialogCode, "123456");
    staff.presses();
    hides(&staff);
    let mut staff = Staff::enrolling();
    hides(&staff);
    staff.types(Field::DialogCode, "123456");
    staff.presses();
    hides(&staff);
    staff.hears(codes());
    hides(&staff);
}
