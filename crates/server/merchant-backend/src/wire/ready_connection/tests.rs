use super::{MAX_IDLE, ReadyConnection};
use crate::http_client;
use crate::send_window::SendWindow;
use crate::wire::{Answered, WireError};
use axum::body::Bytes;
use axum::http::Request;
use hyper_util::client::proxy::matcher::Matcher;
use rustls::pki_types::PrivateKeyDer;
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;
use tokio_rustls::TlsAcceptor;

const YES: &str = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";
const MOVED: &str =
    "HTTP/1.1 307 Temporary Redirect\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n";

/// How the simulated service reacts to a request.
#[derive(Debug, Clone, Copy)]
enum Reaction {
    Answer(&'static str),
    AnswerAndClose(&'static str),
    Close,
    Silence,
}
use Reaction::{Answer, AnswerAndClose, Close, Silence};

/// The heads of the received requests, each with the number of its connection.
type Seen = Arc<Mutex<Vec<(usize, String)>>>;

fn lines(seen: &Seen) -> Vec<(usize, String)> {
    let first = |head: &str| head.lines().next().unwrap_or_default().to_owned();
    let seen = seen.lock().unwrap();
    seen.iter().map(|(at, head)| (*at, first(head))).collect()
}

/// Reads the next request head; `None` at the end of the connection.
async fn head(socket: &mut (impl AsyncRead + Unpin)) -> Option<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(socket.read_u8().await.ok()?);
    }
    String::from_utf8(head).ok()
}

async fn react(
    mut socket: impl AsyncRead + AsyncWrite + Unpin,
    connection: usize,
    seen: Seen,
    reactions: &[Reaction],
) {
    while let Some(head) = head(&mut socket).await {
        let turn = {
            let mut seen = seen.lock().unwrap();
            seen.push((connection, head));
            seen.len() - 1
        };
        match reactions[turn] {
            Answer(text) => socket.write_all(text.as_bytes()).await.unwrap(),
            AnswerAndClose(text) => return socket.write_all(text.as_bytes()).await.unwrap(),
            Close => return,
            Silence => sleep(Duration::from_secs(60)).await,
        }
    }
}

/// A service that delays the TLS handshake of each connection, or uses no TLS.
async fn service(
    tls: Option<(Arc<ServerConfig>, Duration)>,
    reactions: &'static [Reaction],
) -> (String, Seen) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let scheme = if tls.is_some() { "https" } else { "http" };
    let seen = Seen::default();
    let seen_there = Arc::clone(&seen);
    tokio::spawn(async move {
        for connection in 1.. {
            let (socket, _) = listener.accept().await.unwrap();
            let (tls, seen) = (tls.clone(), Arc::clone(&seen_there));
            tokio::spawn(async move {
                let Some((tls, late)) = tls else {
                    return react(socket, connection, seen, reactions).await;
                };
                sleep(late).await;
                if let Ok(socket) = TlsAcceptor::from(tls).accept(socket).await {
                    react(socket, connection, seen, reactions).await;
                }
            });
        }
    });
    (format!("{scheme}://localhost:{port}"), seen)
}

/// A self-signed certificate for `localhost`, and a client configuration that trusts it.
fn certificate() -> (Arc<ServerConfig>, ClientConfig) {
    http_client::tls().unwrap();
    let own = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let certificate = own.cert.der().clone();
    let key = PrivateKeyDer::try_from(own.signing_key.serialize_der()).unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(certificate.clone()).unwrap();
    let client = ClientConfig::builder()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let server = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    (Arc::new(server), client)
}

fn connection(base: &str, tls: ClientConfig, proxies: Matcher) -> ReadyConnection {
    let timeout = Duration::from_secs(2);
    ReadyConnection::over(&base.parse().unwrap(), timeout, |_| 1024, tls, proxies).unwrap()
}

fn direct(base: &str) -> ReadyConnection {
    connection(
        base,
        http_client::tls().unwrap(),
        Matcher::builder().build(),
    )
}

async fn delete(to: &ReadyConnection, window: SendWindow) -> Result<Answered, WireError> {
    let address = format!("{}charges/m/1", to.origin);
    let request = Request::delete(address).body(Bytes::new()).unwrap();
    to.exchange(request, window).await
}

async fn status(to: &ReadyConnection) -> Result<u16, WireError> {
    let answered = delete(to, SendWindow::open()).await?;
    Ok(answered.status().as_u16())
}

const DELETE: &str = "DELETE /charges/m/1 HTTP/1.1";

#[tokio::test]
async fn a_request_whose_connection_was_ready_too_late_never_leaves() {
    let (server, client) = certificate();
    let late = Duration::from_millis(700);
    let (base, seen) = service(Some((server, late)), &[Answer(YES)]).await;
    let service = connection(&base, client, Matcher::builder().build());
    let window = SendWindow::ago(Duration::from_millis(1500));
    let sent = delete(&service, window).await;
    assert!(sent.is_err_and(|error| matches!(error, WireError::Late)));
    assert!(seen.lock().unwrap().is_empty());
    // The connection is ready now, and the next request uses it.
    assert_eq!(status(&service).await, Ok(200));
    assert_eq!(lines(&seen), [(1, DELETE.to_owned())]);
}

