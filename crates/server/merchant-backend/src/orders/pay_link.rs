//! Links to the server's own page of an order. A link is a bearer credential: it permits to pay the order and to
//! read its state. Therefore its handle has 132 unpredictable bits.
//!
//! The server derives the handle from the order's key with HMAC-SHA-256 and `COOKIE_KEY`, so that a repeated request
//! of the shop gets the same address. The database stores only the SHA-256 of the handle.

use crate::clock::now;
use crate::cookies::{CookieKey, Purpose};
use crate::db::{Db, DbError, StoredPayLink};
use payment_model::Timestamp;
use payment_rules::fingerprint;
use payment_rules::order::{FullOrderId, OrderFacts};
use payment_rules::staff::AuditRecord;
use staff_model::AuditAction;
use std::time::Duration;
use url::Url;

/// 132 bits in base64url.
const HANDLE_CHARACTERS: usize = 22;

/// A link that can be read.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct PayLink {
    pub(crate) handle: String,
    /// The address of the page.
    pub(crate) url: String,
    pub(crate) readable_until: Timestamp,
}

/// Makes and finds links.
#[derive(Clone)]
pub(crate) struct PayLinks {
    pub(crate) db: Db,
    pub(crate) key: CookieKey,
    pub(crate) public_url: Url,
    /// For how long a link can be read.
    pub(crate) readable_for: Duration,
}

impl PayLinks {
    /// The link of an order, which is made if there was none. `None` if it was revoked or is too old.
    pub(crate) async fn of(&self, order: &FullOrderId) -> Result<Option<PayLink>, DbError> {
        match self.db.pay_link(order).await? {
            Some(stored) => self.written(order, &stored).await,
            None => {
                // Of two requests at once, both get the link of this generation.
                let (link, _) = self.make(order, 1, false).await?;
                Ok(Some(link))
            }
        }
    }

    /// The link of an order that had one; `None` also after it was removed, and is not made again.
    pub(crate) async fn existing(&self, order: &FullOrderId) -> Result<Option<PayLink>, DbError> {
        match self.db.pay_link(order).await? {
            Some(stored) => self.written(order, &stored).await,
            None => Ok(None),
        }
    }

    async fn written(
        &self,
        order: &FullOrderId,
        stored: &StoredPayLink,
    ) -> Result<Option<PayLink>, DbError> {
        if stored.revoked_at.is_some() || stored.readable_until <= now() {
            return Ok(None);
        }
        let handle = self.handle(order, stored.generation);
        if fingerprint(&handle) == stored.handle_hash {
            let link = self.link(&handle, stored.readable_until);
            return Ok(Some(link));
        }
        // The key of the server was changed. The earlier link can be read and not be written again.
        let generation = stored.generation.saturating_add(1);
        let (link, _) = self.make(order, generation, false).await?;
        Ok(Some(link))
    }

    /// A new link, in place of all earlier ones, which a program of the shop asks for; with an end, the order's time to pay
    /// ends then. `None` if the order has ended unpaid.
    pub(crate) async fn renew(
        &self,
        order: &FullOrderId,
        end: Option<Timestamp>,
        program: &str,
    ) -> Result<Option<PayLink>, DbError> {
        self.audit(order, program, "renew").await?;
        if let Some(end) = end
            && !self.db.change_pay_until(order, end).await?
        {
            return Ok(None);
        }
        loop {
            let stored = self.db.pay_link(order).await?;
            let last = stored.map_or(0, |stored| stored.generation);
            let (link, is_new) = self.make(order, last.saturating_add(1), true).await?;
            // Otherwise a concurrent renewal has this link, which its program may revoke.
            if is_new {
                return Ok(Some(link));
            }
        }
    }

    /// Takes the links of an order away, as a program of the shop asks.
    pub(crate) async fn revoke(&self, order: &FullOrderId, program: &str) -> Result<(), DbError> {
        self.audit(order, program, "revoke").await?;
        self.db.revoke_pay_links(order).await
    }

    async fn audit(&self, order: &FullOrderId, program: &str, act: &str) -> Result<(), DbError> {
        let record = AuditRecord {
            staff: program.to_owned(),
            action: AuditAction::PayLink,
            key: None,
            detail: format!("order {}: {act}", order.order_id),
        };
        self.db.audit(&record).await
    }

    /// The order of a handle that can be read now. A wrong handle and a revoked one are looked up and
    /// answered in the same way.
    pub(crate) async fn order(&self, handle: &str) -> Result<Option<OrderFacts>, DbError> {
        match self.order_id(handle).await? {
            Some(order_id) => self.db.order(&order_id).await,
            None => Ok(None),
        }
    }

    /// The id of that order.
    pub(crate) async fn order_id(&self, handle: &str) -> Result<Option<FullOrderId>, DbError> {
        self.db.order_of_pay_link(&fingerprint(handle)).await
    }

    /// The link of a generation; true if this call stored it.
    async fn make(
        &self,
        order: &FullOrderId,
        generation: i64,
        revoking: bool,
    ) -> Result<(PayLink, bool), DbError> {
        let handle = self.handle(order, generation);
        let readable_until = now().saturating_add(self.readable_for);
        let stored = StoredPayLink {
            generation,
            handle_hash: fingerprint(&handle),
            readable_until,
            revoked_at: None,
        };
        let is_new = self.db.add_pay_link(order, &stored, revoking).await?;
        Ok((self.link(&handle, readable_until), is_new))
    }

    fn handle(&self, order: &FullOrderId, generation: i64) -> String {
        let text = format!("{generation} {} {}", order.merchant_code, order.order_id);
        let mut handle = self.key.sign(Purpose::PayLink, &text);
        handle.truncate(HANDLE_CHARACTERS);
        handle
    }

    fn link(&self, handle: &str, readable_until: Timestamp) -> PayLink {
        PayLink {
            handle: handle.to_owned(),
            url: self.url(handle),
            readable_until,
        }
    }

    /// The address of a page.
    pub(crate) fn url(&self, handle: &str) -> String {
        let base = self.public_url.as_str().trim_end_matches('/');
        format!("{base}/pay/{handle}")
    }

    /// The address of a page without its origin.
    pub(crate) fn path(&self, handle: &str) -> String {
        format!("{}/pay/{handle}", self.base_path())
    }

    /// The path of the server's addresses, such as `/api`.
    pub(crate) fn base_path(&self) -> &str {
        self.public_url.path().trim_end_matches('/')
    }
}
