//! The checkout for Yew pages: in an open shadow root with its style sheet.

use crate::browser::activation::when_shown;
use crate::browser::page_language::{self, LanguageWatch};
use crate::checkout::{Checkout, CheckoutProps};
use crate::texts::compiled;
use browser_kit::texts::Locale;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, ShadowRoot, ShadowRootInit, ShadowRootMode};
use yew::{
    AttrValue, Html, component, create_portal, html, use_effect_with, use_mut_ref, use_node_ref,
    use_state, use_state_eq,
};

#[wasm_bindgen]
extern "C" {
    /// A style sheet made by a script, which every content security policy allows.
    #[wasm_bindgen(js_name = CSSStyleSheet)]
    type Sheet;

    #[wasm_bindgen(constructor, catch, js_class = "CSSStyleSheet")]
    fn new() -> Result<Sheet, JsValue>;

    #[wasm_bindgen(method, catch, js_name = replaceSync)]
    fn replace(this: &Sheet, css: &str) -> Result<(), JsValue>;

    /// The style sheets of a shadow root.
    type Styled;

    #[wasm_bindgen(method, setter, js_name = adoptedStyleSheets)]
    fn adopt(this: &Styled, sheets: &js_sys::Array);
}

/// A checkout that a Yew page puts anywhere: in an open shadow root, so that neither the page's style nor its ids meet
/// those of the checkout. The custom properties `--checkout-*` theme it from outside, as they do the custom element.
///
/// ```no_run
/// use payment_checkout::{CheckoutCard, OrderRequest};
/// use yew::{Html, component, html};
///
/// #[component]
/// fn Pay() -> Html {
///     html! {
///         <CheckoutCard base_url="/api" request={OrderRequest::order("1001")} merchant_name="Your shop">
///             <p slot="paid">{ "Your invoice is on its way." }</p>
///         </CheckoutCard>
///     }
/// }
/// ```
#[component]
pub fn CheckoutCard(props: &CheckoutProps) -> Html {
    let host = use_node_ref();
    let stage = use_state(|| None::<Element>);
    let language = use_state_eq(String::new);
    let last = use_mut_ref(|| None::<Locale>);
    use_effect_with((), {
        let (host, stage, language) = (host.clone(), stage.clone(), language.clone());
        move |()| {
            let watch = host.cast::<Element>().map(|host| {
                language.set(page_language::around(&host));
                let begins = when_shown({
                    let host = host.clone();
                    move || stage.set(stage_in(&host))
                });
                let watch = LanguageWatch::around(&host.clone(), move || {
                    language.set(page_language::around(&host));
                });
                (begins, watch)
            });
            move || drop(watch)
        }
    });
    // A language that is unknown changes nothing.
    let known = Locale::known(&language).and_then(compiled);
    let known = known.or(*last.borrow());
    *last.borrow_mut() = known;
    let chosen = props.locale.and_then(compiled).or(known);
    let locale = chosen.or_else(|| compiled(props.fallback_locale));
    let checkout = stage.as_ref().map(|stage| {
        let page_language = Some(AttrValue::from((*language).clone()));
        let props = CheckoutProps {
            locale: locale.or_else(|| Some(Locale::default())),
            page_language: props.page_language.clone().or(page_language),
            children: Html::default(),
            ..props.clone()
        };
        create_portal(html! { <Checkout ..props /> }, stage.clone())
    });
    html! {
        <div ref={host} class={props.class.clone()}>
            // Without the shadow root the browser would show what is only for some screens.
            if stage.is_some() {
                { props.children.clone() }
            }
            { for checkout }
        </div>
    }
}

/// Makes an empty element in a new shadow root of `host`. `None` in a browser without shadow roots, which cannot
/// run the checkout either.
fn stage_in(host: &Element) -> Option<Element> {
    let root = host.attach_shadow(&ShadowRootInit::new(ShadowRootMode::Open));
    let root: ShadowRoot = root.ok()?;
    let document = root.owner_document()?;
    if dress(&root).is_err() {
        // The content security policy of the page may refuse this; then the checkout works without its style.
        let style = document.create_element("style").ok()?;
        style.set_text_content(Some(CSS));
        root.append_child(&style).ok()?;
    }
    let stage = document.create_element("div").ok()?;
    root.append_child(&stage).ok()?;
    Some(stage)
}

/// Lets a root adopt the style sheet, in browsers with constructable style sheets.
fn dress(root: &ShadowRoot) -> Result<(), JsValue> {
    if !js_sys::Reflect::has(root, &"adoptedStyleSheets".into())? {
        return Err(JsValue::UNDEFINED);
    }
    let sheet = Sheet::new()?;
    sheet.replace(CSS)?;
    root.unchecked_ref::<Styled>()
        .adopt(&js_sys::Array::of1(&sheet));
    Ok(())
}

/// The style sheet of the custom element.
const CSS: &str = include_str!("../www/checkout-element/style.css");

#[cfg(test)]
mod tests {
    use super::CSS;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn the_style_is_all_of_it() {
        assert!(CSS.starts_with(":host {"), "{CSS:.40}");
        assert!(CSS.ends_with("}\n"));
        assert!(CSS.contains("@keyframes turn"));
    }
}
