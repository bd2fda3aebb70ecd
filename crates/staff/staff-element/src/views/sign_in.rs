use super::failure::show_failure;
use super::modal::Modal;
use super::view_context::{Input, ViewContext, paragraph};
use crate::staff_state::forms::Submission;
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
    let sending = sign_in.submission == Submission::Sending;
    let blocked = sign_in.blocked_for(context.at);
    let failure = sign_in.submission.failure();
    let refused = failure.is_some_and(|failure| failure.kind == FailureKind::SignInRefused);
    let wait = blocked.map(|left| {
        let seconds = left.as_secs().to_string();
        context.fill(Text::SignInBlocked, &[("seconds", &seconds)])
    });
    html! {
        <form onsubmit={context.submit(Event::SignInPressed)} aria-busy={sending.to_string()}>
            { context.input(Input::new(Field::Name, context.text(Text::SignInName), &sign_in.name)) }
            { context.input(Input {
                kind: "password",
                wrong: refused.then(|| context.texts.failure(FailureKind::SignInRefused)),
                ..Input::new(Field::Password, context.text(Text::SignInPassword), &sign_in.password)
            }) }
            if let Some(wait) = wait {
                <p class="note">{ wait }</p>
            } else if let Some(failure) = failure.filter(|_| !refused) {
                { show_failure(context, failure, None) }
            }
            <div class="actions">
                { context.submitter("primary", Text::SignIn, sending || blocked.is_some()) }
            </div>
        </form>
    }
}
