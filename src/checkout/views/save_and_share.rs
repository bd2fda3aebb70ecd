use super::view_context::{Kind, ViewContext, paragraph};
use crate::texts::{Text, Words};
use browser_kit::texts::{Clock, grouped};
use checkout_flow::QrImage;
use yew::{Html, html};

/// Lets the payer keep the code as a picture, to upload it in an app or to pay later.
///
/// By itself the link saves the bare code. The custom element makes it save a picture with these
/// lines around the code, since saved codes stay in photo galleries for long. It also answers
/// *share*.
pub(super) fn save_and_share(context: &ViewContext<'_>, image: &QrImage) -> Html {
    let file = [context.number().unwrap_or("qr"), ".png"].concat();
    html! {
        <div class="keep">
            <a
                class="save"
                part="button save-button"
                href={image.as_str().to_owned()}
                download={file}
                data-above={above(context)}
                data-below={below(context)}
                onclick={context.around.on_save.clone()}
            >
                { context.text(Text::QrSave) }
            </a>
            if context.around.shares {
                <button type="button" data-look="plain" part="button share-button">
                    { context.text(Text::QrShare) }
                </button>
            }
            if context.around.saved {
                { paragraph(Kind::Checked, &context.text(Text::QrSaved)) }
            }
        </div>
    }
}

/// The lines above the code: the merchant and the amount.
fn above(context: &ViewContext<'_>) -> String {
    lines(&[
        context.merchant().cloned().map(Words::from),
        Some(context.amount.clone()),
    ])
}

/// The lines below the code: the deadline, the order, and the number that the payer names to
/// support.
fn below(context: &ViewContext<'_>) -> String {
    let until = context
        .view
        .deadline
        .and_then(|deadline| context.around.texts.instant(deadline, Clock::Dated))
        .map(|date| context.fill(Text::DeadlineAt, &[("date", &date)]));
    let number = context
        .number()
        .map(|number| [&context.text(Text::NumberLabel), ": ", &grouped(number)].concat())
        .map(Words::from);
    lines(&[until, context.order(), number])
}

fn lines(texts: &[Option<Words>]) -> String {
    let mut lines = String::new();
    for text in texts.iter().flatten() {
        if !lines.is_empty() {
            lines.push('\n');
        }
        lines.push_str(text);
    }
    lines
}
