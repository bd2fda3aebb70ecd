// The life of an element around its wasm. The element loads and mounts the wasm. Until then it
// shows the page's own content, and a failure if the wasm cannot run. At the end it unmounts the
// wasm.

import { diagnose, quietly } from './diagnosis.js';
import { failure } from './failure-message.js';
import { localeOf, watchLang } from './locale.js';
import { measurePaint } from './measure.js';
import { StopMark } from './stop-mark.js';
import { Outdated, isUnable } from './wasm.js';

/**
 * The parts that differ between elements.
 * @typedef {object} Kind
 * @property {import('./wasm.js').Wasm} wasm
 * @property {import('./style-sheet.js').SharedStyleSheet} sheet
 * @property {import('./failure-message.js').FailureTexts} texts
 * @property {() => object} border what the wasm may call
 * @property {() => object} options what crosses into the wasm
 * @property {() => unknown[]} identity what tells it from others of the page that could stop, too
 * @property {() => string} number the operation's number for the payer, or an empty text
 * @property {() => string | undefined} [elsewhere] the address of a page that works without the wasm
 * @property {(wasm: Promise<unknown>) => Promise<void>} [prepare] what the wasm needs besides, for no longer than a payer may wait
 * @property {() => FirstScreen | undefined} [first] the screen that stands until the wasm is there, if it can be known
 * @property {() => void} left it is out of the page
 * @property {(facts: { url: string | URL, reason: unknown }) => void} explain tells a developer why the wasm could not be loaded
 * @property {(code: 'load' | 'crash', retryable: boolean, reason: unknown) => void} failed
 */

/** @typedef {import('./failure-message.js').FailureKind} FailureKind */

/**
 * A screen that the payer can read and press before the wasm is there.
 * @typedef {object} FirstScreen
 * @property {HTMLElement} node
 * @property {string} text the same for the same screen
 * @property {() => void} focus moves the focus to its heading, for a payer whose button is gone
 * @property {(stage: HTMLElement) => void} handOver gives what the payer did to the wasm's screen
 */

/** The life of one element in the page. */
export class Lifecycle {
  /** @type {HTMLElement} */
  #element;
  /** @type {Kind} */
  #kind;
  /** @type {ShadowRoot} */
  #root;
  /** @type {import('./wasm.js').Mounted | undefined} */
  #mounted;
  /** The style of the root, in browsers that take it by a link. @type {HTMLLinkElement | undefined} */
  #link;
  /** @type {HTMLElement | undefined} */
  #stage;
  /** It stands until the wasm has drawn. @type {FirstScreen | undefined} */
  #first;
  /** @type {(() => void) | undefined} */
  #forgetStop;
  /** @type {(() => void) | undefined} */
  #forgetLang;
  /** @type {StopMark} */
  #mark;
  /** The language that the wasm was told. */
  #locale = '';
  #loading = false;
  /** True while the load runs that the payer asked for: the focus was on a button that is gone. The page may
   * have asked for the focus, too. */
  #takesFocus = false;
  /** Why the wasm does not run. @type {unknown} */
  #reason;
  #crashed = false;
  #updating = false;

  /** @param {HTMLElement} element @param {Kind} kind */
  constructor(element, kind) {
    this.#element = element;
    this.#kind = kind;
    this.#mark = new StopMark(() => [kind.wasm.name, ...kind.identity()]);
    this.#root = element.attachShadow({ mode: 'open' });
    // This comes first, so that the page's own content is there if a later step fails.
    this.#clear();
    this.#link = kind.sheet.dress(this.#root);
  }

