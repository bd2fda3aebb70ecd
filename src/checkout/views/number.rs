use super::copy_button::copy_button;
use super::scene::Scene;
use crate::texts::Text;
use yew::{Html, html};

/// The operation number, which the payer needs for every question to support.
pub(super) fn number(scene: &Scene<'_>) -> Html {
    let (Some(number), Some(spoken)) = (scene.number(), scene.spoken_number()) else {
        return Html::default();
    };
    let copy = copy_button(
        scene.around.texts,
        number,
        spoken,
        Text::NumberCopy,
        Text::NumberCopyLabel,
    );
    html! {
        <div class="facts" part="operation">
            <span class="muted">{ scene.text(Text::NumberLabel) }</span>
            { copy }
        </div>
    }
}
