// Printed by `cargo xtask print` from the Rust that declares it; do not edit.

/** Loads the texts of each language that is a file. */
export const TEXT_FILES: Record<string, () => Promise<{ default: string[] }>> = {
  en: () => import('./texts-en.ts'),
  pt: () => import('./texts-pt.ts'),
};
