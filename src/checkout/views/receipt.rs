use super::PartEvent;
use super::copy_button::copy_button;
use super::fact::{self, Fact};
use super::print_button::print_button;
use super::save_and_share::{SaveAndShare, lines};
use super::view_context::ViewContext;
use crate::texts::{SpokenText, Text};
use browser_kit::texts::{grouped, sanitized};
use checkout_flow::End;
use js_sys::encode_uri_component;
use payment_model::{PaymentMethodName, Timestamp, Transaction};
use yew::{Html, html};

/// What was paid, in rows that the payer can keep. It has what the bill of other screens has.
pub(super) fn receipt(context: &ViewContext<'_>, end: &End<'_>) -> Html {
    let facts = facts(context, end);
    html! {
        <>
            { fact::list(&facts, Some("receipt")) }
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
    let date = paid_at(transaction).and_then(|at| fact::on(context, Text::ReceiptDate, at));
    let date = date.or_else(|| fact::paid_in_cash(context, Text::ReceiptDate, transaction));
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
        .chain(fact::of_processor(context, transaction))
        .chain(number)
        .collect()
}

/// When the payment service had the payment, by its own clock.
fn paid_at(transaction: &Transaction) -> Option<Timestamp> {
    let mut states = transaction.lifecycle.iter();
    states.find(|entry| entry.state.is_paid())?.date.timestamp()
}

/// A method by its name alone; one that nobody knows as it came.
fn method(context: &ViewContext<'_>, method: &PaymentMethodName) -> Option<SpokenText> {
    Some(context.text(match method {
        PaymentMethodName::Qr => Text::ReceiptQr,
        PaymentMethodName::Installment => Text::ReceiptInstallment,
        PaymentMethodName::CashCode => Text::ReceiptCashCode,
        PaymentMethodName::BankTransfer => Text::ReceiptBankTransfer,
        PaymentMethodName::Card => Text::ReceiptCard,
        PaymentMethodName::Wallet => Text::ReceiptWallet,
        PaymentMethodName::Unknown(name) => {
            let name = sanitized(name);
            return (!name.is_empty()).then(|| SpokenText::from(name));
        }
    }))
}

/// Lets the payer keep the receipt. By itself the link saves the rows as text; the custom element makes it save a
/// picture of them.
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
    let text = encode_uri_component(&format!("{above}\n{below}\n"));
    html! {
        <SaveAndShare
            key={number}
            class="keep receipt"
            href={format!("data:text/plain;charset=utf-8,{}", String::from(text))}
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
