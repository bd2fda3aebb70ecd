// The gallery: every screen of the checkout, in every language, theme and width.

import { THEMES, WIDTHS, choose } from './filters.js';
import { collection } from './exhibit.js';

/** @param {string} id */
const find = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} name
 * @param {string} [text]
 */
function make(name, text = '') {
  const node = document.createElement(name);
  node.textContent = text;
  return node;
}

/**
 * @param {string} name
 * @param {string[]} values
 * @param {string} chosen
 */
function offer(name, values, chosen) {
  const select = /** @type {HTMLSelectElement} */ (find(name));
  select.replaceChildren(
    ...values.map((value) => new Option(value || 'all', value, false, value === chosen)),
  );
}

/** @param {string} screen @param {import('./filters.js').Choice} choice */
function hang(screen, choice) {
  const frame = make('section');
  const id = `screen-${screen}`;
  frame.setAttribute('aria-labelledby', id);
  const heading = make('h2');
  heading.id = id;
  const link = make('a', screen);
  const { locale, theme, width, unusual } = choice;
  link.href = `?${new URLSearchParams({ screen, locale, theme, width, unusual })}`;
  heading.append(link);
  const exhibit = document.createElement('checkout-exhibit');
  exhibit.setAttribute('screen', screen);
  exhibit.setAttribute('unusual', choice.unusual);
  exhibit.setAttribute('locale', choice.locale);
  frame.append(heading, exhibit);
  return frame;
}

async function open() {
  const there = await collection();
  const { choice, wrong } = choose(new URLSearchParams(location.search), there);
  offer('screen', ['', ...there.screens], choice.screens.length === 1 ? choice.screens[0] : '');
  offer('locale', there.locales, choice.locale);
  offer('theme', THEMES, choice.theme);
  offer('width', WIDTHS, choice.width);
  offer('unusual', there.unusual, choice.unusual);
  find('problem').replaceChildren(...wrong.map((sentence) => make('p', sentence)));
  find('problem').hidden = wrong.length === 0;
  document.documentElement.classList.add(choice.theme);
  const wall = find('wall');
  wall.classList.add(`w${choice.width}`);
  const screens = choice.screens.length > 0 ? choice.screens : there.screens;
  wall.replaceChildren(...screens.map((screen) => hang(screen, choice)));
  wall.ariaBusy = 'false';
  find('choice').hidden = false;
}

open().catch((reason) => {
  console.error('gallery: could not be opened', reason);
  find('problem').replaceChildren(make('p', 'The gallery could not be loaded. Reload the page.'));
  find('problem').hidden = false;
});
