//! The payment service's resources, requests and responses as types.
