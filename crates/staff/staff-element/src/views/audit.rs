use super::pieces::section as section_of;
use super::refunds;
use super::view_context::ViewContext;
use crate::texts::Text;
use browser_kit::texts::sanitized;
use staff_model::{AuditAction, AuditEntry, AuditFacts, AuditStep};
use yew::{AttrValue, Html, html};

pub(super) fn section(context: &ViewContext<'_>, audit: &[AuditEntry]) -> Html {
    let list = if audit.is_empty() {
        context.paragraph("muted", Text::AuditNone)
    } else {
        html! { <ol class="audit">{ for audit.iter().map(|entry| self::entry(context, entry)) }</ol> }
    };
    section_of(context, None, Text::AuditHeading, list)
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
        other => AttrValue::from(sanitized(other.as_str())),
    };
    let detail = sanitized(&entry.detail);
    html! {
        <li>
            <strong>{ action }</strong>{ " · " }{ sanitized(&entry.staff) }{ " · " }{ context.time(entry.at) }
            if let Some(facts) = entry.facts.as_ref() {
                <span class="muted when">{ self::facts(context, facts) }</span>
            } else if !detail.is_empty() {
                <span class="muted when">{ detail }</span>
            }
        </li>
    }
}

/// The facts of an act, in the language of the desk.
fn facts(context: &ViewContext<'_>, facts: &AuditFacts) -> String {
    let amount = facts.amount.zip(facts.currency.as_ref());
    let amount = amount.map(|(amount, currency)| context.texts.money(&amount.into(), currency));
    let state = facts.state.as_ref().map(|state| {
        let text = if facts.step == AuditStep::Done {
            Text::AuditIs
        } else {
            Text::AuditWas
        };
        let state = context.texts.state(state);
        context.fill(text, &[("state", &state)]).to_string()
    });
    let id = facts.id.as_deref().map(sanitized);
    let problem = facts.problem.as_deref().map(sanitized);
    let parts = [
        (facts.step == AuditStep::NotDone).then(|| context.text(Text::AuditNotDone).to_string()),
        facts
            .kind
            .as_ref()
            .map(|kind| refunds::kind(context, kind).to_string()),
        amount,
        state,
        problem,
        facts.reason.as_deref().map(sanitized),
        id.map(|id| context.fill(Text::AuditAttempt, &[("id", &id)]).to_string()),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    parts.join(" · ")
}
