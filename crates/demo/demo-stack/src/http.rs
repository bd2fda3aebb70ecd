//! Just enough HTTP to test if a server on this machine answers. A client would bring
//! addresses, redirects and proxies, of which nothing is needed.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(2);

/// The status of the answer to `GET path` on a local port, if there is an answer.
pub fn status(port: u16, path: &str) -> Option<u16> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    stream.set_write_timeout(Some(PATIENCE)).ok()?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).ok()?;
    let mut start = *b"HTTP/1.1 200";
    stream.read_exact(&mut start).ok()?;
    str::from_utf8(&start).ok()?.split_once(' ')?.1.parse().ok()
}
