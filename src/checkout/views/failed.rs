use super::choosing::choices;
use super::operation_number::operation_number;
use super::page::{Name, Page, Tone};
use super::view_context::{Kind, Look, ViewContext, paragraph};
use super::ways_out::{another_way, ways_out};
use crate::texts::{SpokenText, Text};
use browser_kit::texts::sanitized;
use checkout_flow::{ErrorCode, Event};
use payment_model::{Meta, ProblemMoney};
use yew::{Html, html};

/// An error, after which the payer has to decide.
pub(super) fn page(context: &ViewContext<'_>, code: ErrorCode) -> Page {
    let (heading, lead) = words(code, context.view.problem_money);
    let heading = context.text(heading);
    // The page's own words say more than ours.
    let lead = page_reason(context, code).unwrap_or_else(|| context.text(lead));
    let told = context.view.refusal.and_then(|meta| told(context, meta));
    let body = html! {
        <>
            { paragraph(Kind::Lead, &lead) }
            if let Some(told) = told {
                { told }
            }
            // Where no method is left, why.
            { for choices(context) }
            { operation_number(context) }
            { actions(context, code) }
            <slot name="failed" />
        </>
    };
    Page::plain(Name::Failed(code), Tone::Alarm, &heading, &lead, body)
}

/// The page's reason for its refusal, in the page's language.
fn page_reason(context: &ViewContext<'_>, code: ErrorCode) -> Option<SpokenText> {
    let reason = context.view.page_refusal.map(sanitized)?;
    let lang = context.inputs.texts.page().cloned();
    (code == ErrorCode::Page && !reason.is_empty())
        .then(|| SpokenText::new(reason.into(), None, lang))
}

/// The payment service's reason for its refusal, with the language that the service names.
fn told(context: &ViewContext<'_>, meta: &Meta) -> Option<Html> {
    let reason = meta.message_for(context.inputs.texts.tag())?;
    let messages = &meta.status.message_ilgn;
    let message = messages.iter().find(|message| message.value == reason)?;
    let (reason, lang) = (sanitized(reason), message.locale.replace('_', "-"));
    (!reason.is_empty()).then(|| context.quote(Text::Reason, "reason", &reason, lang))
}

/// Only where the server said that nothing was charged may the payer read so.
fn words(code: ErrorCode, money: ProblemMoney) -> (Text, Text) {
    let uncharged = money == ProblemMoney::NothingCharged;
    match code {
        ErrorCode::Network => (Text::NetworkHeading, Text::NetworkLead),
        ErrorCode::Server if uncharged => (Text::ServerHeading, Text::ServerLead),
        ErrorCode::Server => (Text::ServerHeading, Text::ServerUnknownLead),
        ErrorCode::Refused if uncharged => (Text::RefusedHeading, Text::RefusedLead),
        ErrorCode::Refused => (Text::RefusedHeading, Text::RefusedUnknownLead),
        ErrorCode::MayBePaid => (Text::MayBePaidHeading, Text::MayBePaidLead),
        ErrorCode::NoMethod => (Text::NoMethodHeading, Text::ChooseNone),
        ErrorCode::NotFound => (Text::NotFoundHeading, Text::NotFoundLead),
        ErrorCode::AmountMismatch => (Text::AmountMismatchHeading, Text::AmountMismatchLead),
        ErrorCode::QrImage => (Text::QrImageHeading, Text::QrImageLead),
        ErrorCode::ContinueUrl => (Text::ContinueUrlHeading, Text::ContinueUrlLead),
        ErrorCode::Page => (Text::PageHeading, Text::PageLead),
        ErrorCode::Configuration => (Text::ConfigurationHeading, Text::ConfigurationLead),
    }
}

fn actions(context: &ViewContext<'_>, code: ErrorCode) -> Html {
    let retry = if code.is_retryable() {
        // To ask again for an operation that was not found begins no payment, so the button must not say
        // "try again".
        let text = if code == ErrorCode::NotFound {
            Text::ActionCheck
        } else {
            Text::ActionRetry
        };
        context.button(Look::Primary, text, || Event::RetryPressed)
    } else {
        Html::default()
    };
    match code {
        // No press of the payer can repair the page's settings or make another order, and only the shop knows whether this
        // one is paid.
        ErrorCode::Configuration | ErrorCode::MayBePaid | ErrorCode::NoMethod => Html::default(),
        // There is an operation that can be cancelled.
        ErrorCode::AmountMismatch | ErrorCode::QrImage | ErrorCode::ContinueUrl => {
            ways_out(context, retry)
        }
        ErrorCode::Network
        | ErrorCode::Server
        | ErrorCode::Refused
        | ErrorCode::NotFound
        | ErrorCode::Page => {
            html! {
                <div class="actions" part="actions">
                    { retry }
                    { another_way(context) }
                </div>
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::words;
    use checkout_flow::ErrorCode;
    use checkout_texts::Locale::{En, EsPe, PtBr};
    use payment_model::ProblemMoney;

    #[test]
    fn only_what_is_known_of_the_money_is_said_in_each_language() {
        // Without a request nothing can be charged.
        let unsent = [ErrorCode::Page, ErrorCode::Configuration];
        for code in ErrorCode::ALL {
            for money in ProblemMoney::ALL {
                let (_, lead) = words(*code, *money);
                let claims = [
                    En.text(lead).contains("not charged") || En.text(lead).contains("was charged"),
                    EsPe.text(lead).contains("se te cobró") || EsPe.text(lead).contains("se cobró"),
                    PtBr.text(lead).contains("cobrado"),
                ];
                let told = matches!(code, ErrorCode::Server | ErrorCode::Refused)
                    && *money == ProblemMoney::NothingCharged;
                let known = told || unsent.contains(code);
                assert_eq!(claims, [known; 3], "{code:?}, {money:?}");
            }
        }
    }
}
