//! Reads the QR of an answer to an authorization before anybody sees it, on threads that answer no requests.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use checkout_flow::QrImage;
use payment_model::{AuthorizeResponse, Currency, PaymentMethodName};
use payment_rules::operation::OperationRecord;
use qr_verdict::{Expected, Verdict, judge, read};
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// A picture that takes longer is one that no camera would read either.
const LONGEST_READ: Duration = Duration::from_millis(200);
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
        let Some(png) = png(&uri) else {
            return Some(Verdict::Unreadable);
        };
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
        let verdict = tokio::time::timeout(LONGEST_READ, reading).await;
        // One that is given up on goes on without us, and keeps its permit until it ends.
        Some(
            verdict
                .ok()
                .and_then(Result::ok)
                .unwrap_or(Verdict::Unreadable),
        )
    }
}

fn png(uri: &str) -> Option<Vec<u8>> {
    let image = QrImage::parse(uri)?;
    let (_, data) = image.as_str().split_once(',')?;
    BASE64_STANDARD.decode(data).ok()
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
