//! The forms over the page.

use super::failure::{says, show_failure, show_left};
use super::modal::{currency, done, modal, question};
use super::view_context::{Input, ViewContext, paragraph};
use super::{links, refund_dialog, second_factor};
use crate::staff_state::forms::{CancelForm, ReasonForm, ReturnForm, Subject, Submission};
use crate::staff_state::{Dialog, Event, FailureKind, Field, Intent, Press, permitted_actions};
use crate::texts::Text;
use browser_kit::texts::{grouped, sanitized};
use payment_model::Outcome;
use staff_model::{ManualReturn, OperationRow, ReturnState};
use yew::{AttrValue, Callback, Html, html};

pub(super) fn dialog(context: &ViewContext<'_>, dialog: &Dialog) -> Html {
    match dialog {
        Dialog::Cancel(form) => cancel(context, form),
        Dialog::Refund(form) => refund_dialog::dialog(context, form),
        Dialog::Reason(form) => reason(context, form),
        Dialog::Return(form) => returning(context, form),
        Dialog::MakeLink(form) => links::make(context, form),
        Dialog::Link(one) => links::one(context, one),
        Dialog::StepUp(step) => second_factor::step_up(context, step),
        Dialog::Enrolment(form) => second_factor::enrolment(context, form),
    }
}

fn cancel(context: &ViewContext<'_>, form: &CancelForm) -> Html {
    let row = &form.row;
    let amount = context.texts.sum(&row.money());
    let number = grouped(&row.merchant_operation_number);
    let reverses = form.intent == Intent::Reverse;
    let heading = if reverses {
        Text::ReverseHeading
    } else {
        Text::CancelHeading
    };
    let heading = if reverses && row.payer.is_some() {
        context.give_back_to(row)
    } else {
        context.fill(heading, &[("number", &number)])
    };
    if let Submission::Done(response) = &form.submission {
        let last = response.operation.transactions.last();
        let outcome = last.and_then(payment_model::Transaction::outcome);
        let text = match outcome {
            Some(Outcome::Reversed) => Text::ReversedDone,
            Some(Outcome::Cancelled) => Text::CancelledDone,
            _ => Text::CancelOther,
        };
        let state = last.map_or_else(AttrValue::default, |last| context.texts.state(&last.state));
        let body = html! {
            <>
                { paragraph("", &context.fill(text, &[("amount", &amount), ("state", &state)])) }
                { says(context, &response.meta) }
                { done(context) }
            </>
        };
        return modal(context, heading, "done", body);
    }
    let sending = form.submission.is_sending();
    let lead = if reverses {
        Text::ReverseLead
    } else {
        Text::CancelLead
    };
    let digits = permitted_actions::confirmation(row);
    let failure = form.submission.failure();
    let asks = form.wants_a_query();
    let body = html! {
        <form onsubmit={context.submit(Event::DialogPressed(Press::On))} aria-busy={sending.to_string()}>
            { paragraph("", &context.fill(lead, &[("amount", &amount)])) }
            if reverses && !asks {
                { context.input(Input {
                    disabled: sending,
                    ..Input::new(
                        Field::Confirmation,
                        context.fill(Text::ReverseConfirm, &[("digits", &digits)]),
                        &form.typed,
                    )
                }) }
            }
            if let Some(failure) = failure {
                { show_failure(context, failure, None) }
                { show_left(context, failure, row) }
                if failure.is_uncertain() {
                    { context.paragraph("", Text::CancelUncertain) }
                }
            }
            <div class="actions">
                if asks {
                    { query(context) }
                } else {
                    { context.submitter(
                        "danger",
                        match (sending, reverses) {
                            (true, _) => Text::Sending,
                            (false, true) => Text::ReverseYes,
                            (false, false) => Text::CancelYes,
                        },
                        sending || !form.is_confirmed(),
                    ) }
                }
                if !sending {
                    { context.button("plain", if asks { Text::Close } else { Text::Keep }, Event::Closed) }
                }
            </div>
        </form>
    };
    let step = if asks { "asks" } else { "open" };
    modal(context, heading, step, body)
}

/// Closes the dialog and asks the service what the operation is now.
fn query(context: &ViewContext<'_>) -> Html {
    let send = context.send.clone();
    let press = Callback::from(move |_| {
        send.emit(Event::Closed);
        send.emit(Event::QueryPressed);
    });
    context.button_with("primary", Text::QueryAgain, press)
}

