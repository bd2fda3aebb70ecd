//! The forms over the page.

use super::dialog_frame::{currency, done, modal};
use super::refund_dialog;
use super::scene::{Input, Scene, paragraph};
use super::trouble::show_trouble;
use crate::desk::forms::{CancelForm, ReasonForm, ReturnForm, Stage, Subject};
use crate::desk::{Dialog, Event, Field, Intent, Press, TroubleKind, ability};
use crate::texts::Text;
use browser_kit::texts::outside;
use payment_model::Outcome;
use staff_model::{ManualReturn, OperationRow};
use yew::{AttrValue, Callback, Html, html};

pub(super) fn dialog(scene: &Scene<'_>, dialog: &Dialog) -> Html {
    match dialog {
        Dialog::Cancel(form) => cancel(scene, form),
        Dialog::Refund(form) => refund_dialog::dialog(scene, form),
        Dialog::Reason(form) => reason(scene, form),
        Dialog::Return(form) => returning(scene, form),
    }
}

fn cancel(scene: &Scene<'_>, form: &CancelForm) -> Html {
    let row = &form.row;
    let amount = scene.texts.sum(&row.money());
    let number = outside(&row.merchant_operation_number);
    let reverses = form.intent == Intent::Reverse;
    let heading = if reverses {
        Text::ReverseHeading
    } else {
        Text::CancelHeading
    };
    let heading = scene.fill(heading, &[("number", &number)]);
    if let Stage::Done(response) = &form.stage {
        let last = response.operation.transactions.last();
        let outcome = last.and_then(payment_model::Transaction::outcome);
        let text = match outcome {
            Some(Outcome::Reversed) => Text::ReversedDone,
            Some(Outcome::Cancelled) => Text::CancelledDone,
            _ => Text::CancelOther,
        };
        let state = last.map_or_else(AttrValue::default, |last| scene.texts.state(&last.state));
        let message = scene.texts.message(&response.meta);
        let body = html! {
            <>
                <p>{ scene.fill(text, &[("amount", &amount), ("state", &state)]) }</p>
                if let Some(message) = message {
                    <p>{ scene.fill(Text::ServiceSays, &[("message", &message)]) }</p>
                }
                { done(scene) }
            </>
        };
        return modal(scene, heading, "done", body);
    }
    let sending = form.stage == Stage::Sending;
    let lead = if reverses {
        Text::ReverseLead
    } else {
        Text::CancelLead
    };
    let digits = ability::confirmation(row);
    let trouble = form.stage.trouble();
    let asks = form.wants_a_query();
    let body = html! {
        <form onsubmit={scene.submit(Event::DialogPressed(Press::On))} aria-busy={sending.to_string()}>
            <p>{ scene.fill(lead, &[("amount", &amount)]) }</p>
            if reverses && !asks {
                { scene.input(Input {
                    disabled: sending,
                    ..Input::new(
                        Field::Confirmation,
                        scene.fill(Text::ReverseConfirm, &[("digits", &digits)]),
                        &form.typed,
                    )
                }) }
            }
            if let Some(trouble) = trouble {
                { show_trouble(scene, trouble, None) }
                if trouble.kind.is_uncertain() {
                    { paragraph("", &scene.text(Text::CancelUncertain)) }
                }
            }
            <div class="actions">
                if asks {
                    { query(scene) }
                } else {
                    { scene.submitter(
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
                    { scene.button("plain", if asks { Text::Close } else { Text::Keep }, Event::Closed) }
                }
            </div>
        </form>
    };
    let step = if asks { "asks" } else { "open" };
    modal(scene, heading, step, body)
}

/// Closes the dialog and asks the service what the operation is now.
fn query(scene: &Scene<'_>) -> Html {
    let send = scene.send.clone();
    let press = Callback::from(move |_| {
        send.emit(Event::Closed);
        send.emit(Event::QueryPressed);
    });
    html! {
        <button type="button" class="primary" part="button primary-button" onclick={press}>
            { scene.text(Text::QueryAgain) }
        </button>
    }
}

fn reason(scene: &Scene<'_>, form: &ReasonForm) -> Html {
    let sending = form.stage == Stage::Sending;
    let (heading, lead, label, send) = match &form.subject {
        Subject::Release(released) => {
            let (attempt, row) = released.as_ref();
            let amount = scene.texts.sum(&row.part(attempt.amount));
            (
                scene.text(Text::ReleaseHeading),
                scene.fill(Text::ReleaseLead, &[("amount", &amount)]),
                Text::ReleaseReason,
                Text::ReleaseYes,
            )
        }
        Subject::ReleaseReversal(released) => {
            let (reversal, row) = released.as_ref();
            let amount = scene.texts.sum(&row.part(reversal.amount));
            (
                scene.text(Text::ReleaseHeading),
                scene.fill(Text::ReversalReleaseLead, &[("amount", &amount)]),
                Text::ReleaseReason,
                Text::ReleaseYes,
            )
        }
        Subject::ReleaseOrder(row) => {
            let order = outside(&row.order_id);
            let number = outside(&row.merchant_operation_number);
            (
                scene.fill(Text::ReleaseOrderHeading, &[("order", &order)]),
                scene.fill(Text::ReleaseOrderLead, &[("number", &number)]),
                Text::ReleaseOrderReason,
                Text::ReleaseOrderYes,
            )
        }
        Subject::MadeReturn(made) => (
            scene.text(Text::ReturnMadeHeading),
            reserved(scene, made),
            Text::ReturnMadeReason,
            Text::ReturnMadeYes,
        ),
        Subject::GiveUpReturn(left) => (
            scene.text(Text::ReturnGiveUpHeading),
            reserved(scene, left),
            Text::ReturnGiveUpReason,
            Text::ReturnGiveUpYes,
        ),
        Subject::Resolve(exception) => (
            scene.text(Text::ResolveHeading),
            scene.texts.exception(exception.kind).0,
            Text::ResolveReason,
            Text::ResolveYes,
        ),
    };
    if let Stage::Done(Some(release)) = &form.stage {
        let outcome = if release.released {
            Text::ReleaseOrderDone
        } else {
            Text::ReleaseOrderAsked
        };
        let body = html! { <>{ paragraph("", &scene.text(outcome)) }{ done(scene) }</> };
        return modal(scene, heading, "done", body);
    }
    let body = html! {
        <form onsubmit={scene.submit(Event::DialogPressed(Press::On))} aria-busy={sending.to_string()}>
            <p>{ lead }</p>
            { scene.input(Input {
                wrong: form.empty.then(|| scene.text(Text::WrongReason)),
                disabled: sending,
                ..Input::new(Field::Reason, scene.text(label), &form.reason)
            }) }
            if let Some(trouble) = form.stage.trouble() {
                { show_trouble(scene, trouble, None) }
            }
            <div class="actions">
                { scene.submitter("primary", if sending { Text::Sending } else { send }, sending) }
                { scene.button("plain", Text::Back, Event::Closed) }
            </div>
        </form>
    };
    modal(scene, heading, "open", body)
}

fn reserved(scene: &Scene<'_>, of: &(ManualReturn, OperationRow)) -> AttrValue {
    let amount = scene.texts.sum(&of.1.part(of.0.amount));
    scene.fill(Text::ReturnAmount, &[("amount", &amount)])
}

fn returning(scene: &Scene<'_>, form: &ReturnForm) -> Html {
    let row = &form.row;
    let sending = form.stage == Stage::Sending;
    let amount = scene.texts.sum(&row.money());
    let trouble = form.stage.trouble();
    let unsure = trouble.is_some_and(|trouble| trouble.kind.is_uncertain());
    let sign_in = trouble.is_some_and(|trouble| trouble.kind == TroubleKind::SignInRequired);
    let body = html! {
        <form onsubmit={scene.submit(Event::DialogPressed(Press::On))} aria-busy={sending.to_string()}>
            <p>{ scene.fill(Text::ReturnLead, &[("amount", &amount)]) }</p>
            { scene.input(Input {
                wrong: form.wrong.map(|problem| scene.text(super::amount_text(problem))),
                disabled: !form.is_open(),
                ..Input::new(Field::Amount(0), scene.fill(Text::AmountLabel, &[("currency", &outside(&currency(&row.currency)))]), &form.typed)
            }) }
            { scene.input(Input {
                wrong: form.empty.then(|| scene.text(Text::WrongReason)),
                disabled: !form.is_open(),
                ..Input::new(Field::Reason, scene.text(Text::ReturnReason), &form.reason)
            }) }
            { scene.tick(Field::AlreadyMade, Text::ReturnAlready, form.already_made, !form.is_open()) }
            if let Some(trouble) = trouble.filter(|_| !sign_in || !scene.desk.door.asks()) {
                { show_trouble(scene, trouble, None) }
                if unsure {
                    { paragraph("", &scene.text(Text::SameAgain)) }
                }
            }
            <div class="actions">
                { scene.submitter("primary", match (sending, unsure) {
                    (true, _) => Text::Sending,
                    (false, true) => Text::TryAgain,
                    (false, false) if form.already_made => Text::ReturnYesMade,
                    (false, false) => Text::ReturnYes,
                }, sending) }
                { scene.button("plain", Text::Back, Event::Closed) }
            </div>
        </form>
    };
    modal(scene, scene.text(Text::ReturnHeading), "open", body)
}
