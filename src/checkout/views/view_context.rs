use super::Surroundings;
use crate::texts::Text;
use browser_kit::texts::{Clock, grouped};
use checkout_flow::{Checked, Event, View};
use payment_model::PaymentMethodName;
use yew::{AttrValue, Callback, Html, MouseEvent, html};

/// The data that every screen draws from, and the texts and controls that they share.
pub(super) struct ViewContext<'a> {
    pub(super) view: &'a View<'a>,
    pub(super) around: &'a Surroundings<'a>,
    pub(super) send: &'a Callback<Event>,
}

impl ViewContext<'_> {
    pub(super) fn text(&self, text: Text) -> AttrValue {
        self.around.texts.text(text)
    }

    pub(super) fn fill(&self, text: Text, values: &[(&str, &str)]) -> AttrValue {
        self.around.texts.fill(text, values)
    }

    /// The sum. It is empty while it is unknown.
    pub(super) fn amount(&self) -> AttrValue {
        let money = self.view.money.as_ref();
        money.map_or_else(AttrValue::default, |money| self.around.texts.money(money))
    }

    /// The name that the payer's app will show.
    pub(super) fn payee(&self) -> Option<&AttrValue> {
        self.around.payee_name.or(self.around.merchant_name)
    }

    /// The name of the merchant.
    pub(super) fn merchant(&self) -> Option<&AttrValue> {
        self.around.merchant_name.or(self.around.payee_name)
    }

    /// The merchant's name for the order.
    pub(super) fn order(&self) -> Option<AttrValue> {
        let label = self.around.order_label?;
        Some(self.fill(Text::BillOrder, &[("order", label)]))
    }

    pub(super) fn is_qr(&self) -> bool {
        self.view.method == Some(&PaymentMethodName::Qr)
    }

    /// The operation's number as the server knows it.
    pub(super) fn number(&self) -> Option<&str> {
        let operation = self.view.operation?;
        Some(operation.merchant_operation_number.as_str()).filter(|number| !number.is_empty())
    }

    /// The same in groups that can be said aloud.
    pub(super) fn spoken_number(&self) -> Option<String> {
        self.number().map(grouped)
    }

    pub(super) fn press(&self, event: impl Fn() -> Event + 'static) -> Callback<MouseEvent> {
        let send = self.send.clone();
        Callback::from(move |_| send.emit(event()))
    }

    /// A button; its look is `primary`, `plain`, `quiet` or `danger`.
    pub(super) fn button(&self, look: &'static str, text: Text, event: fn() -> Event) -> Html {
        // Among all buttons of a page a bare verb says too little.
        let label = (text == Text::ActionCancel).then(|| self.text(Text::ActionCancelLabel));
        html! {
            <button
                type="button"
                id={text.key()}
                class={look}
                part={part(look)}
                aria-label={label}
                onclick={self.press(event)}
            >
                { self.text(text) }
            </button>
        }
    }

    /// "Check now", with the time of the last question without news. While it would send no request
    /// it tells a screen reader so, and keeps the focus.
    pub(super) fn check(&self, look: &'static str) -> Html {
        let closed = (!self.around.may_check).then_some("true");
        html! {
            <>
                <button
                    type="button"
                    id={Text::ActionCheck.key()}
                    class={look}
                    part={part(look)}
                    aria-disabled={closed}
                    onclick={self.press(|| Event::CheckPressed)}
                >
                    { self.text(Text::ActionCheck) }
                </button>
                if let Some(checked) = self.checked() {
                    { paragraph("muted checked", &checked) }
                }
            </>
        }
    }

    /// The answer to the payer's own question: there is nothing new, or the server gave no answer,
    /// with the time of the last one.
    pub(super) fn checked(&self) -> Option<AttrValue> {
        let Checked { at, answered } = self.view.checked?;
        let time = self.around.texts.instant(at, Clock::Seconds)?;
        let text = if answered {
            Text::Checked
        } else {
            Text::CheckedInVain
        };
        Some(self.fill(text, &[("time", &time)]))
    }
}

pub(super) fn paragraph(class: &'static str, text: &AttrValue) -> Html {
    // Every screen has one lead, by which its heading is described.
    let id = (class == "lead").then_some(class);
    html! { <p {id} {class}>{ text }</p> }
}

/// The `::part()` names of a control.
pub(super) fn part(look: &str) -> &'static str {
    match look {
        "primary" => "button primary-button",
        "danger" => "button danger-button",
        "quiet" | "quiet small" => "button quiet-button",
        _ => "button",
    }
}
