use super::view_context::ViewContext;
use crate::texts::Text;
use checkout_flow::{Connection, View};
use yew::{Html, html};

/// Returns the text about a trouble with the connection. A payer who has nothing to pay yet gets no
/// advice for payers who already paid.
pub(super) fn text(view: &View<'_>) -> Option<Text> {
    match (view.connection, view.operation) {
        (Connection::Good, _) => None,
        (_, None) => Some(Text::NoticeBefore),
        (Connection::Offline, Some(_)) => Some(Text::NoticeOffline),
        (Connection::Troubled, Some(_)) => Some(Text::NoticeTroubled),
    }
}

/// The text as a note above the screen. A screen with a status line writes the text there instead.
pub(super) fn notice(context: &ViewContext<'_>, has_status_line: bool) -> Html {
    html! {
        if let Some(text) = text(context.view).filter(|_| !has_status_line) {
            <p class="note" part="notice">{ context.text(text) }</p>
        }
    }
}
