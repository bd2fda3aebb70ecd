//! Requests to an address that a setting names.

use reqwest::Client;
use reqwest::redirect::Policy;
use rustls::ClientConfig;
use rustls_platform_verifier::ConfigVerifierExt;
use std::time::Duration;
use url::{Host, Url};

/// A client for this address, whose secrets go nowhere else.
///
/// # Errors
/// The system lacks TLS roots or the like; the text says so.
pub(crate) fn client(url: &Url, timeout: Duration) -> Result<Client, String> {
    choose_provider();
    let builder = Client::builder()
        // A redirect would pass on the access token, or the secret, or the event.
        .redirect(Policy::none())
        .timeout(timeout)
        .connect_timeout(timeout);
    // A proxy from the environment only tunnels https; over http it would read everything.
    let builder = if url.scheme() == "https" {
        builder
    } else {
        builder.no_proxy()
    };
    let client = builder.build();
    client.map_err(|error| error.without_url().to_string())
}

/// TLS with the roots that such a client trusts.
///
/// # Errors
/// The system lacks TLS roots; the text says so.
pub(crate) fn tls() -> Result<ClientConfig, String> {
    choose_provider();
    ClientConfig::with_platform_verifier().map_err(|error| error.to_string())
}

fn choose_provider() {
    // A second call finds the provider in place, which is no error.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// True when the words of a request there travel unencrypted, beyond this machine.
pub(crate) fn is_exposed(url: &Url) -> bool {
    url.scheme() == "http" && !is_loopback(url)
}

/// True for an address of this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_exposed;
    use url::Url;

    #[test]
    fn only_this_machine_is_told_secrets_unencrypted() {
        for (url, exposed) in [
            ("https://shop.example/orders", false),
            ("http://shop.example/orders", true),
            ("http://localhost:8080/orders", false),
            ("http://shop.localhost/orders", false),
            ("http://127.0.0.2/orders", false),
            ("http://[::1]:8080/orders", false),
            ("http://localhost.shop.example/orders", true),
            ("http://127.0.0.1.shop.example/orders", true),
            ("http://127.0.0.1@shop.example/orders", true),
        ] {
            assert_eq!(is_exposed(&Url::parse(url).unwrap()), exposed, "{url}");
        }
    }
}
