// The gallery: every screen of the checkout, in every language, theme and width, with what a developer
// needs to know about it.

import { GROUPS, about } from './catalog.js';
import { collection } from './exhibit.js';
import { address, choose, FONTS, PICKERS, RADII, THEMES, wearLook, WIDTHS, written } from './filters.js';

/** @import { CheckoutExhibit } from './exhibit.js' */
/** @import { Choice } from './filters.js' */
/** @typedef {Awaited<ReturnType<typeof collection>>} Collection */

/** The element's own accent, which the picker shows while none is chosen. */
const OWN_ACCENT = '#0a5bb0';

/** @param {string} id */
const find = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const form = /** @type {HTMLFormElement} */ (find('choice'));

/**
 * @param {string} name
 * @param {Record<string, string>} [attributes]
 * @param {(Node | string)[]} children
 */
function make(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/**
 * @param {string} name
 * @param {string[]} values
 * @param {string} chosen
 * @param {string} [empty] the word for an empty value
 */
function offer(name, values, chosen, empty = 'all') {
  const select = /** @type {HTMLSelectElement} */ (find(name));
  select.replaceChildren(
    // Of several families the first is enough to choose by.
    ...values.map((value) => new Option(value.split(',')[0] || empty, value, false, value === chosen)),
  );
}

/** @param {string} term @param {(Node | string)[]} what */
const fact = (term, ...what) => make('div', {}, make('dt', {}, term), make('dd', {}, ...what));

/** @param {string[]} names */
const codes = (names) => names.flatMap((name, at) => [at > 0 ? ' ' : '', make('code', {}, name)]);

/** One screen in one width or several, and what there is to know about it. @param {string} screen @param {string} state @param {Choice} choice */
function hang(screen, state, choice) {
  const { sentence, event } = about(screen, state);
  const heading = make('h3', { id: `screen-${screen}` });
  heading.append(make('a', { href: address({ ...choice, screens: [screen] }) }, screen));
  const facts = make('dl', {}, fact('state', make('code', {}, state)), fact('event', make('code', {}, event)));
  const text = make('div', { class: 'about' }, heading, make('p', {}, sentence), facts);
  const exhibits = choice.widths.map((width) => {
    const exhibit = make('checkout-exhibit', { screen, unusual: choice.unusual, locale: choice.locale });
    exhibit.toggleAttribute('phone', choice.phone);
    return make('section', { class: `w${width}`, 'aria-labelledby': heading.id }, exhibit);
  });
  const entry = make('article', { class: 'entry', id: screen }, text, make('div', { class: 'widths' }, ...exhibits));
  const named = () => {
    const drawn = /** @type {CheckoutExhibit} */ (exhibits[0].firstElementChild);
    const slots = drawn.named('slot');
    if (slots.length > 0) facts.append(fact('slots', ...codes(slots)));
    const parts = make('details', {}, make('summary', {}, `${drawn.named('part').length} parts`));
    parts.append(make('p', {}, ...codes(drawn.named('part'))));
    text.append(parts);
  };
  return { entry, named };
}

/** @param {Collection} there @param {Choice} choice */
async function hangAll(there, choice) {
  const wall = find('wall');
  const shown = choice.screens.length > 0 ? choice.screens : there.screens;
  const stateOf = (/** @type {string} */ screen) => there.states[there.screens.indexOf(screen)];
  const hung = shown.map((screen) => ({ state: stateOf(screen), screen, ...hang(screen, stateOf(screen), choice) }));
  const groups = GROUPS.map(({ name, states }) => ({ name, hung: hung.filter(({ state }) => states.includes(state)) }));
  const filled = groups.filter(({ hung }) => hung.length > 0);
  wall.replaceChildren(
    ...filled.map(({ name, hung }) =>
      make(
        'div',
        { class: 'group' },
        make('h2', { class: 'name' }, name),
        make('div', { class: `entries n${choice.widths.length}` }, ...hung.map(({ entry }) => entry)),
      ),
    ),
  );
  find('list').replaceChildren(
    ...filled.flatMap(({ name, hung }) => [
      make('p', {}, name),
      make('ul', {}, ...hung.map(({ screen }) => make('li', {}, make('a', { href: `#${screen}` }, screen)))),
    ]),
  );
  // The screens draw themselves before the next task, and only then have their slots and parts.
  await new Promise((resolve) => setTimeout(resolve));
  for (const { entry, named } of hung) if (entry.isConnected) named();
}

/** The choice that the form makes. @param {Collection} there */
function chosen(there) {
  const data = new FormData(form);
  const query = new URLSearchParams();
  for (const [name, value] of data) query.append(name, String(value));
  if (query.get('accent') === OWN_ACCENT) query.delete('accent');
  return choose(query, there).choice;
}

/** What does not need a new drawing. @param {Choice} choice */
function dress({ theme, look }) {
  document.documentElement.className = theme;
  wearLook(look);
  find('css').textContent = written(look) || 'payment-checkout {}';
  find('own-look').hidden = !written(look);
}

/** @param {Collection} there @param {Choice} choice */
function fill(there, choice) {
  offer('screen', ['', ...there.screens], choice.screens.length === 1 ? choice.screens[0] : '');
  offer('locale', there.locales, choice.locale);
  offer('theme', THEMES, choice.theme);
  offer('unusual', there.unusual, choice.unusual);
  offer('radius', RADII, choice.look.radius, 'its own');
  offer('font', FONTS, choice.look.font, 'the system’s');
  find('widths').replaceChildren(
    make('legend', {}, 'Width'),
    ...WIDTHS.map((width) => {
      const box = make('input', { type: 'checkbox', name: 'width', value: width });
      box.toggleAttribute('checked', choice.widths.includes(width));
      return make('label', {}, box, width);
    }),
  );
  /** @type {HTMLInputElement} */ (find('accent')).value = choice.look.accent || OWN_ACCENT;
  /** @type {HTMLInputElement} */ (find('phone')).checked = choice.phone;
}

async function open() {
  const there = await collection();
  const { choice, wrong } = choose(new URLSearchParams(location.search), there);
  fill(there, choice);
  find('problem').replaceChildren(...wrong.map((sentence) => make('p', {}, sentence)));
  find('problem').hidden = wrong.length === 0;
  dress(choice);
  await hangAll(there, choice);
  let before = address(choice);
  const drawn = (/** @type {Choice} */ { theme, look, ...rest }) => JSON.stringify(rest);
  let hung = drawn(choice);
  form.addEventListener('input', () => {
    const now = chosen(there);
    if (address(now) === before) return;
    before = address(now);
    history.replaceState(null, '', before);
    find('problem').hidden = true;
    dress(now);
    if (drawn(now) !== hung) hangAll(there, now);
    hung = drawn(now);
  });
  form.addEventListener('submit', (event) => event.preventDefault());
  find('reset').addEventListener('click', () => {
    /** @type {HTMLInputElement} */ (find('accent')).value = OWN_ACCENT;
    for (const name of PICKERS.slice(1)) /** @type {HTMLSelectElement} */ (find(name)).value = '';
    form.dispatchEvent(new Event('input'));
  });
  find('copy').addEventListener('click', async () => {
    await navigator.clipboard?.writeText(find('css').textContent ?? '');
    find('copied').textContent = 'Copied.';
  });
  form.hidden = false;
  find('contents').hidden = false;
  /** @type {HTMLDetailsElement} */ (find('screens')).open = matchMedia('(min-width: 900px)').matches;
  find('wall').ariaBusy = 'false';
  if (location.hash) find(location.hash.slice(1))?.scrollIntoView();
}

open().catch((reason) => {
  console.error('gallery: could not be opened', reason);
  find('problem').replaceChildren(make('p', {}, 'The gallery could not be loaded. Reload the page.'));
  find('problem').hidden = false;
});
