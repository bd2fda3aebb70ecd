use super::operation_number::operation_number;
use super::page::{Name, Page, Tone};
use super::status_line::waiting;
use super::view_context::{Kind, Look, ViewContext, paragraph};
use super::ways_out::ways_out;
use crate::texts::Text;
use checkout_flow::ContinueUrl;
use payment_model::PaymentMethodName;
use yew::{AttrValue, Html, html};

/// The payer goes on at another site. The link stays and works while the browser leaves, in case something stops
/// the browser. Like the automatic redirect, it opens in the whole tab.
pub(super) fn page(context: &ViewContext<'_>, url: &ContinueUrl, leaving: bool) -> Page {
    let lender = context.view.method == Some(&PaymentMethodName::Installment);
    let (heading, lead) = match (leaving, lender) {
        (true, true) => (Text::LenderLeaving, Text::ContinueLeavingLead),
        (true, false) => (Text::ContinueLeaving, Text::ContinueLeavingLead),
        (false, true) => (Text::LenderHeading, Text::LenderLead),
        (false, false) => (Text::ContinueHeading, Text::ContinueLead),
    };
    let link = context.text(match context.view.method {
        Some(PaymentMethodName::Installment) => Text::LenderLink,
        Some(PaymentMethodName::BankTransfer) => Text::BankLink,
        _ => Text::ContinueLink,
    });
    let (heading, lead) = (
        context.text(heading),
        context.fill(lead, &[("link", &link)]),
    );
    let href = AttrValue::from(url.as_str().to_owned());
    let body = html! {
        <>
            { paragraph(Kind::Lead, &lead) }
            <a data-look={Look::Primary.name()} part={Look::Primary.part()} {href} target="_top" rel="noreferrer">
                { link }
            </a>
            <p class="muted host">{ context.compared(Text::ContinueHost, &[("host", url.host())]) }</p>
            { waiting(context) }
            { operation_number(context) }
            { ways_out(context, Html::default()) }
        </>
    };
    let (name, tone) = if leaving {
        (Name::Leaving, Tone::Busy)
    } else {
        (Name::Continue, Tone::Plain)
    };
    Page::plain(name, tone, &heading, &lead, body).until_deadline(context)
}
