//! A developer's own shop, which uses the demo's server: `cargo xtask demo --shop`.

use crate::ports::Ports;
use anyhow::{Result, bail};

/// The address of such a shop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnShop {
    port: u16,
}

impl OwnShop {
    /// Reads an address such as `http://127.0.0.1:8000`.
    ///
    /// # Errors
    /// It is not the beginning of the addresses of a shop on this machine, or the port is one of the demo's.
    pub fn parse(text: &str) -> Result<Self> {
        let example = "give it as in `--shop http://127.0.0.1:8000`";
        let Some((scheme, rest)) = text.split_once("://") else {
            bail!("`{text}` is no address of a shop; {example}");
        };
        if scheme != "http" {
            bail!("the demo and its shops speak http, and `{text}` does not; {example}");
        }
        let authority = rest.strip_suffix('/').unwrap_or(rest);
        if authority.contains(['/', '?', '#', '@']) {
            bail!("`{text}` is more than the beginning of your shop's addresses; {example}");
        }
        let (host, port) = authority.rsplit_once(':').unwrap_or((authority, "80"));
        if host != "127.0.0.1" {
            bail!(
                "the demo's server is at 127.0.0.1, and browsers keep no session there for pages at \
                 `{host}`, which is another site; open your shop at 127.0.0.1, and {example}"
            );
        }
        let Some(port) = port.parse().ok().filter(|port| *port != 0) else {
            bail!("`{port}` is no port; {example}");
        };
        let Ports {
            shop,
            backend,
            sandbox,
            receiver,
        } = Ports::DEMO;
        if [shop, backend, sandbox, receiver].contains(&port) {
            bail!("the demo itself listens on the port {port}; choose another one, and {example}");
        }
        Ok(Self { port })
    }

    /// Its address, as browsers send it in `Origin`.
    pub fn origin(self) -> String {
        match self.port {
            80 => "http://127.0.0.1".to_owned(),
            port => format!("http://127.0.0.1:{port}"),
        }
    }

    /// The address that takes the events of the merchant's server.
    pub fn events(self) -> String {
        self.origin() + "/events"
    }
}

#[cfg(test)]
mod tests {
    use super::OwnShop;

    #[test]
    fn an_address_is_the_origin_of_pages_on_this_machine() {
        for (text, origin) in [
            ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
            ("http://127.0.0.1:8000/", "http://127.0.0.1:8000"),
            ("http://127.0.0.1", "http://127.0.0.1"),
            ("http://127.0.0.1:80", "http://127.0.0.1"),
        ] {
            let shop = OwnShop::parse(text).unwrap();
            assert_eq!(shop.origin(), origin);
            assert_eq!(shop.events(), format!("{origin}/events"));
        }
    }

    #[test]
    fn any_other_address_is_refused_with_its_reason() {
        for (text, reason) in [
            ("127.0.0.1:8000", "no address"),
            ("", "no address"),
            ("https://127.0.0.1:8000", "speak http"),
            ("http://localhost:8000", "another site"),
            ("http://[::1]:8000", "another site"),
            ("http://shop.example", "another site"),
            ("http://127.0.0.1:8000/shop", "more than the beginning"),
            ("http://127.0.0.1:8000?x", "more than the beginning"),
            ("http://ana@127.0.0.1:8000", "more than the beginning"),
            ("http://127.0.0.1:", "no port"),
            ("http://127.0.0.1:0", "no port"),
            ("http://127.0.0.1:80000", "no port"),
            ("http://127.0.0.1:8081", "listens on the port 8081"),
        ] {
            let error = OwnShop::parse(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
            assert!(error.contains("--shop http://127.0.0.1:8000"), "{error}");
        }
    }
}
