//! `idempotency_keys`: one answer for each key of a payer or a member of staff.

use super::columns::order_list;
use super::columns::{flag, millis};
use super::connections::Db;
use super::engine::{Connection, Engine, Row};
use super::error::DbError;
use super::lock::Lock;
use super::notify::Change;
use crate::clock::{Moment, moment};
use payment_model::Timestamp;
use payment_rules::idempotency::{Claim, IdempotentRequest, KeyState};
use payment_rules::ledger::Requester;
use payment_rules::order::FullOrderId;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::{AssertSqlSafe, Row as _};
use std::time::Duration;

impl Db {
    /// Claims the key of a request until the lease ends, or returns why the request does not run.
    pub(crate) async fn claim<A: DeserializeOwned + Send>(
        &self,
        request: &IdempotentRequest,
        at: Moment,
        lease: Duration,
    ) -> Result<Result<Claim, KeyState<A>>, DbError> {
        let mut transaction = self.write(Lock::Key(request)).await?;
        let claim = match claim(&mut transaction, request, at, lease).await? {
            Ok(claim) => claim,
            Err(state) => return Ok(Err(state)),
        };
        if let Err(error) = transaction.commit().await {
            // The claim may be stored, and callers would wait until its lease ends, although no request
            // runs.
            let _ = self.end(&claim, None::<&()>).await;
            return Err(error);
        }
        Ok(Ok(claim))
    }

