use super::time_left::{TimeLeft, use_time_left};
use super::view_context::part;
use crate::texts::Words;
use std::convert;
use yew::{Callback, Html, MouseEvent, Properties, component, html};

#[derive(PartialEq, Properties)]
pub(super) struct CheckButtonProps {
    pub(super) look: &'static str,
    pub(super) words: Words,
    /// The time until a press sends a request.
    pub(super) opens: TimeLeft,
    pub(super) onclick: Callback<MouseEvent>,
}

/// "Check now". While it would send no request it is announced as disabled, and keeps the focus.
#[component]
pub(super) fn CheckButton(props: &CheckButtonProps) -> Html {
    let closed = !use_time_left(props.opens, convert::identity).is_zero();
    html! {
        <button
            type="button"
            id="action.check"
            data-look={props.look}
            part={part(props.look)}
            aria-disabled={closed.then_some("true")}
            onclick={props.onclick.clone()}
        >
            { &props.words }
        </button>
    }
}
