use super::operation_number::operation_number;
use super::page::{Name, Page, Tone};
use super::view_context::{Kind, Look, ViewContext, paragraph};
use crate::texts::{MethodTexts, SpokenText, Text};
use browser_kit::texts::{grouped, spelled};
use checkout_flow::{Choice, Event, Money};
use payment_model::{NotOfferedReason, Outcome, PaymentMethodName};
use std::mem;
use yew::{Html, html};

/// The payer chooses a method. Where the page shows the choice, here is only that of the last attempt.
pub(super) fn page(context: &ViewContext<'_>) -> Page {
    let lead = context.text(Text::ChooseLead);
    let choices = &context.view.choices;
    let offered = choices.iter().filter(|choice| choice.refusal.is_none());
    // A single method leaves nothing to choose.
    let heading = context.text(match offered.count() {
        1 => Text::ChooseOneHeading,
        _ => Text::ChooseHeading,
    });
    let body = html! {
        <>
            { paragraph(Kind::Lead, &lead) }
            if let Some(last) = last_attempt(context) {
                { paragraph(Kind::Muted, &last) }
            }
            <div class="choices" part="methods">{ for self::choices(context) }</div>
            { paragraph(Kind::Promise, &context.text(Text::Trust)) }
            // For the page's own content, such as an offer.
            <slot name="choosing" />
        </>
    };
    Page::plain(Name::Choosing, Tone::Plain, &heading, &lead, body)
}

/// The methods of the choice: buttons, and where a method is not offered the reason in the place of its button. A screen
/// reader reads the first reason with the heading.
pub(super) fn choices(context: &ViewContext<'_>) -> impl Iterator<Item = Html> {
    let mut kind = Kind::Refused;
    let choices = context.view.choices.iter();
    choices.map(move |one| match reason(context, one) {
        Some(reason) => paragraph(mem::replace(&mut kind, Kind::Muted), &reason),
        None => choice(context, one.method),
    })
}

/// Why methods are not offered, in the order of the choice.
pub(super) fn reasons(context: &ViewContext<'_>) -> impl Iterator<Item = SpokenText> {
    let choices = context.view.choices.iter();
    choices.filter_map(|choice| reason(context, choice))
}

/// Why a method is not offered. Nothing is said of a limit without its number.
fn reason(context: &ViewContext<'_>, choice: &Choice<'_>) -> Option<SpokenText> {
    use NotOfferedReason as Reason;
    let (refused, currency) = choice.refusal?;
    let (text, place, limit) = match (&refused.reason, &refused.least, &refused.most) {
        (Reason::AboveMost, _, Some(most)) => (Text::AboveMost, "most", Some(most)),
        (Reason::BelowLeast, Some(least), _) => (Text::BelowLeast, "least", Some(least)),
        (Reason::Currency, ..) => (Text::OtherCurrency, "currency", None),
        _ => (Text::NotOffered, "currency", None),
    };
    let texts = context.inputs.texts;
    let value = match (limit.cloned(), currency.iso()) {
        (Some(amount), _) => texts.money(&Money {
            amount,
            currency: currency.clone(),
        }),
        (None, Some(iso)) => iso.alpha().to_owned().into(),
        (None, None) => currency.as_str().to_owned().into(),
    };
    let (name, _) = words(context, choice.method);
    let method = ("method", &*name, &*name.heard());
    Some(texts.fill(text, &[method, (place, &value, &value.heard())]))
}

/// The outcome and the number of the last attempt, if it ended without a payment.
fn last_attempt(context: &ViewContext<'_>) -> Option<SpokenText> {
    let (number, outcome) = context.view.last?;
    let text = match outcome {
        Outcome::Declined | Outcome::Invalid => Text::LastDeclined,
        Outcome::Expired => Text::LastExpired,
        Outcome::Cancelled => Text::LastCancelled,
        Outcome::Paid | Outcome::Reversed => return None,
    };
    let (seen, heard) = (grouped(number.as_str()), spelled(number.as_str()));
    Some(
        context
            .inputs
            .texts
            .fill(text, &[("number", &seen, &heard)]),
    )
}

