use super::operation_number::operation_number;
use super::page::{Name, Page, Tone};
use super::receipt::{fact_list, paid_in_cash, processor_facts, receipt};
use super::status_line::check;
use super::view_context::{Kind, Look, ViewContext, paragraph};
use super::ways_out::another_way;
use crate::texts::{SpokenText, Text};
use browser_kit::texts::{grouped, sanitized, spelled};
use checkout_flow::{CancelledBy, End, Event};
use payment_model::Outcome;
use yew::{Html, html};

/// The operation ended, as the server confirmed.
pub(super) fn page(context: &ViewContext<'_>, end: &End<'_>) -> Page {
    let (name, tone, heading) = face(context, end);
    let (heading, lead) = (context.text(heading), lead(context, end));
    // Only one of them can be there.
    let note = cancelled(context, end).or_else(|| leads_on(context));
    let help = matches!(end.outcome, Outcome::Expired | Outcome::Reversed) || end.paid_twice;
    let body = html! {
        <>
            { paragraph(Kind::Lead, &lead) }
            if let Some(note) = &note {
                { paragraph(Kind::Note, note) }
            }
            { stay(context) }
            { facts(context, end) }
            if end.outcome == Outcome::Declined {
                { paragraph(Kind::Muted, &context.text(Text::DeclinedCharge)) }
            }
            if help {
                { paragraph(Kind::Muted, &context.text(Text::ReversedHelp)) }
            }
            if !end.paid_twice {
                { action(context, end) }
            }
            // For the page's own next step, such as a link to the order.
            <slot name={name.as_str()} />
        </>
    };
    let mut page = Page::plain(name, tone, &heading, &lead, body);
    if let Some(note) = note {
        // As the focus reads it: a receipt may lead on before the rest is said.
        page.said.insert(1, note);
    }
    page
}

/// Where the receipt leads by itself.
fn leads_on(context: &ViewContext<'_>) -> Option<SpokenText> {
    let props = context.inputs.props;
    let host = props.leads_on.as_ref().filter(|_| !props.stays)?;
    Some(context.fill(Text::PaidLeadsOn, &[("host", host)]))
}

/// A button that keeps the payer here, or the sentence that they stay. The page hears every press, so the button needs no event.
fn stay(context: &ViewContext<'_>) -> Html {
    let props = context.inputs.props;
    html! {
        if props.stays {
            { paragraph(Kind::Checked, &context.text(Text::PaidStays)) }
        } else if props.leads_on.is_some() {
            <button type="button" data-look="plain" part="button">{ context.text(Text::PaidStay) }</button>
        }
    }
}

fn face(context: &ViewContext<'_>, end: &End<'_>) -> (Name, Tone, Text) {
    match end.outcome {
        Outcome::Paid if end.paid_twice => (Name::PaidTwice, Tone::Good, Text::PaidTwiceHeading),
        Outcome::Paid => (Name::Paid, Tone::Good, Text::PaidHeading),
        Outcome::Declined => (Name::Declined, Tone::Bad, Text::DeclinedHeading),
        Outcome::Invalid => (Name::Invalid, Tone::Bad, Text::InvalidHeading),
        Outcome::Cancelled => (Name::Cancelled, Tone::Bad, Text::CancelledHeading),
        Outcome::Expired if context.is_qr() => (Name::Expired, Tone::Bad, Text::ExpiredQrHeading),
        Outcome::Expired => (Name::Expired, Tone::Bad, Text::ExpiredHeading),
        Outcome::Reversed => (Name::Reversed, Tone::Bad, Text::ReversedHeading),
    }
}

fn lead(context: &ViewContext<'_>, end: &End<'_>) -> SpokenText {
    match end.outcome {
        Outcome::Paid if end.paid_twice => context.text(Text::PaidTwiceLead),
        Outcome::Paid => match (
            &context.inputs.props.order_label,
            context.inputs.props.merchant_name.as_ref(),
        ) {
            (Some(order), _) => context.fill(Text::PaidLeadOrder, &[("order", order)]),
            (None, Some(merchant)) => {
                context.fill(Text::PaidLeadMerchant, &[("merchant", merchant)])
            }
            (None, None) => context.fill(Text::PaidLead, &[]),
        },
        Outcome::Declined => context.text(Text::DeclinedLead),
        Outcome::Invalid => context.text(Text::InvalidLead),
        Outcome::Cancelled => context.text(Text::CancelledLead),
        Outcome::Expired => context.text(Text::ExpiredLead),
        Outcome::Reversed => context.text(Text::ReversedLead),
    }
}

