//! The reference merchant server.
