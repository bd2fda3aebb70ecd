//! `staff_links`: the orders that staff made by hand, to be paid by a link.

use super::columns::{full_order_id, instant, optional_instant};
use super::connections::Db;
use super::engine::{Connection, Engine, Row, Statement};
use super::error::DbError;
use super::load_order::{LoadBy, load};
use super::lock::Lock;
use super::notify::Change;
use super::{audit, orders};
use crate::clock::now;
use payment_model::{IdempotencyKey, Timestamp};
use payment_rules::ledger::{GivenBack, Limits};
use payment_rules::order::{FullOrderId, OrderFacts, OrderState};
use payment_rules::payment::Order;
use payment_rules::staff::AuditRecord;
use sqlx::{AssertSqlSafe, Row as _};
use staff_model::AuditAction;
use std::time::Duration;

const LIMIT_PERIOD: Duration = Duration::from_hours(24);

/// A link that a member of staff wants.
pub(crate) struct NewStaffLink<'a> {
    pub(crate) staff: &'a str,
    pub(crate) key: &'a IdempotencyKey,
    /// What distinguishes a repetition under the key from another request.
    pub(crate) fingerprint: &'a str,
    pub(crate) order: &'a OrderFacts,
    pub(crate) limits: Limits,
}

/// The outcome of a request for a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MakeLinkOutcome {
    /// The order of the link; an earlier one for a repetition.
    Made(FullOrderId),
    KeyReused,
    /// The account may make a link of so much now.
    OverLimit {
        left: u64,
    },
}

/// A link with its order.
pub(crate) struct StoredStaffLink {
    pub(crate) order: Order,
    pub(crate) made_by: String,
    pub(crate) made_at: Timestamp,
    pub(crate) opened_at: Option<Timestamp>,
    pub(crate) closed_by: Option<String>,
}

/// Where a list of links goes on: after this one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StaffLinkCursor {
    pub(crate) made_ms: i64,
    pub(crate) order_id: String,
}

