//! The second factor: the code that an act waits for, and the enrolment of a device.

use super::failure::show_failure;
use super::modal::{modal, question};
use super::view_context::{Input, ViewContext, paragraph};
use crate::staff_state::second_factor::{CodeForm, Enrolment, EnrolmentStep, StepUpForm};
use crate::staff_state::{Ask, Event, FailureKind, Field, Press};
use crate::texts::Text;
use browser_kit::texts::sanitized;
use staff_model::{Enrolled, EnrolmentKey, QrPath, SecondFactor};
use yew::{AttrValue, Callback, Html, html};

/// The button that sets the second factor up, or moves it to another device.
pub(super) fn button(context: &ViewContext<'_>) -> Html {
    let text = match context.state.second_factor() {
        SecondFactor::Optional => Text::SetUpFactor,
        SecondFactor::Enrolled => Text::ChangeDevice,
        SecondFactor::Missing | SecondFactor::Unknown => return Html::default(),
    };
    context.button("quiet small", text, Event::Asked(Ask::Enrolment))
}

/// Says that an account may only look, until it has a second factor.
pub(super) fn missing(context: &ViewContext<'_>) -> Html {
    if context.state.second_factor() != SecondFactor::Missing {
        return Html::default();
    }
    html! {
        <div class="note">
            { paragraph("", &context.texts.failure(FailureKind::SecondFactorMissing)) }
            <div>{ context.button("plain small", Text::SetUpFactor, Event::Asked(Ask::Enrolment)) }</div>
        </div>
    }
}

/// A field for a code, with a sentence where the server refused the last one.
pub(super) fn field(
    context: &ViewContext<'_>,
    field: Field,
    label: Text,
    hint: Option<Text>,
    form: &CodeForm,
) -> Html {
    let kind = form.submission.failure().map(|failure| failure.kind);
    let refused = kind.filter(|kind| *kind == FailureKind::SecondFactorRefused);
    context.input(Input {
        hint: hint.map(|hint| context.text(hint)),
        wrong: refused.map(|kind| context.texts.failure(kind)),
        ..Input::new(field, context.text(label), &form.code.0)
    })
}

/// How long to wait, or a failure that no field shows.
pub(super) fn trouble(context: &ViewContext<'_>, form: &CodeForm) -> Html {
    let at_a_field = [FailureKind::SignInRefused, FailureKind::SecondFactorRefused];
    if let Some(left) = form.blocked_for(context.at) {
        let seconds = left.as_secs().to_string();
        let wait = context.fill(Text::SignInBlocked, &[("seconds", &seconds)]);
        return paragraph("note", &wait);
    }
    let failure = form.submission.failure();
    // What had to wait has waited.
    let told = |kind| kind == FailureKind::TooManyRequests || at_a_field.contains(&kind);
    let failure = failure.filter(|failure| !told(failure.kind));
    failure.map_or_else(Html::default, |failure| {
        show_failure(context, failure, None)
    })
}

/// A form with a field for a code, the button that sends it, and the way out.
fn form(
    context: &ViewContext<'_>,
    form: &CodeForm,
    label: Text,
    hint: Option<Text>,
    send: Text,
) -> Html {
    let sending = form.is_sending();
    let body = html! {
        <>
            { field(context, Field::DialogCode, label, hint, form) }
            { trouble(context, form) }
        </>
    };
    question(
        context,
        ("primary", send),
        sending,
        form.is_off(context.at),
        body,
    )
}

/// The question for a code, in place of the form that waits for it.
pub(super) fn step_up(context: &ViewContext<'_>, step: &StepUpForm) -> Html {
    let body = html! {
        <>
            { context.paragraph("lead", Text::StepUpLead) }
            { form(context, &step.form, Text::Code, Some(Text::CodeHint), Text::StepUpYes) }
        </>
    };
    modal(context, context.text(Text::StepUpHeading), "code", body)
}

