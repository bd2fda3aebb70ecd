use super::page::Tone;
use yew::{Html, html};

/// The sign beside a heading: decoration, since the heading says the same.
pub(super) fn icon(tone: Tone) -> Html {
    let path = match tone {
        Tone::Plain => return Html::default(),
        Tone::Busy => "M12 3a9 9 0 1 0 9 9",
        Tone::Good => "M5 12.5l4.5 4.5L19 7.5",
        Tone::Bad => "M7 7l10 10M17 7L7 17",
        Tone::Alarm => "M12 6v7M12 17.5v.1",
    };
    html! {
        <svg class="icon" part="icon" width="40" height="40" viewBox="0 0 24 24" aria-hidden="true">
            <path d={path} />
        </svg>
    }
}
