use super::view_context::ViewContext;
use crate::texts::{SpokenText, Text};
use yew::{Html, html};

/// The steps, where the code is scanned by another device. `None` is the step that checks the amount.
const DESK: [Option<Text>; 3] = [Some(Text::QrOpenStep), Some(Text::QrScanStep), None];
/// The steps on the device that pays, after the first one: the button that saves the code.
const PHONE: [Option<Text>; 3] = [Some(Text::QrUploadStep), None, Some(Text::QrReturnStep)];

/// The steps for paying with the code. They take up their space already while the amount is
/// unknown.
pub(super) fn steps(context: &ViewContext<'_>) -> Html {
    let verify = with_payee(context, Text::QrVerifyPayeeStep, Text::QrVerifyStep);
    let step = |step: &Option<Text>| {
        let words = match step {
            None => verify.clone(),
            Some(Text::QrOpenStep) => {
                context.with_wallets(Text::QrOpenWalletsStep, Text::QrOpenStep)
            }
            Some(Text::QrUploadStep) => {
                context.with_wallets(Text::QrUploadWalletsStep, Text::QrUploadStep)
            }
            Some(step) => context.text(*step),
        };
        html! { <li><span class="step" part="step-number" />{ words }</li> }
    };
    html! {
        <div data-look={context.amount.is_empty().then_some("unsaid")}>
            <ol class="steps desk" part="steps">{ for DESK.iter().map(step) }</ol>
            <ol class="steps phone" part="steps">{ for PHONE.iter().map(step) }</ol>
        </div>
    }
}

/// A text with the payee, or the one without where nobody is named.
pub(super) fn with_payee(context: &ViewContext<'_>, named: Text, nameless: Text) -> SpokenText {
    match context.payee() {
        Some(payee) => context.fill(named, &[("payee", payee)]),
        None => context.fill(nameless, &[]),
    }
}
