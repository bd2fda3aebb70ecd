//! Compiles the crate anew when a migration is added, which `sqlx::migrate!` cannot notice.

#[allow(clippy::print_stdout, reason = "cargo reads it")]
fn main() {
    println!("cargo:rerun-if-changed=migrations");
}