impl Db {
    /// Stores the order of a link within the limits of its account.
    pub(crate) async fn make_staff_link(
        &self,
        link: NewStaffLink<'_>,
    ) -> Result<MakeLinkOutcome, DbError> {
        let NewStaffLink { staff, order, .. } = link;
        // Concurrent requests of the account can neither make two links under a key nor exceed its limits.
        let mut transaction = self.write(Lock::Account(staff, &[])).await?;
        let earlier = earlier(&mut transaction, staff, link.key, link.fingerprint).await?;
        if let Some(earlier) = earlier {
            return Ok(earlier);
        }
        let at = now();
        let made = GivenBack {
            of_operation: 0,
            in_a_day: made_since(&mut transaction, staff, at.saturating_sub(LIMIT_PERIOD)).await?,
        };
        let left = link.limits.left(made, 0);
        if order.amount > left {
            return Ok(MakeLinkOutcome::OverLimit { left });
        }
        orders::add(&mut transaction, order).await?;
        let added = sqlx::query(
            "INSERT INTO staff_links (merchant_code, order_id, staff, idempotency_key, fingerprint,
                 created_at, changed_at)
             VALUES ($1, $2, $3, $4, $5, $6, $6)",
        );
        let added = added.bind(&order.merchant_code).bind(&order.order_id);
        let added = added.bind(staff).bind(link.key.as_str());
        let added = added.bind(link.fingerprint).bind(at.as_millis());
        added.execute(&mut *transaction).await?;
        let (id, cents) = (&order.order_id, order.amount);
        let detail = format!("order {id}: {cents} cents of {}", order.currency);
        let record = AuditRecord::without_operation(staff, AuditAction::MakeLink, &detail);
        audit::add(&mut transaction, &record).await?;
        self.notify_nodes(&mut transaction, &Change::Link).await?;
        transaction.commit().await?;
        Ok(MakeLinkOutcome::Made(order.full_id()))
    }

    /// The outcome of a repetition; `None` for a key that the account has not used.
    pub(crate) async fn repeated_staff_link(
        &self,
        staff: &str,
        key: &IdempotencyKey,
        fingerprint: &str,
    ) -> Result<Option<MakeLinkOutcome>, DbError> {
        earlier(&mut self.reader().await?, staff, key, fingerprint).await
    }

    /// The links of these stores, the newest first.
    pub(crate) async fn staff_links(
        &self,
        among: &[String],
        after: Option<&StaffLinkCursor>,
        limit: usize,
    ) -> Result<Vec<StoredStaffLink>, DbError> {
        let mut transaction = self.read().await?;
        let engine = Engine::of(&transaction);
        let sql = list_statement(engine, among, after, limit)?;
        let rows = sql.build().fetch_all(&mut *transaction).await?;
        let mut links = Vec::with_capacity(rows.len());
        for row in &rows {
            links.extend(read(&mut transaction, row).await?);
        }
        Ok(links)
    }

    /// The link of an order; `None` for an order that no member of staff made.
    pub(crate) async fn staff_link(
        &self,
        order: &FullOrderId,
    ) -> Result<Option<StoredStaffLink>, DbError> {
        let mut transaction = self.read().await?;
        let sql = format!("{SELECT}l.merchant_code = $1 AND l.order_id = $2");
        let row = sqlx::query(AssertSqlSafe(sql)).bind(&order.merchant_code);
        let row = row.bind(&order.order_id);
        match row.fetch_optional(&mut *transaction).await? {
            Some(row) => read(&mut transaction, &row).await,
            None => Ok(None),
        }
    }

    /// Notes that a browser showed the page of a link; false if that is known, or if there is no such link.
    pub(crate) async fn note_opened_link(&self, order: &FullOrderId) -> Result<bool, DbError> {
        let unopened = "opened_at IS NULL AND merchant_code = $1 AND order_id = $2";
        let sql = format!("SELECT 1 FROM staff_links WHERE {unopened}");
        let found = sqlx::query(AssertSqlSafe(sql)).bind(&order.merchant_code);
        let found = found.bind(&order.order_id);
        let mut reader = self.reader().await?;
        if found.fetch_optional(&mut reader).await?.is_none() {
            return Ok(false);
        }
        drop(reader);
        let mut transaction = self.write(Lock::None).await?;
        let sql =
            format!("UPDATE staff_links SET opened_at = $3, changed_at = $3 WHERE {unopened}");
        let noted = sqlx::query(AssertSqlSafe(sql)).bind(&order.merchant_code);
        let noted = noted.bind(&order.order_id).bind(now().as_millis());
        let is_noted = noted.execute(&mut *transaction).await?.rows_affected() == 1;
        if is_noted {
            self.notify_nodes(&mut transaction, &Change::Link).await?;
        }
        transaction.commit().await?;
        Ok(is_noted)
    }

    /// Notes within a transaction that the link of an order has changed, if a member of staff made one.
    pub(super) async fn note_changed_link(
        &self,
        connection: &mut Connection,
        order: &FullOrderId,
    ) -> Result<(), DbError> {
        let noted = sqlx::query(
            "UPDATE staff_links SET changed_at = $1 WHERE merchant_code = $2 AND order_id = $3",
        );
        let noted = noted.bind(now().as_millis()).bind(&order.merchant_code);
        let noted = noted.bind(&order.order_id);
        if noted.execute(&mut *connection).await?.rows_affected() == 1 {
            self.notify_nodes(connection, &Change::Link).await?;
        }
        Ok(())
    }
}

async fn earlier(
    connection: &mut Connection,
    staff: &str,
    key: &IdempotencyKey,
    fingerprint: &str,
) -> Result<Option<MakeLinkOutcome>, DbError> {
    let earlier = sqlx::query(
        "SELECT order_id, merchant_code, fingerprint FROM staff_links
         WHERE staff = $1 AND idempotency_key = $2",
    );
    let earlier = earlier.bind(staff).bind(key.as_str());
    let Some(row) = earlier.fetch_optional(connection).await? else {
        return Ok(None);
    };
    let is_same = row.try_get::<&str, _>("fingerprint")? == fingerprint;
    Ok(Some(match is_same {
        true => MakeLinkOutcome::Made(full_order_id(&row)?),
        false => MakeLinkOutcome::KeyReused,
    }))
}

