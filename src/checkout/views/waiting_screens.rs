use super::clock::clock;
use super::operation_number::{folded_number, operation_number};
use super::page::{Name, Page, Tone};
use super::status_line::check;
use super::view_context::{Kind, Look, ViewContext, paragraph};
use super::ways_out::ways_out;
use crate::texts::{SpokenText, Text};
use browser_kit::texts::Clock;
use checkout_flow::Event;
use payment_model::{PaymentMethodName, Timestamp};
use std::time::Duration;
use yew::{Html, html};

/// A time without seconds from which something is possible must not be too early.
const TO_NEXT_MINUTE: Duration = Duration::from_millis(59_999);

/// The screens on which the payer can only wait for the server.
#[derive(Debug, Clone, Copy)]
pub(super) enum Wait {
    /// The flow has no answer of the server yet.
    Checking,
    /// An operation of a method without a screen of its own waits.
    Method,
    /// The server named an unknown state: neither success nor failure.
    Confirming,
    /// The time is over, and the server decides how it ended.
    LastCheck,
    /// The time is over, but a payment may still arrive.
    Overdue,
    /// The server refused a new code, since the one before it may have been paid. The payer may ask again from
    /// this time on, or now.
    Unconfirmed(Option<Timestamp>),
    /// The operation is being cancelled.
    Cancelling,
}

/// How a screen shows the operation's number.
#[derive(Clone, Copy)]
enum Number {
    /// A bar in its place, until the server has answered.
    Bone,
    Shown,
    /// Behind a press, since the payer will need another number first.
    Folded,
}

/// A button above the ways out, with its look.
#[derive(Clone, Copy)]
enum Button {
    /// "Check now".
    Check(Look),
    /// "New code", or "try again" for another method than QR.
    Again(Look),
}

/// Draws one of the screens, each of which is a row of the table.
pub(super) fn page(context: &ViewContext<'_>, wait: Wait) -> Page {
    use crate::texts::Text as T;
    use Button::{Again, Check};
    use Number::{Bone, Folded, Shown};
    use Tone::{Bad, Busy};
    let by_qr = |qr, other| if context.is_qr() { qr } else { other };
    // One row on each line. A row without buttons has no way out either.
    #[rustfmt::skip]
    let (name, tone, heading, lead, number, buttons): (_, _, _, _, _, &[Button]) = match wait {
        Wait::Checking => (Name::Checking, Busy, T::CheckingHeading, T::CheckingLead, Bone, &[Check(Look::Plain)]),
        Wait::Method => match context.view.method {
            // Without the code there is nothing to pay with.
            Some(PaymentMethodName::CashCode) => (Name::Waiting, Busy, T::CashComingHeading, T::CashComingLead, Folded, &[Check(Look::Primary)]),
            Some(PaymentMethodName::BankTransfer) => (Name::Waiting, Busy, T::TransferHeading, T::TransferLead, Shown, &[Check(Look::Primary)]),
            _ => (Name::Waiting, Busy, T::WaitingHeading, T::WaitingLead, Shown, &[Check(Look::Primary)]),
        },
        Wait::Confirming => (Name::Confirming, Busy, T::ConfirmingHeading, T::ConfirmingLead, Shown, &[Check(Look::Primary)]),
        Wait::LastCheck => (Name::LastCheck, Busy, T::LastCheckHeading, T::LastCheckLead, Shown, &[Check(Look::Primary)]),
        // The primary button asks for the state: a payer who paid at the last moment must not begin a second payment.
        Wait::Overdue => (Name::Overdue, Bad, by_qr(T::OverdueQrHeading, T::OverdueHeading), T::OverdueLead, Shown, &[Check(Look::Primary), Again(Look::Plain)]),
        Wait::Unconfirmed(again_at) => {
            // An operation without a transaction is of another method, whose code the payer may have elsewhere.
            let lead = context.view.method.map_or(T::UnconfirmedElsewhereLead, |_| T::UnconfirmedLead);
            let buttons: &[_] = if again_at.is_none() { &[Again(Look::Primary), Check(Look::Plain)] } else { &[Check(Look::Plain)] };
            (Name::Unconfirmed, Busy, by_qr(T::UnconfirmedQrHeading, T::UnconfirmedHeading), lead, Shown, buttons)
        }
        Wait::Cancelling => (Name::Cancelling, Busy, T::CancellingHeading, T::CancellingLead, Shown, &[]),
    };
    let (heading, lead) = (context.text(heading), context.text(lead));
    let body = html! {
        <>
            { paragraph(Kind::Lead, &lead) }
            { details(context, wait) }
            { match number {
                Bone => html! { <div class="bone row" /> },
                Shown => operation_number(context),
                Folded => folded_number(context),
            } }
            if !buttons.is_empty() {
                { ways_out(context, buttons.iter().map(|one| button(context, *one)).collect()) }
            }
        </>
    };
    let page = Page::plain(name, tone, &heading, &lead, body);
    match wait {
        Wait::Method => page.until_deadline(context),
        _ => page,
    }
}

/// What only one of the screens has below its lead.
fn details(context: &ViewContext<'_>, wait: Wait) -> Html {
    match wait {
        Wait::Method => html! {
            <>
                <slot name="waiting" />
                <div class="status">{ clock(context) }</div>
            </>
        },
        Wait::Unconfirmed(at) => html! {
            if let Some(again) = again(context, at) {
                { paragraph(Kind::Reason, &again) }
            }
        },
        _ => Html::default(),
    }
}

/// When the payer may ask for a new code again.
fn again(context: &ViewContext<'_>, at: Option<Timestamp>) -> Option<SpokenText> {
    let Some(at) = at else {
        return Some(context.text(Text::UnconfirmedNow));
    };
    let time = context
        .inputs
        .texts
        .instant(at.saturating_add(TO_NEXT_MINUTE), Clock::Minutes)?;
    Some(context.fill(Text::UnconfirmedAgain, &[("time", &time)]))
}

fn button(context: &ViewContext<'_>, button: Button) -> Html {
    match button {
        Button::Check(look) => check(context, look),
        Button::Again(look) => context.button(look, context.again(), || Event::RetryPressed),
    }
}