/// A method as a button: one tap chooses it.
fn choice(context: &ViewContext<'_>, method: &PaymentMethodName) -> Html {
    let (name, about) = words(context, method);
    let chosen = method.clone();
    html! {
        <button
            type="button"
            class="choice"
            part="button method"
            onclick={context.press(move || Event::MethodChosen(chosen.clone()))}
        >
            <svg class="sign" width="46" height="46" viewBox="0 0 24 24" aria-hidden="true"><path d={sign(method)} /></svg>
            <span class="words">
                <strong>{ name }</strong>
                { " " }
                <span class="muted">{ about }</span>
                if *method == PaymentMethodName::Qr {
                    // For the logos of the apps.
                    <slot name="wallets" />
                }
            </span>
        </button>
    }
}

/// The name of a method, and a line about it.
fn words(context: &ViewContext<'_>, method: &PaymentMethodName) -> (SpokenText, SpokenText) {
    let MethodTexts { name, about, .. } = MethodTexts::of(method.as_str());
    let name = context.fill(name, &[("method", method.as_str())]);
    let about = match method {
        PaymentMethodName::Qr => context.with_wallets(Text::MethodQrWallets, about),
        _ => context.text(about),
    };
    (name, about)
}

/// The path of the icon beside a method's name.
fn sign(method: &PaymentMethodName) -> &'static str {
    match method {
        PaymentMethodName::Qr => {
            "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 14h2M14 20h2M18 18h2v2h-2z"
        }
        PaymentMethodName::Installment => "M5 6h14v14H5zM5 10h14M9 3v4M15 3v4M9 15l2 2 4-4",
        PaymentMethodName::CashCode => {
            "M3 7h18v10H3zM12 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4M6 10v4M18 10v4"
        }
        PaymentMethodName::BankTransfer => "M4 9h15l-4-4M20 15H5l4 4",
        PaymentMethodName::Card => "M3 6h18v12H3zM3 10h18M7 15h3",
        PaymentMethodName::Wallet | PaymentMethodName::Unknown(_) => "M7 3h10v18H7zM11 18h2",
    }
}

/// Asks whether the chosen method may end the operation that the payer already has, maybe in another tab or on
/// another device.
pub(super) fn asking_to_replace(
    context: &ViewContext<'_>,
    live: &PaymentMethodName,
    wanted: &PaymentMethodName,
) -> Page {
    let (heading, show) = match live {
        PaymentMethodName::Qr => (Text::LiveQrHeading, Text::LiveQrShow),
        PaymentMethodName::CashCode => (Text::LiveCodeHeading, Text::LiveCodeShow),
        _ => (Text::LiveHeading, Text::LiveShow),
    };
    let heading = context.text(heading);
    let lead = context.fill(Text::LiveLead, &[("pay", &pay(context, live))]);
    let replace = context.fill(Text::LiveReplace, &[("pay", &pay(context, wanted))]);
    let body = html! {
        <>
            { paragraph(Kind::Lead, &lead) }
            { operation_number(context) }
            <div class="actions" part="actions">
                { context.button(Look::Primary, show, || Event::ShowLivePressed) }
                <button
                    type="button"
                    data-look={Look::Danger.name()}
                    part={Look::Danger.part()}
                    lang={replace.lang()}
                    onclick={context.press(|| Event::ReplaceConfirmed)}
                >
                    { replace.seen() }
                </button>
            </div>
        </>
    };
    Page::plain(Name::AskingToReplace, Tone::Plain, &heading, &lead, body)
}

/// The name of a method within a sentence: "pay by card".
fn pay(context: &ViewContext<'_>, method: &PaymentMethodName) -> String {
    let (name, _) = words(context, method);
    let mut letters = name.chars();
    let first = letters.next().map(char::to_lowercase);
    first.into_iter().flatten().chain(letters).collect()
}
