//! A balancer of connections in front of several nodes.

use anyhow::{Context, Result};
use std::io::copy;
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};
use std::thread;

/// Passes each connection to the next node. A node that takes none is left out.
pub struct Balancer {
    port: u16,
    stopped: Arc<AtomicBool>,
}

impl Balancer {
    /// The port at which it listens.
    pub fn port(&self) -> u16 {
        self.port
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        // The thread waits for a connection, and looks at the mark before it passes one on.
        drop(TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)));
    }
}

/// A free port below the system's ephemeral ports: an outgoing connection could take one of those before a program
/// listens.
#[must_use]
pub fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let begin = u16::try_from(std::process::id() * 37 % 12_000).unwrap_or_default();
    loop {
        let next = NEXT.fetch_add(1, Ordering::Relaxed) % 12_000;
        let port = 20_000 + (begin + next) % 12_000;
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return port;
        }
    }
}

/// Listens on a port until the balancer is dropped; on any free one if the port is zero.
pub fn balance(port: u16, nodes: Vec<u16>) -> Result<Balancer> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .with_context(|| format!("could not listen on 127.0.0.1:{port}"))?;
    let stopped = Arc::new(AtomicBool::new(false));
    let balancer = Balancer {
        port: listener.local_addr()?.port(),
        stopped: Arc::clone(&stopped),
    };
    thread::spawn(move || {
        for (turn, client) in listener.incoming().flatten().enumerate() {
            if stopped.load(Ordering::Relaxed) {
                return;
            }
            let order = (0..nodes.len()).map(|step| nodes[(turn + step) % nodes.len()]);
            let node = order
                .filter_map(|node| TcpStream::connect((Ipv4Addr::LOCALHOST, node)).ok())
                .next();
            if let Some(node) = node {
                pass(client, node);
            }
        }
    });
    Ok(balancer)
}

/// Passes bytes both ways until either side ends.
fn pass(client: TcpStream, node: TcpStream) {
    let (Ok(from_client), Ok(from_node)) = (client.try_clone(), node.try_clone()) else {
        return;
    };
    one_way(from_client, node);
    one_way(from_node, client);
}

fn one_way(mut from: TcpStream, mut to: TcpStream) {
    thread::spawn(move || {
        // The end of one direction is the end of what it says, however it came.
        let _ = copy(&mut from, &mut to);
        let _ = to.shutdown(Shutdown::Write);
    });
}

#[cfg(test)]
mod tests {
    use super::{balance, free_port};
    use std::io::{Read, Write};
    use std::net::{Ipv4Addr, TcpListener, TcpStream};
    use std::thread;

    /// A node that says its name and repeats what it hears.
    fn node(name: u8) -> u16 {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        thread::spawn(move || {
            for mut client in listener.incoming().flatten() {
                client.write_all(&[name]).unwrap();
                let mut heard = Vec::new();
                client.read_to_end(&mut heard).unwrap();
                client.write_all(&heard).unwrap();
            }
        });
        port
    }

    #[test]
    fn connections_take_turns_and_leave_out_a_node_that_is_gone() {
        let balancer = balance(0, vec![node(b'a'), free_port(), node(b'c')]).unwrap();
        let said = || {
            let mut client = TcpStream::connect((Ipv4Addr::LOCALHOST, balancer.port())).unwrap();
            client.write_all(b"!").unwrap();
            client.shutdown(std::net::Shutdown::Write).unwrap();
            let mut said = String::new();
            client.read_to_string(&mut said).unwrap();
            said
        };
        assert_eq!([said(), said(), said(), said()], ["a!", "c!", "c!", "a!"]);
    }
}
