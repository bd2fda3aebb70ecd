//! Reads the QR of an answer to an authorization before anybody sees it, on threads that answer no requests, and ends an
//! attempt whose code is refused.

use super::Payments;
use super::new_operation::SendOutcome;
use crate::clock::now;
use crate::db::{DbError, HintSource};
use checkout_flow::QrImage;
use payment_model::{AuthorizeResponse, Currency, PaymentMethodName};
use payment_rules::idempotency::{AuthorizationRefusal, Claim};
use payment_rules::offer::REFUSED_CODES_STOP_QR;
use payment_rules::operation::OperationRecord;
use qr_verdict::{Expected, Verdict, judge, read};
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// For how long a picture is searched.
const LONGEST_READ: Duration = Duration::from_millis(200);
/// After which time a payer waits no longer for a reading, with the wait for a thread.
const GIVEN_UP_AFTER: Duration = Duration::from_secs(2);
/// What all pictures together may take at once.
const MEMORY_MIB: u32 = 64;
const MIB: u64 = 1024 * 1024;
/// Of each pixel four bytes of color and one of gray are held.
const BYTES_PER_PIXEL: u64 = 5;
/// Where a PNG has its width and its height, each in four bytes.
const SIDES: std::ops::Range<usize> = 16..24;

/// Reads at most one picture a core at once.
#[derive(Clone)]
pub(crate) struct CodeReader {
    /// A permit for each MiB.
    memory: Arc<Semaphore>,
    /// What a small picture takes of it.
    least_mib: u32,
}

impl Default for CodeReader {
    fn default() -> Self {
        let cores = available_parallelism().map_or(1, usize::from);
        let cores = u32::try_from(cores).unwrap_or(MEMORY_MIB);
        Self {
            memory: Arc::new(Semaphore::new(MEMORY_MIB as usize)),
            least_mib: (MEMORY_MIB / cores).max(1),
        }
    }
}

impl CodeReader {
    /// What the QR of an answer asks for; `None` for an answer without a picture, and for other methods.
    pub(super) async fn verdict(
        &self,
        draft: &OperationRecord,
        answer: &AuthorizeResponse,
    ) -> Option<Verdict> {
        if draft.method != PaymentMethodName::Qr {
            return None;
        }
        let response = answer.transaction.processor_response.as_ref()?.to_value();
        let uri = response.get("qr_image")?.as_str()?.to_owned();
        // Pages show no other picture.
        let Some(image) = QrImage::parse(&uri) else {
            return Some(Verdict::Unreadable);
        };
        let png = image.png();
        let (cents, currency) = (draft.amount, Currency::new(&*draft.currency));
        let memory = Arc::clone(&self.memory);
        let needed = needed_mib(&png).clamp(self.least_mib, MEMORY_MIB);
        let permit = memory.acquire_many_owned(needed).await.ok()?;
        let reading = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let read = read(&png, Instant::now() + LONGEST_READ);
            let expected = Expected {
                amount_cents: cents,
                currency: &currency,
            };
            judge(&read, expected)
        });
        let verdict = tokio::time::timeout(GIVEN_UP_AFTER, reading).await;
        // One that is given up on goes on without us, and keeps its permit until it ends.
        Some(
            verdict
                .ok()
                .and_then(Result::ok)
                .unwrap_or(Verdict::Unreadable),
        )
    }
}

fn needed_mib(png: &[u8]) -> u32 {
    let mut sides = png.get(SIDES).unwrap_or_default().iter();
    let mut side = || {
        let bytes = sides.by_ref().take(4);
        bytes.fold(0_u64, |side, byte| side << 8 | u64::from(*byte))
    };
    let pixels = side().saturating_mul(side());
    let mib = pixels.saturating_mul(BYTES_PER_PIXEL).div_ceil(MIB);
    u32::try_from(mib).unwrap_or(u32::MAX)
}

impl Payments {
    /// The code reaches nobody. The service has the operation, which the background cancels as one in doubt.
    pub(super) async fn refuse_code(
        &self,
        draft: &OperationRecord,
        code: &Verdict,
        response: &AuthorizeResponse,
        claim: &Claim,
    ) -> Result<SendOutcome, DbError> {
        // By its id the operation can be queried, where it cannot be cancelled.
        let id = &response.transaction.transaction_id;
        self.take_transaction_hint(&draft.key, id, HintSource::Answer)
            .await?;
        let (payment, on_time) = self
            .update(&draft.key, |order| {
                order.code_refused(draft, code, claim, now())
            })
            .await?;
        if !on_time {
            return Ok(SendOutcome::TooLate);
        }
        tracing::error!(
            alert = true,
            merchant_operation_number = draft.key.number.as_str(),
            code = payment.operation.wrong_code().unwrap_or_default(),
            "the code of an authorization was refused, and reaches nobody"
        );
        let merchant_code = draft.key.merchant_code.as_str();
        if self.db.refused_codes(merchant_code).await? == REFUSED_CODES_STOP_QR {
            tracing::error!(
                alert = true,
                merchant_code,
                "the store offers no QR until staff resolve one of its last wrong codes"
            );
        }
        Ok(SendOutcome::Refused(AuthorizationRefusal::CodeRefused))
    }
}
