use super::view_context::{ViewContext, paragraph};
use crate::texts::Text;
use browser_kit::texts::outside;
use staff_model::{AuditAction, AuditEntry};
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
    let action = match &entry.action {
        AuditAction::Cancel => context.text(Text::AuditCancel),
        AuditAction::Reverse => context.text(Text::AuditReverse),
        AuditAction::Refund => context.text(Text::AuditRefund),
        AuditAction::ReleaseAttempt => context.text(Text::AuditRelease),
        AuditAction::ReleaseReversal => context.text(Text::AuditReleaseReversal),
        AuditAction::AskReleaseOrder => context.text(Text::AuditAskReleaseOrder),
        AuditAction::ReleaseOrder => context.text(Text::AuditReleaseOrder),
        AuditAction::ReturnDone => context.text(Text::AuditReturnDone),
        AuditAction::AskReturnGivenUp => context.text(Text::AuditAskReturnGivenUp),
        AuditAction::ReturnGivenUp => context.text(Text::AuditReturnGivenUp),
        AuditAction::Return => context.text(Text::AuditReturn),
        AuditAction::Resolve => context.text(Text::AuditResolve),
        AuditAction::Query => context.text(Text::AuditQuery),
        other => AttrValue::from(outside(other.as_str())),
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
