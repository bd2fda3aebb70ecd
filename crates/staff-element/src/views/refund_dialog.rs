use super::dialog_frame::{currency, done, modal};
use super::operation::no_refund;
use super::scene::{Input, Scene, paragraph};
use super::trouble::show_trouble;
use super::{amount_text, refunds};
use crate::desk::refund_form::{Line, LineWrong, RefundForm, Step, refused};
use crate::desk::{Event, Field, Press, Trouble};
use crate::texts::Text;
use browser_kit::texts::outside;
use payment_model::Cents;
use staff_model::{AttemptState, RefundRefusalReason, StaffRefundResponse};
use yew::{AttrValue, Html, html};

pub(super) fn dialog(scene: &Scene<'_>, form: &RefundForm) -> Html {
    let (heading, step, body) = match &form.step {
        Step::Editing(trouble) => (
            scene.text(Text::RefundHeading),
            "edit",
            edit(scene, form, trouble.as_ref()),
        ),
        Step::Confirming(trouble) => (
            scene.text(Text::RefundConfirmHeading),
            "confirm",
            confirm(scene, form, false, trouble.as_ref(), false),
        ),
        Step::Sending => (
            scene.text(Text::RefundConfirmHeading),
            "confirm",
            confirm(scene, form, true, None, false),
        ),
        Step::Unsure(trouble) => (
            scene.text(Text::RefundUnsureHeading),
            "unsure",
            confirm(scene, form, false, Some(trouble), true),
        ),
        Step::Done(response) => (
            scene.text(Text::RefundDoneHeading),
            "done",
            results(scene, form, response),
        ),
    };
    modal(scene, heading, step, body)
}

fn edit(scene: &Scene<'_>, form: &RefundForm, trouble: Option<&Trouble>) -> Html {
    let limit = scene
        .desk
        .door
        .session
        .as_ref()
        .and_then(|s| s.refund_limit);
    let several = form.lines.len() > 1;
    let limit = limit.zip(form.lines.first());
    let limit = limit.map(|(limit, line)| scene.texts.sum(&line.row.part(limit)));
    html! {
        <form onsubmit={scene.submit(Event::DialogPressed(Press::On))}>
            if let Some(trouble) = trouble {
                { show_trouble(scene, trouble, None) }
            }
            if let Some(limit) = limit {
                <p class="muted">{ scene.fill(Text::RefundLimit, &[("amount", &limit)]) }</p>
            }
            { for form.lines.iter().enumerate().map(|(at, line)| self::line(scene, at, line, several)) }
            <div class="actions">
                { scene.submitter("primary", Text::RefundReview, false) }
                { scene.button("plain", Text::Back, Event::Closed) }
            </div>
        </form>
    }
}

fn line(scene: &Scene<'_>, at: usize, line: &Line, several: bool) -> Html {
    let row = &line.row;
    let number = outside(&row.merchant_operation_number);
    let total = scene.texts.sum(&row.money());
    let left = line.left.map(|left| scene.texts.sum(&row.part(left)));
    let label = scene.fill(
        Text::AmountLabel,
        &[("currency", &outside(&currency(&row.currency)))],
    );
    let hint = match &left {
        Some(left) => scene.fill(Text::RefundLineLeft, &[("left", left), ("total", &total)]),
        None if line.trouble.is_some() => AttrValue::default(),
        None => scene.text(Text::Loading),
    };
    let name = scene.fill(
        Text::RefundLine,
        &[("number", &number), ("order", &outside(&row.order_id))],
    );
    html! {
        <fieldset class="line">
            <legend>{ name }</legend>
            { scene.input(Input {
                hint: Some(hint),
                wrong: line.wrong.as_ref().map(|wrong| wrong_text(scene, line, wrong)),
                ..Input::new(Field::Amount(at), label, &line.typed)
            }) }
            if let Some(trouble) = line.trouble.as_ref() {
                { show_trouble(scene, trouble, None) }
            }
            <div class="actions">
                if left.is_some() {
                    { scene.button("plain small", Text::RefundAll, Event::DialogPressed(Press::All(at))) }
                }
                if several {
                    { scene.button("quiet small", Text::RefundDrop, Event::DialogPressed(Press::Drop(at))) }
                }
            </div>
        </fieldset>
    }
}