/// Why an operation was cancelled that the payer did not cancel on this page.
fn cancelled(context: &ViewContext<'_>, end: &End<'_>) -> Option<SpokenText> {
    let text = match end.cancelled_by {
        _ if end.outcome != Outcome::Cancelled => return None,
        CancelledBy::ThisPage => return None,
        CancelledBy::Replacement => Text::CancelledReplaced,
        CancelledBy::Staff => Text::CancelledStaff,
        CancelledBy::Payer => Text::CancelledPage,
        CancelledBy::Unknown => Text::CancelledElsewhere,
    };
    Some(context.text(text))
}

/// The facts of the payment.
fn facts(context: &ViewContext<'_>, end: &End<'_>) -> Html {
    if end.outcome == Outcome::Paid {
        return html! {
            <>
                if !end.superseded.is_empty() {
                    { paragraph(Kind::Reason, &others(context, end)) }
                }
                { receipt(context, end) }
            </>
        };
    }
    let reason = sanitized(&end.transaction.state_reason);
    let shown = matches!(end.outcome, Outcome::Declined | Outcome::Invalid) && !reason.is_empty();
    let mut facts = processor_facts(context, end.transaction);
    facts.extend(paid_in_cash(context, Text::PaidAt, end.transaction));
    // The service does not say in which language the reason is.
    let reason = context.quote(Text::Reason, "reason", &reason, String::new());
    let rest = html! {
        <>
            if shown { { reason } }
            { operation_number(context) }
        </>
    };
    html! {
        <>
            { fact_list(&facts, None) }
            if end.outcome == Outcome::Declined {
                // The processor's reason helps the shop, and rarely the payer.
                <details class="fold">
                    <summary>{ context.text(Text::Details) }</summary>
                    { rest }
                </details>
            } else {
                { rest }
            }
        </>
    }
}

/// The numbers of the order's other operations.
fn others(context: &ViewContext<'_>, end: &End<'_>) -> SpokenText {
    let text = if end.paid_twice {
        Text::PaidTwiceOthers
    } else {
        Text::PaidOthers
    };
    let list = |write: fn(&str) -> String| {
        let numbers = end.superseded.iter();
        numbers
            .map(|number| write(number.as_str()))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let (seen, heard) = (list(|number| unbroken(&grouped(number))), list(spelled));
    let texts = context.inputs.texts;
    texts.fill(text, &[("numbers", &seen, &heard)])
}

/// Makes a number stay on one line.
fn unbroken(number: &str) -> String {
    let letters = number.chars();
    letters
        .map(|letter| if letter == ' ' { '\u{a0}' } else { letter })
        .collect()
}

/// True for an address of a page; any other scheme could run a script.
fn is_web(url: &str) -> bool {
    let own_page = url.starts_with('/') && !url.starts_with("//");
    own_page || url.starts_with("https://") || url.starts_with("http://")
}

/// The button for the payer's next step.
fn action(context: &ViewContext<'_>, end: &End<'_>) -> Html {
    let again = match end.outcome {
        Outcome::Paid => match context.inputs.props.paid_url.as_ref() {
            Some(url) if is_web(url) => html! {
                <a class="button" data-look="primary" part="button primary-button" href={url}>
                    { context.text(Text::PaidContinue).seen() }
                </a>
            },
            _ => return Html::default(),
        },
        Outcome::Reversed if !end.payable => return Html::default(),
        // The order is being paid elsewhere, so this button is not the main one.
        Outcome::Cancelled if end.cancelled_by == CancelledBy::Replacement => {
            context.button(Look::Plain, Text::ActionAnother, || Event::RetryPressed)
        }
        Outcome::Invalid | Outcome::Cancelled | Outcome::Reversed => {
            context.button(Look::Primary, Text::ActionRetry, || Event::RetryPressed)
        }
        Outcome::Expired | Outcome::Declined => html! {
            <>
                { context.button(Look::Primary, context.again(), || Event::RetryPressed) }
                // A payment may arrive after the end of the time, and who made it does not want a new code.
                if end.outcome == Outcome::Expired {
                    { check(context, Look::Plain) }
                }
                { another_way(context) }
            </>
        },
    };
    html! { <div class="actions" part="actions">{ again }</div> }
}
