//! `GET /api/staff/news`: what changed since a desk looked last. The request is held until something does.

use super::{Attention, Staff, UnattendedStaff, signed_in};
use crate::background::{ChangeMark, LOOK_BACK, MARK_CHARACTERS, RecentChanges};
use crate::db::DbError;
use crate::http::app::App;
use crate::http::body::wrong_query;
use crate::http::caller::Caller;
use crate::http::prefer::{PREFERENCE_APPLIED, wait_of};
use crate::http::problem::Failure;
use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use payment_model::Timestamp;
use payment_rules::fingerprint;
use payment_rules::staff_link::LINK_ORDER_PREFIX;
use staff_model::{News, NewsQuery, OperationRow};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// A desk is answered no more often than this: what changes meanwhile comes together.
const SHORTEST_HOLD: Duration = Duration::from_secs(1);
/// How long the first read of a node may take.
const FIRST_READ: Duration = Duration::from_secs(5);
/// The most operations of one answer. A desk that missed more loads its lists again.
const MOST_OPERATIONS: usize = 100;
/// The most changes that a cursor remembers. Where more come within [`LOOK_BACK`], a desk looks back for a shorter time.
const MOST_REMEMBERED: usize = 128;

/// How far a desk has read.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Cursor {
    read_at: Timestamp,
    /// It has seen everything that changed before.
    seen_before: Timestamp,
    /// What it has seen of the time since then.
    seen: Vec<String>,
    exceptions: u64,
    /// A short hash of the stores that the account saw.
    codes: String,
}

impl Cursor {
    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split('.');
        let mut instant = || Some(Timestamp::from_millis(parts.next()?.parse().ok()?));
        Some(Self {
            read_at: instant()?,
            seen_before: instant()?,
            exceptions: parts.next()?.parse().ok()?,
            codes: parts.next()?.to_owned(),
            seen: parts.map(str::to_owned).collect(),
        })
    }

    fn write(&self) -> String {
        let (read_at, seen_before) = (self.read_at.as_millis(), self.seen_before.as_millis());
        let (exceptions, codes) = (self.exceptions, &self.codes);
        let seen = self.seen.iter().map(|mark| [".", mark].concat());
        let text = format!("{read_at}.{seen_before}.{exceptions}.{codes}");
        seen.fold(text, |text, mark| text + &mark)
    }
}

/// Answers at once without a cursor, or without a place to wait.
pub(super) async fn news(
    State(app): State<App>,
    caller: Caller,
    UnattendedStaff(mut staff): UnattendedStaff,
    headers: HeaderMap,
    query: Result<Query<NewsQuery>, QueryRejection>,
) -> Result<Response, Failure> {
    let Query(query) = query.map_err(|_| wrong_query("`after` is the only parameter"))?;
    let cursor = Cursor::read(&query.after);
    let wait = wait_of(&headers, app.config.timing.longest_poll).filter(|_| cursor.is_some());
    // Without a place the desk is answered at once, and asks again later: payers have places of their own.
    let slot = wait.and_then(|_| app.limits.desks.take(&staff.session, caller.0).ok());
    let wait = wait.filter(|_| slot.is_some());
    let mut answer = until_new(&app, &staff, cursor.as_ref(), wait).await?;
    drop(slot);
    if wait.is_some() {
        // Somebody may have signed out, or the account may see other stores now.
        let before = staff.codes;
        staff = signed_in(&headers, &app, Attention::None).await?;
        if staff.codes != before {
            answer = until_new(&app, &staff, cursor.as_ref(), None).await?;
        }
    }
    let mut response = Json(answer).into_response();
    if wait.is_some() {
        let applied = HeaderValue::from_static("wait");
        response.headers_mut().insert(PREFERENCE_APPLIED, applied);
    }
    Ok(response)
}