#[tokio::test]
async fn requests_follow_each_other_on_one_connection_for_a_short_time() {
    let (base, seen) = service(None, &[Answer(YES); 3]).await;
    let service = direct(&base);
    assert_eq!(status(&service).await, Ok(200));
    assert_eq!(status(&service).await, Ok(200));
    for kept in service.kept.lock().unwrap().iter_mut() {
        kept.since = kept.since.checked_sub(MAX_IDLE).unwrap();
    }
    assert_eq!(status(&service).await, Ok(200));
    let connections: Vec<usize> = lines(&seen).iter().map(|(at, _)| *at).collect();
    assert_eq!(connections, [1, 1, 2]);
}

#[tokio::test]
async fn a_request_whose_connection_is_cut_is_not_repeated() {
    let (base, seen) = service(None, &[Answer(YES), Close, Answer(YES)]).await;
    let service = direct(&base);
    assert_eq!(status(&service).await, Ok(200));
    assert_eq!(status(&service).await, Err(WireError::Connection));
    sleep(Duration::from_millis(200)).await;
    let twice = [(1, DELETE.to_owned()), (1, DELETE.to_owned())];
    assert_eq!(lines(&seen), twice);
}

#[tokio::test]
async fn a_connection_that_the_service_closed_is_replaced_before_a_request() {
    let (base, seen) = service(None, &[AnswerAndClose(YES), Answer(YES)]).await;
    let service = direct(&base);
    assert_eq!(status(&service).await, Ok(200));
    sleep(Duration::from_millis(200)).await;
    assert_eq!(status(&service).await, Ok(200));
    assert_eq!(lines(&seen).last().unwrap().0, 2);
}

#[tokio::test]
async fn a_service_that_is_silent_is_waited_for_as_long_as_the_limit_says() {
    let (base, seen) = service(None, &[Silence]).await;
    assert_eq!(status(&direct(&base)).await, Err(WireError::Timeout));
    assert_eq!(lines(&seen).len(), 1);
    let (server, client) = certificate();
    let (base, seen) = service(Some((server, Duration::from_secs(60))), &[]).await;
    let service = connection(&base, client, Matcher::builder().build());
    assert_eq!(status(&service).await, Err(WireError::Unreached));
    assert!(seen.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_redirect_is_an_answer() {
    let (base, seen) = service(None, &[Answer(MOVED), Answer(YES)]).await;
    assert_eq!(status(&direct(&base)).await, Ok(307));
    assert_eq!(lines(&seen).len(), 1);
}

#[tokio::test]
async fn a_certificate_of_an_unknown_authority_is_refused() {
    let (server, _) = certificate();
    let (base, seen) = service(Some((server, Duration::ZERO)), &[Answer(YES)]).await;
    assert_eq!(status(&direct(&base)).await, Err(WireError::Unreached));
    assert!(seen.lock().unwrap().is_empty());
}

/// A proxy that answers `CONNECT` with a tunnel to the requested port.
async fn proxy() -> (String, Seen) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://u:p@{}", listener.local_addr().unwrap());
    let seen = Seen::default();
    let seen_there = Arc::clone(&seen);
    tokio::spawn(async move {
        for connection in 1.. {
            let (mut from, _) = listener.accept().await.unwrap();
            let head = head(&mut from).await.unwrap();
            let to = head.split(' ').nth(1).unwrap().to_owned();
            seen_there.lock().unwrap().push((connection, head));
            from.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.unwrap();
            let mut to = TcpStream::connect(to).await.unwrap();
            tokio::spawn(async move { copy_bidirectional(&mut from, &mut to).await });
        }
    });
    (address, seen)
}

#[tokio::test]
async fn a_proxy_tunnels_https_and_nothing_else() {
    let (address, tunnelled) = proxy().await;
    let (server, client) = certificate();
    let (base, seen) = service(Some((server, Duration::ZERO)), &[Answer(YES); 2]).await;
    let proxies = || Matcher::builder().all(address.clone());
    let service_there = connection(&base, client.clone(), proxies().build());
    assert_eq!(status(&service_there).await, Ok(200));
    let host = base.trim_start_matches("https://");
    assert_eq!(lines(&tunnelled), [(1, format!("CONNECT {host} HTTP/1.1"))]);
    let head = tunnelled.lock().unwrap()[0].1.to_lowercase();
    assert!(head.contains("proxy-authorization: basic dtpw"), "{head}");

    let service_here = connection(&base, client, proxies().no("localhost").build());
    assert_eq!(status(&service_here).await, Ok(200));
    assert_eq!(lines(&seen).len(), 2);
    let (plain, _) = service(None, &[Answer(YES)]).await;
    let tls = http_client::tls().unwrap();
    let service_plain = connection(&plain, tls, proxies().build());
    assert_eq!(status(&service_plain).await, Ok(200));
    assert_eq!(tunnelled.lock().unwrap().len(), 1);
}
