use super::view_context::{ViewContext, paragraph};
use crate::staff_state::failure::whole_seconds;
use crate::staff_state::{Event, Failure, FailureKind};
use crate::texts::Text;
use browser_kit::texts::outside;
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
    let sentence = context.text(sentence(failure.kind));
    let wait = failure.retry_after.map(|after| {
        let seconds = whole_seconds(after).as_secs().to_string();
        context.fill(Text::FailureWait, &[("seconds", &seconds)])
    });
    let message = failure
        .meta
        .as_ref()
        .and_then(|meta| context.texts.message(meta));
    let detail = outside(&failure.detail);
    html! {
        <div class="note trouble" part="trouble">
            { paragraph("", &sentence) }
            if let Some(wait) = wait {
                { paragraph("", &wait) }
            }
            if let Some(message) = message {
                <p>{ context.fill(Text::ServiceSays, &[("message", &message)]) }</p>
            }
            if !detail.is_empty() {
                <p class="muted" lang="en">{ detail }</p>
            }
            if let Some(again) = again {
                { context.button("plain small", Text::TryAgain, again) }
            }
        </div>
    }
}

fn sentence(kind: FailureKind) -> Text {
    match kind {
        FailureKind::Network => Text::FailureNetwork,
        FailureKind::Timeout => Text::FailureTimeout,
        FailureKind::Unreadable => Text::FailureUnreadable,
        FailureKind::SignInRequired => Text::FailureSignIn,
        FailureKind::SignInRefused => Text::FailureSignInRefused,
        FailureKind::TooManyRequests => Text::FailureTooMany,
        FailureKind::NotPermitted => Text::FailureNotPermitted,
        FailureKind::NotFound => Text::FailureNotFound,
        FailureKind::OperationPaid => Text::FailureOperationPaid,
        FailureKind::CannotCancelNow => Text::FailureCannotCancel,
        FailureKind::Unconfirmed => Text::FailureUnconfirmed,
        FailureKind::ServiceUnavailable => Text::FailureServiceUnavailable,
        FailureKind::ServiceUnauthorized => Text::FailureServiceUnauthorized,
        FailureKind::ServiceRefused => Text::FailureServiceRefused,
        FailureKind::SecondPerson => Text::ReleaseOwn,
        FailureKind::NotInDoubt => Text::FailureNotInDoubt,
        FailureKind::NotBlocked => Text::FailureNotBlocked,
        FailureKind::NotResolvable => Text::FailureNotResolvable,
        FailureKind::Settled => Text::FailureSettled,
        FailureKind::NoTransaction => Text::FailureNoTransaction,
        FailureKind::ReturnRefused => Text::FailureReturnRefused,
        FailureKind::ReversalRefused => Text::FailureReversalRefused,
        FailureKind::ReturnEnded => Text::FailureReturnEnded,
        FailureKind::RefundsUnknown => Text::FailureRefundsUnknown,
        FailureKind::RefundRefused => Text::FailureRefundRefused,
        FailureKind::Running => Text::FailureRunning,
        FailureKind::KeyReused => Text::FailureKeyReused,
        FailureKind::BadRequest => Text::FailureBadRequest,
        FailureKind::CrossSite => Text::FailureCrossSite,
        FailureKind::Server => Text::FailureServer,
    }
}
