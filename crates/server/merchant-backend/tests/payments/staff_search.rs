use crate::support::order_token::{claims, sign};
use crate::support::payer::Payer;
use crate::support::roles::viewer;
use crate::support::sales::{paid_installments, settled_installments};
use crate::support::stack::{MERCHANT, Stack};
use crate::support::staff_client::numbers;
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn every_number_that_support_is_told_finds_its_operation() {
    let stack = Stack::start().await;
    let viewer = viewer(&stack).await;
    let payer = stack.payer().await;
    let answer = payer.pay_by_qr("k").await.json();
    stack.payer().await.pay_by_qr("k").await;
    let number = answer["merchant_operation_number"].as_str().unwrap();
    let transaction = &answer["transaction"];
    let order = payer.shown().await;
    let label = order["label"].as_str().unwrap();
    let told = [
        number,
        &payer.order_id,
        label,
        transaction["transaction_id"].as_str().unwrap(),
        transaction["processor_response"]["qr_id"].as_str().unwrap(),
    ];
    for q in told {
        assert_eq!(viewer.search(&format!("q={q}")).await, [number], "{q}");
    }
    assert!(
        viewer
            .search(&format!("q={}", &number[1..]))
            .await
            .is_empty()
    );
    let row = viewer.get(&format!("/operations?q={number}")).await;
    let row = row.json()["operations"][0].clone();
    assert_eq!(row["merchant_code"], MERCHANT);
    assert_eq!(row["order_label"], label);
    assert_eq!(
        viewer.details(number).await.order.label.as_deref(),
        Some(label)
    );
    assert_eq!(row["state"], "PENDIENTE");
    assert_eq!(row["amount"], 6580);
    assert_eq!(row["exceptions"], Value::Array(Vec::new()));
    // A list has the payer's name and no more of the payer, and none of the service's answers.
    assert_eq!(row["payer"]["name"], "Canary");
    assert!(!row.to_string().contains("canary") && row.get("operation").is_none());
    let details = viewer
        .get(&format!("/operations/{MERCHANT}/{number}"))
        .await;
    let order = details.json()["order"].clone();
    assert_eq!(order["payer"]["email"], "canary@example.com");
    assert_eq!(order["lines"][0]["quantity"], 2, "{order}");
}

