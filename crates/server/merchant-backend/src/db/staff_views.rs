//! The operations as staff see them: the list of exceptions, the page of one operation, and searches by the
//! facts that a payer gives to support.

use super::audit;
use super::columns::{amount, instant};
use super::connections::Db;
use super::engine::{Connection, Engine, ROW_ID, Row, Statement};
use super::error::DbError;
use super::exception_list;
use super::load_order;
use super::load_order::LoadBy;
use payment_model::{Cents, Currency, PaymentMethodName, Person, Timestamp, TransactionState};
use payment_rules::operation::OperationKey;
use payment_rules::order::{OrderFacts, payer_of};
use payment_rules::payment::{FoundException, Order, Payment};
use payment_rules::search::{Cursor, Search, Sort, SortBy};
use serde_json::Value;
use sqlx::Row as _;
use staff_model::{AuditEntry, ExceptionCount, OperationRow, Payer, Phase};
use std::collections::HashMap;

/// Everything that staff see of one operation, of one state of the database.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OperationPage {
    pub(crate) order: OrderFacts,
    pub(crate) payment: Payment,
    pub(crate) audit: Vec<AuditEntry>,
    pub(crate) row: OperationRow,
    pub(crate) exceptions: Vec<FoundException>,
    /// Every operation of the order, the oldest first.
    pub(crate) of_order: Vec<OperationRow>,
}

/// An operation of a list, with the number of its row.
#[derive(Debug, Clone)]
pub(super) struct Listed {
    pub(super) id: i64,
    pub(super) row: OperationRow,
}

impl Db {
    /// The unresolved exceptions under these merchant codes with their operations, and how many
    /// there are of each kind, listed or not. A payment from before `unsettled_since` has to be
    /// settled by now.
    pub(crate) async fn exceptions(
        &self,
        among: &[String],
        unsettled_since: Timestamp,
    ) -> Result<(Vec<(FoundException, OperationRow)>, Vec<ExceptionCount>), DbError> {
        let mut transaction = self.read().await?;
        let found = exception_list::all(&mut transaction, among, unsettled_since).await?;
        let ids: Vec<i64> = found.iter().map(|found| found.operation).collect();
        let listed = by_ids(&mut transaction, &ids, unsettled_since).await?;
        let rows: HashMap<i64, OperationRow> =
            listed.into_iter().map(|one| (one.id, one.row)).collect();
        let with_row = |found: exception_list::ExceptionRow| {
            let row = rows.get(&found.operation)?.clone();
            Some((found.exception, row))
        };
        let listed = found.into_iter().filter_map(with_row).collect();
        let counts = exception_list::counts(&mut transaction, among, unsettled_since).await?;
        Ok((listed, counts))
    }

    /// The page of one operation; `None` if there is no such operation.
    pub(crate) async fn operation_page(
        &self,
        key: &OperationKey,
        unsettled_since: Timestamp,
    ) -> Result<Option<OperationPage>, DbError> {
        let mut transaction = self.read().await?;
        let Some(Order {
            facts, payments, ..
        }) = load_order::load(&mut transaction, LoadBy::Operation(key)).await?
        else {
            return Ok(None);
        };
        let of_this = |payment: &Payment| payment.operation.key == *key;
        let payment = payments.into_iter().find(of_this);
        let listed = of_order(&mut transaction, &facts, unsettled_since).await?;
        let is_this = |one: &&Listed| {
            one.row.merchant_code == key.merchant_code.as_str()
                && one.row.merchant_operation_number == key.number.as_str()
        };
        let this = listed.iter().find(is_this).cloned();
        let Some((payment, Listed { id, row })) = payment.zip(this) else {
            return Err(DbError::missing("an operation in the list of its order"));
        };
        let found = exception_list::of(&mut transaction, &[id], unsettled_since).await?;
        Ok(Some(OperationPage {
            order: facts,
            payment,
            audit: audit::of_operation(&mut transaction, key).await?,
            row,
            exceptions: found.into_iter().map(|found| found.exception).collect(),
            of_order: listed.into_iter().map(|one| one.row).collect(),
        }))
    }
}

