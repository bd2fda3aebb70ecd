//! What can be done with an operation. What cannot be done is not offered, and a sentence says why.

use super::failure::{says, show_failure};
use super::pieces::lacking;
use super::second_factor::not_permitted;
use super::view_context::{ViewContext, paragraph};
use crate::staff_state::permitted_actions::{self, NoCancel, NoRefund, Way};
use crate::staff_state::{Ask, Event, OperationPage};
use crate::texts::Text;
use browser_kit::texts::sanitized;
use staff_model::{OperationDetails, Permission};
use yew::{AttrValue, Html, html};

pub(super) fn section(
    context: &ViewContext<'_>,
    page: &OperationPage,
    details: &OperationDetails,
) -> Html {
    let early = page.querying || page.query_free_at(context.at).is_some();
    let early = early.then(|| {
        context.text(if page.querying {
            Text::Querying
        } else {
            Text::QueriedJustNow
        })
    });
    html! {
        <section class="doing" aria-label={context.text(Text::ActionsName)}>
            <div class="actions">
                { give_back(context, details) }
                { context.button_unless("plain", Text::QueryAgain, Event::QueryPressed, early) }
            </div>
            if let Some(why) = why_not(context, details) {
                { paragraph("muted", &why) }
            }
            { told(context, page) }
        </section>
    }
}

/// The one button that gives money back, and the other way where there are two; or the one that
/// cancels.
fn give_back(context: &ViewContext<'_>, details: &OperationDetails) -> Html {
    let cancels = context.state.may(Permission::Cancel);
    let may = |way: &Way| context.state.may(way.permission());
    let mut ways = permitted_actions::ways(&details.row, details.refundable)
        .into_iter()
        .filter(may);
    let best = ways.next();
    let waits = permitted_actions::is_waiting(&details.row) && cancels;
    html! {
        <>
            if let Some(way) = best {
                { context.button("primary", Text::GiveBack, Event::Asked(Ask::GiveBack(way))) }
            }
            { for ways.map(|way| context.button("plain", match way {
                Way::ByHand => Text::RecordReturn,
                Way::Reverse | Way::Refund => Text::GiveBackWhole,
            }, Event::Asked(Ask::GiveBack(way)))) }
            if waits {
                { context.button("danger", Text::Cancel, Event::Asked(Ask::Cancel)) }
            }
        </>
    }
}

/// Why nothing is given back or cancelled, where nothing is.
fn why_not(context: &ViewContext<'_>, details: &OperationDetails) -> Option<AttrValue> {
    let row = &details.row;
    let ways = permitted_actions::ways(row, details.refundable);
    if let Some(best) = ways.first() {
        let any = ways.iter().any(|way| context.state.may(way.permission()));
        return (!any).then(|| not_permitted(context, context.text(lacking(best.permission()))));
    }
    let cancels = context.state.may(Permission::Cancel);
    match permitted_actions::cancel(row, cancels) {
        Ok(_) => None,
        Err(NoCancel::NotPermitted) => Some(not_permitted(
            context,
            context.text(Text::NotPermittedCancel),
        )),
        Err(NoCancel::Over) => Some(context.text(Text::NoCancelOver)),
        Err(NoCancel::Unknown) => Some(context.text(Text::NoCancelUnknown)),
        Err(NoCancel::Settled) => Some(context.text(Text::NoRefundNothingLeft)),
    }
}

/// Shows the service's answer to a query from this page.
fn told(context: &ViewContext<'_>, page: &OperationPage) -> Html {
    match &page.fresh {
        None => Html::default(),
        Some(Err(failure)) => show_failure(context, failure, None),
        Some(Ok(fresh)) => {
            let text = fresh.state.as_ref().map_or_else(
                || context.text(Text::FreshNothing),
                |state| {
                    let (words, wire) = (
                        context.texts.ended(state, fresh.outcome),
                        sanitized(state.as_str()),
                    );
                    context.fill(Text::FreshState, &[("state", &words), ("wire", &wire)])
                },
            );
            html! {
                <div class="note plain-note">
                    { paragraph("", &text) }
                    { says(context, &fresh.meta) }
                </div>
            }
        }
    }
}

/// Why there is no refund, in a sentence.
pub(super) fn no_refund(context: &ViewContext<'_>, why: &NoRefund) -> AttrValue {
    match why {
        NoRefund::NotPermitted => not_permitted(context, context.text(Text::NotPermittedRefund)),
        NoRefund::NotSettled(state) => {
            let state = state.as_ref().map_or_else(
                || context.text(Text::StateNone).to_string(),
                |state| {
                    [
                        context.texts.state(state).as_str(),
                        " (",
                        &sanitized(state.as_str()),
                        ")",
                    ]
                    .concat()
                },
            );
            context.fill(Text::NoRefundNotSettled, &[("state", &state)])
        }
        NoRefund::Method(method) => {
            let method = context.texts.method(method);
            context.fill(Text::NoRefundMethod, &[("method", &method)])
        }
        NoRefund::NothingLeft => context.text(Text::NoRefundNothingLeft),
    }
}
