//! The checkout as a Yew page embeds it: in an open shadow root of its own, with its style.

use crate::checkout::{Checkout, CheckoutProps};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, ShadowRoot, ShadowRootInit, ShadowRootMode};
use yew::{Html, component, create_portal, html, use_effect_with, use_node_ref, use_state};

#[wasm_bindgen]
extern "C" {
    /// A style sheet that scripts make, which every policy allows.
    #[wasm_bindgen(js_name = CSSStyleSheet)]
    type Sheet;

    #[wasm_bindgen(constructor, catch, js_class = "CSSStyleSheet")]
    fn new() -> Result<Sheet, JsValue>;

    #[wasm_bindgen(method, catch, js_name = replaceSync)]
    fn replace(this: &Sheet, css: &str) -> Result<(), JsValue>;

    /// A shadow root, as far as its style goes.
    type Styled;

    #[wasm_bindgen(method, setter, js_name = adoptedStyleSheets)]
    fn adopt(this: &Styled, sheets: &js_sys::Array);
}

/// A checkout that a Yew page puts anywhere. It is the [`Checkout`] in a shadow root of its own, so that
/// neither the page's style nor its ids meet those of the checkout. The custom properties
/// `--checkout-*` theme it from outside, as they do the custom element.
#[component]
pub fn CheckoutCard(props: &CheckoutProps) -> Html {
    let host = use_node_ref();
    let stage = use_state(|| None::<Element>);
    use_effect_with((), {
        let (host, stage) = (host.clone(), stage.clone());
        move |()| stage.set(host.cast::<Element>().as_ref().and_then(stage_in))
    });
    let checkout = stage.as_ref().map(|stage| {
        let props = props.clone();
        create_portal(html! { <Checkout ..props /> }, stage.clone())
    });
    html! {
        <div ref={host} lang={props.locale.tag()}>{ for checkout }</div>
    }
}

/// An empty element in a new shadow root of `host`; `None` in a browser that has none, where
/// nothing of the checkout would work either.
fn stage_in(host: &Element) -> Option<Element> {
    let root = host.attach_shadow(&ShadowRootInit::new(ShadowRootMode::Open));
    let root: ShadowRoot = root.ok()?;
    let document = root.owner_document()?;
    if dress(&root).is_err() {
        // No browser without sheets of scripts refuses this, unless the page's policy does; then
        // the checkout works without its style.
        let style = document.create_element("style").ok()?;
        style.set_text_content(Some(CSS));
        root.append_child(&style).ok()?;
    }
    let stage = document.create_element("div").ok()?;
    root.append_child(&stage).ok()?;
    Some(stage)
}

/// Lets a root adopt the style sheet, in browsers whose scripts can make one.
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
const CSS: &str = include_str!("../www/element/style.css");

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
