//! The border to the gallery's JavaScript: everything that crosses it is here.

use super::component::{Drawing, DrawingProps, Language};
use super::screens::{self, GalleryScreen};
use super::unusual_data::UnusualData;
use payment_checkout::CheckoutState;
use payment_checkout::Locale;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;
use yew::AppHandle;

/// The names of all screens, in the order of a payment.
#[wasm_bindgen]
#[must_use]
pub fn screens() -> Vec<String> {
    let names = screens::ALL.iter().map(|screen| screen.name);
    names.map(str::to_owned).collect()
}

/// What the element's property `state` says on each of them, in the same order.
#[wasm_bindgen]
#[must_use]
pub fn states() -> Vec<String> {
    let states = screens::ALL.iter().map(GalleryScreen::state);
    states
        .map(|state| {
            CheckoutState::from(&state.view().screen)
                .as_str()
                .to_owned()
        })
        .collect()
}

/// The names of all unusual data that a screen may have to show; the first is none.
#[wasm_bindgen(js_name = unusualData)]
#[must_use]
pub fn unusual_data() -> Vec<String> {
    let names = UnusualData::ALL.into_iter().map(UnusualData::name);
    names.map(str::to_owned).collect()
}

/// All language tags, plus a pseudo-locale that wraps every text in marks.
#[wasm_bindgen]
#[must_use]
pub fn locales() -> Vec<String> {
    let tags = Locale::ALL.iter().copied().map(Locale::tag);
    tags.chain([Language::PSEUDO]).map(str::to_owned).collect()
}

/// A screen in the page.
#[wasm_bindgen]
pub struct Drawn(AppHandle<Drawing>);

/// Draws a screen into `root`, an empty element in a shadow root.
///
/// # Errors
/// There is no screen, unusual data or language of that name; says which one it is.
#[wasm_bindgen]
pub fn draw(
    root: web_sys::Element,
    screen: &str,
    unusual: &str,
    locale: &str,
) -> Result<Drawn, JsError> {
    let missing = |what: &str, name: &str| JsError::new(&["no ", what, " named ", name].concat());
    let props = DrawingProps {
        screen: GalleryScreen::named(screen).ok_or_else(|| missing("screen", screen))?,
        unusual: UnusualData::named(unusual).ok_or_else(|| missing("unusual data", unusual))?,
        language: Language::named(locale).ok_or_else(|| missing("language", locale))?,
    };
    let app = yew::Renderer::<Drawing>::with_root_and_props(root, props).render();
    Ok(Drawn(app))
}

#[wasm_bindgen]
impl Drawn {
    /// Takes it out of the page.
    pub fn remove(self) {
        self.0.destroy();
    }
}
