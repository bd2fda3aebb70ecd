use super::OrderKeys;
use crate::clock::instant;
use crate::shop_orders::TokenRefusal;
use crate::shop_orders::token::read;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair};
use serde_json::json;

const SECRET: &str = "canary-0123456789abcdef0123456789";

/// The DER headers of public keys (RFC 5480 and RFC 8410), which the bytes of the key follow.
const P256: &[u8] = b"\x30\x59\x30\x13\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07\x03\x42\x00";
const ED25519: &[u8] = b"\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00";

fn pem(beginning: &[u8], key: &[u8]) -> String {
    let der = STANDARD.encode([beginning, key].concat());
    format!("-----BEGIN PUBLIC KEY-----\n{der}\n-----END PUBLIC KEY-----\n")
}

fn token(algorithm: &str, kid: &str, sign: impl Fn(&[u8]) -> Vec<u8>) -> String {
    let header = json!({"alg": algorithm, "kid": kid});
    let claims = json!({"aud": "https://s.example/api", "iat": 100, "exp": 200,
        "order_id": "A-1", "amount": 5, "currency": "PEN"});
    let part = |value: serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let signed = format!("{}.{}", part(header), part(claims));
    let tag = URL_SAFE_NO_PAD.encode(sign(signed.as_bytes()));
    format!("{signed}.{tag}")
}

#[test]
fn each_key_has_its_own_algorithm_and_no_other() {
    let random = SystemRandom::new();
    let method = &ECDSA_P256_SHA256_FIXED_SIGNING;
    let pkcs8 = EcdsaKeyPair::generate_pkcs8(method, &random).unwrap();
    let curve = EcdsaKeyPair::from_pkcs8(method, pkcs8.as_ref(), &random).unwrap();
    let pkcs8 = Ed25519KeyPair::generate_pkcs8(&random).unwrap();
    let edwards = Ed25519KeyPair::from_pkcs8(pkcs8.as_ref()).unwrap();
    let curve_pem = pem(P256, curve.public_key().as_ref());
    let file = format!(
        "[[key]]\nkid = \"s\"\nalg = \"HS256\"\nsecret = \"{SECRET}\"\n\
         [[key]]\nkid = \"p\"\nalg = \"ES256\"\npublic_key = '''\n{curve_pem}'''\n\
         [[key]]\nkid = \"e\"\nalg = \"EdDSA\"\npublic_key = '''\n{}'''\n",
        pem(ED25519, edwards.public_key().as_ref()),
    );
    let keys = OrderKeys::parse(&file).unwrap();
    assert!(!format!("{keys:?}").contains("canary"));
    let read_at = |token: &str, now| read(&keys, "https://s.example/api/", token, instant(now));
    let verdict = |token: &str| read_at(token, 150_000).map(|read| read.expired);
    let by_curve = |bytes: &[u8]| curve.sign(&random, bytes).unwrap().as_ref().to_vec();
    let by_edwards = |bytes: &[u8]| edwards.sign(bytes).as_ref().to_vec();
    let shared = |secret: &str| {
        let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, secret.as_bytes());
        move |bytes: &[u8]| ring::hmac::sign(&key, bytes).as_ref().to_vec()
    };
    assert_eq!(verdict(&token("HS256", "s", shared(SECRET))), Ok(false));
    assert_eq!(verdict(&token("ES256", "p", by_curve)), Ok(false));
    assert_eq!(verdict(&token("EdDSA", "e", by_edwards)), Ok(false));
    // Everybody knows the public key, so it must not be accepted as the secret of HS256.
    let confused = token("HS256", "p", shared(&curve_pem));
    assert_eq!(verdict(&confused), Err(TokenRefusal::Key));
    assert_eq!(
        verdict(&token("ES256", "s", by_curve)),
        Err(TokenRefusal::Key)
    );
    assert_eq!(
        verdict(&token("ES256", "x", by_curve)),
        Err(TokenRefusal::Key)
    );
    assert_eq!(
        verdict(&token("EdDSA", "e", by_curve)),
        Err(TokenRefusal::Signature)
    );
    assert_eq!(
        verdict(&token("ES256", "p", by_edwards)),
        Err(TokenRefusal::Signature)
    );
    let long_ago = read_at(&token("ES256", "p", by_curve), 200_000);
    assert_eq!(long_ago.map(|read| read.expired), Ok(true));
}

#[test]
fn a_wrong_key_is_named_and_not_quoted() {
    let key = |kid: &str, rest: &str| format!("[[key]]\nkid = \"{kid}\"\n{rest}\n");
    let secret = format!("alg = \"HS256\"\nsecret = \"{SECRET}\"");
    for (text, named) in [
        (String::new(), "no [[key]]"),
        (key("a", "alg = \"HS256\""), "needs `secret` alone"),
        (
            key("a", "alg = \"HS256\"\nsecret = \"canary\""),
            "too short",
        ),
        (
            key("a", "alg = \"none\"\nsecret = \"canary\""),
            "`alg` must be",
        ),
        (key("a", "alg = \"ES256\"\npublic_key = \"canary\""), "PEM"),
        (
            key("a", &format!("alg = \"EdDSA\"\nsecret = \"{SECRET}\"")),
            "needs `public_key`",
        ),
        (key("", &secret), "`kid` is empty"),
        (key("a", &secret) + &key("a", &secret), "key 2: another one"),
        (
            key("a", "algorithm = \"HS256\""),
            "unknown field `algorithm`",
        ),
    ] {
        let wrong = OrderKeys::parse(&text).unwrap_err();
        assert!(wrong.contains(named), "{wrong}");
        assert!(!wrong.contains("canary"), "{wrong}");
    }
}
