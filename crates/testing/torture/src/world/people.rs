//! The keys of those people of a world who have some: staff and programs of the shop.

use super::settings::STAFF;
use super::stage::World;
use crate::calls;
use anyhow::{Context as _, Result, ensure};

/// The names of two API keys of the shop.
const API_KEYS: [&str; 2] = ["first", "second"];

/// What people keep that let themselves into the server before the story begins.
#[derive(Debug, Clone)]
pub(super) struct Keys {
    pub(super) staff: Vec<String>,
    /// The secrets of [`API_KEYS`].
    pub(super) programs: Vec<String>,
}

impl Keys {
    /// Signs staff in, and makes the keys of programs.
    pub(super) async fn make(world: &World) -> Result<Self> {
        let mut staff = Vec::new();
        for name in STAFF {
            staff.push(sign_in(world, name).await?);
        }
        let mut programs = Vec::new();
        for name in API_KEYS {
            let name = format!("--name={name}");
            let words = ["key", "new", &name, "--may=order,read,cancel,refund,resend"];
            programs.push(world.command(&words).await?.trim().to_owned());
        }
        Ok(Self { staff, programs })
    }
}

/// Signs a member of staff in, and returns the cookie.
pub(super) async fn sign_in(world: &World, name: &str) -> Result<String> {
    let answer = world.asked(calls::sign_in(name)).await;
    let answer = answer.context("no session")?;
    ensure!(!answer.cookie().is_empty(), "{answer}");
    Ok(answer.cookie().to_owned())
}