fn reason(context: &ViewContext<'_>, form: &ReasonForm) -> Html {
    let sending = form.submission.is_sending();
    let (heading, lead, label, send) = match &form.subject {
        Subject::Release(released) => {
            let (attempt, row) = released.as_ref();
            let amount = context.texts.sum(&row.part(attempt.amount));
            (
                context.text(Text::ReleaseHeading),
                context.fill(Text::ReleaseLead, &[("amount", &amount)]),
                Text::ReleaseReason,
                Text::ReleaseYes,
            )
        }
        Subject::ReleaseReversal(released) => {
            let (reversal, row) = released.as_ref();
            let amount = context.texts.sum(&row.part(reversal.amount));
            (
                context.text(Text::ReleaseHeading),
                context.fill(Text::ReversalReleaseLead, &[("amount", &amount)]),
                Text::ReleaseReason,
                Text::ReleaseYes,
            )
        }
        Subject::ReleaseOrder(row) => {
            let order = sanitized(&row.order_id);
            let number = grouped(&row.merchant_operation_number);
            (
                context.fill(Text::ReleaseOrderHeading, &[("order", &order)]),
                context.fill(Text::ReleaseOrderLead, &[("number", &number)]),
                Text::ReleaseOrderReason,
                Text::ReleaseOrderYes,
            )
        }
        Subject::MadeReturn(made) => (
            context.text(Text::ReturnMadeHeading),
            reserved(context, made),
            Text::ReturnMadeReason,
            Text::ReturnMadeYes,
        ),
        Subject::GiveUpReturn(left) => (
            context.text(Text::ReturnGiveUpHeading),
            given_up(context, left),
            Text::ReturnGiveUpReason,
            Text::ReturnGiveUpYes,
        ),
        Subject::Resolve(exception) if permitted_actions::ends_watch(exception) => (
            context.text(Text::NothingPaidHeading),
            context.text(Text::NothingPaidLead),
            Text::NothingPaidReason,
            Text::NothingPaidYes,
        ),
        Subject::Resolve(exception) => (
            context.text(Text::ResolveHeading),
            context.texts.exception(exception.kind).0,
            Text::ResolveReason,
            Text::ResolveYes,
        ),
    };
    if let Submission::Done(Some(release)) = &form.submission {
        let outcome = if release.released {
            Text::ReleaseOrderDone
        } else {
            Text::ReleaseOrderAsked
        };
        let body = html! { <>{ paragraph("", &context.text(outcome)) }{ done(context) }</> };
        return modal(context, heading, "done", body);
    }
    let body = html! {
        <>
            { paragraph("", &lead) }
            { context.input(Input {
                wrong: form.empty.then(|| context.text(Text::WrongReason)),
                disabled: sending,
                ..Input::new(Field::Reason, context.text(label), &form.reason)
            }) }
            if let Some(failure) = form.submission.failure() {
                { show_failure(context, failure, None) }
            }
        </>
    };
    let body = question(context, ("primary", send), sending, sending, body);
    modal(context, heading, "open", body)
}

fn reserved(context: &ViewContext<'_>, of: &(ManualReturn, OperationRow)) -> AttrValue {
    let amount = context.texts.sum(&of.1.part(of.0.amount));
    context.fill(Text::ReturnAmount, &[("amount", &amount)])
}

/// Its amount, and that it takes two people, unless this person reserved it.
fn given_up(context: &ViewContext<'_>, of: &(ManualReturn, OperationRow)) -> AttrValue {
    let amount = reserved(context, of);
    if context.is_own(&of.0.staff) && of.0.state == ReturnState::Open && !of.0.already_made {
        return amount;
    }
    format!("{amount}. {}", context.text(Text::ReturnGiveUpTwo)).into()
}

fn returning(context: &ViewContext<'_>, form: &ReturnForm) -> Html {
    let row = &form.row;
    let sending = form.submission.is_sending();
    let amount = context.texts.sum(&row.money());
    let failure = form.submission.failure();
    let unsure = failure.is_some_and(|failure| failure.is_uncertain());
    let sign_in = failure.is_some_and(|failure| failure.kind == FailureKind::SignInRequired);
    let body = html! {
        <>
            { paragraph("", &context.fill(Text::ReturnLead, &[("amount", &amount)])) }
            { context.input(Input {
                wrong: form.wrong.map(|problem| context.text(super::amount_text(problem))),
                disabled: !form.is_open(),
                prefix: Some(context.texts.symbol(&row.currency)),
                ..Input::new(Field::Amount(0), context.fill(Text::AmountLabel, &[("currency", &sanitized(&currency(&row.currency)))]), &form.typed)
            }) }
            { context.input(Input {
                wrong: form.empty.then(|| context.text(Text::WrongReason)),
                disabled: !form.is_open(),
                ..Input::new(Field::Reason, context.text(Text::ReturnReason), &form.reason)
            }) }
            { context.tick(Field::AlreadyMade, Text::ReturnAlready, form.already_made, !form.is_open()) }
            if let Some(failure) = failure.filter(|_| !sign_in || !context.state.sign_in.asks()) {
                { show_failure(context, failure, None) }
                { show_left(context, failure, row) }
                if unsure {
                    { context.paragraph("", Text::SameAgain) }
                }
            }
        </>
    };
    let send = match unsure {
        true => Text::TryAgain,
        false if form.already_made => Text::ReturnYesMade,
        false => Text::ReturnYes,
    };
    let body = question(context, ("primary", send), sending, sending, body);
    modal(context, context.give_back_to(row), "open", body)
}
