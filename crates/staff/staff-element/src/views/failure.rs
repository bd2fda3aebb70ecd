use super::view_context::{ViewContext, paragraph};
use crate::staff_state::failure::whole_seconds;
use crate::staff_state::{Event, Failure};
use crate::texts::Text;
use browser_kit::texts::sanitized;
use payment_model::Meta;
use staff_model::OperationRow;
use yew::{Html, html};

/// How much of an operation can be given back, where it was to be more.
pub(super) fn show_left(context: &ViewContext<'_>, failure: &Failure, row: &OperationRow) -> Html {
    let left = failure.left.map(|left| context.texts.sum(&row.part(left)));
    left.map_or_else(Html::default, |amount| {
        paragraph("", &context.fill(Text::FailureLeft, &[("amount", &amount)]))
    })
}

/// Shows a failure: a sentence about it, the service's own words, and the next step.
pub(super) fn show_failure(
    context: &ViewContext<'_>,
    failure: &Failure,
    again: Option<Event>,
) -> Html {
    let sentence = context.texts.failure(failure.kind);
    let wait = failure.retry_after.map(|after| {
        let seconds = whole_seconds(after).as_secs().to_string();
        context.fill(Text::FailureWait, &[("seconds", &seconds)])
    });
    html! {
        <div class="note trouble" part="trouble">
            { paragraph("", &sentence) }
            if let Some(wait) = wait {
                { paragraph("", &wait) }
            }
            if let Some(meta) = failure.meta.as_deref() {
                { says(context, meta) }
            }
            { detail(&failure.detail) }
            if let Some(id) = failure.trace_id.as_ref() {
                <p class="pair muted">
                    { context.text(Text::FailureId) }{ ": " }{ context.copy(id, &context.text(Text::FailureId)) }
                </p>
            }
            if let Some(again) = again {
                { context.button("plain small", Text::TryAgain, again) }
            }
        </div>
    }
}

/// The service's own words, if there are any.
pub(super) fn says(context: &ViewContext<'_>, meta: &Meta) -> Html {
    let message = context.texts.message(meta);
    message.map_or_else(Html::default, |message| {
        paragraph(
            "",
            &context.fill(Text::ServiceSays, &[("message", &message)]),
        )
    })
}

/// A sentence of the server, which is in English, if there is one.
pub(super) fn detail(detail: &str) -> Html {
    let detail = sanitized(detail);
    if detail.is_empty() {
        return Html::default();
    }
    html! { <p class="muted" lang="en">{ detail }</p> }
}
