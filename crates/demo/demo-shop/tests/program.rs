//! The program as a merchant starts it.

#![allow(
    clippy::unwrap_used,
    reason = "what is unexpected fails the test that meets it"
)]

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_demo-shop"));
    command.env_clear();
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The program with what it needs to serve, and its database in a folder.
fn server(listen: SocketAddr, folder: &Path) -> Command {
    let mut command = program();
    command
        .env("BACKEND_LISTEN", listen.to_string())
        .env("PUBLIC_URL", "http://127.0.0.1:8081/api")
        .env("DATABASE", folder.join("shop.db"))
        .env("PAYMENT_URL", "http://127.0.0.1:8082")
        .env("PAYMENT_TOKEN", "token")
        .env("MERCHANT_CODE", "demo")
        .env("MERCHANT_NAME", "Demo")
        .env("COOKIE_KEY", "0123456789abcdef0123456789abcdef");
    command
}

/// An address that was free a moment ago.
fn free_address() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap()
}

/// Starts a store of this currency and returns the output of the program.
fn with_a_store_in(currency: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let stores = folder.path().join("stores.toml");
    let store = "[[store]]\nkey = \"far\"\nmerchant_code = \"far\"\nmerchant_name = \"Far\"\n";
    fs::write(&stores, format!("{store}currency = \"{currency}\"\n")).unwrap();
    let mut server = server(free_address(), folder.path());
    server
        .env_remove("MERCHANT_CODE")
        .env_remove("MERCHANT_NAME");
    server.env("STORES_FILE", &stores).output().unwrap()
}

/// A running program, which ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

/// How long a program may take until it listens.
const START_TIMEOUT: Duration = Duration::from_secs(20);

/// The whole answer to a GET, in lower case; waits until the program listens.
fn get(address: SocketAddr, path: &str) -> String {
    let start = Instant::now();
    let mut stream = loop {
        match TcpStream::connect(address) {
            Ok(stream) => break stream,
            Err(error) => assert!(start.elapsed() < START_TIMEOUT, "{error}"),
        }
    };
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.to_lowercase()
}

#[test]
fn it_serves_its_pages_with_the_headers_of_trunk_beside_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("pages");
    fs::create_dir_all(pages.join("element")).unwrap();
    fs::write(pages.join("index.html"), "<head><!-- preload --></head>").unwrap();
    fs::write(pages.join("staff.html"), "staff").unwrap();
    fs::write(pages.join("element/preload.html"), "<link>").unwrap();
    let trunk = folder.path().join("Trunk.toml");
    fs::write(&trunk, "[serve.headers]\nX-Policy = \"strict\"\n").unwrap();
    let address = free_address();
    let mut server = server(address, folder.path());
    server.env("SHOP_PAGES", &pages).env("SHOP_HEADERS", &trunk);
    let _running = Running(server.stdout(Stdio::null()).spawn().unwrap());

    for path in ["/", "/index.html"] {
        let page = get(address, path);
        assert!(page.starts_with("http/1.1 200"), "{page}");
        assert!(page.contains("x-policy: strict"), "{page}");
        assert!(page.ends_with("<head><link></head>"), "{page}");
    }
    let staff = get(address, "/staff.html");
    assert!(staff.contains("content-type: text/html") && staff.ends_with("staff"));
    // A file of an element may come later than the program.
    fs::write(pages.join("element/late.js"), "late").unwrap();
    let late = get(address, "/element/late.js");
    assert!(late.contains("text/javascript") && late.ends_with("late"));
    assert!(get(address, "/element/none.js").starts_with("http/1.1 404"));
    assert!(get(address, "/element/../../../Trunk.toml").starts_with("http/1.1 404"));
    // Every other address is the server's, without the headers of pages.
    let health = get(address, "/healthz");
    assert!(health.starts_with("http/1.1 200") && !health.contains("x-policy"));
    assert!(get(address, "/api/catalog").contains("\"products\""));
    assert!(get(address, "/none").contains("application/problem+json"));
}

#[test]
fn pages_that_cannot_be_served_are_said_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let trunk = folder.path().join("Trunk.toml");
    fs::write(&trunk, "[serve]\n").unwrap();
    let missing = folder.path().join("missing");
    for (headers, expected) in [
        (None, "SHOP_HEADERS is missing: name a Trunk.toml.\n"),
        (Some(&trunk), "SHOP_HEADERS: there is no [serve.headers].\n"),
    ] {
        let mut server = server(free_address(), folder.path());
        server.env("SHOP_PAGES", &missing);
        if let Some(headers) = headers {
            server.env("SHOP_HEADERS", headers);
        }
        let ended = server.output().unwrap();
        assert_eq!(ended.status.code(), Some(2));
        assert_eq!(text(&ended.stderr), expected);
    }
    fs::write(&trunk, "[serve.headers]\nA = \"b\"\n").unwrap();
    let mut server = server(free_address(), folder.path());
    server
        .env("SHOP_PAGES", &missing)
        .env("SHOP_HEADERS", &trunk);
    let ended = text(&server.output().unwrap().stderr);
    assert!(ended.starts_with("SHOP_PAGES cannot be read: "), "{ended}");
}

#[test]
fn a_store_without_prices_is_said_at_the_start() {
    let ended = with_a_store_in("EUR");
    assert_eq!(ended.status.code(), Some(2));
    assert_eq!(
        text(&ended.stderr),
        "STORES_FILE: the store `far` sells in EUR, in which the catalog has no prices; use PEN or USD.\n"
    );
    // The server refuses an unknown currency itself.
    let ended = with_a_store_in("EURO");
    assert_eq!(ended.status.code(), Some(2));
    let wrong = text(&ended.stderr);
    assert!(wrong.contains("`currency` must be a code"), "{wrong}");
}

#[test]
fn it_has_the_commands_of_the_server() {
    let mut child = program()
        .arg("hash-password")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    writeln!(child.stdin.take().unwrap(), "a long password").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(text(&output.stdout).starts_with("$argon2id$"));
    let version = program().arg("--version").output().unwrap();
    assert!(text(&version.stdout).starts_with("demo-shop "));
    let purged = program().args(["purge", "--older-than", "1"]).output();
    let wrong = text(&purged.unwrap().stderr);
    assert!(wrong.starts_with("DATABASE is missing"), "{wrong}");
}
