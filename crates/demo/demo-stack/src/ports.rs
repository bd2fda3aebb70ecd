//! The ports of the four servers.

use anyhow::{Result, bail};
use std::net::{Ipv4Addr, TcpListener};

/// One port each, on the loopback address.
#[derive(Clone, Copy)]
pub struct Ports {
    /// The shop's pages.
    pub shop: u16,
    /// The merchant's server, or the proxy before its nodes.
    pub backend: u16,
    /// The payment service.
    pub sandbox: u16,
    /// What takes the events of the merchant's server.
    pub receiver: u16,
}

impl Ports {
    /// The addresses in the documentation.
    pub const DEMO: Self = Self::from(8080);

    /// Other ports than the demo's, so that the demo and the tests do not disturb each other. If
    /// another program, perhaps from another clone, already uses them, the tests take the next
    /// ones.
    pub fn for_tests() -> Self {
        let usual = Self::from(18080);
        (0..50)
            .map(|step| Self::from(18080 + 10 * step))
            .find(|ports| ports.check(true).is_ok())
            .unwrap_or(usual)
    }

    const fn from(first: u16) -> Self {
        Self {
            shop: first,
            backend: first + 1,
            sandbox: first + 2,
            receiver: first + 3,
        }
    }

    /// The ports of the nodes of the server, if there are several: it is then their proxy's.
    pub fn of_nodes(&self) -> impl Iterator<Item = u16> {
        let first = self.receiver + 1;
        first..self.shop + 10
    }

    /// Names the address that is taken, before a build or a start in vain. The shop's may be taken by a
    /// program of the caller's that serves the pages.
    ///
    /// # Errors
    /// The server and the address that another program has.
    pub fn check(&self, with_shop: bool) -> Result<()> {
        let servers = [
            ("shop", self.shop),
            ("demo-shop", self.backend),
            ("payment-sandbox", self.sandbox),
            ("event-receiver", self.receiver),
        ];
        for (server, port) in servers.into_iter().skip(usize::from(!with_shop)) {
            if let Err(error) = TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
                bail!(
                    "the {server} cannot listen on 127.0.0.1:{port} ({error}); stop what listens \
                     there, perhaps another demo (`ss -ltnp 'sport = :{port}'` names it), and \
                     start again"
                );
            }
        }
        Ok(())
    }
}
