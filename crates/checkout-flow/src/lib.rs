//! The payer's flow as a pure state machine.
