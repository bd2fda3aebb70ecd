use super::view_context::{ViewContext, paragraph};
use crate::texts::Text;
use browser_kit::texts::outside;
use staff_model::AuditEntry;
use yew::{AttrValue, Html, html};

pub(super) fn section(context: &ViewContext<'_>, audit: &[AuditEntry]) -> Html {
    html! {
        <section>
            <h3>{ context.text(Text::AuditHeading) }</h3>
            if audit.is_empty() {
                { paragraph("muted", &context.text(Text::AuditNone)) }
            } else {
                <ol class="audit">{ for audit.iter().map(|entry| self::entry(context, entry)) }</ol>
            }
        </section>
    }
}

fn entry(context: &ViewContext<'_>, entry: &AuditEntry) -> Html {
    let action = match entry.action.as_str() {
        "cancel" => context.text(Text::AuditCancel),
        "reverse" => context.text(Text::AuditReverse),
        "refund" => context.text(Text::AuditRefund),
        "release" => context.text(Text::AuditRelease),
        "release_reversal" => context.text(Text::AuditReleaseReversal),
        "ask-release-order" => context.text(Text::AuditAskReleaseOrder),
        "release-order" => context.text(Text::AuditReleaseOrder),
        "return_done" => context.text(Text::AuditReturnDone),
        "return_given_up" => context.text(Text::AuditReturnGivenUp),
        "return" => context.text(Text::AuditReturn),
        "resolve" => context.text(Text::AuditResolve),
        "query" => context.text(Text::AuditQuery),
        other => AttrValue::from(outside(other)),
    };
    let detail = outside(&entry.detail);
    html! {
        <li>
            <strong>{ action }</strong>{ " · " }{ outside(&entry.staff) }{ " · " }{ context.time(entry.at) }
            if !detail.is_empty() {
                <span class="muted when" lang="en">{ detail }</span>
            }
        </li>
    }
}
