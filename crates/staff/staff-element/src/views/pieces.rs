//! Pieces that several views draw.

use super::failure::show_failure;
use super::second_factor::not_permitted;
use super::view_context::ViewContext;
use crate::staff_state::{Event, Failure};
use crate::texts::Text;
use staff_model::Permission;
use yew::{AttrValue, Html, html};

/// A part of a page, below its own heading.
pub(super) fn section(
    context: &ViewContext<'_>,
    part: Option<&'static str>,
    heading: Text,
    body: Html,
) -> Html {
    html! { <section {part}><h3>{ context.text(heading) }</h3>{ body }</section> }
}

/// A page with a list: its heading, what stands over the list, and the list.
pub(super) fn listing(
    context: &ViewContext<'_>,
    heading: Text,
    running: bool,
    (over, failure): (Html, Option<&Failure>),
    list: Html,
) -> Html {
    html! {
        <div aria-busy={running.to_string()}>
            <h2 tabindex="-1">{ context.text(heading) }</h2>
            { over }
            if let Some(failure) = failure {
                { show_failure(context, failure, Some(Event::ReloadPressed)) }
            }
            { list }
        </div>
    }
}

/// An amount and its state, and what more is said of it.
pub(super) fn headline(
    amount: String,
    (class, state): (&'static str, AttrValue),
    more: Html,
) -> Html {
    html! {
        <p>
            <strong translate="no">{ amount }</strong>
            { " " }<span class={["state ", class].concat()}>{ state }</span>{ more }
        </p>
    }
}

/// Why the account may not do something: it lacks the permission, or another person has to do it.
pub(super) fn off(
    context: &ViewContext<'_>,
    permission: Permission,
    needs_another: bool,
) -> Option<AttrValue> {
    if !context.state.may(permission) {
        return Some(not_permitted(context, context.text(lacking(permission))));
    }
    needs_another.then(|| context.text(Text::ReleaseOwn))
}

pub(super) fn lacking(permission: Permission) -> Text {
    match permission {
        Permission::Cancel => Text::NotPermittedCancel,
        Permission::Refund | Permission::Link | Permission::Unknown => Text::NotPermittedRefund,
    }
}
