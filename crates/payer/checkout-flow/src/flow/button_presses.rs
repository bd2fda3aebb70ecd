//! Handles the buttons that the payer presses.

use super::cancelling::Intent;
use super::operations::Slot;
use super::tracked_operation::Standing;
use super::{Flow, LiveOperation, Origin, Phase};
use crate::command::Command;
use crate::failure::ErrorCode;
use crate::notice::{Action, Notice};
use payment_model::{Outcome, PaymentMethodName};

impl Flow {
    pub(super) fn choose(&mut self, method: PaymentMethodName) {
        if matches!(self.phase, Phase::Choosing) && self.settings.methods.contains(&method) {
            self.report_action(Action::MethodChosen, Some(method.clone()));
            self.drop_live_question();
            self.begin(method);
        }
    }

    /// The page wants to begin by a method of its own choice. An operation that waits by another method is not left
    /// unasked: the payer is asked, as by a press on "another way", and the page may request the start again afterwards.
    pub(super) fn start_requested(&mut self, method: PaymentMethodName) {
        // A page that starts the same method again whenever it has the choice would ask without an end.
        let repeats = self.now() < self.refused_until && self.last_method.as_ref() == Some(&method);
        if repeats || !self.settings.methods.contains(&method) {
            return;
        }
        match &self.phase {
            Phase::Live(live) if self.operations[live.slot].method() == Some(&method) => {
                self.keep_waiting();
                return self.retry();
            }
            Phase::Live(_) => return self.another_way(),
            Phase::Ended { slot } if self.operations[*slot].may_be_followed() => {
                self.choose_again();
            }
            // The outcome of this attempt is unknown, so it goes on with its key.
            Phase::Failed {
                attempt: Some(attempt),
                ..
            } if attempt.method == method => return self.retry(),
            Phase::Failed { code, .. } if *code != ErrorCode::Configuration => {
                self.phase = Phase::Choosing;
            }
            _ => {}
        }
        self.choose(method);
    }

    pub(super) fn retry(&mut self) {
        let method = self.view().method.cloned();
        if self.try_again() {
            self.report_action(Action::Retried, method);
        }
    }

    /// Repeats what failed, or asks for a new code. Returns false when there is nothing to repeat.
    fn try_again(&mut self) -> bool {
        let now = self.now();
        match self.phase.clone() {
            Phase::Failed {
                attempt: Some(attempt),
                ..
            } => self.authorize(attempt, true),
            Phase::Failed {
                operation: Some(slot),
                ..
            } => {
                let tracked = &mut self.operations[slot];
                tracked.knowledge.may_exist();
                tracked.plan.due = Some(now);
                self.phase = Phase::Live(LiveOperation::new(slot, Origin::Attributes));
            }
            Phase::Failed {
                code: ErrorCode::Page,
                ..
            } => {
                self.phase = Phase::Choosing;
                if let Some(method) = self.last_method.clone() {
                    self.begin(method);
                }
            }
            Phase::Failed { .. } => self.phase = Phase::Choosing,
            Phase::Live(live) if live.cancel.is_running() => return false,
            Phase::Live(live) => {
                match self.operations[live.slot].standing(self.time.server_now()) {
                    Standing::Overdue => self.new_code(live.slot),
                    Standing::Unconfirmed(from) if from <= now => self.new_code(live.slot),
                    Standing::Faulty(code) if code.is_retryable() => {
                        let tracked = &mut self.operations[live.slot];
                        tracked.offer.forget_fault();
                        tracked.forget_transaction();
                        self.ask_at_once();
                    }
                    _ => return false,
                }
            }
            Phase::Ended { slot } => match self.operations[slot].outcome {
                Some(Outcome::Expired) => self.new_code(slot),
                _ if !self.operations[slot].may_be_followed() => return false,
                // The payer may try the same method again; another method has a button of its own.
                Some(Outcome::Declined) => self.new_code(slot),
                _ => self.choose_again(),
            },
            Phase::New
            | Phase::Choosing
            | Phase::AskingPage(_)
            | Phase::Authorizing(_)
            | Phase::AskingToReplace { .. } => {
                return false;
            }
        }
        true
    }

    /// Begins a new attempt by the method of an operation whose time is over.
    fn new_code(&mut self, slot: Slot) {
        let method = self.operations[slot].method().cloned();
        self.choose_again();
        if let Some(method) = method.filter(|method| self.settings.methods.contains(method)) {
            self.begin(method);
        }
    }

    /// Goes back to the choice. The flow asks about the last operation more often for a while, since the payer may
    /// have paid it at the last moment.
    pub(super) fn choose_again(&mut self) {
        let now = self.now();
        if let Some(slot) = self.front_slot() {
            let tracked = &mut self.operations[slot];
            (tracked.plan.since, tracked.new_code_from) = (now, None);
        }
        self.phase = Phase::Choosing;
    }

    pub(super) fn another_way(&mut self) {
        let method = self.view().method.cloned();
        if self.go_another_way() {
            self.report_action(Action::AnotherWay, method);
        }
    }

    /// Goes back to the choice, or asks the payer first. Returns false when nothing changes.
    fn go_another_way(&mut self) -> bool {
        match &self.phase {
            Phase::Live(live) if live.cancel.is_running() || self.is_read_only() => return false,
            Phase::Live(live) => {
                let tracked = &self.operations[live.slot];
                match tracked.standing(self.time.server_now()) {
                    // There is nothing to cancel: it ended, or no answer named its transaction.
                    Standing::Unconfirmed(_) | Standing::Faulty(_) if tracked.may_be_followed() => {
                        self.choose_again();
                    }
                    Standing::Unconfirmed(_) if tracked.transaction.is_none() => {
                        self.choose_again();
                    }
                    // This page shows nothing that the payer could still pay, so it need not ask.
                    Standing::Overdue | Standing::Unconfirmed(_) | Standing::Faulty(_) => {
                        self.cancel(Intent::AnotherWay);
                    }
                    _ => return self.ask_to_cancel(Some(Intent::AnotherWay)),
                }
            }
            Phase::Ended { slot } if self.operations[*slot].may_be_followed() => {
                self.choose_again();
            }
            Phase::AskingPage(asking) if self.now() < asking.begun_by_click_until => return false,
            // The outcome of the attempt is unknown, but the payer has seen no code. The server allows only one
            // live operation for an order, so the next attempt ends that one or gets it as its answer.
            Phase::Failed { .. } | Phase::AskingPage(_) => self.phase = Phase::Choosing,
            Phase::Authorizing(authorizing) => {
                if let Some((call, _)) = authorizing.call {
                    self.commands.push(Command::Abort { call });
                }
                self.phase = Phase::Choosing;
            }
            Phase::New | Phase::Choosing | Phase::AskingToReplace { .. } | Phase::Ended { .. } => {
                return false;
            }
        }
        true
    }

    pub(super) fn qr_undecodable(&mut self) {
        if let Phase::Live(live) = &self.phase
            && self.operations[live.slot].offer.cannot_be_decoded()
        {
            self.report(Notice::Error(ErrorCode::QrImage));
        }
    }
}
