//! A request that no client sends on purpose: its body stops.

use super::Asked;
use crate::support::payer::{Answer, Payer};
use reqwest::header::{HeaderMap, HeaderName};
use std::io::{Read, Write};
use std::net::TcpStream;

/// The answer to a `POST` whose body never arrives whole.
pub(super) async fn slow(payer: &Payer, path: &str, headers: &[(&str, &str)]) -> Answer {
    let url = format!("{}{path}", payer.base);
    let request = payer.client.post(&url).build().unwrap();
    let address = request.url().socket_addrs(|| None).unwrap()[0];
    let headers = headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"));
    let head = format!(
        "POST {} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nCookie: {}\r\n\
         {}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{",
        request.url().path(),
        payer.cookie,
        headers.collect::<String>()
    );
    let answered = tokio::task::spawn_blocking(move || {
        let mut line = TcpStream::connect(address).unwrap();
        line.write_all(head.as_bytes()).unwrap();
        let mut text = String::new();
        line.read_to_string(&mut text).unwrap();
        text
    });
    let text = answered.await.unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap();
    let header = |line: &str| {
        let (name, value) = line.split_once(": ").unwrap();
        (name.parse::<HeaderName>().unwrap(), value.parse().unwrap())
    };
    let answer = Answer {
        status: status.parse().unwrap(),
        headers: HeaderMap::from_iter(lines.map(header)),
        text: body.to_owned(),
    };
    Asked::new(&request, "").must_be_answered_by_contract(&answer);
    answer
}
