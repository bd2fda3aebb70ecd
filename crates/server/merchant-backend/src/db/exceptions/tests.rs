use super::count_old;
use crate::clock::{instant, now};
use crate::db::Db;
use crate::db::due::tests::{filled, run};
use crate::db::testing::Place;
use payment_rules::ledger::Ledger;
use payment_rules::ledger::fixture::refund;
use payment_rules::operation::{Contradiction, Difference, OperationKey, OperationRecord};
use payment_rules::service_answers::AmountUnits;
use payment_rules::staff::AuditRecord;
use staff_model::{AuditAction, ExceptionKind, ResolveException};
use std::time::Duration;

fn key(number: u32) -> OperationKey {
    OperationKey::new("shop", number.to_string())
}

/// The listed exceptions, each with the number of its operation.
async fn listed(db: &Db) -> Vec<(ExceptionKind, String)> {
    let (found, counts) = db
        .exceptions(&["shop".to_owned()], instant(0))
        .await
        .unwrap();
    let count: u64 = counts.iter().map(|counted| counted.count).sum();
    assert_eq!(usize::try_from(count).unwrap(), found.len());
    let told = |(one, row): (super::FoundException, staff_model::OperationRow)| {
        (one.kind, row.merchant_operation_number)
    };
    found.into_iter().map(told).collect()
}

async fn resolve(db: &Db, kind: ExceptionKind, since: i64) {
    let wanted = ResolveException {
        merchant_code: "shop".to_owned(),
        merchant_operation_number: "1".to_owned(),
        kind,
        reason: "seen".to_owned(),
    };
    let record = AuditRecord {
        staff: "ana".to_owned(),
        action: AuditAction::Resolve,
        key: Some(key(1)),
        detail: String::new(),
    };
    db.resolve(&key(1), &wanted, instant(since), &record, now())
        .await
        .unwrap();
}

fn differs(detail: &str, at: i64) -> impl Fn(&mut OperationRecord) + Send + Sync {
    let difference = Difference::new(detail, instant(at));
    move |record| record.answer_mismatch = Some(difference.clone())
}

#[tokio::test]
async fn exceptions_follow_each_change_and_what_was_resolved_stays_resolved() {
    let place = Place::new().await;
    let db = filled(&place, 2).await;
    let one = |kind| (kind, "1".to_owned());
    assert_eq!(listed(&db).await, []);
    db.change(&key(1), differs("amount", 5)).await.unwrap();
    assert_eq!(listed(&db).await, [one(ExceptionKind::Mismatch)]);
    resolve(&db, ExceptionKind::Mismatch, 5).await;
    assert_eq!(listed(&db).await, []);
    let contradiction = Contradiction {
        at: instant(6),
        detail: "both".to_owned(),
    };
    let contradicts = move |record: &mut OperationRecord| {
        record.contradiction = Some(contradiction.clone());
    };
    db.change(&key(1), contradicts).await.unwrap();
    assert_eq!(listed(&db).await, [one(ExceptionKind::Contradicted)]);
    // Another difference is another exception, and the more urgent one.
    db.change(&key(1), differs("currency", 7)).await.unwrap();
    let both = [ExceptionKind::Mismatch, ExceptionKind::Contradicted].map(one);
    assert_eq!(listed(&db).await, both);
    db.change(&key(1), |record| record.contradiction = None)
        .await
        .unwrap();
    assert_eq!(listed(&db).await, [one(ExceptionKind::Mismatch)]);
}

