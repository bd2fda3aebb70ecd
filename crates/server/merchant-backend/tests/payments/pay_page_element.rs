//! The element on the server's own page of an order, where the setting `PAY_PAGE_ELEMENT` names its files.

use crate::support::page_visitor::{PageSeen, PageVisitor};
use crate::support::shop_program::ShopProgram;
use crate::support::stack::Stack;
use crate::support::wait::until;
use reqwest::{Client, Method};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const SCRIPT: &str = "export {};\n";

/// A folder as a build of the element leaves it.
fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pay-page-element/element");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("payment-checkout.js"), SCRIPT).unwrap();
    fs::write(folder.join("payment-checkout-0123456789.wasm"), "\0asm").unwrap();
    fs::write(folder.join("style.css"), "a {}").unwrap();
    fs::write(folder.join("../secret.txt"), "canary").unwrap();
    folder
}

async fn stack_with_element() -> Stack {
    Stack::start_with(|config| config.pay_page_element = Some(folder())).await
}

async fn page_of(program: &ShopProgram, id: &str) -> PageVisitor {
    let order = json!({"order_id": id, "amount": 38_700, "currency": "PEN", "label": "R-7"});
    let order = order.to_string();
    let given = program.send(Method::POST, "/orders", &[], &order).await;
    PageVisitor::at(given.json()["pay_url"].as_str().unwrap())
}