/// The news after a cursor, for which the desk waits this long.
async fn until_new(
    app: &App,
    staff: &Staff,
    cursor: Option<&Cursor>,
    wait: Option<Duration>,
) -> Result<News, Failure> {
    let start = Instant::now();
    let earliest = start + wait.map_or(Duration::ZERO, |_| SHORTEST_HOLD);
    let deadline = start + wait.unwrap_or_default();
    let mut recent = app.desk_news.follow();
    loop {
        let changes = Arc::clone(&recent.borrow_and_update());
        let mut until = deadline;
        if let Some(read_at) = changes.read_at {
            let exceptions = app.desk_news.exceptions(&staff.codes, changes.reads);
            let exceptions = exceptions.await?;
            let (news, next) = told(&changes, read_at, &staff.codes, cursor, exceptions);
            let is_new = news.missed
                || news.links
                || !news.operations.is_empty()
                || cursor.is_some_and(|before| before.exceptions != exceptions);
            let at = Instant::now();
            if (is_new && at >= earliest) || at >= deadline || app.tasks.is_stopping() {
                return Ok(News {
                    next: next.write(),
                    ..news
                });
            }
            if is_new {
                until = earliest;
            }
        } else {
            // Nobody followed, so that the database is read first.
            until = start + FIRST_READ;
            if Instant::now() >= until || app.tasks.is_stopping() {
                return Err(DbError::slow().into());
            }
        }
        tokio::select! {
            changed = recent.changed() => if changed.is_err() { return Err(Failure::Internal) },
            () = tokio::time::sleep_until(until) => {}
            () = app.tasks.stopped() => {}
        }
    }
}

/// The news after a cursor for an account that sees these stores, and the next cursor.
fn told(
    changes: &RecentChanges,
    read_at: Timestamp,
    codes: &[String],
    after: Option<&Cursor>,
    exceptions: u64,
) -> (News, Cursor) {
    let sees = |code: &String| codes.contains(code);
    let operations = changes.operations.values();
    let operations = operations.filter(|one| sees(&one.row.merchant_code));
    let links = changes.links.iter();
    let links = links.filter(|(order, _)| sees(&order.merchant_code));
    // What may still be committed with a time before this one was not seen by this read.
    let settled = read_at.saturating_sub(LOOK_BACK);
    let marks = operations
        .clone()
        .map(|one| (one.row.changed_at, &one.mark));
    let marks = marks.chain(links.clone().map(|(_, link)| (link.changed_at, &link.mark)));
    let mut seen: Vec<_> = marks.filter(|(at, _)| *at >= settled).collect();
    seen.sort_unstable();
    let forgotten = seen.len().saturating_sub(MOST_REMEMBERED);
    let seen_before = match seen.drain(..forgotten).next_back() {
        Some((last_forgotten, _)) => last_forgotten.saturating_add(Duration::from_millis(1)),
        None => settled,
    };
    let next = Cursor {
        read_at,
        seen_before,
        seen: seen.iter().map(|(_, mark)| mark.to_string()).collect(),
        exceptions,
        codes: mark_of(codes),
    };
    let mut news = News {
        next: String::new(),
        missed: true,
        operations: Vec::new(),
        links: false,
        exceptions: Some(exceptions),
    };
    let Some(after) = after else {
        // The desk has loaded its lists a moment before, maybe without the newest changes.
        let next = Cursor {
            seen_before: settled,
            seen: Vec::new(),
            ..next
        };
        return (news, next);
    };
    let is_complete = changes
        .complete_from
        .is_some_and(|from| from <= after.seen_before);
    // A clock that was set back makes a cursor of the future.
    let is_of_now = after.read_at <= read_at.saturating_add(LOOK_BACK);
    if !is_complete || !is_of_now || after.codes != next.codes {
        return (news, next);
    }
    let is_new = |at: Timestamp, mark: &ChangeMark| {
        at >= after.seen_before && !after.seen.iter().any(|seen| **seen == **mark)
    };
    let mut rows: Vec<&OperationRow> = operations
        .filter(|one| is_new(one.row.changed_at, &one.mark))
        .map(|one| &*one.row)
        .collect();
    if rows.len() > MOST_OPERATIONS {
        return (news, next);
    }
    rows.sort_unstable_by_key(|row| row.changed_at);
    news.missed = false;
    news.links = links
        .into_iter()
        .any(|(_, link)| is_new(link.changed_at, &link.mark))
        || rows
            .iter()
            .any(|row| row.order_id.starts_with(LINK_ORDER_PREFIX));
    news.operations = rows.into_iter().cloned().collect();
    (news, next)
}

