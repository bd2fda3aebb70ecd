//! A stranger who guesses passwords locks no member of staff out.

use crate::contract;
use crate::support::accounts::PASSWORD;
use crate::support::payer::Answer;
use crate::support::stack::Stack;
use serde_json::json;

/// A browser at the address in the proxy's header.
struct Browser<'a> {
    stack: &'a Stack,
    address: &'static str,
    cookie: String,
}

impl<'a> Browser<'a> {
    fn new(stack: &'a Stack, address: &'static str) -> Self {
        Self {
            stack,
            address,
            cookie: String::new(),
        }
    }

    async fn sign_in(&self, name: &str, password: &str) -> Answer {
        let client = &self.stack.client;
        let request = client
            .post(format!("{}/staff/session", self.stack.base()))
            .header("content-type", "application/json")
            .header("cookie", &self.cookie)
            .header("x-forwarded-for", self.address);
        let body = json!({"name": name, "password": password});
        contract::send(client, request, &body.to_string()).await
    }

    /// Signs in and keeps the cookie that stays when the session has ended.
    async fn become_known(&mut self, name: &str) {
        let answer = self.sign_in(name, PASSWORD).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        let cookies = answer.headers.get_all("set-cookie").iter();
        let cookie = cookies
            .map(|cookie| cookie.to_str().unwrap())
            .find(|cookie| cookie.starts_with("staff_device_"))
            .expect("no cookie for the device");
        assert!(cookie.contains("; HttpOnly; SameSite=Strict"), "{cookie}");
        self.cookie = cookie.split(';').next().unwrap().to_owned();
    }

    async fn guess(&self, name: &str, times: usize) {
        for _ in 0..times {
            let answer = self.sign_in(name, "a wrong password").await;
            assert_eq!(answer.problem(), "sign-in-refused", "{name}");
        }
    }

    async fn is_slowed(&self, name: &str) {
        let answer = self.sign_in(name, PASSWORD).await;
        assert_eq!(
            (answer.status, answer.problem().as_str()),
            (429, "too-many-requests")
        );
        let wait: u64 = answer.header("retry-after").parse().unwrap();
        assert!((1..=480).contains(&wait), "{wait}");
    }
}

async fn behind_a_proxy() -> Stack {
    Stack::start_with(|config| {
        config.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn guessing_locks_out_no_device_that_signed_in_before() {
    let mut stack = behind_a_proxy().await;
    let mut known = Browser::new(&stack, "198.51.100.1");
    known.become_known("ana").await;
    let cookie = known.cookie.clone();
    let stranger = Browser::new(&stack, "203.0.113.9");
    stranger.guess("ana", 8).await;
    stranger.is_slowed("ana").await;
    // The account is locked elsewhere too, except on a known device.
    Browser::new(&stack, "198.51.100.2").is_slowed("ana").await;
    assert_eq!(known.sign_in("ana", PASSWORD).await.status, 200);
    // After a restart the known device may still sign in, even at the stranger's address.
    stack.restart().await;
    let stranger = Browser::new(&stack, "203.0.113.9");
    stranger.guess("ana", 8).await;
    let known = Browser {
        cookie,
        ..Browser::new(&stack, "203.0.113.9")
    };
    assert_eq!(known.sign_in("ana", PASSWORD).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_known_device_guesses_no_more_often_than_others() {
    let stack = behind_a_proxy().await;
    let mut known = Browser::new(&stack, "198.51.100.1");
    known.become_known("ana").await;
    known.guess("ana", 8).await;
    known.is_slowed("ana").await;
    // Its guesses count for itself only: another device may still sign in.
    let other = Browser::new(&stack, "198.51.100.2");
    assert_eq!(other.sign_in("ana", PASSWORD).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_is_known_to_one_account_and_until_its_password_changes() {
    let stack = behind_a_proxy().await;
    let mut ana = Browser::new(&stack, "198.51.100.1");
    let mut bea = Browser::new(&stack, "198.51.100.1");
    ana.become_known("ana").await;
    bea.become_known("bea").await;
    let stranger = Browser::new(&stack, "203.0.113.9");
    stranger.guess("bea", 8).await;
    ana.is_slowed("bea").await;
    // One account's cookie is not valid under the other's name.
    let value = ana.cookie.split_once('=').unwrap().1;
    let name = bea.cookie.split_once('=').unwrap().0;
    let forged = Browser {
        cookie: format!("{name}={value}"),
        ..Browser::new(&stack, "198.51.100.1")
    };
    forged.is_slowed("bea").await;
    assert_eq!(bea.sign_in("bea", PASSWORD).await.status, 200);

    let file = stack.directory.path().join("staff.toml");
    let accounts = std::fs::read_to_string(&file).unwrap();
    let other = merchant_backend::hash_password("a rotated password").unwrap();
    let start = accounts.find("$argon2id").unwrap();
    let end = start + accounts[start..].find('"').unwrap();
    let old = &accounts[start..end];
    // The length differs, or the file could pass for unchanged.
    std::fs::write(&file, accounts.replace(old, &other) + "\n").unwrap();
    bea.is_slowed("bea").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_address_guesses_a_few_passwords_whatever_the_names() {
    let stack = behind_a_proxy().await;
    let stranger = Browser::new(&stack, "203.0.113.9");
    for number in 0..20 {
        stranger.guess(&format!("name-{number}"), 1).await;
    }
    stranger.is_slowed("ana").await;
    let neighbor = Browser::new(&stack, "203.0.113.10");
    assert_eq!(neighbor.sign_in("ana", PASSWORD).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn guessing_from_everywhere_leaves_known_devices_their_place() {
    let stack = behind_a_proxy().await;
    let mut known = Browser::new(&stack, "198.51.100.1");
    known.become_known("ana").await;
    // More attempts than the server checks in a minute, all by new names and addresses.
    let url = format!("{}/staff/session", stack.base());
    let mut guesses = tokio::task::JoinSet::new();
    for number in 0..130 {
        let request = stack
            .client
            .post(&url)
            .header("content-type", "application/json")
            .header("x-forwarded-for", format!("203.0.113.{number}"));
        let body = json!({"name": format!("name-{number}"), "password": "a wrong password"});
        guesses.spawn(request.body(body.to_string()).send());
    }
    let mut slowed = 0;
    while let Some(answer) = guesses.join_next().await {
        slowed += usize::from(answer.unwrap().unwrap().status() == 429);
    }
    assert!(slowed > 0);
    assert_eq!(known.sign_in("ana", PASSWORD).await.status, 200);
}
