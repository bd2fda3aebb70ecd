//! The address of a client, also behind proxies.
//!
//! The libraries for this take the first or the last entry of `X-Forwarded-For`. The server takes the
//! entry that the outermost trusted proxy wrote.

use super::merchant_routes::Orders;
use crate::config::Config;
use crate::trace::Trace;
use axum::extract::{ConnectInfo, FromRef, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap};
use ipnet::{IpNet, Ipv6Net};
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

pub(super) const FORWARDED_FOR: &str = "x-forwarded-for";

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
        let orders = Orders::from_ref(state);
        let address = whole_address(&parts.extensions, &parts.headers, orders.config());
        Ok(Self(network(address)))
    }
}

/// The trace that a request names, if the settings trust the address that it came from.
pub(super) fn trusted_trace(request: &Request, config: &Config) -> Option<Trace> {
    let trace = Trace::named_in(request.headers())?;
    let address = whole_address(request.extensions(), request.headers(), config);
    let mut trusted = config.trace_trusted.iter();
    trusted
        .any(|network| network.contains(&address))
        .then_some(trace)
}

fn whole_address(extensions: &Extensions, headers: &HeaderMap, config: &Config) -> IpAddr {
    let peer = extensions.get::<ConnectInfo<SocketAddr>>();
    // Only a router without a socket has no peer.
    let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0.ip());
    let forwarded = forwarded(headers);
    client_address(peer, forwarded.into_iter(), &config.trusted_proxies)
}

/// The entries of all headers of this name, in their order. Each entry is decoded separately: invalid
/// bytes that a client wrote must not make the entry of a proxy in the same header unreadable.
fn forwarded(headers: &HeaderMap) -> Vec<&str> {
    let values = headers.get_all(FORWARDED_FOR).iter();
    let entries = values.flat_map(|value| value.as_bytes().split(|byte| *byte == b','));
    entries
        .map(|entry| str::from_utf8(entry).unwrap_or_default())
        .collect()
}

/// A household or a machine gets an IPv6 network of this size.
const V6_PREFIX_BITS: u8 = 64;

/// The address of a client. `peer` is the other end of the connection; entries of `X-Forwarded-For`
/// count as far as trusted proxies wrote them.
fn client_address<'a>(
    peer: IpAddr,
    forwarded: impl DoubleEndedIterator<Item = &'a str>,
    trusted: &[IpNet],
) -> IpAddr {
    let mut client = peer.to_canonical();
    for entry in forwarded.rev() {
        if !trusted.iter().any(|network| network.contains(&client)) {
            break;
        }
        // After an entry that is no address, the proxy that wrote it counts as the client.
        let Some(address) = address(entry) else { break };
        client = address.to_canonical();
    }
    client
}

/// What counts as one client.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(whole) => Ipv6Net::new_assert(whole, V6_PREFIX_BITS).network().into(),
    }
}

/// Reads an entry of the header: an address, which some proxies write with a port or in brackets.
fn address(entry: &str) -> Option<IpAddr> {
    let entry = entry.trim();
    if let Ok(address) = entry.parse() {
        return Some(address);
    }
    if let Some(rest) = entry.strip_prefix('[') {
        return rest.split(']').next()?.parse().ok();
    }
    let (address, port) = entry.rsplit_once(':')?;
    let port = port.bytes().all(|byte| byte.is_ascii_digit());
    address.parse().ok().filter(|_| port)
}

#[cfg(test)]
mod tests {
    use super::{client_address, network};
    use ipnet::IpNet;

    #[test]
    fn only_what_trusted_proxies_wrote_is_believed() {
        let trusted = ["127.0.0.1/32", "10.0.0.0/8", "2001:db8:f::/48"];
        let trusted: Vec<IpNet> = trusted.iter().map(|text| text.parse().unwrap()).collect();
        for (peer, forwarded, client) in [
            ("198.51.100.7", "", "198.51.100.7"),
            // A stranger may write any value.
            ("198.51.100.7", "203.0.113.9", "198.51.100.7"),
            ("127.0.0.1", "203.0.113.9", "203.0.113.9"),
            // The payer's own entries come before those of the proxy.
            ("127.0.0.1", "1.1.1.1, 203.0.113.9", "203.0.113.9"),
            ("127.0.0.1", "1.1.1.1,203.0.113.9 , 10.2.3.4", "203.0.113.9"),
            ("127.0.0.1", "10.1.1.1, 10.2.3.4", "10.1.1.1"),
            ("127.0.0.1", "", "127.0.0.1"),
            ("127.0.0.1", "203.0.113.9, unknown", "127.0.0.1"),
            ("10.9.9.9", "203.0.113.9, _hidden, 10.2.3.4", "10.2.3.4"),
            ("127.0.0.1", "203.0.113.9:4711", "203.0.113.9"),
            ("::ffff:127.0.0.1", "::ffff:203.0.113.9", "203.0.113.9"),
            // All addresses of a /64 count as one.
            ("2001:db8:1:2:aaaa::1", "", "2001:db8:1:2::"),
            ("2001:db8:f::1", "2001:db8:1:3:ffff::", "2001:db8:1:3::"),
            ("127.0.0.1", "[2001:db8:1:2::9]:4711", "2001:db8:1:2::"),
        ] {
            let entries = forwarded.split(',').filter(|entry| !entry.is_empty());
            let found = client_address(peer.parse().unwrap(), entries, &trusted);
            assert_eq!(network(found).to_string(), client, "{peer} {forwarded}");
        }
        let nobody = client_address("127.0.0.1".parse().unwrap(), ["1.1.1.1"].into_iter(), &[]);
        assert_eq!(nobody.to_string(), "127.0.0.1");
    }
}
