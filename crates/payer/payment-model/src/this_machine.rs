use std::net::IpAddr;

/// True for a `Host` that names this machine: `localhost` or a loopback address, with or without a port. A site of the internet
/// whose name a DNS server turns into a loopback address sends its own name.
#[must_use]
pub fn names_this_machine(host: &str) -> bool {
    let (name, _) = host
        .rsplit_once(':')
        .filter(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()))
        .unwrap_or((host, ""));
    let address = name.trim_start_matches('[').trim_end_matches(']');
    let is_loopback = address.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
    is_loopback || name.eq_ignore_ascii_case("localhost")
}

#[cfg(test)]
mod tests {
    use super::names_this_machine;

    #[test]
    fn only_loopback_names_are_this_machine() {
        for host in [
            "localhost",
            "LOCALHOST:8082",
            "127.0.0.1",
            "127.0.0.1:8082",
            "127.1.2.3:1",
            "[::1]",
            "[::1]:8082",
        ] {
            assert!(names_this_machine(host), "{host}");
        }
        for host in [
            "",
            ":8082",
            "shop.example",
            "shop.example:8082",
            "localhost.shop.example",
            "127.0.0.1.shop.example",
            "0.0.0.0:8082",
            "192.168.1.7:8082",
            "[::]:8082",
        ] {
            assert!(!names_this_machine(host), "{host}");
        }
    }
}
