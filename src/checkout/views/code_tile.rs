use crate::texts::SpokenText;
use yew::{AttrValue, Callback, Component, Context, Event, Html, Properties, html};

#[derive(PartialEq, Properties)]
pub(super) struct CodeTileProps {
    pub(super) source: AttrValue,
    pub(super) alt: SpokenText,
    pub(super) enlarge: SpokenText,
    pub(super) on_broken: Callback<Event>,
}

/// The code. The phone that shows it rarely scans it, so there it is small at first, and a button
/// enlarges it for another phone.
#[derive(Default)]
pub(super) struct CodeTile {
    large: bool,
}

impl Component for CodeTile {
    type Message = ();
    type Properties = CodeTileProps;

    fn create(_: &Context<Self>) -> Self {
        Self::default()
    }

    fn update(&mut self, _: &Context<Self>, (): ()) -> bool {
        self.large = !self.large;
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        html! {
            <div class="code-tile" data-large={self.large.then_some("")}>
                <div class="tile" part="qr">
                    <img
                        src={&props.source}
                        alt={props.alt.heard()}
                        lang={props.alt.lang()}
                        width="320"
                        height="320"
                        onerror={&props.on_broken}
                    />
                </div>
                <button
                    type="button"
                    class="phone enlarge"
                    part="button enlarge-button"
                    aria-pressed={self.large.to_string()}
                    aria-label={props.enlarge.seen()}
                    lang={props.enlarge.lang()}
                    onclick={ctx.link().callback(|_| ())}
                >
                    <svg width="22" height="22" viewBox="0 0 24 24" aria-hidden="true">
                        <path d="M14 4h6v6M20 4l-7 7M10 20H4v-6M4 20l7-7" />
                    </svg>
                </button>
            </div>
        }
    }
}