fn has_element(page: &PageSeen) -> bool {
    let policy = page.header("content-security-policy");
    let permitted = policy.contains("script-src");
    assert_eq!(page.says("<payment-checkout"), permitted, "{policy}");
    assert_eq!(page.says("<script"), permitted);
    assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"));
    assert!(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"));
    permitted
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_element_can_show_all_the_page_has_it_hidden_and_pays_without_it() {
    let stack = stack_with_element().await;
    let program = ShopProgram::of(&stack).await;
    let visitor = page_of(&program, "A-1").await;
    let (_, handle) = visitor.url.rsplit_once('/').unwrap();
    let choice = visitor.look().await;
    assert!(has_element(&choice));
    for part in [
        "<payment-checkout hidden base-url=\"/api\" live-url=\"/api/charges/live\" methods=\"QR INSTALLMENT",
        "amount=\"38700\" currency=\"PEN\"",
        "order-label=\"R-7\"",
        "locale=\"en\" heading-level=\"1\"",
        &format!("redirect-url=\"{}\"", visitor.url),
        &format!("data-pay-link=\"{handle}\""),
        "<script type=\"module\" src=\"/api/pay/element-page.js\"></script><script type=\"module\" src=\"/api/pay/element/payment-checkout.js\"></script>",
    ] {
        assert!(choice.says(part), "{part}\n{}", choice.html);
    }
    let policy = choice.header("content-security-policy");
    assert!(policy.contains("script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"));
    assert!(policy.contains("require-trusted-types-for 'script'"));
    assert_eq!(choice.header("set-cookie"), "");

    // A header would draw the page again where the element runs.
    let code = visitor.choose(&choice, "QR").await;
    assert!(has_element(&code) && code.says("<div class=\"card\" data-waiting>"));
    assert_eq!(code.header("refresh"), "");
    assert!(code.says("<noscript><meta http-equiv=\"refresh\" content=\"15\"></noscript>"));
    assert!(!has_element(&visitor.get("/cancel").await));

    stack.drive(&code.number(), "pay").await;
    until("the receipt", async || {
        visitor.look().await.heading() == "Payment confirmed!"
    })
    .await;
    assert!(!has_element(&visitor.look().await));
    // It knows nothing of a payment that was given back.
    let full = json!({"order_id": "A-1", "amount": "all"});
    assert_eq!(program.refund("r", &full).await.status, 200);
    until("the reversal", async || {
        visitor.look().await.heading() == "Your payment was reversed"
    })
    .await;
    assert!(!has_element(&visitor.look().await));
    let nowhere = PageVisitor::at(&format!("{}/pay/nowhere", stack.base()));
    assert!(!has_element(&nowhere.look().await));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_elements_files_are_served_and_nothing_beside_them() {
    let stack = stack_with_element().await;
    let client = Client::new();
    let base = format!("{}/pay", stack.base());
    let get = async |path: &str| client.get(format!("{base}{path}")).send().await.unwrap();
    for (path, kind, keeping) in [
        ("/element-page.js", "text/javascript", "no-cache"),
        (
            "/element/payment-checkout.js",
            "text/javascript",
            "no-cache",
        ),
        ("/element/style.css", "text/css", "no-cache"),
        (
            "/element/payment-checkout-0123456789.wasm",
            "application/wasm",
            "public, max-age=31536000, immutable",
        ),
    ] {
        let file = get(path).await;
        let header = |name: &str| file.headers()[name].to_str().unwrap();
        assert_eq!(file.status(), 200, "{path}");
        assert!(header("content-type").starts_with(kind), "{path}");
        assert_eq!(header("cache-control"), keeping, "{path}");
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert_eq!(header("cross-origin-resource-policy"), "same-origin");
    }
    for path in [
        "/element",
        "/element/",
        "/element/nothing.wasm",
        "/element/..%2fsecret.txt",
        "/element/%2e%2e/secret.txt",
    ] {
        let missing = get(path).await;
        assert_eq!(missing.status(), 404, "{path}");
        assert_eq!(missing.headers()["cache-control"], "no-store");
        assert!(!missing.text().await.unwrap().contains("canary"));
    }
    let posted = client.post(format!("{base}/element/payment-checkout.js"));
    assert_eq!(posted.send().await.unwrap().status(), 405);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_setting_there_are_no_files_and_no_element() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let visitor = page_of(&program, "A-1").await;
    let choice = visitor.look().await;
    assert!(!has_element(&choice) && choice.says("<main class=\"card\">"));
    assert!(
        !visitor
            .choose(&choice, "QR")
            .await
            .header("refresh")
            .is_empty()
    );
    for path in ["/pay/element-page.js", "/pay/element/payment-checkout.js"] {
        let answer = Client::new().get(format!("{}{path}", stack.base())).send();
        assert_eq!(answer.await.unwrap().status(), 404, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_not_there_and_a_wrong_method_are_problems_as_everywhere() {
    let stack = stack_with_element().await;
    let check = async |method: Method, path: &str, status: u16, allow: Option<&str>| {
        let url = format!("{}/pay/{path}", stack.base());
        let answer = stack.client.request(method, url).send().await.unwrap();
        assert_eq!(answer.status(), status, "{path}");
        let header = |name: &str| {
            answer
                .headers()
                .get(name)
                .map(|text| text.to_str().unwrap())
        };
        assert_eq!(header("content-type"), Some("application/problem+json"));
        assert_eq!(header("allow"), allow, "{path}");
        assert_eq!(header("cache-control"), Some("no-store"));
    };
    check(Method::GET, "element/none.js", 404, None).await;
    check(Method::GET, "element/", 404, None).await;
    check(Method::GET, "element/%ff", 404, None).await;
    // No file system has so long a name, or so long a path.
    let long = format!("element/{}", "a".repeat(300));
    check(Method::GET, &long, 404, None).await;
    let deep = format!("element/{}b", "a/".repeat(3_000));
    check(Method::GET, &deep, 404, None).await;
    let both = Some("GET,HEAD");
    check(Method::PUT, "element/style.css", 405, both).await;
    check(Method::PUT, "element-page.js", 405, both).await;
}

/// More than the buffers of a connection hold.
const LARGE_BYTES: usize = 32 << 20;

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_client_holds_no_file_and_gets_it_whole_although_an_update_shortens_it() {
    let stack = stack_with_element().await;
    let file = folder().join("large.wasm");
    fs::write(&file, vec![0; LARGE_BYTES]).unwrap();
    let url = format!("{}/pay/element/large.wasm", stack.base());
    let host = stack.base().trim_start_matches("http://").to_owned();
    let (host, _) = host.split_once('/').unwrap();
    let mut slow = TcpStream::connect(host).await.unwrap();
    let request = format!(
        "GET /api/pay/element/large.wasm HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n"
    );
    slow.write_all(request.as_bytes()).await.unwrap();
    let mut answer = vec![slow.read_u8().await.unwrap()];

    let get = async |etag: &str| {
        let request = stack.client.get(&url).header("if-none-match", etag);
        request.send().await.unwrap()
    };
    let old = get("").await;
    let etag = old.headers()["etag"].to_str().unwrap().to_owned();
    assert_eq!(get(&etag).await.status(), 304);
    fs::write(&file, "new").unwrap();
    let new = get(&etag).await;
    assert_eq!(new.text().await.unwrap(), "new");

    slow.read_to_end(&mut answer).await.unwrap();
    let head = answer.windows(4).position(|part| part == b"\r\n\r\n");
    assert_eq!(answer.len() - head.unwrap() - 4, LARGE_BYTES);
}
