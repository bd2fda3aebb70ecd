// Printed by `cargo xtask print` from the Rust that declares it; do not edit.

/** The attributes with a value. */
export const ATTRIBUTES = ['base-url', 'locale', 'operation', 'permissions'] as const;

/** The attributes that are there or not. */
export const SWITCHES = [] as const;
