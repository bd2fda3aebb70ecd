use super::modal::Modal;
use super::second_factor;
use super::view_context::{Input, ViewContext, paragraph};
use crate::staff_state::{Event, FailureKind, Field};
use crate::texts::Text;
use yew::{Html, html};

/// The sign-in as a page of its own, before the first session.
pub(super) fn page(context: &ViewContext<'_>) -> Html {
    html! {
        <div class="door" part="sign-in">
            <h2 tabindex="-1">{ context.text(Text::SignInHeading) }</h2>
            { form(context) }
        </div>
    }
}

/// The sign-in over the page, when a session ended in the middle of something.
pub(super) fn dialog(context: &ViewContext<'_>) -> Html {
    let lead = context.text(Text::SignInAgainLead);
    html! {
        <Modal
            key="sign-in"
            heading_id="sign-in-heading"
            heading={context.text(Text::SignInAgainHeading)}
            step="sign-in"
            on_close={None}
        >
            { paragraph("lead", &lead) }
            { form(context) }
        </Modal>
    }
}

fn form(context: &ViewContext<'_>) -> Html {
    let sign_in = &context.state.sign_in;
    let sent = &sign_in.form;
    let failure = sent.submission.failure();
    let refused = failure.is_some_and(|failure| failure.kind == FailureKind::SignInRefused);
    html! {
        <form onsubmit={context.submit(Event::SignInPressed)} aria-busy={sent.is_sending().to_string()}>
            { context.input(Input::new(Field::Name, context.text(Text::SignInName), &sign_in.name)) }
            { context.input(Input {
                kind: "password",
                wrong: refused.then(|| context.texts.failure(FailureKind::SignInRefused)),
                ..Input::new(Field::Password, context.text(Text::SignInPassword), &sign_in.password.0)
            }) }
            if sign_in.asks_code {
                { second_factor::field(context, Field::Code, Text::Code, Some(Text::SignInCodeHint), sent) }
            }
            { second_factor::trouble(context, sent) }
            <div class="actions">
                { context.submitter("primary", Text::SignIn, sent.is_off(context.at)) }
            </div>
        </form>
    }
}