#[tokio::test(flavor = "multi_thread")]
async fn filters_narrow_a_search_and_each_must_hold() {
    let stack = Stack::start().await;
    let viewer = viewer(&stack).await;
    let waiting = stack.payer().await.pay_by_qr("k").await.number();
    let paid = paid_installments(&stack).await.number;
    let settled = settled_installments(&stack).await.number;
    for number in [&paid, &settled] {
        viewer.get(&format!("/charges/{MERCHANT}/{number}/-")).await;
    }
    let all = [settled.as_str(), paid.as_str(), waiting.as_str()];
    for (query, expected) in [
        ("", &all[..]),
        ("state=PENDIENTE", &all[2..]),
        ("state=AUTORIZADO%20LIQUIDADO", &all[..2]),
        ("state=none", &[]),
        ("method=QR", &all[2..]),
        ("method=INSTALLMENT&state=LIQUIDADO", &all[..1]),
        ("merchant_code=other", &[]),
        ("from=2020-01-01T00:00:00Z", &all[..]),
        ("to=2020-01-01T00:00:00Z", &[]),
        ("amount_min=6580&amount_max=6580", &all[..]),
        ("amount_min=6581", &[]),
    ] {
        assert_eq!(viewer.search(query).await, expected, "{query}");
    }
    for (query, field) in [
        ("state=paid", "state"),
        ("from=yesterday", "from"),
        ("amount_max=1.5", "amount_max"),
        ("sort=payer", "sort"),
        ("limit=0", "limit"),
        ("cursor=abc", "cursor"),
    ] {
        let answer = viewer.get(&format!("/operations?{query}")).await;
        assert_eq!(answer.problem(), "bad-request");
        assert_eq!(answer.json()["field"], field);
    }
    let answer = viewer.get("/operations?order=amount").await;
    assert!(answer.text.contains("order"), "{}", answer.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_neither_repeat_nor_miss_while_operations_come_in() {
    let stack = Stack::start().await;
    let viewer = viewer(&stack).await;
    let mut sold = Vec::new();
    for _ in 0..5 {
        sold.push(stack.payer().await.pay_by_qr("k").await.number());
    }
    let (mut read, mut query) = (Vec::new(), "limit=2".to_owned());
    loop {
        let page = viewer.get(&format!("/operations?{query}")).await.json();
        read.extend(numbers(&page["operations"]));
        // A new operation comes first, and moves no later page.
        stack.payer().await.pay_by_qr("k").await;
        let Some(next) = page["next_cursor"].as_str() else {
            break;
        };
        query = format!("limit=2&cursor={next}");
        let other = viewer
            .get(&format!("/operations?limit=2&state=EXPIRADO&cursor={next}"))
            .await;
        assert_eq!(other.json()["field"], "cursor");
    }
    sold.reverse();
    assert_eq!(read, sold);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_has_the_order_that_was_asked_for_page_by_page() {
    let stack = Stack::start().await;
    let viewer = viewer(&stack).await;
    let mut sold = Vec::new();
    for items in [1, 3, 2, 3] {
        let mut payer = stack.payer().await;
        payer.order_of(items).await;
        sold.push(payer.pay_by_qr("k").await.number());
    }
    let [one, first, two, second] = &sold[..] else {
        panic!("{sold:?}");
    };
    for (sort, expected) in [
        ("created", [one, first, two, second]),
        ("-created", [second, two, first, one]),
        ("amount", [one, two, first, second]),
        ("-amount", [second, first, two, one]),
    ] {
        let (mut read, mut query) = (Vec::new(), format!("limit=1&sort={sort}"));
        loop {
            let page = viewer.get(&format!("/operations?{query}")).await.json();
            read.extend(numbers(&page["operations"]));
            let Some(next) = page["next_cursor"].as_str() else {
                break;
            };
            query = format!("limit=1&sort={sort}&cursor={next}");
        }
        assert_eq!(read.iter().collect::<Vec<_>>(), expected, "{sort}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_has_every_match_and_is_on_record() {
    let stack = Stack::start().await;
    let viewer = viewer(&stack).await;
    let number = settled_installments(&stack).await.number;
    viewer.get(&format!("/charges/{MERCHANT}/{number}/-")).await;
    stack.payer().await.pay_by_qr("k").await;
    let answer = viewer.get("/operations.csv?state=LIQUIDADO&limit=1").await;
    assert_eq!(answer.header("content-type"), "text/csv; charset=utf-8");
    assert!(
        answer
            .header("content-disposition")
            .starts_with("attachment; filename=\"operations-")
    );
    let lines: Vec<&str> = answer.text.lines().collect();
    assert_eq!(lines.len(), 2, "{}", answer.text);
    assert!(lines[0].starts_with("\u{feff}merchant_code,merchant_operation_number,order_id"));
    assert!(lines[1].starts_with(&format!("{MERCHANT},{number},")));
    assert!(
        lines[1].contains(",INSTALLMENT,LIQUIDADO,known,65.80,PEN,"),
        "{}",
        lines[1]
    );
    assert!(lines[1].contains(" -05:00,"), "{}", lines[1]);
    assert!(!answer.text.contains("anary"), "{}", answer.text);
    assert_eq!(viewer.get("/operations.csv?state=x").await.status, 400);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_file_is_sent_whole() {
    let stack = Stack::start_with(|config| config.timing.authorizes_per_minute = 1000).await;
    let viewer = viewer(&stack).await;
    let mut payer = stack.payer().await;
    for at in 0..203 {
        payer.order_again().await;
        payer.pay_by_qr(&format!("k{at}")).await.number();
    }
    let text = viewer.get("/operations.csv").await.text;
    let mut lines: Vec<&str> = text.lines().skip(1).collect();
    assert_eq!(lines.len(), 203);
    lines.dedup();
    assert_eq!(lines.len(), 203);
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_made_at_once_have_labels_of_their_own() {
    let stack = Stack::start().await;
    let mut tasks = Vec::new();
    for _ in 0..8 {
        let browser = stack.browser();
        tasks.push(tokio::spawn(async move {
            let payer = Payer::order(&browser.client, &browser.base).await;
            payer.shown().await["label"].as_str().unwrap().to_owned()
        }));
    }
    let mut labels = Vec::new();
    for task in tasks {
        labels.push(task.await.unwrap());
    }
    labels.sort_unstable();
    let expected: Vec<_> = (1001..1009).map(|number| format!("R-{number}")).collect();
    assert_eq!(labels, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_label_of_a_signed_order_finds_it() {
    let stack = Stack::start_for_shop(None).await;
    let viewer = viewer(&stack).await;
    let mut order = claims(&stack.base(), "A-1", 500);
    order["label"] = json!("Mesa 12");
    let pays = json!({"order": sign(&order), "payment_method": {"method_name": "QR"}});
    let number = stack.browser().authorize("k", &pays).await.number();
    assert_eq!(viewer.search("q=Mesa%2012").await, [&*number]);
    order["label"] = json!("two\nlines");
    let pays = json!({"order": sign(&order), "payment_method": {"method_name": "QR"}});
    let refused = stack.browser().authorize("l", &pays).await;
    assert_eq!(refused.json()["reason"], "claim");
}
