//! Members of staff by what they may do. Each function signs one in.

use crate::support::accounts;
use crate::support::stack::Stack;
use crate::support::staff_client::StaffClient;

/// May look at everything and change nothing.
pub(crate) async fn viewer(stack: &Stack) -> StaffClient {
    StaffClient::sign_in(stack, accounts::VIEWER).await
}

/// May refund, without a limit.
pub(crate) async fn refunder(stack: &Stack) -> StaffClient {
    StaffClient::sign_in(stack, accounts::REFUNDER).await
}

/// Another account that may refund, for what takes two people.
pub(crate) async fn second_refunder(stack: &Stack) -> StaffClient {
    StaffClient::sign_in(stack, accounts::SECOND_REFUNDER).await
}

/// May refund up to 1000 at once.
pub(crate) async fn limited_refunder(stack: &Stack) -> StaffClient {
    StaffClient::sign_in(stack, accounts::LIMITED_REFUNDER).await
}

/// May cancel and reverse, without a limit.
pub(crate) async fn canceler(stack: &Stack) -> StaffClient {
    StaffClient::sign_in(stack, accounts::CANCELER).await
}

/// Another account that may cancel, for what takes two people.
pub(crate) async fn second_canceler(stack: &Stack) -> StaffClient {
    StaffClient::sign_in(stack, accounts::SECOND_CANCELER).await
}

/// May cancel and reverse up to 1000 at once.
pub(crate) async fn limited_canceler(stack: &Stack) -> StaffClient {
    StaffClient::sign_in(stack, accounts::LIMITED_CANCELER).await
}

/// May cancel and refund up to 1000 at once and 1500 a day.
pub(crate) async fn daily_limited(stack: &Stack) -> StaffClient {
    StaffClient::sign_in(stack, accounts::DAILY_LIMITED).await
}

/// May cancel and refund, in the store `shop-usd` only.
pub(crate) async fn usd_store(stack: &Stack) -> StaffClient {
    StaffClient::sign_in(stack, accounts::USD_STORE).await
}

/// May make payment links, without a limit.
pub(crate) async fn seller(stack: &Stack) -> StaffClient {
    StaffClient::sign_in(stack, accounts::SELLER).await
}

/// May make payment links of up to 5000 at once and 8000 a day.
pub(crate) async fn limited_seller(stack: &Stack) -> StaffClient {
    StaffClient::sign_in(stack, accounts::LIMITED_SELLER).await
}

/// May make payment links in the store `shop-usd` only.
pub(crate) async fn usd_seller(stack: &Stack) -> StaffClient {
    StaffClient::sign_in(stack, accounts::USD_SELLER).await
}
