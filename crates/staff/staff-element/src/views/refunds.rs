use super::failure::{detail, says};
use super::pieces::{headline, off, section};
use super::transaction::{Step, timeline};
use super::view_context::{ViewContext, fact, paragraph};
use super::{returns, reversals};
use crate::staff_state::{Ask, Event};
use crate::texts::Text;
use browser_kit::texts::sanitized;
use payment_model::{Refund, RefundType};
use staff_model::{AttemptState, OperationDetails, Permission, RefundAttempt};
use yew::{AttrValue, Html, html};

/// Lists the refunds: those done, those under way, and those with an unknown result.
pub(super) fn sections(context: &ViewContext<'_>, details: &OperationDetails) -> Html {
    let row = &details.row;
    let any = !details.refunds.is_empty() || !details.attempts.is_empty();
    let left = context.texts.sum(&row.part(details.refundable));
    // The view shows a registered refund as the service describes it.
    let known = |attempt: &RefundAttempt| {
        let id = attempt.refund_id.as_deref();
        let mut refunds = details.refunds.iter();
        refunds.any(|refund| Some(refund.refund_id.as_str()) == id)
    };
    let attempts = details.attempts.iter().filter(|attempt| !known(attempt));
    html! {
        <>
            if any || row.method_name.is_refundable() {
                { section(context, Some("refunds"), Text::RefundsHeading, html! {
                    <>
                        { paragraph("", &context.fill(Text::RefundableLeft, &[("amount", &left)])) }
                        if !any {
                            { context.paragraph("muted", Text::RefundsNone) }
                        }
                        <ul class="refunds">
                            { for attempts.map(|one| attempt(context, details, one)) }
                            { for details.refunds.iter().map(|one| refund(context, one)) }
                        </ul>
                    </>
                }) }
            }
            { returns::section(context, details) }
            { reversals::section(context, details) }
        </>
    }
}

fn refund(context: &ViewContext<'_>, refund: &Refund) -> Html {
    let method = &refund.payment_method;
    let card = [sanitized(&method.brand), sanitized(&method.masked_pan)]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    let id = refund.refund_id.as_str();
    let reason = sanitized(&refund.refund_reason);
    let steps = refund.lifecycle.iter().map(|entry| Step {
        state: context.texts.refund_state(&entry.state),
        wire: sanitized(entry.state.as_str()),
        date: context.texts.date(&entry.date),
    });
    let class = if refund.state.is_final() {
        "over"
    } else {
        "busy"
    };
    let state = (class, context.texts.refund_state(&refund.state));
    html! {
        <li key={id} class="refund" part="refund">
            { headline(context.texts.money(&refund.refund_amount, &refund.currency), state, html! {
                <>{ " " }<span class="wire">{ sanitized(refund.state.as_str()) }</span></>
            }) }
            <dl class="facts">
                { context.fact(Text::RefundTypeLabel, html! { { kind(context, &refund.kind) } }) }
                { context.copied(Text::RefundIdLabel, id) }
                if !reason.is_empty() {
                    { context.fact(Text::ReasonLabel, html! { { reason } }) }
                }
                if !card.is_empty() {
                    { fact(&context.texts.method(&method.name), html! { { card } }) }
                }
            </dl>
            { timeline(context, steps.collect()) }
        </li>
    }
}

/// All or a part.
pub(super) fn kind(context: &ViewContext<'_>, kind: &RefundType) -> AttrValue {
    match kind {
        RefundType::Total => context.text(Text::RefundTotal),
        RefundType::Partial => context.text(Text::RefundPartial),
        RefundType::Unknown(word) => AttrValue::from(sanitized(word)),
    }
}

fn attempt(context: &ViewContext<'_>, details: &OperationDetails, attempt: &RefundAttempt) -> Html {
    let state = (
        attempt_class(attempt.state),
        attempt_state(context, attempt.state),
    );
    let released = attempt.released_by.as_deref().map(sanitized);
    html! {
        <li key={attempt.attempt_id.clone()} class="refund">
            { headline(context.texts.sum(&details.row.part(attempt.amount)), state, html! {
                <>{ " · " }{ kind(context, &attempt.kind) }{ " · " }{ sanitized(&attempt.staff) }{ " · " }{ context.time(attempt.at) }</>
            }) }
            { messages(context, attempt) }
            { detail(&attempt.detail) }
            if let Some(name) = released {
                { paragraph("", &context.fill(Text::ReleasedBy, &[("name", &name)])) }
            }
            if attempt.state == AttemptState::InDoubt {
                { context.paragraph("", Text::AttemptInDoubtNote) }
                { release(context, attempt) }
            }
        </li>
    }
}

/// Shows the service's words when it refused.
pub(super) fn messages(context: &ViewContext<'_>, attempt: &RefundAttempt) -> Html {
    let mut meta = payment_model::Meta::default();
    meta.status.message_ilgn.clone_from(&attempt.messages);
    says(context, &meta)
}

pub(super) fn attempt_state(context: &ViewContext<'_>, state: AttemptState) -> AttrValue {
    context.text(match state {
        AttemptState::Sending => Text::AttemptSending,
        AttemptState::Registered => Text::AttemptRegistered,
        AttemptState::Refused => Text::AttemptRefused,
        AttemptState::InDoubt => Text::AttemptInDoubt,
        AttemptState::Released => Text::AttemptReleased,
        AttemptState::Unknown => Text::StateUnknown,
    })
}

pub(super) fn attempt_class(state: AttemptState) -> &'static str {
    match state {
        AttemptState::Registered | AttemptState::Sending => "busy",
        AttemptState::Refused | AttemptState::Released => "over",
        AttemptState::InDoubt | AttemptState::Unknown => "odd",
    }
}

fn release(context: &ViewContext<'_>, attempt: &RefundAttempt) -> Html {
    let off = off(context, Permission::Refund, context.is_own(&attempt.staff));
    let ask = Event::Asked(Ask::Release(Box::new(attempt.clone())));
    context.button_unless_of(&attempt.attempt_id, "plain small", Text::Release, ask, off)
}
