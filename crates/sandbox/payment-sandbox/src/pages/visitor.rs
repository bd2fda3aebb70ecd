use super::language::{Language, with};
use crate::Sandbox;
use axum::extract::{FromRequestParts, Query};
use axum::http::Uri;
use axum::http::request::Parts;
use serde::Deserialize;
use std::convert::Infallible;
use std::net::IpAddr;

/// The visitor of the wallet or of the agent: the language, and the shop's page from `?back=`.
pub(super) struct Visitor {
    pub(super) language: Language,
    /// The address of the shop's page. It is used only for a link, never for a redirect.
    pub(super) shop: Option<String>,
}

#[derive(Deserialize)]
struct BackQuery {
    back: Option<String>,
}

impl FromRequestParts<Sandbox> for Visitor {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, sandbox: &Sandbox) -> Result<Self, Infallible> {
        let language = Language::from_request_parts(parts, sandbox).await?;
        let said = Query::<BackQuery>::try_from_uri(&parts.uri).ok();
        let shop = said
            .and_then(|query| query.0.back)
            .filter(|address| is_near(address, sandbox.public_url()));
        Ok(Self { language, shop })
    }
}

impl Visitor {
    /// Adds the language and `back` to a path of the sandbox.
    pub(super) fn path(&self, path: &str) -> String {
        self.language.path(&self.keep(path))
    }

    /// Adds only `back` to a path of the sandbox.
    pub(super) fn keep(&self, path: &str) -> String {
        match &self.shop {
            Some(shop) => with(path, "back", shop),
            None => path.to_owned(),
        }
    }
}

/// True for an address on this machine or on the sandbox's public host. Links to other hosts would let anybody
/// use the sandbox's address for phishing.
fn is_near(address: &str, own: &str) -> bool {
    let host = |address: &str| {
        let address = address.parse::<Uri>().ok()?;
        let web = matches!(address.scheme_str(), Some("http" | "https"));
        // Browsers parse an authority with `@` or `\` differently.
        let plain = !address.authority()?.as_str().contains(['@', '\\']);
        let host = address.host()?.trim_matches(['[', ']']);
        (web && plain).then(|| host.to_ascii_lowercase())
    };
    host(address).is_some_and(|named| {
        let this_machine = named
            .parse::<IpAddr>()
            .map_or(named == "localhost", |ip| ip.is_loopback());
        this_machine || host(own) == Some(named)
    })
}

#[cfg(test)]
mod tests {
    use super::is_near;

    #[test]
    fn a_way_back_leads_to_this_machine_or_to_the_sandboxs_own_host() {
        let own = "http://192.168.1.20:8082";
        for near in [
            "http://127.0.0.1:8080/?order=7",
            "http://localhost:5173/cart",
            "https://[::1]/",
            "http://192.168.1.20:8080/",
        ] {
            assert!(is_near(near, own), "{near}");
        }
        for far in [
            "https://shop.example/",
            "https://127.0.0.1.shop.example/",
            "http://127.0.0.1@shop.example/",
            "http://shop.example\\@127.0.0.1/",
            "javascript:alert(1)",
            "//127.0.0.1/",
            "/phone",
            "",
        ] {
            assert!(!is_near(far, own), "{far}");
        }
    }
}
