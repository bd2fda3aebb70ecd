use yew::{Html, html};

/// The outline of the screen to come, as large as that, so that nothing jumps.
pub(super) fn skeleton() -> Html {
    html! {
        <div class="pay" aria-hidden="true">
            <div class="tile bone" />
            <div class="side"><div class="bone line" /><div class="bone line" /><div class="bone line" /></div>
        </div>
    }
}
