use super::PartEvent;
use super::view_context::{Kind, ViewContext, paragraph};
use crate::texts::{Text, Words};
use browser_kit::texts::{Clock, grouped};
use checkout_flow::QrImage;
use yew::{AttrValue, Callback, Component, Context, Html, Properties, html};

/// Lets the payer keep the code as a picture, to upload it in an app or to pay later.
///
/// By itself the link saves the bare code. The custom element makes it save a picture with these
/// lines around the code, since saved codes stay in photo galleries for long. It also answers
/// *share*.
pub(super) fn save_and_share(context: &ViewContext<'_>, image: &QrImage) -> Html {
    let number = context.number().unwrap_or("qr");
    html! {
        <SaveAndShare
            // Another code is not saved yet.
            key={number}
            href={image.as_str().to_owned()}
            file={format!("{number}.png")}
            above={above(context)}
            below={below(context)}
            save={context.text(Text::QrSave)}
            share={context.around.shares.then(|| context.text(Text::QrShare))}
            done={context.text(Text::QrSaved)}
            saved={context.around.saved}
            on_save={context.around.on_part.clone()}
        />
    }
}

#[derive(PartialEq, Properties)]
struct SaveAndShareProps {
    href: AttrValue,
    file: AttrValue,
    above: AttrValue,
    below: AttrValue,
    save: Words,
    share: Option<Words>,
    done: Words,
    saved: bool,
    on_save: Callback<PartEvent>,
}

#[derive(Default)]
struct SaveAndShare {
    saved: bool,
}

impl Component for SaveAndShare {
    type Message = ();
    type Properties = SaveAndShareProps;

    fn create(_: &Context<Self>) -> Self {
        Self::default()
    }

    /// The payer asks to save the code.
    fn update(&mut self, ctx: &Context<Self>, (): ()) -> bool {
        self.saved = true;
        ctx.props().on_save.emit(PartEvent::CodeSaved);
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        html! {
            <div class="keep">
                <a
                    class="save"
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
                if self.saved || props.saved {
                    { paragraph(Kind::Checked, &props.done) }
                }
            </div>
        }
    }
}

/// The lines above the code: the merchant and the amount.
fn above(context: &ViewContext<'_>) -> String {
    lines(&[
        context.merchant().cloned().map(Words::from),
        Some(context.amount.clone()),
    ])
}

/// The lines below the code: the deadline, the order, and the number that the payer names to
/// support.
fn below(context: &ViewContext<'_>) -> String {
    let until = context
        .view
        .deadline
        .and_then(|deadline| context.around.texts.instant(deadline, Clock::Dated))
        .map(|date| context.fill(Text::DeadlineAt, &[("date", &date)]));
    let number = context
        .number()
        .map(|number| format!("{}: {}", &*context.text(Text::NumberLabel), grouped(number)))
        .map(Words::from);
    lines(&[until, context.order(), number])
}

fn lines(texts: &[Option<Words>]) -> String {
    let mut lines = String::new();
    for text in texts.iter().flatten() {
        if !lines.is_empty() {
            lines.push('\n');
        }
        lines.push_str(text);
    }
    lines
}
