use super::scene::Scene;
use crate::i18n::Text;
use checkout_flow::Connection;
use yew::{Html, html};

/// What is wrong with the connection.
pub(super) fn text(connection: Connection) -> Option<Text> {
    match connection {
        Connection::Good => None,
        Connection::Offline => Some(Text::NoticeOffline),
        Connection::Troubled => Some(Text::NoticeTroubled),
    }
}

/// The same above the screen, which stays as it is.
pub(super) fn notice(scene: &Scene<'_>) -> Html {
    html! {
        if let Some(text) = text(scene.view.connection) {
            <p class="note" part="notice">{ scene.text(text) }</p>
        }
    }
}