  get isMounted() {
    return Boolean(this.#mounted);
  }

  /** Calls the wasm, if it is there. @param {(mounted: import('./wasm.js').Mounted) => void} call */
  with(call) {
    const mounted = this.#mounted;
    if (mounted) this.#guard(() => call(mounted));
  }

  async connect() {
    const { wasm } = this.#kind;
    // It may have been moved to where another language is spoken.
    this.#watch();
    // A question that is open stands behind everything after a move, until it is drawn again.
    if (this.#mounted) this.changed();
    if (this.#mounted || this.#loading) return;
    if (wasm.stopped) return this.#crash();
    this.#loading = true;
    this.#clear();
    this.#drawFirst();
    let mount;
    /** @type {FailureKind} */
    let kind = 'load';
    try {
      const loading = wasm.load();
      await this.#kind.prepare?.(loading);
      mount = await loading;
    } catch (reason) {
      if (reason instanceof Outdated) kind = 'outdated';
      else if (isUnable(reason)) kind = 'unable';
      this.#reason = reason;
      diagnose('error', () => [`${wasm.name}: could not be loaded`, reason]);
      quietly(() => this.#kind.explain({ url: wasm.url, reason }));
    }
    // A listener of the failure event may try again at once.
    this.#loading = false;
    if (!this.#element.isConnected) return;
    if (mount) {
      this.#mark.erase('outdated');
      this.#guard(() => this.#mount(mount));
    } else if (kind === 'outdated') this.#reloadOnce(kind);
    else this.#fail(kind, kind === 'load' ? () => this.connect() : undefined);
  }

  /** Moves the focus to the heading, or to that of the first screen. @param {FocusOptions} [options] */
  focus(options) {
    const heading = /** @type {HTMLElement | null} */ (this.#root.querySelector('#heading, .failure > :first-child'));
    this.#takesFocus = !heading;
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus(options);
  }

  /** It has done what it is for: a stop after this is the first one again. */
  finished() {
    this.#mark.erase('crash');
  }

  /** Moving an element takes it out and puts it back at once, and must not disturb anything. */
  disconnect() {
    queueMicrotask(() => {
      if (!this.#element.isConnected) this.#unmount();
    });
  }

  /** Several changes of one moment are one update. */
  changed() {
    if (this.#updating || !(this.#mounted || this.#loading)) return;
    this.#updating = true;
    queueMicrotask(() => {
      this.#updating = false;
      if (this.#loading) this.#drawFirst();
      if (this.#stage) this.#speak(this.#stage);
      this.with((mounted) => mounted.update(this.#kind.options()));
    });
  }

  /** @param {Awaited<ReturnType<import('./wasm.js').Wasm['load']>>} mount */
  #mount(mount) {
    const forgetStop = this.#kind.wasm.onStop(() => this.#crash());
    // Yew listens on the node that it draws into for the node's whole lifetime, so each drawing
    // needs a new one.
    const stage = document.createElement('div');
    const listening = new AbortController();
    this.#forgetStop = () => {
      forgetStop();
      listening.abort();
    };
    const first = this.#first;
    if (first) {
      this.#root.append(stage);
      this.#whenDrawn(stage, () => first.handOver(stage));
    } else {
      this.#painted();
    }
    this.#show('stage', stage, first?.node);
    this.#speak(stage);
    if (this.#takesFocus) this.#focus(stage);
    // It listens above the node: all that lies in a node with a listener for clicks, headings too, is announced by Firefox as
    // something to press. The root is no such node.
    stage.addEventListener = (/** @type {string} */ type, /** @type {any} */ listener, /** @type {object} */ options) =>
      this.#root.addEventListener(type, listener, { ...options, signal: listening.signal });
    this.#mounted = mount(stage, this.#kind.border(), this.#kind.options());
  }

  /** The wasm draws in a task of its own; the first screen stands until then. @param {HTMLElement} stage @param {() => void} handOver */
  #whenDrawn(stage, handOver) {
    const drawn = new MutationObserver(() => {
      drawn.disconnect();
      // It may be out of the page by now, or have failed.
      if (this.#stage !== stage) return;
      handOver();
      this.#put(stage);
    });
    drawn.observe(stage, { childList: true });
  }

  /** Shows what can be known before the wasm is there, as far as it is not the same as before. */
  #drawFirst() {
    const first = this.#knownFirst();
    const before = this.#first;
    if (!first) {
      if (before) this.#showContent();
    } else if (before?.text !== first.text) {
      this.#show('stage', first.node);
      this.#speak(first.node);
      this.#first = first;
      if (this.#takesFocus) first.focus();
      this.#takesFocus = false;
      if (!before) this.#painted();
    }
  }

  #painted() {
    measurePaint(`${this.#kind.wasm.name}:painted`);
  }

  #knownFirst() {
    const { first, wasm } = this.#kind;
    try {
      return wasm.refusal ? undefined : first?.();
    } catch {
      // It is a comfort, and the wasm tells what is wrong.
      return undefined;
    }
  }

  /** The first screen takes the focus from there. @param {HTMLElement} stage */
  #focus(stage) {
    this.#takesFocus = false;
    stage.tabIndex = -1;
    stage.addEventListener('blur', () => stage.removeAttribute('tabindex'), { once: true });
    stage.focus();
  }

  /** @param {HTMLElement} stage */
  #speak(stage) {
    stage.lang = this.#locale = localeOf(this.#element);
  }

  #watch() {
    const heard = () => {
      if (localeOf(this.#element) !== this.#locale) this.changed();
    };
    this.#forgetLang?.();
    this.#forgetLang = watchLang(this.#element, heard);
    if (this.#mounted) heard();
  }

  #unmount() {
    const mounted = this.#mounted;
    this.#mounted = undefined;
    this.#forgetLang?.();
    this.#forgetStop?.();
    if (mounted) this.#guard(() => mounted.unmount());
    this.#kind.left();
    this.#clear();
  }

  /** A trap of the wasm comes out of it as an exception. @param {() => void} call */
  #guard(call) {
    try {
      call();
    } catch (reason) {
      this.#reason = reason;
      diagnose('error', () => [`${this.#kind.wasm.name}: stopped`, reason]);
      this.#crash();
    }
  }

  /** The merchant's server keeps the payments and actions that were under way. */
  #crash() {
    const mounted = this.#mounted;
    this.#mounted = undefined;
    this.#forgetStop?.();
    if (this.#crashed) return;
    this.#crashed = true;
    try {
      // A running flow must not go on without a screen.
      if (!this.#kind.wasm.stopped) mounted?.unmount();
    } catch (reason) {
      diagnose('error', () => [`${this.#kind.wasm.name}: could not be ended`, reason]);
    }
    this.#reloadOnce('crash');
  }

  /** Offers a reload, but not a second one: then the page's own content has to help. @param {FailureKind} kind */
  #reloadOnce(kind) {
    const before = this.#mark.read(kind);
    if (before !== undefined) return this.#fail('again', undefined, before);
    this.#mark.write(kind, this.#kind.number());
    this.#fail(kind, () => location.reload());
  }

  /** @param {FailureKind} kind @param {() => void} [retry] @param {string} [number] the one noted earlier */
  #fail(kind, retry, number = '') {
    const again = retry && (() => {
      this.#clear();
      this.#takesFocus = true;
      retry();
    });
    const { texts, failed } = this.#kind;
    const first = this.#first?.node;
    this.#takesFocus ||= Boolean(first?.contains(this.#root.activeElement));
    const level = this.#element.getAttribute('heading-level');
    const box = failure({ texts, kind, locale: localeOf(this.#element), level, number: this.#kind.number() || number, retry: again, elsewhere: this.#kind.elsewhere?.() });
    if (kind === 'crash') {
      this.#show('failure', box);
    } else {
      // The page's own content stays above it.
      this.#showContent();
      this.#root.append(box);
    }
    if (this.#takesFocus) box.querySelector('button')?.focus();
    this.#takesFocus = false;
    failed(kind === 'crash' || this.#crashed ? 'crash' : 'load', Boolean(retry), this.#reason ?? this.#kind.wasm.stoppedBy);
  }

  /**
   * Puts a node in the place of the page's own content.
   * @param {string} part
   * @param {HTMLElement} node
   * @param {Node} [beside] what stays for a moment
   */
  #show(part, node, beside) {
    node.setAttribute('part', part);
    this.#put(node, beside);
    this.#stage = node;
  }

  /**
   * The only thing in the root but for its style, which would be loaded again if it left.
   * @param {HTMLElement} node
   * @param {Node} [beside]
   */
  #put(node, beside) {
    this.#first = undefined;
    for (const child of [...this.#root.childNodes]) {
      if (![this.#link, node, beside].includes(/** @type {any} */ (child))) child.remove();
    }
    if (!node.parentNode) this.#root.append(node);
  }

  /** Begins anew, with the page's own content. */
  #clear() {
    this.#crashed = false;
    this.#showContent();
  }

  #showContent() {
    this.#put(document.createElement('slot'));
    this.#stage = undefined;
  }
}
