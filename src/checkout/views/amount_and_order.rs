use super::view_context::ViewContext;
use crate::texts::Text;
use checkout_flow::Screen;
use payment_model::Outcome;
use yew::{Html, html};

/// How much, to whom and for what: on every screen.
pub(super) fn amount_and_order(context: &ViewContext<'_>) -> Html {
    let label = match &context.view.screen {
        // The receipt has it all.
        Screen::Ended(end) if end.outcome == Outcome::Paid => return Html::default(),
        Screen::Ended(_) | Screen::Failed(_) => Text::BillAmount,
        _ => Text::BillTotal,
    };
    let lang = context.inputs.texts.page().cloned();
    html! {
        <div class="bill" part="bill">
            if let Some(merchant) = context.merchant() {
                <span class="who" part="merchant" {lang}>{ merchant }</span>
            }
            if let Some(order) = context.order_line() {
                <span class="muted order" part="order">{ order }</span>
            }
            if !context.amount.is_empty() {
                <span class="sum">
                    <span class="label">{ context.text(label) }</span>
                    { " " }
                    <strong part="amount" aria-hidden="true">{ context.amount.seen() }</strong>
                    <span class="unseen">{ context.amount.heard_node() }</span>
                </span>
            }
        </div>
    }
}
