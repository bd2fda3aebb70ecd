use super::tracked_operation::{Knowledge, TrackedOperation};
use crate::operation_ref::OperationRef;
use crate::time::FlowTime;
use std::ops::{Index, IndexMut};

/// The operations of this order that the page knows, oldest first.
///
/// The flow never removes an operation, so a [`Slot`] stays valid. An operation that the server does not know
/// is marked by its [`Knowledge`].
#[derive(Debug, Clone, Default)]
pub(super) struct Operations(Vec<TrackedOperation>);

/// The index of an operation. Only [`Operations`] makes one, and only for an operation that it contains, so a
/// look-up cannot fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot(usize);

impl Operations {
    /// Returns the slot of an operation, and adds it if it is new.
    pub(super) fn track(&mut self, operation: OperationRef, now: FlowTime) -> Slot {
        let known = self
            .iter()
            .find(|(_, tracked)| tracked.operation.is_same_operation(&operation))
            .map(|(slot, _)| slot);
        let Some(slot) = known else {
            self.0.push(TrackedOperation::new(operation, now));
            return Slot(self.0.len() - 1);
        };
        let tracked = &mut self[slot];
        // Only the status endpoint can replace a transaction that it named.
        if !tracked.knowledge.is_confirmed() && operation.transaction_id.is_some() {
            tracked.operation.transaction_id = operation.transaction_id;
        }
        slot
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Slot, &TrackedOperation)> {
        self.0
            .iter()
            .enumerate()
            .map(|(index, tracked)| (Slot(index), tracked))
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (Slot, &mut TrackedOperation)> {
        self.0
            .iter_mut()
            .enumerate()
            .map(|(index, tracked)| (Slot(index), tracked))
    }

    /// The operations besides this one, without those that the server does not know.
    pub(super) fn others(&self, front: Option<Slot>) -> impl Iterator<Item = &TrackedOperation> {
        self.iter()
            .filter(move |(slot, tracked)| {
                Some(*slot) != front && tracked.knowledge != Knowledge::UnknownToServer
            })
            .map(|(_, tracked)| tracked)
    }
}

impl Index<Slot> for Operations {
    type Output = TrackedOperation;

    fn index(&self, slot: Slot) -> &TrackedOperation {
        &self.0[slot.0]
    }
}

impl IndexMut<Slot> for Operations {
    fn index_mut(&mut self, slot: Slot) -> &mut TrackedOperation {
        &mut self.0[slot.0]
    }
}

#[cfg(test)]
mod tests {
    use super::Operations;
    use crate::flow::tracked_operation::Knowledge;
    use crate::operation_ref::OperationRef;
    use crate::time::FlowTime;

    fn named(number: &str, transaction: Option<&str>) -> OperationRef {
        OperationRef {
            merchant_code: "M1".into(),
            merchant_operation_number: number.into(),
            transaction_id: transaction.map(Into::into),
        }
    }

    #[test]
    fn only_the_status_endpoint_has_the_last_word_about_the_transaction() {
        for (knowledge, other, kept) in [
            (Knowledge::Unanswered, Some("t2"), "t2"),
            (Knowledge::Unanswered, None, "t1"),
            (Knowledge::Confirmed, Some("t2"), "t1"),
            (Knowledge::Confirmed, None, "t1"),
        ] {
            let mut operations = Operations::default();
            let slot = operations.track(named("1", Some("t1")), FlowTime::default());
            operations[slot].knowledge = knowledge;
            let same = operations.track(named("1", other), FlowTime::default());
            assert_eq!(same, slot, "a known operation is added twice");
            let id = operations[slot].operation.transaction_id.as_ref();
            assert_eq!(id, Some(&kept.into()), "{knowledge:?} {other:?}");
        }
    }

    #[test]
    fn the_others_are_those_that_the_server_knows_without_the_one_in_front() {
        let mut operations = Operations::default();
        let [front, _, lost] = ["1", "2", "3"]
            .map(|number| operations.track(named(number, None), FlowTime::default()));
        operations[lost].give_up();
        let numbers = |front| {
            let others = operations.others(front);
            others
                .map(|other| other.operation.merchant_operation_number.as_str())
                .collect::<Vec<_>>()
        };
        assert_eq!(numbers(Some(front)), ["2"]);
        assert_eq!(numbers(None), ["1", "2"]);
    }
}