    /// Renews the lease of a running request, for it takes longer than one; `None` when another claim
    /// holds the key by now.
    pub(crate) async fn renew(
        &self,
        claim: &Claim,
        at: Moment,
        lease: Duration,
    ) -> Result<Option<Claim>, DbError> {
        let mut transaction = self.write(Lock::Key(&claim.request)).await?;
        let (sender_kind, sender) = claim.request.sender.words();
        let steady = self.engine().steady(5);
        let sql = format!(
            "UPDATE idempotency_keys SET running_until = {steady} + $6
             WHERE sender_kind = $1 AND sender = $2 AND key = $3 AND answer IS NULL
                 AND running_until = $4
             RETURNING running_until"
        );
        let until: Option<i64> = sqlx::query_scalar(AssertSqlSafe(sql))
            .bind(sender_kind)
            .bind(sender)
            .bind(claim.request.key.as_str())
            .bind(claim.until.as_millis())
            .bind(at.steady.as_millis())
            .bind(millis(lease))
            .fetch_optional(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(until.map(|until| Claim {
            request: claim.request.clone(),
            until: Timestamp::from_millis(until),
        }))
    }

    /// Why a request does not run now; `None` when it could.
    pub(crate) async fn key_state<A: DeserializeOwned>(
        &self,
        request: &IdempotentRequest,
        at: Moment,
    ) -> Result<Option<KeyState<A>>, DbError> {
        find(&mut self.reader().await?, request, at, "").await
    }

    /// Ends a request: with its answer, or with `None`, so that its repetition runs again. Does
    /// nothing when another claim holds the key by now.
    pub(crate) async fn end<A: Serialize + Sync>(
        &self,
        claim: &Claim,
        answer: Option<&A>,
    ) -> Result<(), DbError> {
        let mut transaction = self.write(Lock::Key(&claim.request)).await?;
        end(&mut transaction, claim, answer).await?;
        let ended = Change::key_of(&claim.request);
        self.notify_nodes(&mut transaction, &ended).await?;
        transaction.commit().await
    }
}

/// Claims the key of a request as [`Db::claim`] does; the key is locked.
pub(super) async fn claim<A: DeserializeOwned>(
    connection: &mut Connection,
    request: &IdempotentRequest,
    at: Moment,
    lease: Duration,
) -> Result<Result<Claim, KeyState<A>>, DbError> {
    // The row is locked, since a running request may write its answer at this moment.
    let engine = Engine::of(connection);
    if let Some(state) = find(connection, request, at, engine.for_update()).await? {
        return Ok(Err(state));
    }
    let (sender_kind, sender) = request.sender.words();
    let steady = engine.steady(8);
    let sql = format!(
        "INSERT INTO idempotency_keys
                 (sender_kind, sender, key, fingerprint, order_id, merchant_code, created_at,
                     running_until)
             VALUES ($1, $2, $3, $4, $5, $6, $7, {steady} + $9)
             ON CONFLICT (sender_kind, sender, key)
                 DO UPDATE SET running_until = excluded.running_until
             RETURNING running_until"
    );
    let until: i64 = sqlx::query_scalar(AssertSqlSafe(sql))
        .bind(sender_kind)
        .bind(sender)
        .bind(request.key.as_str())
        .bind(&request.fingerprint)
        .bind(request.order.as_ref().map(|order| &order.order_id))
        .bind(request.order.as_ref().map(|order| &order.merchant_code))
        .bind(at.wall.as_millis())
        .bind(at.steady.as_millis())
        .bind(millis(lease))
        .fetch_one(connection)
        .await?;
    Ok(Ok(Claim {
        request: request.clone(),
        until: Timestamp::from_millis(until),
    }))
}

async fn find<A: DeserializeOwned>(
    connection: &mut Connection,
    request: &IdempotentRequest,
    at: Moment,
    for_update: &'static str,
) -> Result<Option<KeyState<A>>, DbError> {
    let (sender_kind, sender) = request.sender.words();
    // The lease ends by the steady clock: with a clock that can be set, two requests could run under one
    // key.
    let steady = Engine::of(connection).steady(4);
    let sql = format!(
        "SELECT fingerprint, answer, CASE WHEN running_until > {steady} THEN 1 ELSE 0 END AS runs
         FROM idempotency_keys WHERE sender_kind = $1 AND sender = $2 AND key = $3{for_update}"
    );
    let row = sqlx::query(AssertSqlSafe(sql))
        .bind(sender_kind)
        .bind(sender)
        .bind(request.key.as_str())
        .bind(at.steady.as_millis())
        .fetch_optional(connection)
        .await?;
    row.map_or(Ok(None), |row| key_state(&row, request))
}

fn key_state<A: DeserializeOwned>(
    row: &Row,
    request: &IdempotentRequest,
) -> Result<Option<KeyState<A>>, DbError> {
    if row.try_get::<String, _>("fingerprint")? != request.fingerprint {
        return Ok(Some(KeyState::Other));
    }
    let answer: Option<String> = row.try_get("answer")?;
    if let Some(answer) = answer {
        return Ok(Some(KeyState::Answered(serde_json::from_str(&answer)?)));
    }
    Ok(flag(row, "runs")?.then_some(KeyState::Running))
}

/// True while staff's request under a key runs, by the lease that its process renews.
pub(super) async fn runs(
    connection: &mut Connection,
    requester: &Requester,
) -> Result<bool, DbError> {
    let steady = Engine::of(connection).steady(3);
    let sql = format!(
        "SELECT count(*) FROM idempotency_keys WHERE sender_kind = 'staff' AND sender = $1
             AND key = $2 AND running_until > {steady}"
    );
    let count: i64 = sqlx::query_scalar(AssertSqlSafe(sql))
        .bind(&requester.staff)
        .bind(requester.key.as_str())
        .bind(moment().steady.as_millis())
        .fetch_one(connection)
        .await?;
    Ok(count > 0)
}

/// Ends a request as [`Db::end`] does. A stored answer never changes.
pub(super) async fn end<A: Serialize + Sync>(
    connection: &mut Connection,
    claim: &Claim,
    answer: Option<&A>,
) -> Result<(), DbError> {
    let (sender_kind, sender) = claim.request.sender.words();
    sqlx::query(
        "UPDATE idempotency_keys SET running_until = NULL, answer = $1
         WHERE sender_kind = $2 AND sender = $3 AND key = $4 AND answer IS NULL
             AND running_until = $5",
    )
    .bind(answer.map(serde_json::to_string).transpose()?)
    .bind(sender_kind)
    .bind(sender)
    .bind(claim.request.key.as_str())
    .bind(claim.until.as_millis())
    .execute(connection)
    .await?;
    Ok(())
}

/// True while the claim is valid: no other request has claimed the key, and none has ended it.
pub(super) async fn holds_claim(
    connection: &mut Connection,
    claim: &Claim,
) -> Result<bool, DbError> {
    let (sender_kind, sender) = claim.request.sender.words();
    let count = sqlx::query_scalar::<_, i64>(
        "SELECT count(*) FROM idempotency_keys
         WHERE sender_kind = $1 AND sender = $2 AND key = $3 AND answer IS NULL
             AND running_until = $4",
    );
    let count = count
        .bind(sender_kind)
        .bind(sender)
        .bind(claim.request.key.as_str())
        .bind(claim.until.as_millis());
    Ok(count.fetch_one(connection).await? > 0)
}

/// Removes the keys of requests about some orders.
pub(super) async fn remove_of_orders(
    connection: &mut Connection,
    orders: &[FullOrderId],
) -> Result<(), DbError> {
    let among = Engine::of(connection).pairs(1);
    let sql = format!("DELETE FROM idempotency_keys WHERE (order_id, merchant_code) IN {among}");
    sqlx::query(AssertSqlSafe(sql))
        .bind(order_list(orders)?)
        .execute(connection)
        .await?;
    Ok(())
}

/// Ends the lease of every key; for a start, before any request runs.
pub(super) async fn free_all(connection: &mut Connection) -> Result<(), DbError> {
    sqlx::query("UPDATE idempotency_keys SET running_until = NULL WHERE running_until IS NOT NULL")
        .execute(connection)
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests;
