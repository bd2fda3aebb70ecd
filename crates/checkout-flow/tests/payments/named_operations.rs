//! Operations that the page's attributes name, at a server that does not answer.

use crate::support::page::{Page, minutes, seconds};
use crate::support::server::{EPOCH, Network, status};
use checkout_flow::Failure;
use payment_model::PaymentMethodName;

#[test]
fn a_failure_says_nothing_about_an_operation_until_the_server_does_not_find_it() {
    for network in [
        Network::Silent,
        Network::Says(Failure::Network),
        Network::Says(Failure::Unreadable),
        Network::Says(status(400)),
        Network::Says(status(429)),
        Network::Says(status(500)),
    ] {
        let mut page = Page::unopened();
        page.server.opens(PaymentMethodName::Qr, EPOCH);
        let operation = page.server.charges[0].reference();
        page.network(network.clone());
        page.opens(Some(operation), None);
        page.time_passes(minutes(2));
        page.sees("Checking");
        assert!(page.errors().is_empty(), "{network:?}");
        page.network(Network::Good);
        page.time_passes(seconds(30));
        page.sees_qr();
    }
}