pub(super) fn enrolment(context: &ViewContext<'_>, enrolment: &Enrolment) -> Html {
    let set_up = || context.text(Text::SetUpFactor);
    let (heading, step, body) = match &enrolment.step {
        EnrolmentStep::Code => (set_up(), "enrol", begin(context, enrolment)),
        EnrolmentStep::Key(_, key) => (set_up(), "key", confirm(context, enrolment, key)),
        EnrolmentStep::Done(codes) => (whose(context), "codes", recovery_codes(context, codes)),
    };
    modal(context, heading, step, body)
}

/// What is printed says of which account the codes are.
fn whose(context: &ViewContext<'_>) -> AttrValue {
    let session = context.state.sign_in.session.as_ref();
    let name = session.map(|session| sanitized(&session.name));
    [
        &*context.text(Text::RecoveryName),
        ": ",
        &name.unwrap_or_default(),
    ]
    .concat()
    .into()
}

fn begin(context: &ViewContext<'_>, enrolment: &Enrolment) -> Html {
    let replaces = context.state.second_factor() == SecondFactor::Enrolled;
    let (hint, send) = (Some(Text::EnrolmentCodeHint), Text::RefundReview);
    html! {
        <>
            if replaces {
                { context.paragraph("lead", Text::EnrolmentReplaces) }
            }
            { form(context, &enrolment.form, Text::EnrolmentCode, hint, send) }
        </>
    }
}

fn confirm(context: &ViewContext<'_>, enrolment: &Enrolment, key: &EnrolmentKey) -> Html {
    // An answer never leads to another kind of address, such as a script.
    let uri = Some(&key.uri).filter(|uri| uri.starts_with("otpauth:"));
    html! {
        <>
            { context.paragraph("lead", Text::EnrolmentKeyLead) }
            { qr(context.text(Text::QrPath), &key.qr) }
            <p class="pair">{ context.copy(&key.key, &context.text(Text::EnrolmentKey)) }</p>
            if let Some(uri) = uri {
                <p><a class="link" href={uri.clone()}>{ context.text(Text::EnrolmentLink) }</a></p>
            }
            { form(context, &enrolment.form, Text::Code, None, Text::RefundReview) }
            if enrolment.is_unsure {
                { context.paragraph("note", Text::EnrolmentUnsure) }
            }
        </>
    }
}

/// Black on white in every appearance, since apps do not read other colors.
pub(super) fn qr(name: AttrValue, qr: &QrPath) -> Html {
    let size = qr.size.to_string();
    html! {
        <svg
            class="qr"
            role="img"
            aria-label={name}
            viewBox={["0 0 ", &size, " ", &size].concat()}
            shape-rendering="crispEdges"
        >
            <rect width="100%" height="100%" fill="#fff" />
            <path d={qr.path.clone()} fill="#000" />
        </svg>
    }
}

fn recovery_codes(context: &ViewContext<'_>, enrolled: &Enrolled) -> Html {
    let codes = &enrolled.recovery_codes;
    let print = Callback::from(|_| {
        if let Some(window) = web_sys::window() {
            // Where nothing can be printed, the codes can be copied.
            let _ = window.print();
        }
    });
    html! {
        <>
            { context.paragraph("lead", Text::RecoveryLead) }
            <ol class="codes" translate="no">
                { for codes.iter().map(|code| html! { <li>{ code }</li> }) }
            </ol>
            <div class="actions">
                { context.button("primary", Text::RecoveryYes, Event::DialogPressed(Press::On)) }
                <span class="copied">{ context.copy_alone(codes.join("\n"), &context.text(Text::RecoveryName)) }</span>
                { context.button_with("plain small", Text::Print, print) }
            </div>
        </>
    }
}

/// Why an account may not do something: it lacks the permission, or a second factor.
pub(super) fn not_permitted(context: &ViewContext<'_>, permission: AttrValue) -> AttrValue {
    match context.state.second_factor() {
        SecondFactor::Missing => context.texts.failure(FailureKind::SecondFactorMissing),
        _ => permission,
    }
}