/// The columns of a list, without the service's whole answer.
pub(super) fn select(engine: Engine) -> Statement {
    let sql = format!(
        "SELECT o.{ROW_ID} AS id, o.merchant_code, o.merchant_operation_number, o.order_id,
             o.order_label,
             o.transaction_id, o.method_name, o.phase, o.state, o.outcome, o.amount, o.currency,
             o.created_at, o.changed_at,
             (SELECT p.customer FROM orders p
                 WHERE p.order_id = o.order_id AND p.merchant_code = o.merchant_code) AS customer
         FROM operations o WHERE "
    );
    Statement::new(engine, sql)
}

/// The operations in these rows, in no order.
pub(super) async fn by_ids(
    connection: &mut Connection,
    ids: &[i64],
    unsettled_since: Timestamp,
) -> Result<Vec<Listed>, DbError> {
    let mut sql = select(Engine::of(connection));
    sql.push(format!("o.{ROW_ID} IN ")).push_numbers(ids)?;
    let rows = sql.build().fetch_all(&mut *connection).await?;
    listed(connection, &rows, unsettled_since).await
}

/// The operations of an order, the oldest first.
async fn of_order(
    connection: &mut Connection,
    order: &OrderFacts,
    unsettled_since: Timestamp,
) -> Result<Vec<Listed>, DbError> {
    let mut sql = select(Engine::of(connection));
    sql.push("o.order_id = ").push_bind(order.order_id.clone());
    sql.push(" AND o.merchant_code = ");
    sql.push_bind(order.merchant_code.clone());
    sql.push(format!(" ORDER BY o.created_at, o.{ROW_ID}"));
    let rows = sql.build().fetch_all(&mut *connection).await?;
    listed(connection, &rows, unsettled_since).await
}

/// Rows of a list, with the exceptions of their operations.
pub(super) async fn listed(
    connection: &mut Connection,
    rows: &[Row],
    unsettled_since: Timestamp,
) -> Result<Vec<Listed>, DbError> {
    let ids: Vec<i64> = rows
        .iter()
        .map(|row| row.try_get("id"))
        .collect::<Result<_, _>>()?;
    let found = exception_list::of(connection, &ids, unsettled_since).await?;
    rows.iter()
        .zip(ids)
        .map(|(row, id)| {
            let mut row = read(row)?;
            let own = found.iter().filter(|found| found.operation == id);
            row.exceptions = own.map(|found| found.exception.kind).collect();
            // They are in the order of their kinds.
            row.exceptions.dedup();
            Ok(Listed { id, row })
        })
        .collect()
}

fn read(row: &Row) -> Result<OperationRow, DbError> {
    let phase: String = row.try_get("phase")?;
    let method: String = row.try_get("method_name")?;
    let state: Option<String> = row.try_get("state")?;
    let outcome = row
        .try_get::<Option<String>, _>("outcome")?
        .map(Value::from);
    let customer: Option<String> = row.try_get("customer")?;
    // A payer who cannot be read does not make the list fail.
    let customer: Option<Person> = customer.and_then(|text| serde_json::from_str(&text).ok());
    let payer = customer.as_ref().and_then(payer_of);
    Ok(OperationRow {
        merchant_code: row.try_get("merchant_code")?,
        merchant_operation_number: row.try_get("merchant_operation_number")?,
        order_id: row.try_get("order_id")?,
        payer: payer.map(|Payer { name, .. }| Payer {
            name,
            ..Payer::default()
        }),
        order_label: row.try_get("order_label")?,
        transaction_id: row.try_get("transaction_id")?,
        method_name: PaymentMethodName::from(method.as_str()),
        phase: Phase::from_word(&phase).unwrap_or(Phase::Unknown),
        state: state.map(|state| TransactionState::from(state.as_str())),
        // An unknown word of a newer version does not make the list fail.
        outcome: outcome.and_then(|word| serde_json::from_value(word).ok()),
        amount: Cents::new(amount(row)?),
        currency: Currency::new(row.try_get::<String, _>("currency")?),
        created_at: instant(row, "created_at")?,
        changed_at: instant(row, "changed_at")?,
        exceptions: Vec::new(),
    })
}

/// A page of a search, and the beginning of the next one, if there is one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FoundPage {
    pub(crate) rows: Vec<OperationRow>,
    pub(crate) next: Option<Cursor>,
}

