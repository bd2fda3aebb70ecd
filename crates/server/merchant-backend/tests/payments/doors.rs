//! Every route limits the size of a request's body and the time in which it arrives; the rate is counted before.

use crate::support::socket::{Socket, until_closed};
use axum::http::Method;
use merchant_backend::routes;
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;

/// The largest body of any route.
const LARGEST_BYTES: usize = 64 * 1024;

/// The head of a request to a route, whose parameters are filled with a letter.
fn head(method: &Method, path: &str, further: &str) -> String {
    let path: Vec<&str> = path
        .split('/')
        .map(|part| if part.starts_with('{') { "x" } else { part })
        .collect();
    let media = if path.contains(&"pay") {
        "application/x-www-form-urlencoded"
    } else {
        "application/json"
    };
    format!(
        "{method} {} HTTP/1.1\r\nHost: shop\r\nContent-Type: {media}\r\nConnection: close\r\n{further}\r\n\r\n",
        path.join("/")
    )
}

fn status(answer: &str) -> u16 {
    let status = answer.split(' ').nth(1).unwrap_or_default();
    status.parse().unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_route_refuses_a_body_that_is_too_large_and_ends_one_without_an_end() {
    let socket = Socket::start(|config| {
        config.timing.body_timeout = Duration::from_millis(100);
    })
    .await;
    let routes = routes();
    assert!(routes.len() > 40, "{}", routes.len());
    for (method, path, body_bytes) in &routes {
        assert!(*body_bytes <= LARGEST_BYTES, "{path}");
        if *method == Method::POST && !path.ends_with("/cancel") && !path.ends_with("/resend") {
            assert!(*body_bytes > 0, "{path}");
        }
        let large = LARGEST_BYTES + 1;
        let head_of = |length: usize| head(method, path, &format!("Content-Length: {length}"));
        let whole = [head_of(large).as_bytes(), &vec![b' '; large]].concat();
        let answer = status(&socket.answer(&whole).await);
        let small = status(&socket.answer(head_of(0).as_bytes()).await);
        // Nothing of the body is read, or it may be anything.
        let ignores_body = *body_bytes == 0 || path.contains("/notifications/");
        let expected = if ignores_body { small } else { 413 };
        assert_eq!(answer, expected, "{method} {path}");
        let start = Instant::now();
        let endless = socket
            .answer(format!("{}{{", head_of(1000)).as_bytes())
            .await;
        let took = start.elapsed();
        assert!(took < Duration::from_secs(3), "{method} {path}: {took:?}");
        let expected = if ignores_body { small } else { 408 };
        assert_eq!(status(&endless), expected, "{method} {path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_in_pieces_of_one_byte_is_bounded_like_any_other() {
    let socket = Socket::start(|_| {}).await;
    // Routes of one folder and size have the same reader.
    let mut routes = routes();
    routes.retain(|(_, _, body_bytes)| *body_bytes > 0);
    routes.dedup_by_key(|(_, path, body_bytes)| {
        let folder = path.split('/').nth(2).map(str::to_owned);
        (folder, *body_bytes)
    });
    for (method, path, body_bytes) in routes {
        let mut stream = socket.connect().await;
        let chunked = head(&method, &path, "Transfer-Encoding: chunked");
        stream.write_all(chunked.as_bytes()).await.unwrap();
        let pieces = "1\r\na\r\n".repeat(body_bytes + 1);
        // The server answers 413 and closes the connection while the client still writes.
        let _ = stream.write_all(pieces.as_bytes()).await;
        let answer = until_closed(&mut stream).await;
        let expected = if path.contains("/notifications/") {
            204
        } else {
            413
        };
        assert_eq!(status(&answer), expected, "{method} {path}: {answer:.200}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_sends_too_many_bodies_is_refused_before_they_are_read() {
    let socket = Socket::start(|config| {
        config.orders_per_minute = 1;
        config.timing.body_timeout = Duration::from_secs(60);
    })
    .await;
    let unfinished = head(&Method::POST, "/api/charges", "Content-Length: 1000");
    let mut refused = 0;
    let mut waiting = Vec::new();
    for _ in 0..25 {
        let mut stream = socket.connect().await;
        stream.write_all(unfinished.as_bytes()).await.unwrap();
        waiting.push(stream);
    }
    for stream in &mut waiting {
        let answered = tokio::time::timeout(Duration::from_secs(1), until_closed(stream));
        if let Ok(answer) = answered.await
            && status(&answer) == 429
        {
            refused += 1;
        }
    }
    assert!(refused >= 4, "{refused}");
}