/// A short hash of the stores that an account sees: a desk that sees others loads its lists again.
fn mark_of(codes: &[String]) -> String {
    let mut mark = fingerprint(&codes.join(" "));
    mark.truncate(MARK_CHARACTERS);
    mark
}

#[cfg(test)]
mod tests {
    use super::{Cursor, LOOK_BACK, told};
    use crate::background::{RecentChanges, RecentOperation};
    use crate::clock::instant;
    use payment_model::{Cents, Currency, PaymentMethodName, Timestamp};
    use staff_model::{News, OperationRow, Phase};
    use std::sync::Arc;
    use std::time::Duration;

    const NOW_MS: i64 = 1_000_000_000;

    fn row(changed_at: Timestamp) -> OperationRow {
        OperationRow {
            merchant_code: "shop".to_owned(),
            merchant_operation_number: "1".to_owned(),
            order_id: "A".to_owned(),
            payer: None,
            order_label: None,
            transaction_id: None,
            method_name: PaymentMethodName::Qr,
            phase: Phase::Known,
            state: None,
            outcome: None,
            amount: Cents::new(1),
            currency: Currency::new("PEN"),
            created_at: changed_at,
            changed_at,
            exceptions: Vec::new(),
        }
    }

    /// So many changes, each 100 ms before the next one.
    fn changes(count: i64) -> RecentChanges {
        let mut changes = RecentChanges {
            complete_from: Some(instant(0)),
            read_at: Some(instant(NOW_MS)),
            ..RecentChanges::default()
        };
        for id in 0..count {
            let mark = format!("mark{id}").into();
            let row = Arc::new(row(instant(NOW_MS - id * 100)));
            changes.operations.insert(id, RecentOperation { mark, row });
        }
        changes
    }

    fn read(changes: &RecentChanges, code: &str, after: Option<&Cursor>) -> (News, Cursor) {
        let (news, next) = told(changes, instant(NOW_MS), &[code.to_owned()], after, 0);
        let next = Cursor::read(&next.write()).unwrap();
        (news, next)
    }

    #[test]
    fn a_desk_of_a_busy_shop_is_told_each_change_once() {
        for count in [0, 1, 100, 129, 300, 450] {
            let busy = changes(count);
            let (_, cursor) = read(&busy, "shop", None);
            let (_, cursor) = read(&busy, "shop", Some(&cursor));
            let (again, cursor) = read(&busy, "shop", Some(&cursor));
            assert!(!again.missed && again.operations.is_empty(), "{count}");
            let more = changes(count + 1);
            let (news, _) = read(&more, "shop", Some(&cursor));
            // What is older than all that the cursor remembers counts as seen.
            let is_told = usize::from(count < 128);
            assert_eq!(
                (news.missed, news.operations.len()),
                (false, is_told),
                "{count}"
            );
        }
    }

    #[test]
    fn a_desk_loads_its_lists_again_where_changes_may_be_missing() {
        let quiet = changes(1);
        let (_, cursor) = read(&quiet, "shop", None);
        let is_missed = |cursor: Cursor, code: &str| read(&quiet, code, Some(&cursor)).0.missed;
        assert!(!is_missed(cursor.clone(), "shop"));
        // It sees other stores now.
        assert!(is_missed(cursor.clone(), "other"));
        let later = instant(NOW_MS).saturating_add(LOOK_BACK + Duration::from_millis(1));
        let of_the_future = Cursor {
            read_at: later,
            ..cursor.clone()
        };
        assert!(is_missed(of_the_future, "shop"));
        let older = Cursor {
            seen_before: instant(-1),
            ..cursor
        };
        assert!(is_missed(older, "shop"));
        for odd in ["", "1", "1.2", "1.2.3", "x.2.3.c"] {
            assert_eq!(Cursor::read(odd), None, "{odd}");
        }
    }
}
