use super::scene::{Scene, paragraph};
use super::trouble::show_trouble;
use crate::desk::{Ask, Event, Page, Reference};
use crate::texts::Text;
use browser_kit::texts::outside;
use staff_model::{Exception, ExceptionKind, Permission};
use std::rc::Rc;
use yew::{Html, html};

pub(super) fn page(scene: &Scene<'_>) -> Html {
    let exceptions = &scene.desk.exceptions;
    let list = exceptions.list.as_deref();
    html! {
        <div aria-busy={exceptions.running.to_string()}>
            <h2 tabindex="-1">{ scene.text(Text::ExceptionsHeading) }</h2>
            { paragraph("lead", &scene.text(Text::ExceptionsLead)) }
            <div class="bar">
                <p class="count">
                    { match list {
                        None if exceptions.running => scene.text(Text::Loading),
                        None => yew::AttrValue::default(),
                        Some([]) => scene.text(Text::ExceptionsNone),
                        Some(list) => scene.fill(Text::ExceptionsCount, &[("count", &list.len().to_string())]),
                    } }
                </p>
                { scene.button("plain small", Text::Refresh, Event::ReloadPressed) }
            </div>
            if let Some(trouble) = exceptions.trouble.as_ref() {
                { show_trouble(scene, trouble, Some(Event::ReloadPressed)) }
            }
            <ul class="exceptions">
                { for list.unwrap_or_default().iter().map(|exception| entry(scene, exception, true)) }
            </ul>
        </div>
    }
}

/// One exception; with its operation where that is not the page itself.
pub(super) fn entry(scene: &Scene<'_>, exception: &Rc<Exception>, with_operation: bool) -> Html {
    let (what, act) = scene.texts.exception(exception.kind);
    let row = &exception.operation;
    let reference = Reference::of(row);
    let (state, wire) = scene.texts.standing(row);
    let age = scene.texts.age(scene.at.saturating_sub(exception.since.as_millis()));
    let detail = outside(&exception.detail);
    let resolve = Event::Asked(Ask::Resolve(exception.clone()));
    let may = [Permission::Refund, Permission::Cancel].map(|one| scene.desk.may(one));
    let off = (may == [false; 2]).then(|| scene.text(Text::TroubleNotPermitted));
    let of = [&row.merchant_operation_number, "-", exception.kind.as_str()].concat();
    html! {
        <li class="exception" part="exception">
            <h3>{ what }</h3>
            <p class="muted">
                { scene.fill(Text::ExceptionSince, &[("age", &age)]) }{ " · " }{ scene.time(exception.since) }
            </p>
            if with_operation {
                <p>
                    <button
                        type="button"
                        class="link"
                        onclick={scene.press(Event::Opened(Page::Operation(reference.clone())))}
                    >
                        { outside(&row.merchant_operation_number) }
                    </button>
                    { " · " }{ scene.texts.sum(&row.money()) }
                    { " · " }{ state }{ " " }<span class="wire">{ wire }</span>
                </p>
            }
            <p>{ act }</p>
            if !detail.is_empty() {
                <p class="muted" lang="en">{ detail }</p>
            }
            // Only the service can settle an operation in doubt. A person cannot.
            if exception.kind != ExceptionKind::InDoubt {
                <div class="actions">
                    if exception.kind == ExceptionKind::Blocked {
                        { release(scene, exception, &of) }
                    }
                    { scene.button_unless_of(&of, "plain small", Text::Resolve, resolve, off) }
                </div>
            }
        </li>
    }
}

/// Gives the order free that the operation blocks.
fn release(scene: &Scene<'_>, exception: &Rc<Exception>, of: &str) -> Html {
    let off = !scene.desk.may(Permission::Cancel);
    scene.button_unless_of(
        of,
        "plain small",
        Text::ReleaseOrder,
        Event::Asked(Ask::ReleaseOrder(exception.clone())),
        off.then(|| scene.text(Text::TroubleNotPermitted)),
    )
}
