//! The payment service, simulated over real HTTP.
