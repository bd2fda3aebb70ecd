use super::choosing::words;
use super::operation_number::operation_number;
use super::page::{Page, Tone};
use super::view_context::{Kind, ViewContext, paragraph, part};
use crate::texts::Text;
use checkout_flow::Event;
use payment_model::PaymentMethodName;
use yew::html;

/// Asks whether a choice may end the operation that the payer has already, in another tab or on another
/// device.
pub(super) fn page(
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
                { context.button("primary", show, || Event::ShowLivePressed) }
                <button
                    type="button"
                    data-look="danger"
                    part={part("danger")}
                    lang={replace.lang()}
                    onclick={context.press(|| Event::ReplaceConfirmed)}
                >
                    { replace.seen() }
                </button>
            </div>
        </>
    };
    Page::plain("asking-to-replace", Tone::Plain, &heading, &lead, body)
}

/// The choice of a method within a sentence: "pay by card".
fn pay(context: &ViewContext<'_>, method: &PaymentMethodName) -> String {
    let (name, _) = words(context, method);
    let mut letters = name.chars();
    let first = letters.next().map(char::to_lowercase);
    first.into_iter().flatten().chain(letters).collect()
}
