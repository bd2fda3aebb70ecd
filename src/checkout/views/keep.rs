use super::scene::{Scene, paragraph};
use crate::texts::Text;
use browser_kit::texts::Clock;
use checkout_flow::QrImage;
use yew::{AttrValue, Html, html};

/// Lets the payer keep the code as a picture, to upload it in an app or to pay later.
///
/// By itself the link saves the bare code. The custom element makes it save a picture with these
/// lines around the code, since saved codes stay in photo galleries for long. It also answers
/// *share*.
pub(super) fn keep(scene: &Scene<'_>, image: &QrImage) -> Html {
    let file = [scene.number().unwrap_or("qr"), ".png"].concat();
    html! {
        <div class="keep">
            <a
                class="save"
                part="button save-button"
                href={image.as_str().to_owned()}
                download={file}
                data-above={above(scene)}
                data-below={below(scene)}
                onclick={scene.around.on_save}
            >
                { scene.text(Text::QrSave) }
            </a>
            if scene.around.shares {
                <button type="button" class="plain" part="button share-button">
                    { scene.text(Text::QrShare) }
                </button>
            }
            if scene.around.saved {
                { paragraph("muted checked", &scene.text(Text::QrSaved)) }
            }
        </div>
    }
}

/// The lines above the code: the merchant and the amount.
fn above(scene: &Scene<'_>) -> String {
    lines(&[scene.merchant().cloned(), Some(scene.amount())])
}

/// The lines below the code: the deadline, the order, and the number that the payer names to
/// support.
fn below(scene: &Scene<'_>) -> String {
    let until = scene
        .view
        .deadline
        .and_then(|deadline| scene.around.texts.instant(deadline, Clock::Dated))
        .map(|date| scene.fill(Text::DeadlineAt, &[("date", &date)]));
    let number = scene
        .spoken_number()
        .map(|number| AttrValue::from([&*scene.text(Text::NumberLabel), ": ", &number].concat()));
    lines(&[until, scene.order(), number])
}

fn lines(texts: &[Option<AttrValue>]) -> String {
    let mut lines = String::new();
    for text in texts.iter().flatten() {
        if !lines.is_empty() {
            lines.push('\n');
        }
        lines.push_str(text);
    }
    lines
}
