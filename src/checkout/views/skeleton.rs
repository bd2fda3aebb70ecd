use super::scene::paragraph;
use yew::{AttrValue, Html, html};

/// The outline of the QR screen, as large as that, so that nothing jumps when the code comes.
/// The words stand where the steps will.
pub(super) fn skeleton(lead: &AttrValue) -> Html {
    html! {
        <>
            <div class="pay">
                <div class="tile bone" />
                <div class="side">
                    { paragraph("lead", lead) }
                    <div class="bone line" />
                    <div class="bone line" />
                </div>
            </div>
            <div class="bone row" />
            <div class="bone row" />
        </>
    }
}
