//! Giving money back: what is done between the addresses and the store. The rules are in
//! `refund`; here they are asked at the right time, and every step is on disk before the next.

mod answer;
mod change;
mod known;
mod look_up;
mod places;
mod release;
mod request;
mod reserve;
mod returned;
mod rules;
mod send;
mod staff_key;

pub(crate) use look_up::{look_up, watch};
pub(crate) use places::LookUps;
pub(crate) use release::{ReleaseWanted, release};
pub(crate) use request::{ItemWanted, RefundWanted, refund};
pub(crate) use returned::{ReturnWanted, record_return};
pub(crate) use staff_key::Kept;
