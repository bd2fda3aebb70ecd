use super::PartEvent;
use super::operation_number::copy_button;
use super::save_and_share::{SaveAndShare, lines, print_button};
use super::view_context::ViewContext;
use crate::texts::{MethodTexts, SpokenText, Text};
use browser_kit::texts::{Clock, grouped, sanitized};
use checkout_flow::End;
use payment_model::{
    DateObject, PaymentMethodName, ProcessorResponse, Timestamp, Transaction, percent_encoded,
};
use yew::{Html, html};

/// What was paid, in rows that the payer can save. It repeats the amount and the order, which are above the
/// heading on other screens.
pub(super) fn receipt(context: &ViewContext<'_>, end: &End<'_>) -> Html {
    let facts = facts(context, end);
    html! {
        <>
            { fact_list(&facts, Some("receipt")) }
            { keep(context, &facts) }
        </>
    }
}

fn facts(context: &ViewContext<'_>, end: &End<'_>) -> Vec<Fact> {
    let transaction = end.transaction;
    let fact = |label, value: SpokenText| Fact::new(context, label, value);
    let amount = Some(&context.amount).filter(|amount| !amount.is_empty());
    let amount = amount.map(|amount| {
        let drawn = Html::from(amount);
        fact(Text::BillAmount, amount.clone()).drawn(drawn, "amount")
    });
    let page = context.inputs.texts.page();
    let merchant = context.merchant().map(|name| {
        let name = SpokenText::new(name.clone(), None, page.cloned());
        let drawn = Html::from(&name);
        fact(Text::ReceiptPayee, name).drawn(drawn, "merchant")
    });
    let date = paid_at(transaction).and_then(|at| paid_on(context, Text::ReceiptDate, at));
    let date = date.or_else(|| paid_in_cash(context, Text::ReceiptDate, transaction));
    let method = method(context, &transaction.payment_method.method_name);
    let method = method.map(|method| fact(Text::ReceiptMethod, method));
    let order = context.order().zip(context.order_line());
    let order = order.map(|(order, drawn)| fact(Text::ReceiptOrder, order).drawn(drawn, "order"));
    let number = context.number().map(|number| {
        let copy = copy_button(context, number, Text::NumberCopy, Text::NumberCopyLabel);
        let number = SpokenText::from(grouped(number));
        fact(Text::NumberLabel, number).drawn(copy, "operation")
    });
    [amount, merchant, date, method, order]
        .into_iter()
        .flatten()
        .chain(processor_facts(context, transaction))
        .chain(number)
        .collect()
}

/// When the payment service received the payment, by its own clock.
fn paid_at(transaction: &Transaction) -> Option<Timestamp> {
    let mut states = transaction.lifecycle.iter();
    states.find(|entry| entry.state.is_paid())?.date.timestamp()
}

/// The name of a method; an unknown one as the service wrote it.
fn method(context: &ViewContext<'_>, method: &PaymentMethodName) -> Option<SpokenText> {
    if let Some(text) = MethodTexts::of(method.as_str()).receipt {
        return Some(context.text(text));
    }
    let name = sanitized(method.as_str());
    (!name.is_empty()).then(|| SpokenText::from(name))
}

/// Lets the payer save the receipt. The link saves the rows as text; the custom element replaces that by a
/// picture.
fn keep(context: &ViewContext<'_>, facts: &[Fact]) -> Html {
    let number = context.number().unwrap_or("receipt");
    let rows: Vec<SpokenText> = facts
        .iter()
        .map(|fact| SpokenText::from(fact.line()))
        .collect();
    let title = context.text(Text::ReceiptTitle);
    let above = lines([Some(&title), Some(&context.amount)]);
    // The amount is large above the others.
    let below = lines(
        rows.iter()
            .skip(usize::from(!context.amount.is_empty()))
            .map(Some),
    );
    let text = percent_encoded(&format!("{above}\n{below}\n"));
    html! {
        <SaveAndShare
            key={number}
            class="keep receipt"
            href={format!("data:text/plain;charset=utf-8,{}", text)}
            file={format!("{number}.txt")}
            {above}
            {below}
            save={context.text(Text::ReceiptSave)}
            share={context.inputs.props.shares.then(|| context.text(Text::ReceiptShare))}
            done={context.text(Text::ReceiptSaved)}
            event={PartEvent::ReceiptSaved}
            on_save={context.inputs.on_part.clone()}
        >
            { print_button(context, Text::ReceiptPrint) }
        </SaveAndShare>
    }
}

/// A fact of a payment, as a row of a list.
pub(super) struct Fact {
    label: SpokenText,
    value: SpokenText,
    /// The node of the value.
    drawn: Html,
    part: Option<&'static str>,
    /// True for what people compare, which no translator may change.
    is_exact: bool,
}

impl Fact {
    fn new(context: &ViewContext<'_>, label: Text, value: SpokenText) -> Self {
        Self {
            label: context.text(label),
            drawn: Html::from(&value),
            value,
            part: None,
            is_exact: false,
        }
    }

    /// Draws the value by another node, with a part for style sheets.
    fn drawn(self, drawn: Html, part: &'static str) -> Self {
        Self {
            drawn,
            part: Some(part),
            // The number has a button beside it.
            is_exact: part != "operation",
            ..self
        }
    }

    /// A fact with an untrusted value, if there is one.
    fn untrusted(context: &ViewContext<'_>, label: Text, value: Option<&String>) -> Option<Self> {
        let value = value.map(|value| sanitized(value)).unwrap_or_default();
        (!value.is_empty()).then(|| Self {
            is_exact: true,
            ..Self::new(context, label, SpokenText::from(value))
        })
    }

    /// The label and the value, separated by a tab.
    fn line(&self) -> String {
        format!("{}\t{}", &*self.label, &*self.value)
    }
}

/// The facts as a list.
pub(super) fn fact_list(facts: &[Fact], part: Option<&'static str>) -> Html {
    let row = |fact: &Fact| {
        html! {
            <div class="fact">
                <dt class="muted">{ &fact.label }</dt>
                <dd part={fact.part} translate={fact.is_exact.then_some("no")}>{ fact.drawn.clone() }</dd>
            </div>
        }
    };
    html! {
        if !facts.is_empty() {
            <dl {part}>{ for facts.iter().map(row) }</dl>
        }
    }
}

/// The facts in the processor's response.
pub(super) fn processor_facts(context: &ViewContext<'_>, transaction: &Transaction) -> Vec<Fact> {
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
    let account = Fact::untrusted(context, Text::Account, account);
    let reference = Fact::untrusted(context, Text::Reference, reference);
    account.into_iter().chain(reference).collect()
}

/// When it was paid in cash, by the agent's clock. A date in the service's form is shown in the payer's local
/// time, any other text as it is.
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
        Some(at) => paid_on(context, label, at),
        None => Fact::untrusted(context, label, Some(date)),
    }
}

/// The date and time of a payment in words. `None` when the browser cannot format it.
fn paid_on(context: &ViewContext<'_>, label: Text, at: Timestamp) -> Option<Fact> {
    let said = context.inputs.texts.instant(at, Clock::Words)?;
    Some(Fact::new(context, label, SpokenText::from(said)))
}
