//! Clients that send bytes to the socket that no browser sends, while the server serves payers.

use crate::support::payer::Payer;
use crate::support::sales::waiting_qr;
use crate::support::socket::{Socket, status, until_closed};
use crate::support::wait::until;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

#[tokio::test(flavor = "multi_thread")]
async fn idle_sockets_give_way_to_payers_and_end_by_themselves() {
    let socket = Socket::start(|config| {
        config.most_connections = 50;
        config.timing.head_timeout = Duration::from_secs(8);
    })
    .await;
    let mut idle = Vec::new();
    for _ in 0..300 {
        idle.push(socket.connect().await);
    }
    socket.serves_payers().await;
    // The oldest connection ended first.
    assert_eq!(until_closed(&mut idle[0]).await, "");
    // The youngest ends after some time too, although no other connection needs its place.
    let start = Instant::now();
    assert_eq!(until_closed(idle.last_mut().unwrap()).await, "");
    assert!(start.elapsed() < Duration::from_secs(12));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_is_being_answered_keeps_its_place() {
    let socket = Socket::start(|config| config.most_connections = 16).await;
    let (payer, number) = waiting_qr(&socket.stack).await;
    let held = tokio::spawn({
        let base = format!("http://{}/api", socket.address);
        let payer = Payer {
            base,
            ..payer.clone()
        };
        let number = number.clone();
        async move {
            let waits = [("prefer", "wait=20")];
            payer.status_of(&number, "-", &waits).await.state()
        }
    });
    until("held", async || {
        let seen = socket.stack.seen("GET").await;
        !seen.is_empty()
    })
    .await;
    let mut idle = Vec::new();
    for _ in 0..100 {
        idle.push(socket.connect().await);
    }
    socket.serves_payers().await;
    assert!(!held.is_finished());
    socket.stack.drive(&number, "pay").await;
    assert_eq!(held.await.unwrap(), "AUTORIZADO");
}

#[tokio::test(flavor = "multi_thread")]
async fn heads_whose_bodies_are_withheld_keep_no_payer_out() {
    let socket = Socket::start(|config| config.most_connections = 16).await;
    let mut withheld = Vec::new();
    for _ in 0..100 {
        let mut stream = socket.connect().await;
        // A connection that had to give way takes nothing any more.
        let _ = stream
            .write_all(
                b"POST /api/notifications/x HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n{",
            )
            .await;
        withheld.push(stream);
    }
    socket.serves_payers().await;
    assert_eq!(until_closed(&mut withheld[0]).await, "");
    // Only those that still have a place are answered when the time for a body is over.
    let mut answered = 0;
    for stream in &mut withheld {
        let answer = until_closed(stream).await;
        answered += u32::from(status(&answer) == "408");
    }
    assert!(answered < 16, "{answered}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_head_that_comes_by_the_byte_ends_in_time() {
    let socket = Socket::start(|config| {
        config.timing.head_timeout = Duration::from_secs(1);
    })
    .await;
    let mut slow = socket.connect().await;
    let start = Instant::now();
    let (mut reading, mut writing) = slow.split();
    let drip = async {
        for byte in b"GET /api/healthz HTTP/1.1\r\nHost: x\r\nX-Slow: "
            .iter()
            .chain([b'a'; 4096].iter())
        {
            if writing.write_all(&[*byte]).await.is_err() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    let mut said = Vec::new();
    tokio::select! {
        () = drip => {}
        _ = reading.read_to_end(&mut said) => {}
        () = async { socket.serves_payers().await; std::future::pending().await } => {}
    }
    let took = start.elapsed();
    assert!(took < Duration::from_secs(10), "{took:?}");
    // No client got an answer as if the request were whole.
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(said.is_empty() || status(&said) == "408", "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_stops_reading_loses_its_connection() {
    let socket = Socket::start(|config| {
        config.timing.write_timeout = Duration::from_secs(1);
    })
    .await;
    let mut stream = socket.connect().await;
    let many = "GET /api/healthz HTTP/1.1\r\nHost: x\r\n\r\n".repeat(1000);
    // The answers fill all buffers, and nothing of them is read.
    let asks = async { while stream.write_all(many.as_bytes()).await.is_ok() {} };
    let ended = tokio::time::timeout(Duration::from_secs(20), asks).await;
    assert!(ended.is_ok(), "the connection stays open");
    socket.serves_payers().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_head_has_16_kib_at_the_most() {
    let socket = Socket::start(|_| {}).await;
    let ask = async |bytes: usize| {
        let start = "GET /api/healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Large: ";
        let filling = "a".repeat(bytes - start.len() - 4);
        socket
            .answer(format!("{start}{filling}\r\n\r\n").as_bytes())
            .await
    };
    assert_eq!(status(&ask(15 * 1024).await), "200");
    for bytes in [17 * 1024, 64 * 1024, 300 * 1024] {
        let answer = ask(bytes).await;
        assert_eq!(status(&answer), "431", "{bytes}: {answer:.200}");
    }
    socket.serves_payers().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_request_is_smuggled_behind_a_body_whose_length_is_unclear() {
    let socket = Socket::start(|_| {}).await;
    let order = r#"{"items":[{"sku":"cafe-250","quantity":1}]}"#;
    let length = order.len();
    let inner = "GET /api/healthz HTTP/1.1\r\nHost: x\r\n\r\n";
    let post = "POST /api/orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
    let chunks = format!("{length:x}\r\n{order}\r\n0\r\n\r\n");
    let (five, chunked) = ("Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n");
    for (head, body, answered) in [
        ([five, chunked], chunks.clone(), "201"),
        ([chunked, five], chunks.clone(), "201"),
        ([five, "Content-Length: 6\r\n"], order.to_owned(), "400"),
        ([chunked, ""], chunks.replacen("\r\n", "\n", 1), "400"),
    ] {
        let head = head.concat();
        let request = format!("{post}{head}\r\n{body}{inner}");
        let answer = socket.answer(request.as_bytes()).await;
        assert_eq!(status(&answer), answered, "{head}: {answer}");
        // The connection ended, and nothing after the body counted as a request.
        assert_eq!(answer.matches("HTTP/1.1 ").count(), 1, "{head}: {answer}");
    }
    socket.serves_payers().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn several_requests_of_one_connection_are_told_apart_however_they_are_cut() {
    let socket = Socket::start(|_| {}).await;
    // Line feeds in a body are allowed.
    let order = "{\n\"items\":[\n\n{\"sku\":\"cafe-250\",\"quantity\":1}]}\n";
    let length = order.len();
    let get = "GET /api/healthz HTTP/1.1\r\nHost: x\r\n\r\n";
    let post = format!(
        "POST /api/orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{order}"
    );
    let nowhere = post.replace("/api/orders", "/api/nowhere");
    let chunked = format!(
        "POST /api/orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n{length:x}\r\n{order}\r\n0\r\n\r\n"
    );
    let last = get.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
    let all = [
        get, &post, get, &nowhere, &chunked, &post, "\r\n", get, &last,
    ]
    .concat();
    let wanted = ["200", "201", "200", "404", "201", "201", "200", "200"];
    for piece in [1, 7, 100, all.len()] {
        let mut stream = socket.connect().await;
        stream.set_nodelay(true).unwrap();
        for part in all.as_bytes().chunks(piece) {
            stream.write_all(part).await.unwrap();
        }
        let answer = until_closed(&mut stream).await;
        let came: Vec<_> = answer
            .split("HTTP/1.1 ")
            .skip(1)
            .map(|answer| &answer[..3])
            .collect();
        assert_eq!(came, wanted, "{piece}: {answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_ends_idle_connections_at_once_and_answers_what_was_asked() {
    let socket = Socket::start(|_| {}).await;
    let mut idle = socket.connect().await;
    let (payer, number) = waiting_qr(&socket.stack).await;
    let held = tokio::spawn({
        let base = format!("http://{}/api", socket.address);
        let payer = Payer { base, ..payer };
        async move {
            let waits = [("prefer", "wait=20")];
            payer.status_of(&number, "-", &waits).await.state()
        }
    });
    until("held", async || {
        let seen = socket.stack.seen("GET").await;
        !seen.is_empty()
    })
    .await;
    let start = Instant::now();
    socket.stack.backend().stop_waiting();
    assert_eq!(held.await.unwrap(), "PENDIENTE");
    assert_eq!(until_closed(&mut idle).await, "");
    socket.server.await.unwrap().unwrap();
    assert!(start.elapsed() < Duration::from_secs(8));
}