/// Forgets what a request for the link of an order said, since it has the customer's name.
pub(super) async fn forget_request(
    connection: &mut Connection,
    order: &FullOrderId,
) -> Result<(), DbError> {
    let sql = "UPDATE staff_links SET fingerprint = '' WHERE order_id = $1 AND merchant_code = $2";
    let forgotten = sqlx::query(sql).bind(&order.order_id);
    let forgotten = forgotten.bind(&order.merchant_code);
    forgotten.execute(connection).await?;
    Ok(())
}

/// The sum of the amounts, in cents, of the links that an account has made since an instant. A link counts while it can be
/// paid, and once it is paid.
async fn made_since(
    connection: &mut Connection,
    staff: &str,
    since: Timestamp,
) -> Result<u64, DbError> {
    let made: i64 = sqlx::query_scalar(MADE_IN_A_DAY)
        .bind(staff)
        .bind(since.as_millis())
        .bind(OrderState::Paid.as_str())
        .fetch_one(connection)
        .await?;
    Ok(u64::try_from(made).unwrap_or(u64::MAX))
}

pub(super) const MADE_IN_A_DAY: &str =
    "SELECT CAST(COALESCE(SUM(o.amount), 0) AS BIGINT) FROM staff_links l
     JOIN orders o ON o.order_id = l.order_id AND o.merchant_code = l.merchant_code
     WHERE l.staff = $1 AND l.created_at > $2 AND (o.state = $3
         OR NOT EXISTS (SELECT 1 FROM closed_orders c
             WHERE c.order_id = l.order_id AND c.merchant_code = l.merchant_code)
         OR EXISTS (SELECT 1 FROM operations p WHERE p.order_id = l.order_id
             AND p.merchant_code = l.merchant_code AND p.may_be_paid = 1))";

const SELECT: &str =
    "SELECT l.merchant_code, l.order_id, l.staff, l.created_at, l.opened_at, c.closed_by
     FROM staff_links l LEFT JOIN closed_orders c
         ON c.order_id = l.order_id AND c.merchant_code = l.merchant_code
     WHERE ";

pub(super) fn list_statement(
    engine: Engine,
    among: &[String],
    after: Option<&StaffLinkCursor>,
    limit: usize,
) -> Result<Statement, DbError> {
    let mut sql = Statement::new(engine, SELECT.to_owned());
    sql.push("l.merchant_code IN ").push_texts(among)?;
    if let Some(after) = after {
        sql.push(" AND (l.created_at, l.order_id) < (");
        sql.push_bind(after.made_ms).push(", ");
        sql.push_bind(after.order_id.clone()).push(")");
    }
    sql.push(" ORDER BY l.created_at DESC, l.order_id DESC LIMIT ");
    sql.push_bind(i64::try_from(limit).unwrap_or(i64::MAX));
    Ok(sql)
}

async fn read(connection: &mut Connection, row: &Row) -> Result<Option<StoredStaffLink>, DbError> {
    let order = full_order_id(row)?;
    let order = load(connection, LoadBy::Order(&order)).await?;
    let (made_at, opened_at) = (
        instant(row, "created_at")?,
        optional_instant(row, "opened_at")?,
    );
    let (made_by, closed_by) = (row.try_get("staff")?, row.try_get("closed_by")?);
    Ok(order.map(|order| StoredStaffLink {
        order,
        made_by,
        made_at,
        opened_at,
        closed_by,
    }))
}

#[cfg(test)]
mod tests {
    use super::{MakeLinkOutcome, NewStaffLink};
    use crate::clock::now;
    use crate::db::testing::{Place, of_shop};
    use payment_model::IdempotencyKey;
    use payment_rules::ledger::Limits;
    use payment_rules::order::fixture::order;

    #[tokio::test]
    async fn the_link_of_an_abandoned_order_is_removed_with_it() {
        let place = Place::new().await;
        let db = place.open().await;
        let key = IdempotencyKey::new("k").unwrap();
        let link = NewStaffLink {
            staff: "ana",
            key: &key,
            fingerprint: "f",
            order: &order("link-1"),
            limits: Limits::default(),
        };
        let id = of_shop("link-1");
        let made = db.make_staff_link(link).await.unwrap();
        assert_eq!(made, MakeLinkOutcome::Made(id.clone()));
        assert!(db.staff_link(&id).await.unwrap().is_some());
        assert_eq!(db.remove_abandoned(now(), 10).await.unwrap(), 1);
        assert!(db.staff_link(&id).await.unwrap().is_none());
    }
}
