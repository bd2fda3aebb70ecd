use crate::staff_state::{Event, Field, StaffState};
use crate::texts::{Text, Texts};
use browser_kit::copy_button::{CopyButton, CopyButtonProps};
use browser_kit::texts::sanitized;
use payment_model::Timestamp;
use staff_model::OperationRow;
use std::rc::Rc;
use yew::{AttrValue, Callback, Html, InputEvent, MouseEvent, SubmitEvent, TargetCast, html};

/// The data that every view draws from, and the texts and controls that they share.
#[derive(Clone, Copy)]
pub(crate) struct ViewContext<'a> {
    pub(crate) state: &'a StaffState,
    pub(crate) texts: &'a Rc<Texts>,
    pub(crate) send: &'a Callback<Event>,
    /// Now.
    pub(crate) at: Timestamp,
    /// The address of the merchant's server.
    pub(crate) base: &'a str,
}

/// One field of a form, before it is drawn.
pub(super) struct Input<'a> {
    pub(super) field: Field,
    pub(super) label: AttrValue,
    pub(super) value: &'a str,
    /// `text`, `password`, `search` or `date`.
    pub(super) kind: &'static str,
    pub(super) hint: Option<AttrValue>,
    pub(super) wrong: Option<AttrValue>,
    pub(super) disabled: bool,
    /// True when the label is for ears, and stands in the empty field for eyes.
    pub(super) bare: bool,
    /// What stands in the field before the value, such as a currency's sign.
    pub(super) prefix: Option<AttrValue>,
}

impl<'a> Input<'a> {
    pub(super) fn new(field: Field, label: AttrValue, value: &'a str) -> Self {
        Self {
            field,
            label,
            value,
            kind: "text",
            hint: None,
            wrong: None,
            disabled: false,
            bare: false,
            prefix: None,
        }
    }
}

