//! The browser's own formatting.

use js_sys::{Array, Function, Object, Reflect, global};
use payment_model::Timestamp;
use std::cell::RefCell;
use wasm_bindgen::{JsCast, JsValue};

/// One of the browser's formatters, which are slow to make and quick to use.
#[derive(Clone)]
pub(super) struct Formatter(Function);

thread_local! {
    /// The formatters of this page, each made once, by what was asked for. A page asks for a few.
    static MADE: RefCell<Vec<(String, Option<Formatter>)>> = const { RefCell::new(Vec::new()) };
}

impl Formatter {
    /// The `format` of `new Intl[kind](locale, options)`. `None` when the browser throws: older
    /// ones do not know every option, and no text is worth a dead page.
    pub(super) fn new(kind: &str, locale: &str, options: &[(&str, &str)]) -> Option<Self> {
        let mut words = vec![kind, locale];
        words.extend(options.iter().flat_map(|(name, option)| [*name, *option]));
        let asked = words.join(" ");
        MADE.with_borrow_mut(|made| {
            if let Some((_, known)) = made.iter().find(|(name, _)| *name == asked) {
                return known.clone();
            }
            let new = Self::make(kind, locale, options);
            made.push((asked, new.clone()));
            new
        })
    }

    fn make(kind: &str, locale: &str, options: &[(&str, &str)]) -> Option<Self> {
        if cfg!(not(target_family = "wasm")) {
            // A program that draws the views outside of a browser gets them without formats.
            return None;
        }
        let given = Object::new();
        for (name, option) in options {
            Reflect::set(&given, &JsValue::from_str(name), &JsValue::from_str(option)).ok()?;
        }
        let get = |from: &JsValue, name: &str| Reflect::get(from, &JsValue::from_str(name)).ok();
        let intl = get(&global(), "Intl")?;
        let class = get(&intl, kind)?.dyn_into::<Function>().ok()?;
        let format =
            Reflect::construct(&class, &Array::of2(&JsValue::from_str(locale), &given)).ok()?;
        // The getter binds it to its formatter.
        get(&format, "format")?.dyn_into().ok().map(Self)
    }

    /// Formats a value.
    pub(super) fn format(&self, value: &JsValue) -> Option<String> {
        self.0.call1(&JsValue::UNDEFINED, value).ok()?.as_string()
    }
}

/// Formats one value.
pub(super) fn format(
    kind: &str,
    locale: &str,
    options: &[(&str, &str)],
    value: impl Into<JsValue>,
) -> Option<String> {
    Formatter::new(kind, locale, options)?.format(&value.into())
}

/// An instant as JavaScript has it: milliseconds since 1970.
pub(super) fn number(at: Timestamp) -> f64 {
    // Whole milliseconds of any real date are exact in a JavaScript number.
    #[allow(clippy::cast_precision_loss, reason = "dates stay far below 2^53")]
    let number = at.as_millis() as f64;
    number
}
