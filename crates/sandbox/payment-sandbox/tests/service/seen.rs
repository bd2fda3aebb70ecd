//! The page for developers.

use crate::support::Harness;

#[tokio::test]
async fn it_shows_requests_with_their_answers_and_states() {
    let harness = Harness::new();
    let empty = harness.get("/seen").await;
    assert!(empty.text.contains("Nothing yet"), "{}", empty.text);
    harness.authorize("4711", "QR").await;
    harness.drive("4711", "pay").await;
    let page = harness.get("/seen").await;
    assert_eq!(page.status, 200);
    assert!(
        page.header("content-security-policy")
            .contains("script-src 'self'")
    );
    for text in ["POST /charges", "4711", "12990 PEN", "AUTORIZADO", ">200<"] {
        assert!(page.text.contains(text), "{text} is not in {}", page.text);
    }
    let script = harness.get("/pages/seen.js").await;
    assert_eq!(
        script.header("content-type"),
        "text/javascript; charset=utf-8"
    );
}

#[tokio::test]
async fn what_a_request_says_is_escaped() {
    let harness = Harness::new();
    harness.get("/a&b").await;
    let page = harness.get("/seen").await;
    assert!(page.text.contains("/a&amp;b"), "{}", page.text);
}
