//! The server against the real sandbox, over real sockets, with a real database file.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "what is unexpected fails the test that meets it"
)]

mod abandoned;
mod accepted_answers;
mod api_keys;
mod bodies;
mod check;
mod client_limits;
mod clock_set_back;
mod closed_orders;
mod codes;
mod connections;
mod contract;
mod contradicting_states;
mod copying;
mod crash;
mod cross_site;
mod disputed_payments;
mod doors;
mod doubts;
mod entity_tags;
mod event_receivers;
mod events;
mod exceptions;
mod given_back_payments;
mod held_payments;
mod idempotency;
mod impossible_dates;
mod later_version;
mod listed_exceptions;
mod live_operation;
mod log;
mod long_polls;
mod manual_returns;
mod many_attempts;
mod merchant_routes;
mod methods;
mod metrics;
mod mismatches;
mod new_codes;
mod nodes;
mod notifications;
mod offers;
mod order_ends;
mod other_payers;
mod pay_link_requests;
mod pay_links;
mod pay_page;
mod pay_page_element;
mod payer_cancels;
mod paying;
mod purging;
mod readiness;
mod recorded_amounts;
mod refund_attempt_releases;
mod refund_doubts;
mod refund_limits;
mod refund_rules;
mod refund_watch;
mod refunds;
mod refused_payments;
mod repeated_fields;
mod requests_as_sent;
mod restored;
mod retry_after;
mod reversals;
mod sample_events;
mod second_factor;
mod second_factor_attacks;
mod service_token;
mod shop_answers;
mod shop_events;
mod shop_orders;
mod shop_refunds;
mod signed_orders;
mod staff_cancels;
mod staff_devices;
mod staff_links;
mod staff_news;
mod staff_search;
mod staff_sessions;
mod startup;
mod stopped_receivers;
mod stores;
mod support;
mod traces;
mod unanswered;
mod unasked_replacement;