impl ViewContext<'_> {
    /// True for the name of the account that is signed in.
    pub(super) fn is_own(&self, name: &str) -> bool {
        let session = self.state.sign_in.session.as_ref();
        session.is_some_and(|session| session.name == name)
    }

    /// Names who gets the money of an operation, if somebody is known.
    pub(super) fn give_back_to(&self, row: &OperationRow) -> AttrValue {
        row.payer.as_ref().map_or_else(
            || self.text(Text::RefundHeading),
            |payer| self.fill(Text::GiveBackTo, &[("name", &sanitized(&payer.name))]),
        )
    }

    pub(super) fn text(&self, text: Text) -> AttrValue {
        self.texts.text(text)
    }

    pub(super) fn fill(&self, text: Text, values: &[(&str, &str)]) -> AttrValue {
        self.texts.fill(text, values)
    }

    pub(super) fn press(&self, event: Event) -> Callback<MouseEvent> {
        let send = self.send.clone();
        Callback::from(move |_| send.emit(event.clone()))
    }

    pub(super) fn submit(&self, event: Event) -> Callback<SubmitEvent> {
        let send = self.send.clone();
        Callback::from(move |submit: SubmitEvent| {
            submit.prevent_default();
            send.emit(event.clone());
        })
    }

    /// A button; its look is `primary`, `plain`, `quiet` or `danger`.
    pub(super) fn button(&self, look: &'static str, text: Text, event: Event) -> Html {
        self.pressed_button(look, self.text(text), None, event)
    }

    /// A button that stays pressed, unless `pressed` is absent, and whose text may be filled in.
    pub(super) fn pressed_button(
        &self,
        look: &'static str,
        text: AttrValue,
        pressed: Option<bool>,
        event: Event,
    ) -> Html {
        button(look, text, pressed, self.press(event))
    }

    /// A button that does something by itself.
    pub(super) fn button_with(
        &self,
        look: &'static str,
        text: Text,
        onclick: Callback<MouseEvent>,
    ) -> Html {
        button(look, self.text(text), None, onclick)
    }

    /// A button that is off while a request runs, or for a reason that stands beside it.
    pub(super) fn button_unless(
        &self,
        look: &'static str,
        text: Text,
        event: Event,
        off: Option<AttrValue>,
    ) -> Html {
        self.button_unless_of("", look, text, event, off)
    }

    /// The same where the page has several of the kind: `of` tells their reasons apart.
    pub(super) fn button_unless_of(
        &self,
        of: &str,
        look: &'static str,
        text: Text,
        event: Event,
        off: Option<AttrValue>,
    ) -> Html {
        // By the number of the text: its name would bring the names of all texts into the download.
        let described = off.as_ref().map(|_| format!("why-{}-{of}", text as usize));
        // Not `disabled`: it stays in the keyboard's order, so that a screen reader reads the
        // reason.
        let press = if off.is_some() {
            Callback::noop()
        } else {
            self.press(event)
        };
        html! {
            <span class="with-reason">
                <button
                    type="button"
                    class={look}
                    part={part(look)}
                    aria-disabled={off.is_some().then_some("true")}
                    aria-describedby={described.clone()}
                    onclick={press}
                >
                    { self.text(text) }
                </button>
                if let Some(why) = off {
                    <span class="muted reason" id={described}>{ why }</span>
                }
            </span>
        }
    }

    /// The button that sends a form.
    pub(super) fn submitter(&self, look: &'static str, text: Text, off: bool) -> Html {
        html! {
            <button type="submit" class={look} part={part(look)} disabled={off}>
                { self.text(text) }
            </button>
        }
    }

    /// A labelled field with its error.
    pub(super) fn input(&self, input: Input<'_>) -> Html {
        let id = field_id(input.field);
        let (hint_id, wrong_id) = ([&id, "-hint"].concat(), [&id, "-wrong"].concat());
        let described: Vec<&str> = [
            input.wrong.as_ref().map(|_| wrong_id.as_str()),
            input.hint.as_ref().map(|_| hint_id.as_str()),
        ]
        .into_iter()
        .flatten()
        .collect();
        let (send, field) = (self.send.clone(), input.field);
        let typed = Callback::from(move |event: InputEvent| {
            let input: web_sys::HtmlInputElement = event.target_unchecked_into();
            send.emit(Event::Typed(field, input.value()));
        });
        let decimal = matches!(
            field,
            Field::Amount(_) | Field::AmountMin | Field::AmountMax
        );
        let autocomplete = match field {
            Field::Name => "username",
            Field::Password => "current-password",
            Field::Code | Field::DialogCode => "one-time-code",
            _ => "off",
        };
        html! {
            <div class="field">
                <label for={id.clone()} class={input.bare.then_some("unseen")}>{ &input.label }</label>
                if let Some(prefix) = &input.prefix {
                    <span class="prefix" aria-hidden="true">{ prefix }</span>
                }
                <input
                    {id}
                    class={input.prefix.is_some().then_some("prefixed")}
                    type={input.kind}
                    value={input.value.to_owned()}
                    oninput={typed}
                    disabled={input.disabled}
                    placeholder={input.bare.then_some(input.label)}
                    inputmode={decimal.then_some("decimal")}
                    {autocomplete}
                    autocapitalize="none"
                    spellcheck="false"
                    maxlength="200"
                    aria-invalid={input.wrong.is_some().then_some("true")}
                    aria-describedby={(!described.is_empty()).then(|| described.join(" "))}
                />
                if let Some(hint) = input.hint {
                    <span class="muted" id={hint_id}>{ hint }</span>
                }
                if let Some(wrong) = input.wrong {
                    // Said at once, since the focus may be in the field already. What is wrong with a code is announced.
                    <span class="wrong" id={wrong_id} role={(autocomplete != "one-time-code").then_some("alert")}>
                        { wrong }
                    </span>
                }
            </div>
        }
    }

    /// A box to tick.
    pub(super) fn tick(&self, field: Field, label: Text, ticked: bool, disabled: bool) -> Html {
        let send = self.send.clone();
        let changed = Callback::from(move |event: yew::Event| {
            let input: web_sys::HtmlInputElement = event.target_unchecked_into();
            let text = if input.checked() { "true" } else { "" };
            send.emit(Event::Typed(field, text.to_owned()));
        });
        html! {
            <label class="tick">
                <input id={field_id(field)} type="checkbox" checked={ticked} onchange={changed} {disabled} />
                { " " }{ self.text(label) }
            </label>
        }
    }

    /// A labelled list to choose from; the first choice may be everything.
    pub(super) fn select(
        &self,
        field: Field,
        label: Text,
        chosen: &str,
        everything: bool,
        choices: &[(String, AttrValue)],
    ) -> Html {
        let id = field_id(field);
        let send = self.send.clone();
        let changed = Callback::from(move |event: yew::Event| {
            let select: web_sys::HtmlSelectElement = event.target_unchecked_into();
            send.emit(Event::Typed(field, select.value()));
        });
        html! {
            <div class="field">
                <label for={id.clone()}>{ self.text(label) }</label>
                <select {id} onchange={changed}>
                    if everything {
                        <option value="" selected={chosen.is_empty()}>{ self.text(Text::FilterAll) }</option>
                    }
                    { for choices.iter().map(|(value, name)| html! {
                        <option value={value.clone()} selected={value == chosen}>{ name }</option>
                    }) }
                </select>
            </div>
        }
    }

    /// A value with a button that copies it.
    pub(super) fn copy(&self, value: &str, name: &AttrValue) -> Html {
        self.copy_button(value.to_owned(), name, false, None)
    }

    /// Such a button alone, for a value that stands elsewhere. The value beside it is only there to be selected.
    pub(super) fn copy_alone(&self, value: String, name: &AttrValue) -> Html {
        self.copy_button(value, name, false, Some(AttrValue::default()))
    }

    /// The number of an operation in the groups that its payer sees, with such a button.
    pub(super) fn copy_number(&self, value: &str, name: &AttrValue) -> Html {
        self.copy_button(value.to_owned(), name, true, None)
    }

    fn copy_button(
        &self,
        value: String,
        name: &AttrValue,
        grouped: bool,
        heard: Option<AttrValue>,
    ) -> Html {
        let props = CopyButtonProps {
            value: AttrValue::from(value),
            grouped,
            label: self.text(Text::Copy),
            name: self.fill(Text::CopyName, &[("name", name)]),
            heard,
            done: self.text(Text::Copied),
            failed: self.text(Text::CopyFailed),
        };
        html! { <CopyButton ..props /> }
    }

    pub(super) fn paragraph(&self, class: &'static str, text: Text) -> Html {
        paragraph(class, &self.text(text))
    }

    pub(super) fn fact(&self, name: Text, value: Html) -> Html {
        fact(&self.text(name), value)
    }

    /// A fact whose value can be copied.
    pub(super) fn copied(&self, name: Text, value: &str) -> Html {
        self.fact(name, self.copy(value, &self.text(name)))
    }

    /// An instant on the merchant's clock, with UTC as an addition.
    pub(super) fn time(&self, at: Timestamp) -> Html {
        html! {
            <time datetime={crate::staff_state::local_day::instant(at)} title={self.texts.universal(at)}>
                { self.texts.local(at) }
            </time>
        }
    }
}

