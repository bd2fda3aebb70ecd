//! The places outside the checkout where a payer decides: lender, bank and agent.

use crate::support::{Harness, PUBLIC_URL};

const SHOP: &str = "https://shop.example/return?order=7";

#[tokio::test]
async fn the_lender_leads_back_without_a_word_about_the_decision() {
    let harness = Harness::new();
    for (number, decision, state) in [("1", "approve", "AUTORIZADO"), ("2", "reject", "DENEGADO")] {
        let reply = harness.authorize(number, "INSTALLMENT").await;
        let url = reply.at("/transaction/continue_url");
        let path = url
            .as_str()
            .unwrap()
            .strip_prefix(PUBLIC_URL)
            .unwrap()
            .to_owned();
        let page = harness.get(&path).await.text;
        for text in [
            "<h1>Elige tus cuotas</h1>",
            "3 × S/\u{a0}43.30",
            ">Aprobar crédito</button>",
            ">Rechazar crédito</button>",
            ">Volver a la tienda sin decidir</a>",
        ] {
            assert!(page.contains(text), "{text} is not in {page}");
        }
        let reply = harness.post(&format!("{path}/{decision}")).await;
        assert_eq!((reply.status.as_u16(), reply.location()), (303, SHOP));
        assert_eq!(harness.state(number).await, state);
        // A second click leads back too.
        assert_eq!(
            harness.post(&format!("{path}/{decision}")).await.location(),
            SHOP
        );
        let other = if decision == "approve" {
            "reject"
        } else {
            "approve"
        };
        assert_eq!(
            harness.post(&format!("{path}/{other}")).await.location(),
            path
        );
        assert_eq!(harness.state(number).await, state);
    }
}

#[tokio::test]
async fn an_installment_past_its_time_stays_pending_and_the_lender_leads_to_the_shop() {
    let harness = Harness::new();
    harness.authorize("1", "INSTALLMENT").await;
    harness.move_clock(3_600).await;
    for decision in ["approve", "reject"] {
        let reply = harness.post(&format!("/lender/1/{decision}")).await;
        assert_eq!(reply.location(), "/lender/1");
        assert_eq!(harness.state("1").await, "PENDIENTE");
    }
    let page = harness.get("/lender/1").await.text;
    assert!(page.contains("Este cobro venció") && page.contains("Volver a la tienda"));
}

#[tokio::test]
async fn a_transfer_is_confirmed_at_the_bank_and_a_code_is_paid_at_the_agent() {
    let harness = Harness::new();
    harness.authorize("1", "BANK_TRANSFER").await;
    assert!(
        harness
            .get("/lender/1")
            .await
            .text
            .contains(">Confirmar transferencia</button>")
    );
    assert_eq!(harness.post("/lender/1/approve").await.location(), SHOP);
    assert_eq!(harness.state("1").await, "AUTORIZADO");

    let reply = harness.authorize("2", "CASHCODE").await;
    let cip = reply.at("/transaction/processor_response/cip");
    let cip = cip.as_str().unwrap();
    let page = harness
        .get(&format!("/agent?cip={}+{}", &cip[..6], &cip[6..]))
        .await;
    assert!(
        page.text.contains(">Registrar pago</button>"),
        "{}",
        page.text
    );
    // The demo's links name the code or the number.
    for name in [cip, "2"] {
        let page = harness.get(&format!("/agent/{name}")).await.text;
        assert!(
            page.contains(&format!("action=\"/agent/{cip}/pay\"")),
            "{page}"
        );
    }
    let paid = harness.post(&format!("/agent/{cip}/pay")).await;
    assert_eq!(
        (paid.status.as_u16(), paid.location()),
        (303, format!("/agent/{cip}").as_str())
    );
    assert_eq!(harness.state("2").await, "AUTORIZADO");
    // A QR is nothing for the agent.
    harness.authorize("3", "QR").await;
    assert_eq!(harness.get("/agent/3").await.status, 404);
    assert_eq!(harness.post("/agent/3/pay").await.status, 404);
    assert_eq!(harness.state("3").await, "PENDIENTE");
}
