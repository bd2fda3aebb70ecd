use super::pieces::{headline, off, section as section_of};
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
    let list = html! {
        <ul class="refunds">{ for returns.map(|one| returned(context, one, &details.row)) }</ul>
    };
    section_of(context, None, Text::ReturnsHeading, list)
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
    html! {
        <li key={one.return_id.clone()} class="refund">
            { headline(context.texts.sum(&row.part(one.amount)), (class, context.text(text)), html! {
                <>{ " · " }{ sanitized(&one.staff) }{ " · " }{ context.time(one.at) }</>
            }) }
            { paragraph("", &sanitized(&one.reason).into()) }
            if one.already_made {
                { context.paragraph("muted", Text::ReturnUnreserved) }
            }
            { said(context, Text::ReturnEndedBy, one.ended_by.as_deref(), one.end_reason.as_deref()) }
            { said(context, Text::ReturnGiveUpAsked, asked_by, one.give_up_reason.as_deref()) }
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

/// Who said something of it, and why.
fn said(context: &ViewContext<'_>, text: Text, name: Option<&str>, reason: Option<&str>) -> Html {
    let Some(name) = name else {
        return Html::default();
    };
    let mut said = context
        .fill(text, &[("name", &sanitized(name))])
        .to_string();
    if let Some(reason) = reason {
        said.push_str(": ");
        said.push_str(&sanitized(reason));
    }
    paragraph("", &said.into())
}

/// The button of an end, which another person has to press where this one did the first part.
fn end(
    context: &ViewContext<'_>,
    one: &ManualReturn,
    text: Text,
    ask: Ask,
    needs_another: bool,
) -> Html {
    let off = off(context, Permission::Refund, needs_another);
    context.button_unless_of(&one.return_id, "plain small", text, Event::Asked(ask), off)
}
