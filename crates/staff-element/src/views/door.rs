use super::modal::Modal;
use super::scene::{Input, Scene, paragraph};
use super::trouble::show_trouble;
use crate::desk::forms::Stage;
use crate::desk::{Event, Field, TroubleKind};
use crate::texts::Text;
use yew::{Html, html};

/// The sign-in as a page of its own, before the first session.
pub(super) fn page(scene: &Scene<'_>) -> Html {
    html! {
        <div class="door" part="sign-in">
            <h2 tabindex="-1">{ scene.text(Text::SignInHeading) }</h2>
            { form(scene) }
        </div>
    }
}

/// The sign-in over the page, when a session ended in the middle of something.
pub(super) fn dialog(scene: &Scene<'_>) -> Html {
    let lead = scene.text(Text::SignInAgainLead);
    html! {
        <Modal
            key="sign-in"
            heading_id="sign-in-heading"
            heading={scene.text(Text::SignInAgainHeading)}
            step="sign-in"
            on_close={None}
        >
            { paragraph("lead", &lead) }
            { form(scene) }
        </Modal>
    }
}

fn form(scene: &Scene<'_>) -> Html {
    let door = &scene.desk.door;
    let sending = door.stage == Stage::Sending;
    let blocked = door.blocked_for(scene.at);
    let trouble = door.stage.trouble();
    let refused = trouble.is_some_and(|trouble| trouble.kind == TroubleKind::SignInRefused);
    let wait = blocked
        .map(|seconds| scene.fill(Text::SignInBlocked, &[("seconds", &seconds.to_string())]));
    html! {
        <form onsubmit={scene.submit(Event::SignInPressed)} aria-busy={sending.to_string()}>
            { scene.input(Input::new(Field::Name, scene.text(Text::SignInName), &door.name)) }
            { scene.input(Input {
                kind: "password",
                wrong: refused.then(|| scene.text(Text::TroubleSignInRefused)),
                ..Input::new(Field::Password, scene.text(Text::SignInPassword), &door.password)
            }) }
            if let Some(wait) = wait {
                <p class="note">{ wait }</p>
            } else if let Some(trouble) = trouble.filter(|_| !refused) {
                { show_trouble(scene, trouble, None) }
            }
            <div class="actions">
                { scene.submitter("primary", Text::SignIn, sending || blocked.is_some()) }
            </div>
        </form>
    }
}
