use super::pieces::section as section_of;
use super::view_context::{ViewContext, fact};
use crate::texts::Text;
use browser_kit::texts::sanitized;
use browser_kit::written_number::exact;
use payment_model::Transaction;
use yew::{AttrValue, Html, html};

/// How deep a value from outside is taken apart, and how many parts of it are shown.
const DEPTH: usize = 6;
const PARTS: usize = 100;

/// A transaction; when it is the only one, the summary has its id, amount and state.
pub(super) fn section(context: &ViewContext<'_>, transaction: &Transaction, alone: bool) -> Html {
    let id = transaction.transaction_id.as_str();
    let deadline = transaction
        .expiration_date
        .as_ref()
        .map(|date| context.texts.date(date));
    let reason = sanitized(&transaction.state_reason);
    let steps = transaction.lifecycle.iter().map(|entry| Step {
        state: context.texts.state(&entry.state),
        wire: sanitized(entry.state.as_str()),
        date: context.texts.date(&entry.date),
    });
    let body = html! {
        <>
            <dl class="facts">
                if !alone {
                { context.copied(Text::TransactionLabel, id) }
                { context.fact(Text::ColumnAmount, html! {
                    { exact(context.texts.money(&transaction.amount, &transaction.currency)) }
                }) }
                { context.fact(Text::ColumnState, html! {
                    <>{ context.texts.ended(&transaction.state, transaction.outcome()) }{ " " }<span class="wire">{ sanitized(transaction.state.as_str()) }</span></>
                }) }
                }
                if !reason.is_empty() {
                    { context.fact(Text::ReasonLabel, html! { { reason } }) }
                }
                { context.fact(Text::ChannelLabel, html! { { sanitized(&transaction.channel) } }) }
                if let Some((local, universal)) = deadline {
                    { context.fact(Text::DeadlineLabel, html! { <>{ local }{ " " }<span class="muted">{ universal }</span></> }) }
                }
                if let Some(url) = transaction.continue_url.as_deref() {
                    { context.fact(Text::ContinueLabel, html! { { sanitized(url) } }) }
                }
            </dl>
            <h4>{ context.text(Text::TimelineHeading) }</h4>
            { timeline(context, steps.collect()) }
            <h4>{ context.text(Text::ProcessorHeading) }</h4>
            { processor(context, transaction) }
        </>
    };
    section_of(context, Some("transaction"), Text::TransactionHeading, body)
}

/// One state of a lifecycle.
pub(super) struct Step {
    pub(super) state: AttrValue,
    pub(super) wire: String,
    /// On the merchant's clock, and in UTC.
    pub(super) date: (String, String),
}

/// The states that something went through, the oldest first.
pub(super) fn timeline(context: &ViewContext<'_>, steps: Vec<Step>) -> Html {
    if steps.is_empty() {
        return context.paragraph("muted", Text::TimelineNone);
    }
    html! {
        <ol class="timeline" part="timeline">
            { for steps.into_iter().map(|step| html! {
                <li>
                    <strong>{ step.state }</strong>{ " " }<span class="wire">{ step.wire }</span>
                    <span class="when">{ step.date.0 }{ " " }<span class="muted">{ step.date.1 }</span></span>
                </li>
            }) }
        </ol>
    }
}

/// All fields that the processor sent, known and unknown ones, as text.
fn processor(context: &ViewContext<'_>, transaction: &Transaction) -> Html {
    let mut parts = Vec::new();
    if let Some(response) = &transaction.processor_response {
        take_apart(String::new(), &response.to_value(), 0, &mut parts);
    }
    if let Some(fields) = &transaction.additional_fields {
        for (name, value) in fields {
            take_apart(["additional_fields.", name].concat(), value, 1, &mut parts);
        }
    }
    if parts.is_empty() {
        return context.paragraph("muted", Text::ProcessorNone);
    }
    html! {
        <dl class="facts outside">
            { for parts.into_iter().map(|(name, value)| {
                let name = AttrValue::from(sanitized(&name));
                // Support asks for these references by phone. Staff copy them instead of typing.
                let copied = is_reference(&name) && !value.is_empty();
                let shown = if copied { context.copy(&value, &name) } else { html! { { sanitized(&value) } } };
                fact(&name, shown)
            }) }
        </dl>
    }
}

fn is_reference(name: &str) -> bool {
    matches!(
        name,
        "qr_id" | "cip" | "operation_id" | "operationNumber" | "request_id"
    )
}

/// The leaves of a value, each with the way that leads to it.
fn take_apart(
    name: String,
    value: &serde_json::Value,
    depth: usize,
    parts: &mut Vec<(String, String)>,
) {
    use serde_json::Value;
    if parts.len() >= PARTS {
        return;
    }
    let below = |key: &str| {
        if name.is_empty() {
            key.to_owned()
        } else {
            [&name, ".", key].concat()
        }
    };
    match value {
        Value::Object(fields) if depth < DEPTH && !fields.is_empty() => {
            for (key, value) in fields {
                take_apart(below(key), value, depth + 1, parts);
            }
        }
        Value::Array(items) if depth < DEPTH && !items.is_empty() => {
            for (at, value) in items.iter().enumerate() {
                take_apart(below(&at.to_string()), value, depth + 1, parts);
            }
        }
        Value::Null => parts.push((name, "null".to_owned())),
        Value::String(text) => parts.push((name, text.clone())),
        // By the browser, which writes numbers already.
        other => parts.push((name, browser_kit::json::write(other).unwrap_or_default())),
    }
}
