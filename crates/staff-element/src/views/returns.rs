use super::view_context::{ViewContext, paragraph};
use crate::staff_state::{Ask, Event};
use crate::texts::Text;
use browser_kit::texts::outside;
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
        ReturnState::Open => (Text::ReturnOpen, "busy"),
        ReturnState::Done => (Text::ReturnDone, "good"),
        ReturnState::GivenUp => (Text::ReturnGivenUp, "over"),
        ReturnState::Unknown => (Text::StateUnknown, "odd"),
    };
    let ended_by = one.ended_by.as_deref().map(outside);
    let end_reason = one.end_reason.as_deref().map(outside);
    html! {
        <li key={one.return_id.clone()} class="refund">
            <p>
                <strong>{ context.texts.sum(&row.part(one.amount)) }</strong>
                { " " }<span class={["state ", class].concat()}>{ context.text(text) }</span>
                { " · " }{ outside(&one.staff) }{ " · " }{ context.time(one.at) }
            </p>
            <p>{ outside(&one.reason) }</p>
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
            if one.state == ReturnState::Open {
                <div class="actions">
                    { end(context, one, Text::ReturnMade, Ask::MadeReturn(Box::new(one.clone()))) }
                    { end(context, one, Text::ReturnGiveUp, Ask::GiveUpReturn(Box::new(one.clone()))) }
                </div>
            }
        </li>
    }
}

fn end(context: &ViewContext<'_>, one: &ManualReturn, text: Text, ask: Ask) -> Html {
    let off = !context.state.may(Permission::Refund);
    context.button_unless_of(
        &one.return_id,
        "plain small",
        text,
        Event::Asked(ask),
        off.then(|| context.text(Text::NotPermittedRefund)),
    )
}
