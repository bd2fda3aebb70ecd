// The look of the element: one style sheet, read once and adopted by every element.
//
// The custom properties and parts by which a page themes it stand at its class, in `element.js`.

import { Sheet } from './sheet.js';

export const css = `
:host { display: block; container-type: inline-size; contain-intrinsic-inline-size: min(28rem, 100vw - 4rem) }
:host([hidden]) { display: none }
@media print { :host { color-scheme: light } }

:is(.checkout, .failure) {
  --_accent: var(--checkout-accent, var(--_a));
  --_on: var(--checkout-on-accent, #fff);
  --_ink: var(--checkout-accent-text, var(--_accent));
  --_surface: var(--checkout-surface, var(--_s));
  --_text: var(--checkout-text, var(--_t));
  --_muted: var(--checkout-muted, var(--_m));
  --_border: var(--checkout-border, var(--_b));
  --_good: var(--checkout-good, var(--_g));
  --_bad: var(--checkout-bad, var(--_e));
  --_radius: var(--checkout-radius, 14px);
  --_small: calc(var(--_radius) * .65);
  --_gap: var(--checkout-gap, 16px);
  --_tint: color-mix(in srgb, var(--_text) 5%, transparent);
  --_edge: color-mix(in srgb, var(--_text) 40%, var(--_border));
  --_a: #0a5bb0; --_s: #fff; --_t: #1b2128; --_m: #59636f; --_b: #d5dae0;
  --_g: #14713d; --_e: #b3261e; --_w: color-mix(in srgb, #f5b301 16%, var(--_surface));
  container-type: inline-size;
  contain-intrinsic-inline-size: min(28rem, 100vw - 4rem);
  box-sizing: border-box;
  max-inline-size: 48rem;
  margin-inline: auto;
  padding: var(--checkout-padding, 16px);
  border: 1px solid var(--_border);
  border-radius: var(--_radius);
  background: var(--_surface);
  color: var(--_text);
  font: 400 var(--checkout-font-size, max(1em, 16px))/1.5 var(--checkout-font, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif);
  box-shadow: var(--checkout-shadow, 0 1px 2px #0000000d, 0 8px 24px #0000000f);
  text-align: start;
  overflow-wrap: anywhere;

  & *, & ::before, & ::after { box-sizing: border-box }
  & :is(h2, h3, p, ol) { margin: 0; padding: 0 }
  & :is(p, li, .words span) { text-wrap: pretty }
  & h2 { flex: 1; font-size: 1.375em; line-height: 1.25; font-weight: 650; text-wrap: pretty; outline: 0 }
  & h3 { font-size: 1.125em; line-height: 1.3; font-weight: 650 }
  & :focus-visible:not(h2) { outline: 3px solid var(--_ink); outline-offset: 2px }

  .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
  .muted { color: var(--_muted); font-size: .9em }
  .phone { display: none }

  .bill { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: baseline; gap: 0 16px; margin-bottom: 18px; padding-bottom: 14px; border-bottom: 1px solid var(--_border) }
  .bill:empty { display: none }
  .who { font-weight: 600; text-wrap: pretty }
  .order { grid-column: 1 / -1 }
  .sum { display: flex; flex-wrap: wrap; grid-area: 1 / 2; align-items: baseline; justify-content: space-between; gap: 0 8px }
  .sum:only-child { grid-column: 1 / -1 }
  .label { color: var(--_muted); font-size: .9em }
  .sum strong { font-size: 1.375em; font-weight: 700; font-variant-numeric: tabular-nums }

  .note { margin-bottom: 16px; padding: 10px 14px; border-radius: var(--_small); background: var(--_w); font-size: .95em }

  .top { display: flex; align-items: center; gap: 12px }
  .icon { flex: none; width: 40px; height: 40px; padding: 8px; border-radius: 50%; background: color-mix(in srgb, currentColor 14%, transparent); fill: none; stroke: currentColor; stroke-width: 2.4; stroke-linecap: round; stroke-linejoin: round }
  .busy .icon { color: var(--_ink) }
  .good .icon { color: var(--_s); background: var(--_good) }
  .bad .icon { color: var(--_muted) }
  .alarm .icon { color: var(--_bad) }

  .body { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--_gap); margin-top: 8px }
  .reason { padding: 10px 14px; border-radius: var(--_small); background: var(--_tint) }
  .host { margin-top: -8px; text-align: center }

  & :is(button, a) { display: flex; align-items: center; justify-content: center; min-height: 48px; margin: 0; padding: 10px 18px; border: 1px solid transparent; border-radius: var(--_small); background: none; color: inherit; font: inherit; font-weight: 600; line-height: 1.25; text-align: center; text-decoration: none; cursor: pointer; transition: background-color .15s, border-color .15s }
  & :is(button, a):hover { border-color: var(--_ink) }
  & .primary { border-color: var(--_ink); background: var(--_accent); color: var(--_on) }
  & .primary:hover { background: color-mix(in srgb, var(--_accent) 88%, var(--_text)) }
  & :is(.plain, .button), &.failure button { border-color: var(--_edge) }
  & .danger { border-color: var(--_bad); color: var(--_bad) }
  & .quiet { color: var(--_muted); text-decoration: underline; text-underline-offset: 3px }
  & .small { min-height: 44px; padding-block: 6px; font-size: .9em }
  & .actions > * { padding-inline: 12px }
  .actions { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 4px }
  .actions > * { flex: 1 1 min(100%, 12.5em) }
  .actions > .quiet { flex: none; margin-inline: auto }
  :is(.actions, .choices):empty { display: none }
  .body > .note { margin: 0 }

  .choices { display: grid; gap: 12px; margin-top: 4px }
  & .choice { justify-content: start; gap: 14px; min-height: 76px; padding: 14px; border-color: var(--_edge); border-radius: var(--_radius); text-align: start }
  .choice::after { content: ""; flex: none; width: 9px; height: 9px; margin-inline: auto 6px; border: solid var(--_muted); border-width: 2px 2px 0 0; rotate: 45deg }
  .choice:hover { background: color-mix(in srgb, var(--_accent) 6%, transparent) }
  .words { display: grid; gap: 2px }
  .words .muted { font-weight: 400 }
  .sign { flex: none; width: 46px; height: 46px; padding: 10px; border-radius: var(--_small); background: color-mix(in srgb, var(--_ink) 12%, transparent); fill: none; stroke: var(--_ink); stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round }

  .pay { display: grid; margin-top: 4px; grid-template-columns: minmax(0, 1fr); gap: var(--_gap) 28px; align-items: center }
  .tile { display: grid; grid-template: 100% / 100%; place-items: center; width: min(100%, 344px); aspect-ratio: 1; margin-inline: auto; padding: 8px; border: 1px solid var(--_border); border-radius: var(--_radius); background: #fff; forced-color-adjust: none }
  .tile img { display: block; width: 100%; height: 100%; object-fit: contain; image-rendering: pixelated; background: #fff; color: #1b2128 }
  @supports (width: round(down, 1px, 1px)) {
    .tile img { width: max(min(100%, 256px), round(down, 100%, var(--_modules, 1) * 1px)); height: auto; aspect-ratio: 1 }
  }
  .tile.bone { text-align: center; text-wrap: balance; forced-color-adjust: auto }
  .side { display: grid; gap: var(--_gap) }
  .unsaid { visibility: hidden }
  .keep { order: -1; display: flex; flex-wrap: wrap; justify-content: center; gap: 8px }
  & .keep > :is(a, button, .save) { min-height: 44px; padding-block: 8px; border-color: transparent; border-radius: var(--_small); color: var(--_ink); text-decoration: underline; text-underline-offset: 3px }
  .keep > span { min-width: 9em }
  .keep .checked { text-align: center }
  .steps { display: grid; gap: 8px; list-style: none; counter-reset: step }
  .steps.phone { display: none }
  .steps li { display: grid; grid-template-columns: auto 1fr; gap: 10px; counter-increment: step }
  .steps li::before { content: counter(step); width: 1.7em; height: 1.7em; border-radius: 50%; background: color-mix(in srgb, var(--_ink) 12%, transparent); color: var(--_ink); font-size: .88em; font-weight: 700; line-height: 1.7; text-align: center }
  .bone { border-color: transparent; background: color-mix(in srgb, var(--_text) 7%, transparent) }
  .row { height: 66px; border-radius: var(--_small) }

  .status { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 6px 12px }
  & .status button { min-height: 32px; margin-block: -2px; padding: 0 }
  .pulse { display: flex; align-items: center; gap: 10px; font-weight: 600 }
  .pulse::before { content: ""; width: 10px; height: 10px; border-radius: 50%; background: var(--_good) }
  & [role=timer] { font-variant-numeric: tabular-nums }
  & progress { appearance: none; width: 100%; height: 4px; border: 0; border-radius: 2px; background: color-mix(in srgb, var(--_text) 10%, transparent); overflow: hidden }
  & ::-webkit-progress-bar { background: none }
  & ::-webkit-progress-value { border-radius: 3px; background: var(--_ink) }
  & ::-moz-progress-bar { border-radius: 3px; background: var(--_ink) }

  .facts { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: center; gap: 0 12px; padding: 10px 14px; border-radius: var(--_small); background: var(--_tint) }
  .facts > .muted { grid-column: 1 }
  .number { grid-column: 1; font-weight: 600; font-variant-numeric: tabular-nums; user-select: all }
  .facts button { grid-column: 2; grid-row: 1 / 3 }
  & .code button { grid-area: auto / 1 / auto / 3; margin-top: 6px }
  .code .number { grid-column: 1 / 3; font-size: clamp(1.25em, 9cqi, 1.75em); line-height: 1.3; letter-spacing: .02em }
  .ask { display: grid; gap: 8px; padding: 16px; border: 2px solid var(--_border); border-radius: var(--_radius) }

  @container (min-width: 560px) {
    .pay { grid-template-columns: min(344px, 50%) minmax(0, 1fr) }
    .code .number { grid-column: 1 }
    & .code button { grid-area: 1 / 2 / 3; margin: 0 }
    & .keep { order: 0; justify-content: start }
    & .keep > :is(a, button) { padding-inline: 0 16px }
    .keep .checked { text-align: start }
  }
  @container (max-width: 399px) {
    .bill { grid-template-columns: minmax(0, 1fr) }
    .sum { grid-area: auto }
    .facts:not(.code) button { padding-inline: 12px }
    .status { font-size: .9em }
    & .status :is(.muted, .small) { font-size: 1em }
    .status .pulse { flex: 1 0 100% }
    .status > progress { order: 1 }
    .status > button { order: 2 }
    .status > .checked { order: 3 }
    .pay + .row { height: 98px }
    & h2 { font-size: 1.25em }
  }
  @container (max-width: 289px) {
    .top:has(+ .body .tile) { min-height: 3.125em }
    .tile { --_out: min(16px, var(--checkout-padding, 16px)); width: calc(100% + 2 * var(--_out)); margin-inline: calc(-1 * var(--_out)); padding: 4px; border-inline: 0; border-radius: 0 }
    .facts { padding-inline: 10px; gap: 0 6px }
    & .facts:not(.code) button { padding-inline: 8px }
  }
  @container (max-width: 229px) {
    .sign { display: none }
    & .choice { gap: 8px; padding: 10px }
  }
  @media (hover: none) and (pointer: coarse) {
    .phone { display: inline }
    .steps.phone { display: grid }
    .desk, .steps.desk { display: none }
    & .status button { min-height: 44px; margin-block: -8px }
    & .keep { order: -1 }
    & .keep > :is(a, button, .save) { flex: 1; min-height: 48px; border-color: var(--_edge); color: inherit; text-decoration: none }
    & .keep > a.save { border-color: var(--_ink); background: var(--_accent); color: var(--_on) }
  }
  @media (prefers-reduced-motion: no-preference) {
    .body { animation: come .25s }
    .bone { animation: fade 1.6s infinite alternate }
    .pulse::before { animation: breathe 1s infinite alternate }
    .busy .icon path { animation: turn 1s linear infinite; transform-origin: center }
  }
  @media (forced-colors: active) {
    .icon, .sign { stroke: CanvasText }
    .bone { border-color: CanvasText }
    .steps li::before, .pulse::before, .note, .facts, .reason, .row { border: 1px solid; background: none }
    & progress { border: 1px solid }
    & .status button { padding-inline: 8px }
    & ::-webkit-progress-value { background: Highlight; forced-color-adjust: none }
  }
  & [aria-disabled] { opacity: .6; cursor: default }
  .checked { flex: 1 0 100%; grid-column: 1 / -1 }
  @media print {
    .actions, button, .button, .icon, .note, .pulse, .checked, progress, [role=timer] { display: none }
    border: 0; box-shadow: none; break-inside: avoid;
  }
}
.failure { display: grid; gap: 12px }
@container (min-width: 420px) { :is(.checkout, .failure) { padding: var(--checkout-padding, 24px) } }
@supports (color: light-dark(#000, #fff)) {
  :is(.checkout, .failure) {
    --_a: light-dark(#0a5bb0, #83b9f5); --_s: light-dark(#fff, #1c1f24); --_t: light-dark(#1b2128, #eceff3);
    --_m: light-dark(#59636f, #a9b2bd); --_b: light-dark(#d5dae0, #3b414a); --_g: light-dark(#14713d, #62cf91);
    --_e: light-dark(#b3261e, #ff9a91);
  }
}
@supports (color: oklch(from red l 0 0)) {
  :is(.checkout, .failure) {
    --_on: var(--checkout-on-accent, color(from var(--_accent) xyz clamp(0, (.179 - y) * 9999, .95) clamp(0, (.179 - y) * 9999, 1) clamp(0, (.179 - y) * 9999, 1.09)));
    --_ink: var(--checkout-accent-text, light-dark(oklch(from var(--_accent) min(l, .5) c h), oklch(from var(--_accent) max(l, .74) c h)));
  }
}
@keyframes come { from { opacity: 0; translate: 0 4px } }
@keyframes breathe { to { opacity: .45 } }
@keyframes fade { to { background-color: color-mix(in srgb, var(--_text) 3%, transparent) } }
@keyframes turn { to { rotate: 360deg } }
`;

/** The style sheet of every element; the file is made of the text above when the modules are built. */
export const sheet = new Sheet(css, () => new URL('./style.css', import.meta.url));
