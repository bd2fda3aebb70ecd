//! HTTP clients for the addresses in the settings.

use reqwest::Client;
use reqwest::redirect::Policy;
use rustls::ClientConfig;
use rustls_platform_verifier::ConfigVerifierExt;
use std::time::Duration;
use url::{Host, Url};

/// What to do about the one cause that was met.
const NO_ROOTS: &str = "if this machine has no root certificates, install them (ca-certificates) or name their file in \
                        the environment variable SSL_CERT_FILE";

/// Builds a client for this address that sends its secrets to no other address.
///
/// # Errors
/// The client cannot be built, for example because the system has no root certificates.
pub(crate) fn client(url: &Url, timeout: Duration) -> Result<Client, String> {
    choose_provider();
    let builder = Client::builder()
        // A redirect would send the access token, the secret or the event to another address.
        .redirect(Policy::none())
        .timeout(timeout)
        .connect_timeout(timeout);
    // A proxy from the environment tunnels HTTPS, but could read plain HTTP.
    let builder = if url.scheme() == "https" {
        builder
    } else {
        builder.no_proxy()
    };
    let client = builder.build();
    client.map_err(|error| format!("{}; {NO_ROOTS}", error.without_url()))
}

/// Builds a TLS configuration that trusts the system's root certificates.
///
/// # Errors
/// The system has no root certificates.
pub(crate) fn tls() -> Result<ClientConfig, String> {
    choose_provider();
    ClientConfig::with_platform_verifier().map_err(|error| format!("{error}; {NO_ROOTS}"))
}

fn choose_provider() {
    // The error only says that a provider is installed already.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// True when a request to this address leaves this machine unencrypted.
pub(crate) fn is_exposed(url: &Url) -> bool {
    url.scheme() == "http" && !is_loopback(url)
}

/// True when the address is on this machine.
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
