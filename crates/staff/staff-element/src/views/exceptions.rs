use super::failure;
use super::pieces::listing;
use super::second_factor::not_permitted;
use super::view_context::{ViewContext, paragraph};
use crate::staff_state::{Ask, Event, FailureKind, Page, Reference, permitted_actions};
use crate::texts::Text;
use browser_kit::texts::sanitized;
use browser_kit::written_number;
use staff_model::{Exception, ExceptionKind, Permission};
use std::rc::Rc;
use yew::{AttrValue, Html, html};

pub(super) fn page(context: &ViewContext<'_>) -> Html {
    let exceptions = &context.state.exceptions;
    let list = exceptions.list.as_deref();
    let count = match list {
        None if exceptions.running => context.text(Text::Loading),
        None => AttrValue::default(),
        Some([]) => context.text(Text::ExceptionsNone),
        Some(_) => context.fill(
            Text::ExceptionsCount,
            &[("count", &exceptions.total.to_string())],
        ),
    };
    let over = html! {
        <>
            { context.paragraph("lead", Text::ExceptionsLead) }
            <div class="bar">
                { paragraph("count", &count) }
                { context.button("plain small", Text::Refresh, Event::ReloadPressed) }
            </div>
            if list.is_some_and(|list| u64::try_from(list.len()).is_ok_and(|listed| listed < exceptions.total)) {
                { context.paragraph("muted", Text::ExceptionsMore) }
            }
        </>
    };
    let list = html! {
        <ul class="exceptions">
            { for list.unwrap_or_default().iter().map(|exception| entry(context, exception, true)) }
        </ul>
    };
    let failure = exceptions.failure.as_ref();
    listing(
        context,
        Text::ExceptionsHeading,
        exceptions.running,
        (over, failure),
        list,
    )
}

/// One exception; with its operation where that is not the page itself.
pub(super) fn entry(
    context: &ViewContext<'_>,
    exception: &Rc<Exception>,
    with_operation: bool,
) -> Html {
    let (what, act) = context.texts.exception(exception.kind);
    let row = &exception.operation;
    let reference = Reference::of(row);
    let (state, wire) = context.texts.standing(row);
    let age = context
        .texts
        .age(context.at.duration_since(exception.since));
    let may = [Permission::Refund, Permission::Cancel].map(|one| context.state.may(one));
    let off = (may == [false; 2])
        .then(|| not_permitted(context, context.texts.failure(FailureKind::NotPermitted)));
    let resolve =
        |reason: AttrValue| Event::Asked(Ask::Resolve(exception.clone(), reason.to_string()));
    let late = exception.kind == ExceptionKind::PaidLate && off.is_none();
    let settle = if permitted_actions::ends_watch(exception) {
        Text::NothingPaid
    } else {
        Text::Resolve
    };
    let of = [&row.merchant_operation_number, "-", exception.kind.as_str()].concat();
    html! {
        <li key={[&row.merchant_code, " ", &of].concat()} class="exception" part="exception">
            <h3>{ what }</h3>
            <p class="muted">
                { context.fill(Text::ExceptionSince, &[("age", &age)]) }{ " · " }{ context.time(exception.since) }
            </p>
            if with_operation {
                <p>
                    <button
                        type="button"
                        class="link"
                        onclick={context.press(Event::Opened(Page::Operation(reference.clone())))}
                    >
                        { written_number::number(&row.merchant_operation_number) }
                    </button>
                    if let Some(payer) = row.payer.as_ref() {
                        { " · " }{ sanitized(&payer.name) }
                    }
                    { " · " }{ written_number::exact(context.texts.sum(&row.money())) }
                    { " · " }<span title={wire}>{ state }</span>
                </p>
            }
            { paragraph("", &act) }
            { failure::detail(&exception.detail) }
            // Only the service can settle an operation in doubt. A person cannot. What is under way
            // ends by itself.
            if !matches!(
                exception.kind,
                ExceptionKind::InDoubt | ExceptionKind::ReturnOpen | ExceptionKind::EventRefused
            ) {
                <div class="actions">
                    if exception.kind == ExceptionKind::Blocked {
                        { release(context, exception, &of) }
                    }
                    if late {
                        { context.button("primary small", Text::Deliver, resolve(context.text(Text::DeliverReason))) }
                        if with_operation {
                            { context.button("plain small", Text::GiveBack, Event::Opened(Page::Operation(reference))) }
                        }
                    }
                    { context.button_unless_of(&of, "plain small", settle, resolve(AttrValue::default()), off) }
                </div>
            }
        </li>
    }
}

/// Gives the order free that the operation blocks.
fn release(context: &ViewContext<'_>, exception: &Rc<Exception>, of: &str) -> Html {
    let off = !context.state.may(Permission::Cancel);
    context.button_unless_of(
        of,
        "plain small",
        Text::ReleaseOrder,
        Event::Asked(Ask::ReleaseOrder(exception.clone())),
        off.then(|| not_permitted(context, context.texts.failure(FailureKind::NotPermitted))),
    )
}
