//! What just happened, for screen readers.

use super::search;
use super::view_context::ViewContext;
use crate::staff_state::Announcement;
use crate::texts::Text;
use browser_kit::texts::sanitized;
use staff_model::LinkState;
use yew::{AttrValue, Html, html};

/// The region that speaks. A dialog has one of its own, since it makes the one of the page inert.
pub(super) fn region(context: &ViewContext<'_>) -> Html {
    let (count, said) = match &context.state.announcement {
        Some((count, announcement)) => (*count, announced(context, announcement)),
        None => Default::default(),
    };
    // A repeated message is a new node, or a screen reader would not say it again.
    html! { <div class="unseen" role="status"><p key={count}>{ said }</p></div> }
}

fn announced(context: &ViewContext<'_>, announcement: &Announcement) -> AttrValue {
    match announcement {
        Announcement::SignedIn => context.text(Text::AnnounceSignedIn),
        Announcement::SignedOut => context.text(Text::AnnounceSignedOut),
        Announcement::Code(kind) => context.texts.failure(*kind),
        Announcement::EnrolmentKey => context.text(Text::EnrolmentKeyLead),
        Announcement::Enrolled => context.text(Text::RecoveryLead),
        Announcement::Found => search::count(context),
        Announcement::Exceptions => {
            let count = context.state.exceptions.total;
            context.fill(Text::ExceptionsCount, &[("count", &count.to_string())])
        }
        Announcement::Queried => {
            let row = context
                .state
                .operation
                .as_ref()
                .and_then(|page| page.fresh.as_ref());
            match row {
                Some(Ok(fresh)) => match &fresh.state {
                    Some(state) => {
                        let (words, wire) = (
                            context.texts.ended(state, fresh.outcome),
                            sanitized(state.as_str()),
                        );
                        context.fill(Text::FreshState, &[("state", &words), ("wire", &wire)])
                    }
                    None => context.text(Text::FreshNothing),
                },
                _ => context.text(Text::AnnounceFailed),
            }
        }
        Announcement::Cancelled => context.text(Text::AnnounceCancelled),
        Announcement::Refunded => context.text(Text::RefundDoneHeading),
        Announcement::Recorded => context.text(Text::AnnounceRecorded),
        Announcement::Released => context.text(Text::AnnounceReleased),
        Announcement::OrderAsked => context.text(Text::ReleaseOrderAsked),
        Announcement::OrderReleased => context.text(Text::ReleaseOrderDone),
        Announcement::Resolved => context.text(Text::AnnounceResolved),
        Announcement::LinkMade => context.text(Text::LinkReady),
        Announcement::LinkEnded(LinkState::Paid) => context.text(Text::LinkPaid),
        Announcement::LinkEnded(LinkState::Waiting) => context.text(Text::LinkCode),
        Announcement::LinkEnded(_) => context.text(Text::LinkEnded),
        Announcement::News(new, paid) => {
            let (new, paid) = (new.to_string(), paid.to_string());
            context.fill(Text::NewsSaid, &[("new", &new), ("paid", &paid)])
        }
        Announcement::Failed => context.text(Text::AnnounceFailed),
    }
}
