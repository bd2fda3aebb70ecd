use super::scene::{Scene, paragraph};
use crate::texts::Text;
use browser_kit::texts::outside;
use staff_model::AuditEntry;
use yew::{AttrValue, Html, html};

pub(super) fn section(scene: &Scene<'_>, audit: &[AuditEntry]) -> Html {
    html! {
        <section>
            <h3>{ scene.text(Text::AuditHeading) }</h3>
            if audit.is_empty() {
                { paragraph("muted", &scene.text(Text::AuditNone)) }
            } else {
                <ol class="audit">{ for audit.iter().map(|entry| self::entry(scene, entry)) }</ol>
            }
        </section>
    }
}

fn entry(scene: &Scene<'_>, entry: &AuditEntry) -> Html {
    let action = match entry.action.as_str() {
        "cancel" => scene.text(Text::AuditCancel),
        "reverse" => scene.text(Text::AuditReverse),
        "refund" => scene.text(Text::AuditRefund),
        "release" => scene.text(Text::AuditRelease),
        "release_reversal" => scene.text(Text::AuditReleaseReversal),
        "ask-release-order" => scene.text(Text::AuditAskReleaseOrder),
        "release-order" => scene.text(Text::AuditReleaseOrder),
        "return_done" => scene.text(Text::AuditReturnDone),
        "return_given_up" => scene.text(Text::AuditReturnGivenUp),
        "return" => scene.text(Text::AuditReturn),
        "resolve" => scene.text(Text::AuditResolve),
        "query" => scene.text(Text::AuditQuery),
        other => AttrValue::from(outside(other)),
    };
    let detail = outside(&entry.detail);
    html! {
        <li>
            <strong>{ action }</strong>{ " · " }{ outside(&entry.staff) }{ " · " }{ scene.time(entry.at) }
            if !detail.is_empty() {
                <span class="muted when" lang="en">{ detail }</span>
            }
        </li>
    }
}
