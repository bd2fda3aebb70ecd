use super::scene::{Scene, paragraph};
use crate::desk::{Ask, Event};
use crate::texts::Text;
use browser_kit::texts::outside;
use staff_model::{OperationDetails, OperationRow, Permission, Reversal, ReversalState};
use yew::{Html, html};

/// The requests to cancel or to reverse the operation, with those of unknown result.
pub(super) fn section(scene: &Scene<'_>, details: &OperationDetails) -> Html {
    if details.reversals.is_empty() {
        return Html::default();
    }
    let reversals = details.reversals.iter();
    html! {
        <section>
            <h3>{ scene.text(Text::ReversalsHeading) }</h3>
            <ul class="refunds">
                { for reversals.map(|one| reversal(scene, one, &details.row)) }
            </ul>
        </section>
    }
}

fn reversal(scene: &Scene<'_>, one: &Reversal, row: &OperationRow) -> Html {
    let (text, class) = match one.state {
        ReversalState::Sending => (Text::AttemptSending, "busy"),
        ReversalState::InDoubt => (Text::AttemptInDoubt, "odd"),
        ReversalState::Done => (Text::ReversalDone, "good"),
        ReversalState::NotDone => (Text::ReversalNotDone, "over"),
        ReversalState::Released => (Text::AttemptReleased, "over"),
        ReversalState::Unknown => (Text::StateUnknown, "odd"),
    };
    let detail = outside(&one.detail);
    let released = one.released_by.as_deref().map(outside);
    html! {
        <li class="refund">
            <p>
                <strong>{ scene.texts.sum(&row.part(one.amount)) }</strong>
                { " " }<span class={["state ", class].concat()}>{ scene.text(text) }</span>
                if let Some(staff) = one.staff.as_deref() {
                    { " · " }{ outside(staff) }
                }
                { " · " }{ scene.time(one.at) }
            </p>
            if !detail.is_empty() {
                <p class="muted" lang="en">{ detail }</p>
            }
            if let Some(name) = released {
                <p>{ scene.fill(Text::ReleasedBy, &[("name", &name)]) }</p>
            }
            if one.state == ReversalState::InDoubt {
                { paragraph("", &scene.text(Text::ReversalInDoubtNote)) }
                { release(scene, one) }
            }
        </li>
    }
}

fn release(scene: &Scene<'_>, one: &Reversal) -> Html {
    let session = scene.desk.door.session.as_ref();
    let own = session.is_some_and(|session| Some(&session.name) == one.staff.as_ref());
    let off = if !scene.desk.may(Permission::Cancel) {
        Some(Text::NotPermittedCancel)
    } else if own {
        Some(Text::ReleaseOwn)
    } else {
        None
    };
    let ask = Event::Asked(Ask::ReleaseReversal(Box::new(one.clone())));
    scene.button_unless_of(
        &one.reversal_id,
        "plain small",
        Text::Release,
        ask,
        off.map(|why| scene.text(why)),
    )
}
