use crate::texts::Mark;
use web_sys::HtmlElement;
use web_sys::wasm_bindgen::JsCast;
use yew::{AttrValue, Component, Context, Html, NodeRef, Properties, html};

/// The frame of every screen. It remembers two things that no single picture of the flow
/// shows: where the focus was before a screen went, and what a screen reader heard last.
pub(super) struct Frame {
    frame: NodeRef,
    said: AttrValue,
    focus: Option<&'static str>,
}

#[derive(Properties)]
pub(super) struct FrameProps {
    /// The language of every word on it.
    pub(super) lang: &'static str,
    /// The screen's name; another one is another screen.
    pub(super) name: &'static str,
    /// True while the payer is asked to confirm the cancellation.
    pub(super) asking: bool,
    /// True when the screen is a confirmed end.
    pub(super) result: bool,
    /// True when the screen is an error.
    pub(super) alarm: bool,
    /// The text that a screen reader says when the screen appears.
    pub(super) said: AttrValue,
    /// How little time is left, and how that is said.
    pub(super) mark: Mark,
    pub(super) mark_said: AttrValue,
    /// The text about a trouble with the connection, and the text for its end.
    pub(super) notice: Option<AttrValue>,
    pub(super) back: AttrValue,
    /// That the payer asked in vain, and when.
    pub(super) checked: Option<AttrValue>,
    /// Tells where a saved code is, once the payer saved it.
    pub(super) saved: Option<AttrValue>,
    pub(super) children: Html,
}

impl PartialEq for FrameProps {
    /// Drawn anew whenever the checkout is: what stands on it hardly ever stays the same.
    fn eq(&self, _: &Self) -> bool {
        false
    }
}

impl Component for Frame {
    type Message = ();
    type Properties = FrameProps;

    fn create(_: &Context<Self>) -> Self {
        Self {
            frame: NodeRef::default(),
            said: AttrValue::default(),
            focus: None,
        }
    }

    /// The old screen still stands when this is called: the last chance to see where the focus
    /// is. It is moved only if it was inside, and only if it would be lost.
    fn changed(&mut self, ctx: &Context<Self>, old: &FrameProps) -> bool {
        let new = ctx.props();
        let another = new.name != old.name;
        if let Some(focused) = self.find(":focus") {
            let wanted = match (old.asking, new.asking) {
                (false, true) => Some("[id='ask.keep']"),
                (true, false) if !another => Some("[id='action.cancel']"),
                _ if another && focused.id() != "heading" => Some("#heading"),
                _ => None,
            };
            // The clock may tick before this is drawn, and must not make it forgotten.
            self.focus = wanted.or(self.focus);
        }
        if another {
            // A heading that takes the focus is read out by that; a result is worth saying twice.
            let heard = new.alarm || (self.focus.is_some() && !new.result);
            self.said = if heard {
                AttrValue::default()
            } else {
                new.said.clone()
            };
        } else if new.notice != old.notice {
            self.said = new.notice.as_ref().unwrap_or(&new.back).clone();
        } else if let Some(checked) = new.checked.as_ref().filter(|_| new.checked != old.checked) {
            self.said = checked.clone();
        } else if let Some(saved) = new.saved.as_ref().filter(|_| old.saved.is_none()) {
            self.said = saved.clone();
        } else if new.mark > old.mark {
            self.said = new.mark_said.clone();
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        html! {
            <section
                class="checkout"
                part="checkout"
                lang={props.lang}
                aria-labelledby="heading"
                ref={&self.frame}
            >
                { props.children.clone() }
                <p class="unseen" role="status">{ &self.said }</p>
                if props.alarm {
                    <p class="unseen" role="alert">{ &props.said }</p>
                }
            </section>
        }
    }

    fn rendered(&mut self, _: &Context<Self>, _: bool) {
        if let Some(element) = self.focus.take().and_then(|selector| self.find(selector)) {
            // An element that cannot take the focus is no reason to stop.
            let _ = element.focus();
        }
    }
}

impl Frame {
    fn find(&self, selector: &str) -> Option<HtmlElement> {
        self.frame
            .cast::<HtmlElement>()?
            .query_selector(selector)
            .ok()??
            .dyn_into()
            .ok()
    }
}
