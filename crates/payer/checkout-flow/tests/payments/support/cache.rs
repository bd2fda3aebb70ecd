use checkout_flow::Answer;
use payment_model::QueryResponse;
use std::time::Duration;

/// An answer of the status endpoint.
type Status = Answer<Option<QueryResponse>>;

/// How a cache between the page and the server answers a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Habit {
    /// There is none.
    #[default]
    None,
    /// By what it has kept under the same address, for ever.
    Keeps,
    /// The same, and the query is no part of the address.
    KeepsWhateverTheQuery,
    /// As [`Habit::Keeps`], and each cached answer has the header `Age`.
    KeepsAndTellsTheAge,
    /// As [`Habit::Keeps`], and cached answers have no `Date` and no id.
    KeepsWithoutDate,
    /// Every other question by what it has kept.
    KeepsAtTimes,
    /// By what it has kept, and it keeps what the server answers meanwhile.
    Revalidates,
    /// By what it has kept, when the server takes more than three seconds.
    IsImpatient,
}

/// What is between the page and the server, such as a service worker.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cache {
    pub(crate) habit: Habit,
    kept: Vec<(Address, i64, Status)>,
    asked: u32,
}

/// The number of an operation, with the instant of a question whose address is its own.
pub(crate) type Address = (String, Option<i64>);

/// The longest time for which [`Habit::IsImpatient`] waits for the server.
pub(crate) const PATIENCE: i64 = 3_000;

impl Cache {
    /// The answer in the server's place, if there is one. `held` is true when the server would hold the question.
    pub(crate) fn answer(&mut self, address: &Address, now: i64, held: bool) -> Option<Status> {
        self.asked += 1;
        let (answers, address) = match self.habit {
            Habit::None => (false, address.clone()),
            Habit::KeepsAtTimes => (self.asked.is_multiple_of(2), address.clone()),
            Habit::IsImpatient => (held, address.clone()),
            Habit::KeepsWhateverTheQuery => (true, (address.0.clone(), None)),
            _ => (true, address.clone()),
        };
        let kept = self.kept.iter().filter(|_| answers);
        let (_, at, answer) = kept.rev().find(|(of, ..)| *of == address)?;
        let mut answer = answer.clone();
        match self.habit {
            Habit::KeepsAndTellsTheAge => {
                answer.age = Some(Duration::from_millis(now.abs_diff(*at)));
            }
            Habit::KeepsWithoutDate => (answer.date, answer.id) = (None, None),
            _ => {}
        }
        Some(answer)
    }

    /// Notes what the server answered. `instead` is true when the page got another answer.
    pub(crate) fn keep(&mut self, address: &Address, now: i64, answer: &Status, instead: bool) {
        let address = match self.habit {
            Habit::None => return,
            Habit::KeepsWhateverTheQuery => (address.0.clone(), None),
            _ => address.clone(),
        };
        if !instead || self.habit == Habit::Revalidates {
            self.kept.push((address, now, answer.clone()));
        }
    }
}
