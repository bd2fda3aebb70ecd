//! What payers and staff do.

use super::people::{Payer, Staff};
use super::scene::Scene;
use anyhow::{Result, bail};
use std::fmt;
use tokio::task::JoinSet;

/// What payers and staff do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Story {
    /// A code is paid.
    PaidByQr,
    /// A payer cancels a code, and pays the next one.
    Cancelled,
    /// Staff refund a settled payment in two parts.
    Refunded,
    /// Another method takes the place of a code.
    Replaced,
    /// The receiver refuses the first events.
    Told,
    /// Staff give a whole payment back before its settlement.
    Reversed,
    /// All others at the same time.
    All,
}

/// The stories of one payer.
pub(super) const STORIES: [Story; 6] = [
    Story::PaidByQr,
    Story::Cancelled,
    Story::Refunded,
    Story::Replaced,
    Story::Told,
    Story::Reversed,
];

impl Story {
    /// How many deliveries the receiver refuses at first.
    pub(super) fn refusals(self) -> usize {
        usize::from(matches!(self, Self::Told | Self::All))
    }

    pub(super) fn steps(self) -> usize {
        self.told().0
    }

    /// Its steps, its name before log lines when several stories run at once, and what happens in it.
    fn told(self) -> (usize, &'static str, &'static str) {
        match self {
            Self::PaidByQr => (4, "[paid] ", "a code is paid"),
            Self::Cancelled => (
                6,
                "[cancelled] ",
                "a code is cancelled and the next one paid",
            ),
            Self::Refunded => (7, "[refunded] ", "a payment is refunded in two parts"),
            Self::Replaced => (5, "[replaced] ", "another method replaces a code"),
            Self::Told => (4, "[told] ", "a receiver refuses the first event"),
            Self::Reversed => (5, "[reversed] ", "a payment is reversed"),
            // The mishap begins with the first of the stories that comes so far.
            Self::All => (5, "", "six payers and staff at once"),
        }
    }

    /// Plays it. Whatever the server does not do in time is an error.
    pub(super) async fn play(self, scene: &Scene) -> Result<Vec<Payer>> {
        if self != Self::All {
            return Ok(vec![self.play_alone(scene).await?]);
        }
        let mut playing = JoinSet::new();
        for story in STORIES {
            let scene = scene.beside(story.told().1);
            playing.spawn_local(async move { story.play_alone(&scene).await });
        }
        let mut payers = Vec::new();
        while let Some(played) = playing.join_next().await {
            payers.push(played??);
        }
        Ok(payers)
    }

    async fn play_alone(self, scene: &Scene) -> Result<Payer> {
        let payer = Payer::orders(scene).await?;
        self.goes_on(scene, &payer).await?;
        Ok(payer)
    }

    /// Plays what comes after the order.
    pub(super) async fn goes_on(self, scene: &Scene, payer: &Payer) -> Result<()> {
        match self {
            Self::PaidByQr | Self::Told | Self::All => {
                pays_by_qr(payer, scene).await?;
            }
            Self::Cancelled => {
                let first = payer.authorizes(scene, "k", "QR", None).await?;
                payer.cancels(scene, &first).await?;
                let second = payer.authorizes(scene, "l", "QR", None).await?;
                if first == second {
                    bail!("the payer cancelled {first} and sees it again");
                }
                payer.pays(scene, &second).await?;
                payer.sees_paid(scene).await?;
            }
            Self::Replaced => {
                let first = payer.authorizes(scene, "k", "QR", None).await?;
                let replaced = Some(first.as_str());
                let second = payer
                    .authorizes(scene, "l", "INSTALLMENT", replaced)
                    .await?;
                if first == second {
                    bail!("the payer replaced {first} and sees it again");
                }
                payer.pays(scene, &second).await?;
                payer.sees_paid(scene).await?;
            }
            Self::Refunded => {
                let number = payer.authorizes(scene, "k", "INSTALLMENT", None).await?;
                payer.pays(scene, &number).await?;
                payer.sees_paid(scene).await?;
                if !scene.service.drive(&number, "settle").await? {
                    bail!("the payment {number} is not one at the service");
                }
                scene.step("staff sign in").await?;
                let mut staff = Staff::signs_in(scene).await?;
                staff.refunds("r", &number, 1_000).await?;
                // Refund the rest; it is refused if the first part was counted twice.
                staff.refunds("s", &number, 5_580).await?;
            }
            Self::Reversed => {
                let number = pays_by_qr(payer, scene).await?;
                let mut staff = Staff::signs_in(scene).await?;
                staff.reverses(&number).await?;
            }
        }
        Ok(())
    }
}

async fn pays_by_qr(payer: &Payer, scene: &Scene) -> Result<String> {
    let number = payer.authorizes(scene, "k", "QR", None).await?;
    payer.pays(scene, &number).await?;
    payer.sees_paid(scene).await?;
    Ok(number)
}

impl fmt::Display for Story {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.told().2)
    }
}
