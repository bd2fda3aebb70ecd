use ipnet::IpNet;
use std::net::IpAddr;

/// Reads a list of addresses and networks.
pub(super) fn networks(text: &str) -> Result<Vec<IpNet>, String> {
    let entries = text
        .split([',', ' ', '\n', '\t'])
        .filter(|entry| !entry.is_empty());
    entries
        .map(|entry| {
            let network = entry.parse().ok();
            let network = network.or_else(|| entry.parse::<IpAddr>().ok().map(IpNet::from));
            network
                .ok_or_else(|| format!("is wrong, `{entry}` is neither an address nor a network"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::networks;

    #[test]
    fn addresses_and_networks_are_read() {
        let read = networks("127.0.0.1, 10.0.0.0/8 ::1,2001:db8::/32").unwrap();
        let read: Vec<_> = read.iter().map(ToString::to_string).collect();
        assert_eq!(
            read,
            ["127.0.0.1/32", "10.0.0.0/8", "::1/128", "2001:db8::/32"]
        );
        for odd in ["proxy.example", "10.0.0.0/33", "10.0.0", "*"] {
            assert!(networks(odd).unwrap_err().contains(odd));
        }
    }
}