#[tokio::test]
async fn staff_resolve_what_the_list_shows_of_a_kind_and_not_what_is_listed_later() {
    let place = Place::new().await;
    let db = filled(&place, 1).await;
    let resolved = now();
    let listed_refunds = [
        refund("runs", "IN_PROCESS", "100"),
        refund("one", "REJECTED", "100"),
        refund("two", "REJECTED", "200"),
    ];
    let merge = |ledger: &mut Ledger| {
        ledger.merge_refunds(&listed_refunds, AmountUnits::Cents, resolved);
    };
    db.change_ledger(&key(1), merge).await.unwrap();
    let stuck = async || {
        let (found, _) = db
            .exceptions(&["shop".to_owned()], instant(0))
            .await
            .unwrap();
        let mut found = found.into_iter().map(|(one, _)| one);
        found
            .find(|one| one.kind == ExceptionKind::RefundStuck)
            .map(|one| one.detail)
    };
    let both = "refund one is REJECTED; refund two is REJECTED";
    assert_eq!(stuck().await.as_deref(), Some(both));
    resolve(&db, ExceptionKind::RefundStuck, resolved.as_millis()).await;
    assert_eq!(stuck().await, None);
    run(&db, "UPDATE exceptions SET listed_from = 6").await;
    assert_eq!(stuck().await.as_deref(), Some("refund runs is IN_PROCESS"));
    // Also once the payment changes, since it was not on the list at that time.
    let later = resolved.saturating_add(Duration::from_hours(1));
    let age = |ledger: &mut Ledger| {
        for record in &mut ledger.refunds {
            record.changed_at = later.saturating_sub(Duration::from_hours(14 * 24));
        }
    };
    db.change_ledger(&key(1), age).await.unwrap();
    run(
        &db,
        "UPDATE resolved_exceptions SET since = 9223372036854775807",
    )
    .await;
    db.change(&key(1), |record| record.blocked_since = Some(instant(1)))
        .await
        .unwrap();
    let rows = sqlx::query_scalar("SELECT count(*) FROM exceptions WHERE kind = 'refund_stuck'");
    let rows: i64 = rows
        .fetch_one(&mut db.reader().await.unwrap())
        .await
        .unwrap();
    assert_eq!(rows, 1);
}

#[tokio::test]
async fn an_exception_is_listed_only_from_its_time_on() {
    let place = Place::new().await;
    let db = filled(&place, 1).await;
    db.change(&key(1), |record| {
        record.live = true;
        record.block(now());
    })
    .await
    .unwrap();
    assert_eq!(listed(&db).await, []);
    run(
        &db,
        "UPDATE exceptions SET listed_from = listed_from - 900000",
    )
    .await;
    assert_eq!(
        listed(&db).await,
        [(ExceptionKind::Blocked, "1".to_owned())]
    );
}

#[tokio::test]
async fn exceptions_of_an_earlier_version_are_found_anew() {
    let place = Place::new().await;
    let db = filled(&place, 3).await;
    for number in 1..=3 {
        db.change(&key(number), differs("amount", 5)).await.unwrap();
    }
    resolve(&db, ExceptionKind::Mismatch, 5).await;
    let found = listed(&db).await;
    assert_eq!(found.len(), 2);
    run(&db, "DELETE FROM exceptions").await;
    run(&db, "UPDATE operations SET exceptions_version = 0").await;
    let old = async || count_old(&mut db.reader().await.unwrap()).await.unwrap();
    assert_eq!(old().await, 3);
    // One cannot be read, and stops no other one.
    run(
        &db,
        "UPDATE operations SET document = '{' || document WHERE merchant_operation_number = '2'",
    )
    .await;
    let first = OperationKey::new("", "");
    let two = db.renew_exceptions(&first, 2).await.unwrap().unwrap();
    assert_eq!((two.count, &two.last), (2, &key(2)));
    let rest = db.renew_exceptions(&two.last, 2).await.unwrap().unwrap();
    assert_eq!((rest.count, &rest.last), (1, &key(3)));
    assert_eq!(db.renew_exceptions(&rest.last, 2).await.unwrap(), None);
    assert_eq!(old().await, 1);
    run(&db, "UPDATE operations SET document = substr(document, 2) WHERE merchant_operation_number = '2'").await;
    db.renew_exceptions(&first, 2).await.unwrap();
    assert_eq!(listed(&db).await, found);
}
