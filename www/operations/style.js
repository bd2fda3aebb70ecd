// The look of the staff's element: one style sheet, read once and adopted by every element.
//
// The custom properties and parts by which a page themes it stand at its class, in `operations.js`.

import { Sheet } from './sheet.js';

export const css = `
:host { display: block }
:host([hidden]) { display: none }

.operations, .failure {
  --_a: #0a5bb0; --_o: #fff; --_s: #fff; --_t: #1b2128; --_m: #59636f; --_b: #d5dae0;
  --_g: #14713d; --_e: #b3261e; --_w: #fff4d6;
  --_accent: var(--operations-accent, var(--_a));
  --_on: var(--operations-on-accent, var(--_o));
  --_surface: var(--operations-surface, var(--_s));
  --_text: var(--operations-text, var(--_t));
  --_muted: var(--operations-muted, var(--_m));
  --_border: var(--operations-border, var(--_b));
  --_good: var(--operations-good, var(--_g));
  --_bad: var(--operations-bad, var(--_e));
  --_radius: var(--operations-radius, 10px);
  --_small: calc(var(--_radius) * .6);
  container-type: inline-size;
  box-sizing: border-box;
  padding: clamp(12px, 2cqi, 24px);
  background: var(--_surface);
  color: var(--_text);
  font: 400 max(1em, 15px)/1.5 var(--operations-font, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif);
  text-align: start;
  overflow-wrap: anywhere;

  & *, & ::before, & ::after { box-sizing: border-box }
  & [hidden] { display: none !important }
  & :is(h2, h3, h4, p, ol, ul, dl, dd, fieldset) { margin: 0; padding: 0 }
  & :is(ol, ul) { list-style: none }
  & h2 { font-size: 1.4em; line-height: 1.25; font-weight: 650; outline: 0; text-wrap: pretty }
  & h3 { font-size: 1.1em; line-height: 1.3; font-weight: 650 }
  & h4 { margin-top: 16px; font-size: .95em; font-weight: 650 }
  & :focus-visible:not(h2) { outline: 3px solid var(--_accent); outline-offset: 2px }

  .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
  .muted { color: var(--_muted); font-size: .9em }
  .wrong { color: var(--_bad); font-size: .9em; font-weight: 600 }
  .wire { color: var(--_muted); font: 500 .78em/1.4 ui-monospace, SFMono-Regular, Consolas, monospace }
  .number { font-variant-numeric: tabular-nums; user-select: all }
  .lead { margin-block: 4px 12px; color: var(--_muted) }
  .note { display: grid; gap: 6px; margin-block: 12px; padding: 10px 14px; border-radius: var(--_small); background: var(--_w) }
  .plain-note { background: color-mix(in srgb, var(--_accent) 10%, transparent) }
  .empty { padding: 32px 16px; color: var(--_muted); text-align: center }

  & button { display: inline-flex; align-items: center; justify-content: center; min-height: 40px; margin: 0; padding: 6px 16px; border: 1px solid transparent; border-radius: var(--_small); background: none; color: inherit; font: inherit; font-weight: 600; line-height: 1.25; cursor: pointer }
  & button:hover { border-color: var(--_accent) }
  & .primary { background: var(--_accent); color: var(--_on) }
  & .plain { border-color: color-mix(in srgb, var(--_text) 40%, var(--_border)) }
  & .danger { border-color: var(--_bad); color: var(--_bad) }
  & .quiet { color: var(--_muted); text-decoration: underline; text-underline-offset: 3px }
  & .small { min-height: 32px; padding: 3px 12px; font-size: .9em }
  & :is(.link, .download) { display: inline; min-height: 24px; padding: 2px 0; border: 0; color: var(--_accent); font-weight: 600; text-align: start; text-decoration: underline; text-underline-offset: 3px; font-variant-numeric: tabular-nums }
  & button:is(:disabled, [aria-disabled="true"]) { border-color: var(--_border); background: color-mix(in srgb, var(--_text) 6%, transparent); color: var(--_muted); cursor: not-allowed }
  .actions { display: flex; flex-wrap: wrap; align-items: start; gap: 8px 12px; margin-top: 12px }
  .with-reason { display: grid; justify-items: start; gap: 2px; max-width: 24em }

  .field { display: grid; align-content: start; gap: 4px; min-width: 0 }
  .field label { font-size: .9em; font-weight: 600 }
  & :is(input:not([type="checkbox"]), select) { width: 100%; min-width: 0; min-height: 40px; padding: 6px 10px; border: 1px solid color-mix(in srgb, var(--_text) 45%, var(--_border)); border-radius: var(--_small); background: var(--_surface); color: inherit; font: inherit }
  & input[aria-invalid] { border-color: var(--_bad); border-width: 2px }
  & input[type="checkbox"] { width: 20px; height: 20px; margin: 2px; accent-color: var(--_accent) }

  .door { display: grid; gap: 16px; max-width: 24em; margin: clamp(8px, 6cqi, 64px) auto }
  & form { display: grid; gap: 12px }
  .head { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 4px 16px; margin-bottom: 20px; padding-bottom: 8px; border-bottom: 1px solid var(--_border) }
  .head nav { display: flex; flex-wrap: wrap; gap: 4px }
  & .tab { border-radius: var(--_small) var(--_small) 0 0 }
  & .tab[aria-current] { border-bottom: 3px solid var(--_accent); color: var(--_accent) }
  .who { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; color: var(--_muted); font-size: .9em }
  .page { display: grid; grid-template-columns: minmax(0, 1fr); gap: 12px }

  .filter { grid-template-columns: repeat(auto-fill, minmax(min(100%, 9em), 1fr)); gap: 12px 16px; margin-top: 4px }
  .filter .wide { grid-column: 1 / -1 }
  .found { display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; margin-top: 8px }
  .bar { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; margin-top: 8px }
  .count { font-weight: 600 }
  .selection { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; padding: 8px 12px; border: 1px solid var(--_accent); border-radius: var(--_small); background: var(--_surface) }

  .table { border: 1px solid var(--_border); border-radius: var(--_radius); overflow: clip }
  /* A long piece has 200 rows, of which only what is looked at is laid out. */
  .rows.long { content-visibility: auto; contain-intrinsic-size: auto 12800px }
  .row { display: grid; grid-template-columns: minmax(0, 1.3fr) minmax(0, 1fr) minmax(0, 1.9fr) minmax(0, 1.1fr) minmax(0, 1.5fr); align-items: center; gap: 4px 16px; min-height: 64px; padding: 8px 14px; border-top: 1px solid var(--_border) }
  .selects .row { grid-template-columns: 28px minmax(0, 1.3fr) minmax(0, 1fr) minmax(0, 1.9fr) minmax(0, 1.1fr) minmax(0, 1.5fr) }
  .heads .row { min-height: 40px; border: 0; background: color-mix(in srgb, var(--_text) 5%, transparent); font-size: .85em; font-weight: 600 }
  .rows .row:hover { background: color-mix(in srgb, var(--_accent) 6%, transparent) }
  .number-cell { display: grid; justify-items: start }
  .amount-cell { font-variant-numeric: tabular-nums; font-weight: 600; text-align: end }
  .rows .time-cell { color: var(--_muted); font-size: .9em }
  .state { display: inline-block; padding: 1px 9px; border-radius: 99px; background: color-mix(in srgb, var(--_text) 9%, transparent); font-size: .88em; font-weight: 600 }
  .state.good { background: color-mix(in srgb, var(--_good) 9%, transparent); color: var(--_good) }
  .state.busy { background: var(--_w) }
  .state.back { background: color-mix(in srgb, var(--_bad) 12%, transparent); color: var(--_bad) }
  .state.odd { background: var(--_w) }
  .flag { display: block; color: var(--_bad); font-size: .85em; font-weight: 600 }

  .operation { display: grid; grid-template-columns: minmax(0, 1fr); gap: 16px }
  .operation > section { padding: 16px; border: 1px solid var(--_border); border-radius: var(--_radius) }
  .operation > .doing { padding: 0; border: 0 }
  .operation h3 { margin-bottom: 8px }
  .total { margin-bottom: 12px }
  .total strong { font-size: 1.5em; font-variant-numeric: tabular-nums }
  .facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17em), 1fr)); gap: 8px 24px }
  .fact { min-width: 0 }
  .fact dt { color: var(--_muted); font-size: .85em }
  .fact dd { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 8px }
  .outside dt { font-family: ui-monospace, SFMono-Regular, Consolas, monospace }
  .timeline { display: grid; margin: 8px 0 4px 6px; border-inline-start: 2px solid var(--_border) }
  .timeline li { position: relative; padding: 2px 0 10px 18px }
  .timeline li::before { content: ""; position: absolute; inset-inline-start: -6px; top: .6em; width: 10px; height: 10px; border-radius: 50%; background: var(--_muted) }
  .timeline li:last-child::before { background: var(--_accent) }
  .when { display: block; font-size: .9em; font-variant-numeric: tabular-nums }
  :is(.refunds, .exceptions, .audit, .others, .review) { display: grid; gap: 12px; margin-top: 8px }
  :is(.refund, .exception) { padding: 12px 14px; border: 1px solid var(--_border); border-radius: var(--_small) }
  .exception { display: grid; justify-items: start; gap: 6px; border-inline-start: 4px solid var(--_bad) }
  .audit { gap: 8px }

  .modal { width: min(36em, 100vw - 24px); max-height: calc(100dvh - 24px); padding: clamp(16px, 4cqi, 24px); border: 1px solid var(--_border); border-radius: var(--_radius); background: var(--_surface); color: var(--_text); overflow: auto }
  .modal::backdrop { background: #0009 }
  .modal h2 { margin-bottom: 10px }
  .line { display: grid; gap: 8px; padding: 12px; border: 1px solid var(--_border); border-radius: var(--_small) }
  .line legend { padding: 0 4px; font-weight: 600 }
  .line .actions { margin-top: 0 }

  @container (max-width: 719px) {
    .heads { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
    .rows.long { contain-intrinsic-size: auto 28000px }
    .row, .selects .row { grid-template-columns: minmax(0, 1fr) auto; gap: 2px 12px; padding: 12px 14px }
    .selects .row { grid-template-columns: 28px minmax(0, 1fr) auto }
    .selects .cell:not(.check, .number-cell, .amount-cell) { grid-column: 2 / -1 }
    .cell:not(.check, .number-cell, .amount-cell) { grid-column: 1 / -1 }
    .rows .row:first-child { border-top: 0 }
  }
  @media (forced-colors: active) {
    .state, .note { border: 1px solid }
    .timeline li::before { background: CanvasText }
  }
}
@supports (color: light-dark(red, red)) {
  .operations, .failure {
    --_a: light-dark(#0a5bb0, #83b9f5); --_o: light-dark(#fff, #0b1420); --_s: light-dark(#fff, #1c1f24); --_t: light-dark(#1b2128, #eceff3);
    --_m: light-dark(#59636f, #a9b2bd); --_b: light-dark(#d5dae0, #3b414a); --_g: light-dark(#14713d, #62cf91);
    --_e: light-dark(#b3261e, #ff9a91); --_w: light-dark(#fff4d6, #453a1b);
  }
}
`;

/** The style sheet of every element; the file is made of the text above when the modules are built. */
export const sheet = new Sheet(css, () => new URL('./style.css', import.meta.url));
