use super::view_context::ViewContext;
use crate::texts::{SpokenText, Text};
use browser_kit::texts::{Clock, sanitized};
use payment_model::{DateObject, ProcessorResponse, Timestamp, Transaction};
use yew::{Html, html};

/// A fact of a payment, in a list of them: its name and its value.
pub(super) struct Fact {
    label: SpokenText,
    value: SpokenText,
    /// The value as it is drawn.
    drawn: Html,
    part: Option<&'static str>,
}

impl Fact {
    pub(super) fn new(context: &ViewContext<'_>, label: Text, value: SpokenText) -> Self {
        Self {
            label: context.text(label),
            drawn: Html::from(&value),
            value,
            part: None,
        }
    }

    /// The same with a value that is drawn in another way, and a part for style sheets.
    pub(super) fn drawn(self, drawn: Html, part: &'static str) -> Self {
        Self {
            drawn,
            part: Some(part),
            ..self
        }
    }

    /// A value of somebody else's, if there is one.
    fn told(context: &ViewContext<'_>, label: Text, value: Option<&String>) -> Option<Self> {
        let value = value.map(|value| sanitized(value)).unwrap_or_default();
        (!value.is_empty()).then(|| Self::new(context, label, SpokenText::from(value)))
    }

    /// The name and the value with a tab between them.
    pub(super) fn line(&self) -> String {
        format!("{}\t{}", &*self.label, &*self.value)
    }
}

/// Facts below each other.
pub(super) fn list(facts: &[Fact], part: Option<&'static str>) -> Html {
    let row = |fact: &Fact| {
        html! {
            <div class="fact">
                <dt class="muted">{ &fact.label }</dt>
                <dd part={fact.part}>{ fact.drawn.clone() }</dd>
            </div>
        }
    };
    html! {
        if !facts.is_empty() {
            <dl {part}>{ for facts.iter().map(row) }</dl>
        }
    }
}

/// The facts that the processor told.
pub(super) fn of_processor(context: &ViewContext<'_>, transaction: &Transaction) -> Vec<Fact> {
    let (account, reference) = match &transaction.processor_response {
        Some(ProcessorResponse::BankTransfer(response)) => {
            let request = response.request_id.as_ref();
            let reference = response.operation_id.as_ref().or(request);
            (response.origin_account.as_ref(), reference)
        }
        Some(ProcessorResponse::CashCode(response)) => (None, response.operation_number.as_ref()),
        Some(ProcessorResponse::Installment(response)) => (None, response.operation_id.as_ref()),
        _ => (None, None),
    };
    let account = Fact::told(context, Text::Account, account);
    let reference = Fact::told(context, Text::Reference, reference);
    account.into_iter().chain(reference).collect()
}

/// When it was paid in cash, as the agent told it: a date in the form that the service has for dates in the payer's
/// own time, any other as it came.
pub(super) fn paid_in_cash(
    context: &ViewContext<'_>,
    label: Text,
    transaction: &Transaction,
) -> Option<Fact> {
    let Some(ProcessorResponse::CashCode(response)) = &transaction.processor_response else {
        return None;
    };
    let date = response.payment_date.as_ref()?;
    let object = DateObject {
        utc_time: Some(date.clone()),
        unix_time: None,
    };
    match object.timestamp() {
        Some(at) => on(context, label, at),
        None => Fact::told(context, label, Some(date)),
    }
}

/// The date and time of a payment in words. `None` when the browser cannot say it.
pub(super) fn on(context: &ViewContext<'_>, label: Text, at: Timestamp) -> Option<Fact> {
    let said = context.inputs.texts.instant(at, Clock::Words)?;
    Some(Fact::new(context, label, SpokenText::from(said)))
}
