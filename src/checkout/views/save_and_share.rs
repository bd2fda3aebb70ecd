use super::PartEvent;
use super::view_context::{Kind, ViewContext, paragraph};
use crate::texts::{SpokenText, Text};
use browser_kit::texts::{Clock, grouped};
use checkout_flow::QrImage;
use yew::{AttrValue, Callback, Children, Component, Context, Html, Properties, html};

/// Lets the payer save the code as a picture, to upload it in an app or to pay later.
///
/// The link saves only the code. The custom element replaces that by a picture with the lines of `above` and
/// `below`, since saved codes stay in photo galleries for long. It also handles a press on *share*.
pub(super) fn save_and_share(context: &ViewContext<'_>, image: &QrImage) -> Html {
    let number = context.number().unwrap_or("qr");
    html! {
        <SaveAndShare
            // A new component for another code, which is not saved yet.
            key={number}
            class="keep"
            href={image.as_str().to_owned()}
            file={format!("{number}.png")}
            above={above(context)}
            below={below(context)}
            save={context.text(Text::QrSave)}
            share={context.inputs.props.shares.then(|| context.text(Text::QrShare))}
            done={context.text(Text::QrSaved)}
            saved={context.inputs.saved}
            event={PartEvent::CodeSaved}
            on_save={context.inputs.on_part.clone()}
        />
    }
}

/// A link that saves a file, and a button that shares it if the page handles that.
#[derive(PartialEq, Properties)]
pub(super) struct SaveAndShareProps {
    pub(super) class: &'static str,
    pub(super) href: AttrValue,
    pub(super) file: AttrValue,
    pub(super) above: AttrValue,
    pub(super) below: AttrValue,
    pub(super) save: SpokenText,
    pub(super) share: Option<SpokenText>,
    pub(super) done: SpokenText,
    #[prop_or_default]
    pub(super) saved: bool,
    /// The event of a press on the link.
    pub(super) event: PartEvent,
    pub(super) on_save: Callback<PartEvent>,
    /// Further buttons.
    #[prop_or_default]
    pub(super) children: Children,
}

#[derive(Default)]
pub(super) struct SaveAndShare {
    saved: bool,
}

impl Component for SaveAndShare {
    type Message = ();
    type Properties = SaveAndShareProps;

    fn create(_: &Context<Self>) -> Self {
        Self::default()
    }

    /// The payer pressed the link.
    fn update(&mut self, ctx: &Context<Self>, (): ()) -> bool {
        self.saved = true;
        let props = ctx.props();
        props.on_save.emit(props.event);
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        html! {
            <div class={props.class}>
                <a
                    class={(props.event == PartEvent::CodeSaved).then_some("save")}
                    part="button save-button"
                    href={&props.href}
                    download={&props.file}
                    data-above={&props.above}
                    data-below={&props.below}
                    onclick={ctx.link().callback(|_| ())}
                >
                    { &props.save }
                </a>
                if let Some(share) = &props.share {
                    <button type="button" data-look="plain" part="button share-button">{ share }</button>
                }
                { for props.children.iter() }
                if self.saved || props.saved {
                    { paragraph(Kind::Checked, &props.done) }
                }
            </div>
        }
    }
}

/// The lines above the code: the merchant and the amount.
fn above(context: &ViewContext<'_>) -> String {
    let merchant = context.merchant().cloned().map(SpokenText::from);
    lines([merchant.as_ref(), Some(&context.amount)])
}

/// The lines below the code: the deadline, the order, and the number for support.
fn below(context: &ViewContext<'_>) -> String {
    let until = context
        .view
        .deadline
        .and_then(|deadline| context.inputs.texts.instant(deadline, Clock::Dated))
        .map(|date| context.fill(Text::DeadlineAt, &[("date", &date)]));
    let number = context
        .number()
        .map(|number| format!("{}: {}", &*context.text(Text::NumberLabel), grouped(number)))
        .map(SpokenText::from);
    lines([until.as_ref(), context.order().as_ref(), number.as_ref()])
}

/// The texts, one on each line.
pub(super) fn lines<'a>(texts: impl IntoIterator<Item = Option<&'a SpokenText>>) -> String {
    let mut lines = String::new();
    for text in texts.into_iter().flatten() {
        if !lines.is_empty() {
            lines.push('\n');
        }
        lines.push_str(text);
    }
    lines
}

/// A button that prints. The custom element hides the rest of the page on paper.
pub(super) fn print_button(context: &ViewContext<'_>, text: Text) -> Html {
    html! {
        <button type="button" data-look="plain" part="button print-button" onclick={|_| print()}>
            { context.text(text) }
        </button>
    }
}

/// Browsers inside apps may not print, and report no error.
fn print() {
    if let Some(window) = web_sys::window() {
        let _ = window.print();
    }
}
