use super::actions::no_refund;
use super::failure::{detail, says, show_failure};
use super::modal::{currency, done, modal};
use super::view_context::{Input, ViewContext, paragraph};
use super::{amount_text, refunds};
use crate::staff_state::refund_form::{Line, LineWrong, RefundForm, Step, refused};
use crate::staff_state::{Event, Failure, FailureKind, Field, Press};
use crate::texts::Text;
use browser_kit::texts::{grouped, sanitized};
use browser_kit::written_number;
use payment_model::Cents;
use staff_model::{AttemptState, RefundRefusalReason, StaffRefundResponse};
use yew::{AttrValue, Callback, Html, html};

pub(super) fn dialog(context: &ViewContext<'_>, form: &RefundForm) -> Html {
    let (heading, step, body) = match &form.step {
        Step::Editing(failure) => (
            heading(context, form),
            "edit",
            edit(context, form, failure.as_ref()),
        ),
        Step::Confirming(failure) => (
            context.text(Text::RefundConfirmHeading),
            "confirm",
            confirm(context, form, false, failure.as_ref(), false),
        ),
        Step::Sending => (
            context.text(Text::RefundConfirmHeading),
            "confirm",
            confirm(context, form, true, None, false),
        ),
        Step::Unsure(failure) => (
            context.text(Text::RefundUnsureHeading),
            "unsure",
            confirm(context, form, false, Some(failure), true),
        ),
        Step::Done(response) => (
            context.text(Text::RefundDoneHeading),
            "done",
            results(context, form, response),
        ),
    };
    modal(context, heading, step, body)
}

/// Who gets the money, where it is one payment.
fn heading(context: &ViewContext<'_>, form: &RefundForm) -> AttrValue {
    match form.lines.as_slice() {
        [line] => context.give_back_to(&line.row),
        _ => context.text(Text::RefundHeading),
    }
}

fn edit(context: &ViewContext<'_>, form: &RefundForm, failure: Option<&Failure>) -> Html {
    let limit = context
        .state
        .sign_in
        .session
        .as_ref()
        .and_then(|s| s.refund_limit);
    let several = form.lines.len() > 1;
    let limit = limit.zip(form.lines.first());
    let limit = limit.map(|(limit, line)| context.texts.sum(&line.row.part(limit)));
    html! {
        <form onsubmit={context.submit(Event::DialogPressed(Press::On))}>
            if let Some(failure) = failure {
                { show_failure(context, failure, None) }
            }
            if let Some(limit) = limit {
                { paragraph("muted", &context.fill(Text::RefundLimit, &[("amount", &limit)])) }
            }
            { for form.lines.iter().enumerate().map(|(at, line)| self::line(context, at, line, several)) }
            <div class="actions">
                { context.submitter("primary", Text::RefundReview, false) }
                { context.button("plain", Text::Back, Event::Closed) }
            </div>
        </form>
    }
}

fn line(context: &ViewContext<'_>, at: usize, line: &Line, several: bool) -> Html {
    let row = &line.row;
    let number = grouped(&row.merchant_operation_number);
    let total = context.texts.sum(&row.money());
    let left = line.left.map(|left| context.texts.sum(&row.part(left)));
    let label = context.fill(
        Text::AmountLabel,
        &[("currency", &sanitized(&currency(&row.currency)))],
    );
    let hint = match &left {
        Some(left) => context.fill(Text::RefundLineLeft, &[("left", left), ("total", &total)]),
        None if line.failure.is_some() => AttrValue::default(),
        None => context.text(Text::Loading),
    };
    let name = context.fill(
        Text::RefundLine,
        &[("number", &number), ("order", &sanitized(&row.order_id))],
    );
    let wrong = line
        .wrong
        .as_ref()
        .map(|wrong| wrong_text(context, line, wrong));
    let wrong_id = ["whole-", &at.to_string(), "-wrong"].concat();
    html! {
        <fieldset class="line">
            <legend>{ name }</legend>
            { paragraph("muted", &hint) }
            if let Some(left) = &left {
                { choice(context, at, line, Press::All(at), context.fill(Text::RefundAll, &[("amount", left)])) }
                { choice(context, at, line, Press::Part(at), context.text(Text::RefundPart)) }
            }
            if line.whole {
                if let Some(wrong) = wrong {
                    <p class="wrong" id={wrong_id} role="alert">{ wrong }</p>
                }
            } else {
                { context.input(Input {
                    wrong,
                    prefix: Some(context.texts.symbol(&row.currency)),
                    ..Input::new(Field::Amount(at), label, &line.typed)
                }) }
            }
            if let Some(failure) = line.failure.as_ref() {
                { show_failure(context, failure, None) }
            }
            if several {
                <div class="actions">
                    { context.button("quiet small", Text::RefundDrop, Event::DialogPressed(Press::Drop(at))) }
                </div>
            }
        </fieldset>
    }
}

