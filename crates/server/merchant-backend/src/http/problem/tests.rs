use super::{Problem, ProblemKind};
use staff_model::ProblemType;
use std::collections::HashSet;

#[test]
fn every_problem_that_staff_are_promised_has_the_same_type_here() {
    let types: HashSet<_> = ProblemKind::ALL.iter().map(|kind| kind.uri()).collect();
    for promised in ProblemType::KNOWN {
        assert!(types.contains(promised.uri().as_str()), "{promised:?}");
    }
}

#[test]
fn every_problem_has_a_type_of_its_own_and_an_error_status() {
    let types: HashSet<_> = ProblemKind::ALL.iter().map(|kind| kind.uri()).collect();
    assert_eq!(types.len(), ProblemKind::ALL.len());
    for kind in ProblemKind::ALL {
        let status = kind.status();
        assert!(status.is_client_error() || status.is_server_error());
    }
}

#[test]
fn members_stand_beside_the_standard_ones() {
    let problem = Problem::new(ProblemKind::OrderPaid, "Paid.").with("transaction_id", "t");
    let body = problem.body();
    assert_eq!(body["type"], "urn:payment-checkout:problem:order-paid");
    assert_eq!(body["status"], 409);
    assert_eq!(body["transaction_id"], "t");
}
