//! The browser's own formatting.

use js_sys::{Array, Function, Object, Reflect, global};
use wasm_bindgen::{JsCast, JsValue};

/// What `new Intl[kind](locale, options).format(value)` says. `None` when the browser throws:
/// older ones do not know every option, and no text is worth a dead page.
pub(super) fn format(
    kind: &str,
    locale: &str,
    options: &[(&str, JsValue)],
    value: &JsValue,
) -> Option<String> {
    let given = Object::new();
    for (name, option) in options {
        Reflect::set(&given, &JsValue::from_str(name), option).ok()?;
    }
    let get = |from: &JsValue, name: &str| Reflect::get(from, &JsValue::from_str(name)).ok();
    let intl = get(&global(), "Intl")?;
    let class = get(&intl, kind)?.dyn_into::<Function>().ok()?;
    let format =
        Reflect::construct(&class, &Array::of2(&JsValue::from_str(locale), &given)).ok()?;
    get(&format, "format")?
        .dyn_into::<Function>()
        .ok()?
        .call1(&JsValue::UNDEFINED, value)
        .ok()?
        .as_string()
}