impl Db {
    /// A page of a search. A payment from before `unsettled_since` has to be settled by now.
    pub(crate) async fn search(
        &self,
        search: &Search,
        unsettled_since: Timestamp,
    ) -> Result<FoundPage, DbError> {
        let mut transaction = self.read().await?;
        let mut sql = search_statement(self.engine(), search)?;
        // One row more than the page has shows whether another page follows.
        let limit = i64::from(search.limit);
        sql.push(search_order(search.sort))
            .push_bind(limit.saturating_add(1));
        let mut rows = sql.build().fetch_all(&mut *transaction).await?;
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let more = rows.len() > limit;
        rows.truncate(limit);
        let found = listed(&mut transaction, &rows, unsettled_since).await?;
        let next = found.last().filter(|_| more).map(|last| Cursor {
            value: match search.sort.by {
                SortBy::Created => last.row.created_at.as_millis(),
                SortBy::Amount => last.row.amount.get().cast_signed(),
            },
            place: last.id,
        });
        let rows = found.into_iter().map(|one| one.row).collect();
        Ok(FoundPage { rows, next })
    }
}

/// The order of a search, and the beginning of its `LIMIT`.
pub(super) fn search_order(sort: Sort) -> String {
    let column = sort_column(sort.by);
    let direction = if sort.ascending { "ASC" } else { "DESC" };
    format!(" ORDER BY {column} {direction}, o.{ROW_ID} {direction} LIMIT ")
}

fn sort_column(by: SortBy) -> &'static str {
    match by {
        SortBy::Created => "o.created_at",
        SortBy::Amount => "o.amount",
    }
}

/// The statement of a search, without its order.
pub(super) fn search_statement(engine: Engine, search: &Search) -> Result<Statement, DbError> {
    let mut sql = select(engine);
    sql.push("1 = 1");
    if let Some(q) = &search.q {
        let columns = [
            "merchant_operation_number",
            "order_id",
            "order_label",
            "transaction_id",
            "qr_id",
            "cip",
        ];
        sql.push(" AND (");
        for (at, column) in columns.into_iter().enumerate() {
            sql.push(if at == 0 { "o." } else { " OR o." });
            sql.push(column).push(" = ").push_bind(q.clone());
        }
        sql.push(")");
    }
    // With the index by merchant code SQLite would sort every match instead of reading them in order.
    let code = engine.unindexed("o.merchant_code");
    sql.push(format!(" AND {code} IN "))
        .push_texts(&search.among)?;
    if let Some(code) = &search.merchant_code {
        sql.push(" AND o.merchant_code = ").push_bind(code.clone());
    }
    // A single word is compared with `=`, so that its index gives the order too.
    if let [state] = &*search.states {
        match state {
            Some(state) => sql.push(" AND o.state = ").push_bind(state.clone()),
            None => sql.push(" AND o.state IS NULL"),
        };
    } else if !search.states.is_empty() {
        let words: Vec<&String> = search.states.iter().flatten().collect();
        sql.push(" AND (o.state IN ");
        sql.push_texts(&words)?;
        if search.states.contains(&None) {
            sql.push(" OR o.state IS NULL");
        }
        sql.push(")");
    }
    if let [method] = &*search.methods {
        sql.push(" AND o.method_name = ").push_bind(method.clone());
    } else if !search.methods.is_empty() {
        sql.push(" AND o.method_name IN ");
        sql.push_texts(&search.methods)?;
    }
    let numbers = [
        ("o.created_at >= ", search.from.map(Timestamp::as_millis)),
        ("o.created_at < ", search.to.map(Timestamp::as_millis)),
        ("o.amount >= ", search.amount_min.map(u64::cast_signed)),
        ("o.amount <= ", search.amount_max.map(u64::cast_signed)),
    ];
    for (comparison, value) in numbers {
        if let Some(value) = value {
            sql.push(" AND ").push(comparison).push_bind(value);
        }
    }
    if let Some(after) = search.after {
        let column = sort_column(search.sort.by);
        let beyond = if search.sort.ascending { ">" } else { "<" };
        sql.push(format!(" AND ({column}, o.{ROW_ID}) {beyond} ("))
            .push_bind(after.value)
            .push(", ")
            .push_bind(after.place)
            .push(")");
    }
    Ok(sql)
}