fn wrong_text(scene: &Scene<'_>, line: &Line, wrong: &LineWrong) -> AttrValue {
    let money = |cents: Cents| scene.texts.sum(&line.row.part(cents));
    match wrong {
        LineWrong::Amount(problem) => scene.text(amount_text(*problem)),
        LineWrong::MoreThanIsLeft(left) => {
            scene.fill(Text::WrongMoreThanLeft, &[("amount", &money(*left))])
        }
        LineWrong::OverLimit(limit) => {
            scene.fill(Text::WrongOverLimit, &[("amount", &money(*limit))])
        }
        LineWrong::CannotBeRefunded(why) => no_refund(scene, why),
        LineWrong::NotLoaded => scene.text(Text::WrongNotLoaded),
        LineWrong::Refused(reason) => scene.text(match reason {
            RefundRefusalReason::NotSettled => Text::RefusedNotSettled,
            RefundRefusalReason::MethodNotRefundable => Text::RefusedMethod,
            RefundRefusalReason::Amount => Text::WrongAmount,
            RefundRefusalReason::MoreThanIsLeft => Text::RefusedMoreThanLeft,
            RefundRefusalReason::NotTheWhole => Text::RefusedNotTheWhole,
            RefundRefusalReason::Type | RefundRefusalReason::Unknown => Text::RefusedUnknown,
            RefundRefusalReason::OverLimit => Text::RefusedOverLimit,
            RefundRefusalReason::BeingReversed => Text::RefusedBeingReversed,
            RefundRefusalReason::NotFound => Text::TroubleNotFound,
            RefundRefusalReason::Twice => Text::RefusedTwice,
        }),
    }
}

/// Amounts and operations once more, before money moves.
fn confirm(
    scene: &Scene<'_>,
    form: &RefundForm,
    sending: bool,
    trouble: Option<&Trouble>,
    unsure: bool,
) -> Html {
    let lines = form.lines.iter().filter_map(|line| {
        let cents = line.cents().ok()?;
        let amount = scene.texts.sum(&line.row.part(cents));
        let number = outside(&line.row.merchant_operation_number);
        let kind = refunds::kind(scene, &line.kind(cents));
        Some(html! {
            <li>
                <strong>{ amount }</strong>{ " · " }{ kind }{ " · " }
                { scene.fill(Text::RefundLine, &[("number", &number), ("order", &outside(&line.row.order_id))]) }
            </li>
        })
    });
    html! {
        <form onsubmit={scene.submit(Event::DialogPressed(Press::On))} aria-busy={sending.to_string()}>
            { paragraph("lead", &scene.text(if unsure { Text::RefundUnsureLead } else { Text::RefundConfirmLead })) }
            <ul class="review">{ for lines }</ul>
            if let Some(trouble) = trouble {
                { show_trouble(scene, trouble, None) }
            }
            <div class="actions">
                { scene.submitter("primary", match (sending, unsure) {
                    (true, _) => Text::Sending,
                    (false, true) => Text::TryAgain,
                    (false, false) => Text::RefundYes,
                }, sending) }
                if unsure {
                    { scene.button("plain", Text::Close, Event::Closed) }
                } else if !sending {
                    { scene.button("plain", Text::RefundEdit, Event::DialogPressed(Press::Edit)) }
                }
            </div>
        </form>
    }
}

/// Shows the result of each refund.
fn results(scene: &Scene<'_>, form: &RefundForm, response: &StaffRefundResponse) -> Html {
    let message = scene.texts.message(&response.meta);
    let any_refused = !refused(&response.results).is_empty();
    let results = response.results.iter().enumerate().map(|(at, result)| {
        let attempt = &result.attempt;
        let line = form.lines.get(at);
        let amount = line.map(|line| scene.texts.sum(&line.row.part(attempt.amount)));
        let detail = outside(&attempt.detail);
        html! {
            <li>
                <p>
                    <strong>{ amount.unwrap_or_default() }</strong>
                    { " · " }{ outside(&result.merchant_operation_number) }{ " · " }
                    <span class={["state ", refunds::attempt_class(attempt.state)].concat()}>
                        { refunds::attempt_state(scene, attempt.state) }
                    </span>
                </p>
                { refunds::messages(scene, attempt) }
                if !detail.is_empty() {
                    <p class="muted" lang="en">{ detail }</p>
                }
                if attempt.state == AttemptState::InDoubt {
                    { paragraph("", &scene.text(Text::AttemptInDoubtNote)) }
                }
            </li>
        }
    });
    html! {
        <>
            <ul class="review">{ for results }</ul>
            if let Some(message) = message {
                <p>{ scene.fill(Text::ServiceSays, &[("message", &message)]) }</p>
            }
            { paragraph("muted", &scene.text(Text::RefundDoneLead)) }
            if any_refused {
                <div class="actions">
                    { scene.button("plain", Text::RefundCorrect, Event::DialogPressed(Press::Correct)) }
                </div>
            }
            { done(scene) }
        </>
    }
}
