//! Giving money back: what is done between the addresses and the store. The rules are in
//! `refund`; here they are asked at the right time, and every step is on disk before the next.

mod answer;
mod change;
mod known;
mod look_up;
mod places;
mod release;
mod release_reversal;
mod request;
mod reserve;
mod return_end;
mod returned;
mod rules;
mod send;
mod staff_key;

pub(crate) use look_up::{look_up, watch};
pub(crate) use places::LookUps;
pub(crate) use release::{ReleaseWanted, release};
pub(crate) use release_reversal::{ReversalReleaseWanted, release_reversal};
pub(crate) use request::{ItemWanted, RefundWanted, refund};
pub(crate) use return_end::{ReturnEndWanted, end_return};
pub(crate) use returned::{ReturnWanted, record_return};
pub(crate) use staff_key::Kept;
