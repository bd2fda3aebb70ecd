/** A mistake of the page or of its server, for a developer. */
export interface Finding {
  /** Its heading in docs/diagnostics.md. */
  code: string;
  /** What is wrong, and what to do. */
  is: string;
  /** True if no payment stops because of it. */
  mild?: boolean;
}
