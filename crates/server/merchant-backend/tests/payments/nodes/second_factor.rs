//! A code of the second factor counts at one of several nodes.

use super::fleet::{Fleet, NODES};
use crate::support::accounts::REFUNDER;
use crate::support::second_factor::{enrol, sign_in_from, step_up};
use crate::support::staff_client::StaffClient;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "cargo xtask test --only postgres"]
async fn a_code_that_was_used_at_one_node_is_refused_at_the_others() {
    let fleet = Fleet::start().await;
    let at = |node: usize| StaffClient::nobody_at(&fleet.stack, &fleet.base_of(node));
    let client = StaffClient::sign_in_at(&fleet.stack, &fleet.base_of(0), REFUNDER).await;
    let staff = enrol(&fleet.stack, client, REFUNDER).await;
    let code = staff.app.code(0);
    let code = Some(code.as_str());
    // All at once: the lock of the account lets one of them take it.
    let [one, two, three] = [at(0), at(1), at(2)];
    let (one, two, three) = tokio::join!(
        sign_in_from(&one, REFUNDER, code),
        sign_in_from(&two, REFUNDER, code),
        sign_in_from(&three, REFUNDER, code)
    );
    let mut statuses = [one.status, two.status, three.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 403, 403]);
    let recovery = &staff.recovery_codes[0];
    assert_eq!(step_up(&staff.client, recovery).await.status, 204);
    for node in 0..NODES {
        let replayed = sign_in_from(&at(node), REFUNDER, Some(recovery)).await;
        assert_eq!(replayed.problem(), "second-factor-refused");
    }
}