/// All of it, or a part.
fn choice(
    context: &ViewContext<'_>,
    at: usize,
    line: &Line,
    press: Press,
    label: AttrValue,
) -> Html {
    let send = context.send.clone();
    let changed = Callback::from(move |_: yew::Event| send.emit(Event::DialogPressed(press)));
    html! {
        <label class="tick">
            <input
                type="radio"
                name={["how-much-", &at.to_string()].concat()}
                checked={line.whole == matches!(press, Press::All(_))}
                onchange={changed}
            />
            { " " }{ label }
        </label>
    }
}

fn wrong_text(context: &ViewContext<'_>, line: &Line, wrong: &LineWrong) -> AttrValue {
    let money = |cents: Cents| context.texts.sum(&line.row.part(cents));
    match wrong {
        LineWrong::Amount(problem) => context.text(amount_text(*problem)),
        LineWrong::MoreThanIsLeft(left) => {
            context.fill(Text::WrongMoreThanLeft, &[("amount", &money(*left))])
        }
        LineWrong::OverLimit(limit) => {
            context.fill(Text::WrongOverLimit, &[("amount", &money(*limit))])
        }
        LineWrong::CannotBeRefunded(why) => no_refund(context, why),
        LineWrong::NotLoaded => context.text(Text::WrongNotLoaded),
        LineWrong::Refused(reason) => context.text(match reason {
            RefundRefusalReason::NotSettled => Text::RefusedNotSettled,
            RefundRefusalReason::MethodNotRefundable => Text::RefusedMethod,
            RefundRefusalReason::Amount => Text::WrongAmount,
            RefundRefusalReason::MoreThanIsLeft => Text::RefusedMoreThanLeft,
            RefundRefusalReason::NotTheWhole => Text::RefusedNotTheWhole,
            RefundRefusalReason::Type | RefundRefusalReason::Unknown => Text::RefusedUnknown,
            RefundRefusalReason::OverLimit => Text::RefusedOverLimit,
            RefundRefusalReason::BeingReversed => Text::RefusedBeingReversed,
            RefundRefusalReason::NotFound => return context.texts.failure(FailureKind::NotFound),
            RefundRefusalReason::Restored => Text::RefusedRestored,
            RefundRefusalReason::Twice => Text::RefusedTwice,
        }),
    }
}

/// Amounts and operations once more, before money moves.
fn confirm(
    context: &ViewContext<'_>,
    form: &RefundForm,
    sending: bool,
    failure: Option<&Failure>,
    unsure: bool,
) -> Html {
    let lines = form.lines.iter().filter_map(|line| {
        let cents = line.cents().ok()?;
        let amount = context.texts.sum(&line.row.part(cents));
        let number = grouped(&line.row.merchant_operation_number);
        let kind = refunds::kind(context, &line.kind(cents));
        Some(html! {
            <li>
                <strong translate="no">{ amount }</strong>{ " · " }{ kind }{ " · " }
                { context.fill(Text::RefundLine, &[("number", &number), ("order", &sanitized(&line.row.order_id))]) }
            </li>
        })
    });
    html! {
        <form onsubmit={context.submit(Event::DialogPressed(Press::On))} aria-busy={sending.to_string()}>
            { paragraph("lead", &context.text(if unsure { Text::RefundUnsureLead } else { Text::RefundConfirmLead })) }
            <ul class="review">{ for lines }</ul>
            if let Some(failure) = failure {
                { show_failure(context, failure, None) }
            }
            <div class="actions">
                { context.submitter("primary", match (sending, unsure) {
                    (true, _) => Text::Sending,
                    (false, true) => Text::TryAgain,
                    (false, false) => Text::RefundYes,
                }, sending) }
                if unsure {
                    { context.button("plain", Text::Close, Event::Closed) }
                } else if !sending {
                    { context.button("plain", Text::RefundEdit, Event::DialogPressed(Press::Edit)) }
                }
            </div>
        </form>
    }
}

/// Shows the result of each refund.
fn results(context: &ViewContext<'_>, form: &RefundForm, response: &StaffRefundResponse) -> Html {
    let any_refused = !refused(&response.results).is_empty();
    let results = response.results.iter().enumerate().map(|(at, result)| {
        let attempt = &result.attempt;
        let line = form.lines.get(at);
        let amount = line.map(|line| context.texts.sum(&line.row.part(attempt.amount)));
        html! {
            <li>
                <p>
                    <strong translate="no">{ amount.unwrap_or_default() }</strong>
                    { " · " }{ written_number::number(&result.merchant_operation_number) }{ " · " }
                    <span class={["state ", refunds::attempt_class(attempt.state)].concat()}>
                        { refunds::attempt_state(context, attempt.state) }
                    </span>
                </p>
                { refunds::messages(context, attempt) }
                { detail(&attempt.detail) }
                if attempt.state == AttemptState::InDoubt {
                    { context.paragraph("", Text::AttemptInDoubtNote) }
                }
            </li>
        }
    });
    html! {
        <>
            <ul class="review">{ for results }</ul>
            { says(context, &response.meta) }
            { context.paragraph("muted", Text::RefundDoneLead) }
            if any_refused {
                <div class="actions">
                    { context.button("plain", Text::RefundCorrect, Event::DialogPressed(Press::Correct)) }
                </div>
            }
            { done(context) }
        </>
    }
}
