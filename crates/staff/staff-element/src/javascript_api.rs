//! The border to the custom element's JavaScript: everything that crosses it is here.

use super::{StaffElement, StaffElementProps};
use browser_kit::json;
use browser_kit::panic_report;
use browser_kit::texts::Locale;
use serde::Deserialize;
use staff_model::Permission;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsValue, UnwrapThrowExt};
use yew::{AppHandle, AttrValue, Callback};

/// What the element's script passes, once for each change of the attributes.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Options {
    base_url: String,
    locale: String,
    operation: Option<String>,
    permissions: Option<String>,
}

fn props(options: &JsValue, host: &Host) -> StaffElementProps {
    // The element's own script made them, so the page can mend nothing: the element stops, and says so.
    let own: Options = json::read(options.clone())
        .expect_throw("the script passes options that the wasm does not know");
    let (host, opener, noticer) = (host.clone(), host.clone(), host.clone());
    StaffElementProps {
        base_url: AttrValue::from(own.base_url),
        // Staff have no Portuguese, and read Spanish more easily.
        locale: match Locale::of_tag(&own.locale) {
            Locale::En => Locale::En,
            _ => Locale::EsPe,
        },
        permissions: offered(own.permissions.as_deref()),
        operation: own.operation.map(AttrValue::from),
        on_opened: Callback::from(move |opened: Option<(String, String)>| {
            let (code, number) = opened.unzip();
            opener.opened(code, number);
        }),
        on_session: Callback::from(move |begun| {
            host.tell(if begun {
                "operations-signed-in"
            } else {
                "operations-signed-out"
            });
        }),
        on_notice: Callback::from(move |(count, rings)| noticer.notice(count, rings)),
    }
}

/// The permissions that the attribute names. Without the attribute, everything that the account may do; a word of a newer
/// version offers nothing.
fn offered(words: Option<&str>) -> Vec<Permission> {
    words.map_or_else(
        || Permission::ALL.to_vec(),
        |words| {
            let words = words.split_ascii_whitespace();
            words.filter_map(Permission::from_word).collect()
        },
    )
}

#[wasm_bindgen]
extern "C" {
    /// The element, as far as the wasm knows it.
    #[derive(Clone)]
    pub type Host;

    /// Dispatches an event of the element.
    #[wasm_bindgen(method)]
    fn tell(this: &Host, name: &str);

    /// Says which operation is shown; with nothing, that none is.
    #[wasm_bindgen(method)]
    fn opened(this: &Host, merchant_code: Option<String>, number: Option<String>);

    /// Shows a number in the title of the page, unless it is 0, and plays the sound if it rings.
    #[wasm_bindgen(method)]
    fn notice(this: &Host, count: u32, rings: bool);
}

/// The staff's element in the page.
#[wasm_bindgen]
pub struct Mounted {
    app: AppHandle<StaffElement>,
    host: Host,
}

/// Draws it into `root`, an empty element in the shadow root of `host`.
#[wasm_bindgen]
pub fn mount(root: web_sys::Element, host: Host, options: &JsValue) -> Mounted {
    panic_report::throw_places();
    let props = props(options, &host);
    let app = yew::Renderer::<StaffElement>::with_root_and_props(root, props).render();
    Mounted { app, host }
}

#[wasm_bindgen]
impl Mounted {
    /// Takes the options after a change of attributes.
    pub fn update(&mut self, options: &JsValue) {
        self.app.update(props(options, &self.host));
    }

    /// Takes the element out of the page: requests are aborted, timers and listeners go.
    pub fn unmount(self) {
        self.app.destroy();
    }
}

#[cfg(test)]
mod tests {
    use super::offered;
    use staff_model::Permission;

    #[test]
    fn a_word_of_a_newer_page_offers_nothing() {
        assert_eq!(offered(None), Permission::ALL);
        assert_eq!(offered(Some("")), []);
        assert_eq!(offered(Some("ship unknown Link")), []);
        let words = Some(" link\trefund ship");
        assert_eq!(offered(words), [Permission::Link, Permission::Refund]);
    }
}
