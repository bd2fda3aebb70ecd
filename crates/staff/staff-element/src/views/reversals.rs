use super::second_factor::not_permitted;
use super::view_context::{ViewContext, paragraph};
use crate::staff_state::{Ask, Event};
use crate::texts::Text;
use browser_kit::texts::sanitized;
use staff_model::{OperationDetails, OperationRow, Permission, Reversal, ReversalState};
use yew::{Html, html};

/// The requests to cancel or to reverse the operation, with those of unknown result.
pub(super) fn section(context: &ViewContext<'_>, details: &OperationDetails) -> Html {
    if details.reversals.is_empty() {
        return Html::default();
    }
    let reversals = details.reversals.iter();
    html! {
        <section>
            <h3>{ context.text(Text::ReversalsHeading) }</h3>
            <ul class="refunds">
                { for reversals.map(|one| reversal(context, one, &details.row)) }
            </ul>
        </section>
    }
}

fn reversal(context: &ViewContext<'_>, one: &Reversal, row: &OperationRow) -> Html {
    let (text, class) = match one.state {
        ReversalState::Sending => (Text::AttemptSending, "busy"),
        ReversalState::InDoubt => (Text::AttemptInDoubt, "odd"),
        ReversalState::Done => (Text::ReversalDone, "good"),
        ReversalState::NotDone => (Text::ReversalNotDone, "over"),
        ReversalState::Released => (Text::AttemptReleased, "over"),
        ReversalState::Unknown => (Text::StateUnknown, "odd"),
    };
    let detail = sanitized(&one.detail);
    let released = one.released_by.as_deref().map(sanitized);
    html! {
        <li key={one.reversal_id.clone()} class="refund">
            <p>
                <strong translate="no">{ context.texts.sum(&row.part(one.amount)) }</strong>
                { " " }<span class={["state ", class].concat()}>{ context.text(text) }</span>
                if let Some(staff) = one.staff.as_deref() {
                    { " · " }{ sanitized(staff) }
                }
                { " · " }{ context.time(one.at) }
            </p>
            if !detail.is_empty() {
                <p class="muted" lang="en">{ detail }</p>
            }
            if let Some(name) = released {
                <p>{ context.fill(Text::ReleasedBy, &[("name", &name)]) }</p>
            }
            if one.state == ReversalState::InDoubt {
                { paragraph("", &context.text(Text::ReversalInDoubtNote)) }
                { release(context, one) }
            }
        </li>
    }
}

fn release(context: &ViewContext<'_>, one: &Reversal) -> Html {
    let own = one
        .staff
        .as_deref()
        .is_some_and(|name| context.is_own(name));
    let off = if !context.state.may(Permission::Cancel) {
        Some(not_permitted(
            context,
            context.text(Text::NotPermittedCancel),
        ))
    } else if own {
        Some(context.text(Text::ReleaseOwn))
    } else {
        None
    };
    let ask = Event::Asked(Ask::ReleaseReversal(Box::new(one.clone())));
    context.button_unless_of(&one.reversal_id, "plain small", Text::Release, ask, off)
}
