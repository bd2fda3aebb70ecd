//! A balancer of connections in front of several nodes.

use anyhow::{Context, Result};
use std::fs::File;
use std::io::copy;
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};
use std::sync::{Arc, LazyLock};
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

/// The first port that tests may take. All are below the system's ephemeral ports: an outgoing connection could take one
/// of those before a program listens.
const FIRST_PORT: u16 = 20_000;

/// How many ports one process has for itself.
const PORTS_OF_A_PROCESS: u16 = 600;

/// How many processes can run at once.
const RANGES: u16 = 20;

/// A free port that no other process takes, also while the program that listens on it is being started again.
#[must_use]
pub fn free_port() -> u16 {
    static OWN: LazyLock<(u16, Option<File>)> = LazyLock::new(own_range);
    static NEXT: AtomicU16 = AtomicU16::new(0);
    loop {
        let next = NEXT.fetch_add(1, Ordering::Relaxed) % PORTS_OF_A_PROCESS;
        let port = OWN.0 + next;
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return port;
        }
    }
}

/// The first port of a range that no other process has, and the file whose lock says so until this process ends. There
/// is no lock where the folder of temporary files takes none.
fn own_range() -> (u16, Option<File>) {
    let first = |range: u16| FIRST_PORT + range * PORTS_OF_A_PROCESS;
    let locked = (0..RANGES).find_map(|range| {
        let name = format!("payment-checkout-ports-{}", first(range));
        let file = File::create(std::env::temp_dir().join(name)).ok()?;
        file.try_lock().ok()?;
        Some((first(range), Some(file)))
    });
    let by_chance = || std::process::id() % u32::from(RANGES);
    locked.unwrap_or_else(|| (first(u16::try_from(by_chance()).unwrap_or_default()), None))
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
    use super::{balance, free_port, own_range};
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

    #[test]
    fn a_port_is_not_given_to_another_process_while_nobody_listens_on_it() {
        // A lock belongs to an open file, so that this process stands for two.
        let (one, another) = (own_range(), own_range());
        assert!(one.1.is_some() && another.1.is_some());
        assert_ne!(one.0, another.0);
    }
}
