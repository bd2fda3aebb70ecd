use super::caller_address::client_address;
use super::merchant_routes::orders::Orders;
use axum::extract::{ConnectInfo, FromRef, FromRequestParts};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

const FORWARDED_FOR: &str = "x-forwarded-for";

/// The address that a request came from.
#[derive(Debug, Clone, Copy)]
pub struct Caller(
    /// The client's own address, also behind proxies.
    pub IpAddr,
);

impl<S> FromRequestParts<S> for Caller
where
    Orders: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        // Only a router without a socket has no peer.
        let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0.ip());
        let forwarded = forwarded(&parts.headers);
        let orders = Orders::from_ref(state);
        let trusted = &orders.config().trusted_proxies;
        Ok(Self(client_address(peer, forwarded.into_iter(), trusted)))
    }
}

/// The entries of all headers of this name, in their order. Each is read by itself: a client that
/// writes odd bytes must not make the entry of a proxy unreadable, which stands in the same line.
fn forwarded(headers: &HeaderMap) -> Vec<&str> {
    let values = headers.get_all(FORWARDED_FOR).iter();
    let entries = values.flat_map(|value| value.as_bytes().split(|byte| *byte == b','));
    entries
        .map(|entry| str::from_utf8(entry).unwrap_or_default())
        .collect()
}
