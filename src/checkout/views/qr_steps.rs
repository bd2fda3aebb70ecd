use super::view_context::ViewContext;
use crate::texts::{Text, Words};
use yew::{Html, html};

/// The steps for paying with the code. They take up their space already while the amount is
/// unknown.
pub(super) fn steps(context: &ViewContext<'_>) -> Html {
    let verify = with_payee(context, Text::QrVerifyPayeeStep, Text::QrVerifyStep);
    let list = |class: &'static str, steps: &[Option<Text>]| {
        let step = |step: &Option<Text>| {
            let words = step.map_or_else(|| verify.clone(), |step| context.text(step));
            html! { <li><span class="step" part="step-number" />{ words }</li> }
        };
        html! { <ol {class} part="steps">{ for steps.iter().map(step) }</ol> }
    };
    let class = if context.amount.is_empty() {
        "unsaid"
    } else {
        ""
    };
    html! {
        <div {class}>
            { list("steps desk", &[Some(Text::QrOpenStep), Some(Text::QrScanStep), None]) }
            { list("steps phone", &[
                Some(Text::QrSaveStep),
                Some(Text::QrUploadStep),
                None,
                Some(Text::QrReturnStep),
            ]) }
        </div>
    }
}

/// A text with the payee, or the one without where nobody is named.
pub(super) fn with_payee(context: &ViewContext<'_>, named: Text, nameless: Text) -> Words {
    match context.payee() {
        Some(payee) => context.fill(named, &[("payee", payee)]),
        None => context.fill(nameless, &[]),
    }
}
