// The life of an element around its wasm. The element loads and mounts the wasm. Until then it
// shows the page's own content, and a failure if the wasm cannot run. At the end it unmounts the
// wasm.

import { diagnose, quietly } from './diagnosis.ts';
import type { FailureKind, FailureTexts } from './failure-message.ts';
import { failure } from './failure-message.ts';
import { localeOf, watchLang } from './locale.ts';
import { measurePaint } from './measure.ts';
import { StopMark } from './stop-mark.ts';
import type { SharedStyleSheet } from './style-sheet.ts';
import type { Mount, Mounted, Wasm } from './wasm.ts';
import { isUnable, OutdatedError } from './wasm.ts';

/** The parts that differ between elements. */
export interface Kind<M extends Mounted> {
  wasm: Wasm<M>;
  sheet: SharedStyleSheet;
  texts: FailureTexts;
  /** what the wasm may call */
  border: () => object;
  /** what crosses into the wasm */
  options: () => object;
  /** what tells it from others of the page that could stop, too */
  identity: () => unknown[];
  /** the operation's number for the payer, or an empty text */
  number: () => string;
  /** the address of a page that works without the wasm */
  elsewhere?: () => string | undefined;
  /** what the wasm needs besides, for no longer than a payer may wait */
  prepare?: (wasm: Promise<unknown>) => Promise<void>;
  /** the screen that stands until the wasm is there, if it can be known */
  first?: () => FirstScreen | undefined;
  /** it is out of the page */
  left: () => void;
  /** tells a developer why the wasm could not be loaded */
  explain: (facts: { url: string | URL; reason: unknown }) => void;
  failed: (code: 'load' | 'crash', retryable: boolean, reason: unknown) => void;
}

/** A screen that the payer can read and press before the wasm is there. */
export interface FirstScreen {
  node: HTMLElement;
  /** the same for the same screen */
  text: string;
  /** moves the focus to its heading, for a payer whose button is gone */
  focus: () => void;
  /** gives what the payer did to the wasm's screen */
  handOver: (stage: HTMLElement) => void;
}

/** The life of one element in the page. */
export class Lifecycle<M extends Mounted> {
  #element: HTMLElement;
  #kind: Kind<M>;
  #root: ShadowRoot;
  #mounted: M | undefined;
  /** The style of the root, in browsers that take it by a link. */
  #link: HTMLLinkElement | undefined;
  #stage: HTMLElement | undefined;
  /** It stands until the wasm has drawn. */
  #first: FirstScreen | undefined;
  #forgetStop: (() => void) | undefined;
  #forgetLang: (() => void) | undefined;
  #mark: StopMark;
  /** The language that the wasm was told. */
  #locale = '';
  #loading = false;
  /**
   * True while the load runs that the payer asked for: the focus was on a button that is gone. The page may
   * have asked for the focus, too.
   */
  #takesFocus = false;
  /** Why the wasm does not run. */
  #reason: unknown;
  #crashed = false;
  #updating = false;

  constructor(element: HTMLElement, kind: Kind<M>) {
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

  /** Calls the wasm, if it is there. */
  with(call: (mounted: M) => void) {
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
    let mount: Mount<M> | undefined;
    let kind: FailureKind = 'load';
    try {
      const loading = wasm.load();
      await this.#kind.prepare?.(loading);
      mount = await loading;
    } catch (reason) {
      if (reason instanceof OutdatedError) kind = 'outdated';
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

  /** Moves the focus to the heading, or to that of the first screen. */
  focus(options?: FocusOptions) {
    const heading = this.#root.querySelector('#heading, .failure > :first-child') as HTMLElement | null;
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

  #mount(mount: Mount<M>) {
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
    stage.addEventListener = (type: string, listener: EventListenerOrEventListenerObject, options?: object) =>
      this.#root.addEventListener(type, listener, { ...options, signal: listening.signal });
    this.#mounted = mount(stage, this.#kind.border(), this.#kind.options());
  }

  /** The wasm draws in a task of its own; the first screen stands until then. */
  #whenDrawn(stage: HTMLElement, handOver: () => void) {
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

  /** The first screen takes the focus from there. */
  #focus(stage: HTMLElement) {
    this.#takesFocus = false;
    stage.tabIndex = -1;
    stage.addEventListener('blur', () => stage.removeAttribute('tabindex'), { once: true });
    stage.focus();
  }

  #speak(stage: HTMLElement) {
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

  /** A trap of the wasm comes out of it as an exception. */
  #guard(call: () => void) {
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

  /** Offers a reload, but not a second one: then the page's own content has to help. */
  #reloadOnce(kind: FailureKind) {
    const before = this.#mark.read(kind);
    if (before !== undefined) return this.#fail('again', undefined, before);
    this.#mark.write(kind, this.#kind.number());
    this.#fail(kind, () => location.reload());
  }

  /** @param number the one noted earlier */
  #fail(kind: FailureKind, retry?: () => void, number: string = '') {
    const again =
      retry &&
      (() => {
        this.#clear();
        this.#takesFocus = true;
        retry();
      });
    const { texts, failed } = this.#kind;
    const first = this.#first?.node;
    this.#takesFocus ||= Boolean(first?.contains(this.#root.activeElement));
    const level = this.#element.getAttribute('heading-level');
    const box = failure({
      texts,
      kind,
      locale: localeOf(this.#element),
      level,
      number: this.#kind.number() || number,
      retry: again,
      elsewhere: this.#kind.elsewhere?.(),
    });
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
   * @param beside what stays for a moment
   */
  #show(part: string, node: HTMLElement, beside?: Node) {
    node.setAttribute('part', part);
    this.#put(node, beside);
    this.#stage = node;
  }

  /** The only thing in the root but for its style, which would be loaded again if it left. */
  #put(node: HTMLElement, beside?: Node) {
    this.#first = undefined;
    for (const child of [...this.#root.childNodes]) {
      if (![this.#link, node, beside].some((kept) => kept === child)) child.remove();
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
