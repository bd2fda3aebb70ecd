//! What the list says of news that it does not show by itself.

use super::view_context::ViewContext;
use crate::staff_state::Event;
use crate::texts::Text;
use std::time::Duration;
use yew::{AttrValue, Html, html};

/// A started half of a minute counts whole.
const HALF_A_MINUTE: Duration = Duration::from_secs(30);

/// What else is to tell of news.
pub(super) fn toggles(context: &ViewContext<'_>) -> Html {
    let news = &context.state.news;
    let toggle = |text, is_on, event| {
        context.pressed_button("chip small", context.text(text), Some(is_on), event)
    };
    html! {
        <>
            { toggle(Text::NewsSound, news.has_sound, Event::SoundPressed) }
            { toggle(Text::NewsMark, news.has_mark, Event::MarkPressed) }
        </>
    }
}

/// How old the list is, when the server does not answer.
pub(super) fn age(context: &ViewContext<'_>) -> Option<AttrValue> {
    let age = context.state.news.age(context.at)?;
    let age = context.texts.age(age.saturating_add(HALF_A_MINUTE));
    let text = context.fill(Text::NewsAge, &[("age", &age)]);
    Some([" · ", &text].concat().into())
}

/// The way to what came while the top of the list was out of sight. It takes no room, so that nothing moves.
pub(super) fn line(context: &ViewContext<'_>) -> Option<Html> {
    let count = context.state.search.hidden_news()?;
    let text = match count {
        0 => context.text(Text::NewsSome),
        1 => context.text(Text::NewsOne),
        _ => context.fill(Text::NewsMany, &[("count", &count.to_string())]),
    };
    Some(context.pressed_button("primary news", text, None, Event::NewsPressed))
}
