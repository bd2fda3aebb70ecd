use super::second_factor::not_permitted;
use super::view_context::{ViewContext, paragraph};
use crate::staff_state::{Ask, Event};
use crate::texts::Text;
use browser_kit::texts::sanitized;
use staff_model::{ManualReturn, OperationDetails, OperationRow, Permission, ReturnState};
use yew::{Html, html};

/// Returns by hand, and their ends.
pub(super) fn section(context: &ViewContext<'_>, details: &OperationDetails) -> Html {
    if details.returns.is_empty() {
        return Html::default();
    }
    let returns = details.returns.iter();
    html! {
        <section>
            <h3>{ context.text(Text::ReturnsHeading) }</h3>
            <ul class="refunds">
                { for returns.map(|one| returned(context, one, &details.row)) }
            </ul>
        </section>
    }
}

fn returned(context: &ViewContext<'_>, one: &ManualReturn, row: &OperationRow) -> Html {
    let (text, class) = match one.state {
        ReturnState::Open if one.already_made => (Text::ReturnUnconfirmed, "busy"),
        ReturnState::Open => (Text::ReturnOpen, "busy"),
        ReturnState::Done => (Text::ReturnDone, "good"),
        ReturnState::GivenUp => (Text::ReturnGivenUp, "over"),
        ReturnState::Unknown => (Text::StateUnknown, "odd"),
    };
    let made = Ask::MadeReturn(Box::new(one.clone()));
    let given_up = Ask::GiveUpReturn(Box::new(one.clone()));
    let may_end = matches!(one.state, ReturnState::Open | ReturnState::Done);
    let give_up = if one.already_made || one.state == ReturnState::Done {
        Text::ReturnWithdraw
    } else {
        Text::ReturnGiveUp
    };
    let asked_by = one.give_up_asked_by.as_deref().filter(|_| may_end);
    let asked = asked_by.is_some_and(|name| context.is_own(name));
    let asked_by = asked_by.map(sanitized);
    let asked_reason = one.give_up_reason.as_deref().map(sanitized);
    let ended_by = one.ended_by.as_deref().map(sanitized);
    let end_reason = one.end_reason.as_deref().map(sanitized);
    html! {
        <li key={one.return_id.clone()} class="refund">
            <p>
                <strong translate="no">{ context.texts.sum(&row.part(one.amount)) }</strong>
                { " " }<span class={["state ", class].concat()}>{ context.text(text) }</span>
                { " · " }{ sanitized(&one.staff) }{ " · " }{ context.time(one.at) }
            </p>
            <p>{ sanitized(&one.reason) }</p>
            if one.already_made {
                { paragraph("muted", &context.text(Text::ReturnUnreserved)) }
            }
            if let Some(name) = ended_by {
                <p>
                    { context.fill(Text::ReturnEndedBy, &[("name", &name)]) }
                    if let Some(reason) = end_reason {
                        { ": " }{ reason }
                    }
                </p>
            }
            if let Some(name) = asked_by {
                <p>
                    { context.fill(Text::ReturnGiveUpAsked, &[("name", &name)]) }
                    if let Some(reason) = asked_reason {
                        { ": " }{ reason }
                    }
                </p>
            }
            if may_end {
                <div class="actions">
                    if one.state == ReturnState::Open {
                        { end(context, one, Text::ReturnMade, made, one.already_made && context.is_own(&one.staff)) }
                    }
                    { end(context, one, give_up, given_up, asked) }
                </div>
            }
        </li>
    }
}

/// The button of an end, which another person has to press where this one did the first part.
fn end(
    context: &ViewContext<'_>,
    one: &ManualReturn,
    text: Text,
    ask: Ask,
    needs_another: bool,
) -> Html {
    let off = if !context.state.may(Permission::Refund) {
        Some(not_permitted(
            context,
            context.text(Text::NotPermittedRefund),
        ))
    } else if needs_another {
        Some(context.text(Text::ReleaseOwn))
    } else {
        None
    };
    context.button_unless_of(&one.return_id, "plain small", text, Event::Asked(ask), off)
}
