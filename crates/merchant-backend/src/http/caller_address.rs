//! The place that a request comes from, as far as that can be believed.
//!
//! The libraries for this take the first or the last entry of the header. Here the entry counts that
//! the outermost trusted proxy wrote, wherever it stands.

use ipnet::{IpNet, Ipv6Net};
use std::net::IpAddr;

/// The part of an IPv6 address that a household or a machine gets as a whole.
const V6_PREFIX: u8 = 64;

/// The address of a client. `peer` is the other end of the connection; entries of `X-Forwarded-For`
/// count as far as trusted proxies wrote them.
pub(crate) fn client_address<'a>(
    peer: IpAddr,
    forwarded: impl DoubleEndedIterator<Item = &'a str>,
    trusted: &[IpNet],
) -> IpAddr {
    let mut client = peer.to_canonical();
    for entry in forwarded.rev() {
        if !trusted.iter().any(|network| network.contains(&client)) {
            break;
        }
        // An entry that cannot be read tells nothing, so the proxy that passed it on counts
        // instead.
        let Some(address) = address(entry) else { break };
        client = address.to_canonical();
    }
    match client {
        IpAddr::V4(_) => client,
        IpAddr::V6(whole) => Ipv6Net::new_assert(whole, V6_PREFIX).network().into(),
    }
}

/// An entry of the header: an address, which some proxies write with a port or in brackets.
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
    use super::client_address;
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
            assert_eq!(found.to_string(), client, "{peer} {forwarded}");
        }
        let nobody = client_address("127.0.0.1".parse().unwrap(), ["1.1.1.1"].into_iter(), &[]);
        assert_eq!(nobody.to_string(), "127.0.0.1");
    }
}
