use super::failure::detail;
use super::pieces::{headline, off, section as section_of};
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
    let list = html! {
        <ul class="refunds">{ for reversals.map(|one| reversal(context, one, &details.row)) }</ul>
    };
    section_of(context, None, Text::ReversalsHeading, list)
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
    let more = html! {
        <>
            if let Some(staff) = one.staff.as_deref() {
                { " · " }{ sanitized(staff) }
            }
            { " · " }{ context.time(one.at) }
        </>
    };
    let released = one.released_by.as_deref().map(sanitized);
    html! {
        <li key={one.reversal_id.clone()} class="refund">
            { headline(context.texts.sum(&row.part(one.amount)), (class, context.text(text)), more) }
            { detail(&one.detail) }
            if let Some(name) = released {
                { paragraph("", &context.fill(Text::ReleasedBy, &[("name", &name)])) }
            }
            if one.state == ReversalState::InDoubt {
                { context.paragraph("", Text::ReversalInDoubtNote) }
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
    let off = off(context, Permission::Cancel, own);
    let ask = Event::Asked(Ask::ReleaseReversal(Box::new(one.clone())));
    context.button_unless_of(&one.reversal_id, "plain small", Text::Release, ask, off)
}