pub(super) fn paragraph(class: &'static str, text: &AttrValue) -> Html {
    html! { <p {class}>{ text }</p> }
}

/// A fact: its name and its value.
pub(super) fn fact(name: &AttrValue, value: Html) -> Html {
    html! { <div class="fact"><dt>{ name }</dt><dd>{ value }</dd></div> }
}

/// The id of a field, within the element's own tree.
pub(crate) fn field_id(field: Field) -> String {
    match field {
        Field::Name => "name".to_owned(),
        Field::Password => "password".to_owned(),
        Field::Code => "code".to_owned(),
        Field::DialogCode => "dialog-code".to_owned(),
        Field::Text => "text".to_owned(),
        Field::State => "state".to_owned(),
        Field::Method => "method".to_owned(),
        Field::MerchantCode => "merchant-code".to_owned(),
        Field::From => "from".to_owned(),
        Field::To => "to".to_owned(),
        Field::AmountMin => "amount-min".to_owned(),
        Field::AmountMax => "amount-max".to_owned(),
        Field::Confirmation => "confirmation".to_owned(),
        Field::Reason => "reason".to_owned(),
        Field::AlreadyMade => "already-made".to_owned(),
        Field::Amount(at) => ["amount-", &at.to_string()].concat(),
        Field::Label => "label".to_owned(),
        Field::Customer => "customer".to_owned(),
        Field::Until => "until".to_owned(),
        Field::Store => "store".to_owned(),
        Field::Language => "language".to_owned(),
    }
}

/// The `::part()` names of a control.
fn part(look: &str) -> &'static str {
    match look {
        "primary" => "button primary-button",
        "danger" => "button danger-button",
        "quiet" | "link" => "button quiet-button",
        _ => "button",
    }
}

fn button(
    look: &'static str,
    text: AttrValue,
    pressed: Option<bool>,
    onclick: Callback<MouseEvent>,
) -> Html {
    html! {
        <button
            type="button"
            class={look}
            part={part(look)}
            aria-pressed={pressed.map(|pressed| pressed.to_string())}
            {onclick}
        >
            { text }
        </button>
    }
}
