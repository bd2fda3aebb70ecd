/** A screen that the payer can read and press before the wasm is there. */
export interface FirstScreen {
  node: HTMLElement;
  /** Tells one screen from another. */
  text: string;
  /** Moves the focus to the heading, for a payer whose button is gone. */
  focus(): void;
  /** Passes what the payer did on to the wasm's screen. */
  handOver(stage: HTMLElement): void;
}
