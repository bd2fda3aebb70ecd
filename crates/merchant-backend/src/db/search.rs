//! Searches for operations by the facts that support hears from payers.

use super::connections::Db;
use super::engine::{Engine, ROW_ID, Statement};
use super::error::DbError;
use super::operation_list::{listed, select};
use payment_model::Timestamp;
use payment_rules::search::{Cursor, Search, Sort, SortBy};
use staff_model::OperationRow;

/// A page of a search, and the beginning of the next one, if there is one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FoundPage {
    pub(crate) rows: Vec<OperationRow>,
    pub(crate) next: Option<Cursor>,
}

impl Db {
    /// A page of a search. A payment from before `unsettled_since` has to be
    /// settled by now.
    pub(crate) async fn search(
        &self,
        search: &Search,
        unsettled_since: Timestamp,
    ) -> Result<FoundPage, DbError> {
        let mut transaction = self.read().await?;
        let mut sql = statement(self.engine(), search)?;
        // One row more than the page tells whether another page follows.
        let limit = i64::from(search.limit);
        sql.push(ordered(search.sort))
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
pub(super) fn ordered(sort: Sort) -> String {
    let column = column(sort.by);
    let direction = if sort.ascending { "ASC" } else { "DESC" };
    format!(" ORDER BY {column} {direction}, o.{ROW_ID} {direction} LIMIT ")
}

fn column(by: SortBy) -> &'static str {
    match by {
        SortBy::Created => "o.created_at",
        SortBy::Amount => "o.amount",
    }
}

/// The statement of a search, without its order.
pub(super) fn statement(engine: Engine, search: &Search) -> Result<Statement, DbError> {
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
    // With the index by merchant code SQLite would sort every match.
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
        let column = column(search.sort.by);
        let beyond = if search.sort.ascending { ">" } else { "<" };
        sql.push(format!(" AND ({column}, o.{ROW_ID}) {beyond} ("))
            .push_bind(after.value)
            .push(", ")
            .push_bind(after.place)
            .push(")");
    }
    Ok(sql)
}
