use super::view_context::ViewContext;
use crate::texts::Text;
use checkout_flow::Screen;
use payment_model::percent_encoded;
use yew::{Html, html};

/// The placeholder of the operation's number in the merchant's address.
const NUMBER: &str = "{number}";

/// How the address of a page, an email or a phone call begins. Others, such as `javascript:`, may run code.
pub const SAFE_SCHEMES: [&str; 3] = ["https://", "mailto:", "tel:"];

/// The link to the merchant's help, once the payment has begun.
pub(super) fn help(context: &ViewContext<'_>) -> Html {
    let begun = !matches!(
        context.view.screen,
        Screen::Choosing | Screen::AskingToReplace { .. }
    );
    let url = context.inputs.props.help_url.as_ref();
    let url = url.filter(|url| begun && is_safe(url));
    let Some(url) = url else {
        return Html::default();
    };
    let number = percent_encoded(context.number().unwrap_or_default());
    let href = url.replace(NUMBER, &number);
    html! {
        <p class="help">
            <a part="help" {href} target="_blank" rel="noopener noreferrer">
                { context.text(Text::HelpLink) }
            </a>
        </p>
    }
}

fn is_safe(url: &str) -> bool {
    let own_page = url.starts_with('/') && !url.starts_with("//");
    own_page || SAFE_SCHEMES.iter().any(|start| url.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::is_safe;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn only_addresses_that_run_nothing_are_led_to() {
        for url in [
            "https://shop.example/help?n={number}",
            "mailto:a@b.example",
            "tel:+5115550100",
            "/help",
        ] {
            assert!(is_safe(url), "{url}");
        }
        for url in [
            "javascript:alert(1)",
            "data:text/html,x",
            "http://shop.example/",
            "//shop.example/",
            "help",
            "",
        ] {
            assert!(!is_safe(url), "{url}");
        }
    }
}
