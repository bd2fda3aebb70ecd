use super::scene::{Scene, paragraph};
use crate::desk::{Event, Trouble, TroubleKind};
use crate::texts::Text;
use browser_kit::texts::outside;
use yew::{Html, html};

/// Shows a trouble: a sentence about it, the service's own words, and the next step.
pub(super) fn show_trouble(scene: &Scene<'_>, trouble: &Trouble, again: Option<Event>) -> Html {
    let sentence = scene.text(sentence(trouble.kind));
    let wait = trouble.retry_after.map(|after| {
        let seconds = (after.saturating_add(999) / 1_000).to_string();
        scene.fill(Text::TroubleWait, &[("seconds", &seconds)])
    });
    let message = trouble
        .meta
        .as_ref()
        .and_then(|meta| scene.texts.message(meta));
    let detail = outside(&trouble.detail);
    html! {
        <div class="note trouble" part="trouble">
            { paragraph("", &sentence) }
            if let Some(wait) = wait {
                { paragraph("", &wait) }
            }
            if let Some(message) = message {
                <p>{ scene.fill(Text::ServiceSays, &[("message", &message)]) }</p>
            }
            if !detail.is_empty() {
                <p class="muted" lang="en">{ detail }</p>
            }
            if let Some(again) = again {
                { scene.button("plain small", Text::TryAgain, again) }
            }
        </div>
    }
}

fn sentence(kind: TroubleKind) -> Text {
    match kind {
        TroubleKind::Network => Text::TroubleNetwork,
        TroubleKind::Timeout => Text::TroubleTimeout,
        TroubleKind::Unreadable => Text::TroubleUnreadable,
        TroubleKind::SignInRequired => Text::TroubleSignIn,
        TroubleKind::SignInRefused => Text::TroubleSignInRefused,
        TroubleKind::TooManyRequests => Text::TroubleTooMany,
        TroubleKind::NotPermitted => Text::TroubleNotPermitted,
        TroubleKind::NotFound => Text::TroubleNotFound,
        TroubleKind::OperationPaid => Text::TroubleOperationPaid,
        TroubleKind::CannotCancelNow => Text::TroubleCannotCancel,
        TroubleKind::Unconfirmed => Text::TroubleUnconfirmed,
        TroubleKind::ServiceUnavailable => Text::TroubleServiceUnavailable,
        TroubleKind::ServiceUnauthorized => Text::TroubleServiceUnauthorized,
        TroubleKind::ServiceRefused => Text::TroubleServiceRefused,
        TroubleKind::SecondPerson => Text::ReleaseOwn,
        TroubleKind::NotInDoubt => Text::TroubleNotInDoubt,
        TroubleKind::NotBlocked => Text::TroubleNotBlocked,
        TroubleKind::NotResolvable => Text::TroubleNotResolvable,
        TroubleKind::Settled => Text::TroubleSettled,
        TroubleKind::NoTransaction => Text::TroubleNoTransaction,
        TroubleKind::ReturnRefused => Text::TroubleReturnRefused,
        TroubleKind::ReversalRefused => Text::TroubleReversalRefused,
        TroubleKind::ReturnEnded => Text::TroubleReturnEnded,
        TroubleKind::RefundsUnknown => Text::TroubleRefundsUnknown,
        TroubleKind::RefundRefused => Text::TroubleRefundRefused,
        TroubleKind::Running => Text::TroubleRunning,
        TroubleKind::KeyReused => Text::TroubleKeyReused,
        TroubleKind::BadRequest => Text::TroubleBadRequest,
        TroubleKind::CrossSite => Text::TroubleCrossSite,
        TroubleKind::Server => Text::TroubleServer,
    }
}
