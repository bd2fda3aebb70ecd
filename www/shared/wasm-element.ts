// The base class of the elements. It loads and mounts the wasm of an element. Until then it shows the page's own content,
// and a failure if the wasm cannot run. When the element leaves the page, it unmounts the wasm.

import { diagnose, quietly } from './diagnosis.ts';
import type { FailureKind, FailureTexts } from './failure-message.ts';
import { failure } from './failure-message.ts';
import type { FirstScreen } from './first-screen.ts';
import type { FailedLoad } from './load-diagnosis.ts';
import { languageFor, watchLang } from './locale.ts';
import { measurePaint } from './measure.ts';
import { isPrerendering, shown } from './prerendering.ts';
import { focusStage, newStage, whenDrawn } from './stage.ts';
import { reload, StopMark } from './stop-mark.ts';
import type { SharedStyleSheet } from './style-sheet.ts';
import { soon } from './waiting.ts';
import type { Mount, Mounted, Wasm } from './wasm.ts';
import { isUnable, OutdatedError } from './wasm.ts';

/** What the constructor needs, and what all elements of a class share. */
interface Shared<M extends Mounted> {
  wasm: Wasm<M>;
  sheet: SharedStyleSheet;
  texts: FailureTexts;
}

// On a server there is nothing to extend, and a page that is rendered there imports the class all the same.
const Base = globalThis.HTMLElement ?? class {};

/**
 * An element whose content a wasm draws.
 *
 * A page can set any property of an element, and would hide a method of that name. So the methods for subclasses have
 * names that no page sets.
 */
export abstract class WasmElement<M extends Mounted> extends Base {
  #wasm: Wasm<M>;
  #texts: FailureTexts;
  #root: ShadowRoot;
  #mounted: M | undefined;
  #sheet: SharedStyleSheet;
  /** The style of the root, in browsers that take it by a link. */
  #link: HTMLLinkElement | undefined;
  #stage: HTMLElement | undefined;
  /** The first screen, until the wasm has drawn. */
  #first: FirstScreen | undefined;
  #forgetStop: (() => void) | undefined;
  #forgetLang: (() => void) | undefined;
  #mark: StopMark;
  /** The language that the wasm has. */
  #locale = '';
  #loading = false;
  /** True if the next screen takes the focus: the payer's focused button is gone, or the page asked for it. */
  #takesFocus = false;
  /** Why the wasm does not run. */
  #reason: unknown;
  #crashed = false;
  #updating = false;
  #localeNow: () => string;

  constructor({ wasm, sheet, texts }: Shared<M>) {
    super();
    this.#wasm = wasm;
    this.#texts = texts;
    this.#localeNow = languageFor(this, texts);
    this.#mark = new StopMark(() => [wasm.name, ...this.wasmIdentity()]);
    this.#root = this.attachShadow({ mode: 'open' });
    // This comes first, so that the page's own content is there if a later step fails.
    this.#clear();
    this.#sheet = sheet;
    this.adoptedCallback();
  }

  /** The methods that the wasm calls. */
  protected abstract wasmHost(): object;

  /** The options of the wasm. */
  protected abstract wasmOptions(): object;

  /** What tells this element from others of its class, whose wasm may stop, too. */
  protected abstract wasmIdentity(): unknown[];

  /** Logs for a developer why the wasm could not be loaded. */
  protected abstract explainLoadFailure(facts: FailedLoad): void;

  /** The payer sees a failure. */
  protected abstract onWasmFailure(code: 'load' | 'crash', retryable: boolean, reason: unknown): void;

  /** The element is out of the page. */
  protected onWasmLeave() {}

  /** A fresh instance of the wasm is about to resume what the tab's storage knows, as after a reload. */
  protected onWasmRestart() {}

  /** Loads what the wasm needs besides, and takes no longer than a payer may wait. */
  protected prepareWasm(_wasm: Promise<unknown>): Promise<void> | undefined {
    return undefined;
  }

  /** The screen until the wasm is there, if it can be known. */
  protected firstWasmScreen(): FirstScreen | undefined {
    return undefined;
  }

  /** The number of the operation for the message of a failure, or an empty text. */
  protected failureNumber() {
    return '';
  }

  /** The address of a page that works without the wasm. */
  protected addressWithoutWasm(): string | undefined {
    return undefined;
  }

  /** True when the wasm has not got the last change of the page yet. */
  protected get hasPendingUpdate() {
    return this.#updating;
  }

  /** The language of the element. */
  protected wasmLocale() {
    return this.#localeNow();
  }

  protected get hasWasm() {
    return Boolean(this.#mounted);
  }

  /** Calls the wasm, if it is there. */
  protected withWasm(call: (mounted: M) => void) {
    const mounted = this.#mounted;
    if (mounted) this.#guard(() => call(mounted));
  }

  connectedCallback() {
    this.loadWasm();
  }

  /** Moving an element takes it out of the page and puts it back at once, and must not disturb anything. */
  disconnectedCallback() {
    soon(() => {
      if (!this.isConnected) this.#unmount();
    });
  }

  /** The element comes into a document, and a sheet that scripts made stayed in the one before. */
  adoptedCallback() {
    this.#link ??= this.#sheet.dress(this.#root);
  }

  attributeChangedCallback() {
    this.updateWasm();
  }

  /** Loads the wasm and mounts it, or tries again after a failure. */
  protected async loadWasm() {
    const wasm = this.#wasm;
    // The element may have been moved to where the page has another language.
    this.#watchLang();
    // After a move an open dialog is not modal any more, until it is drawn again.
    if (this.#mounted) this.updateWasm();
    if (this.#mounted || this.#loading) return;
    if (wasm.stopped) return this.#crash();
    this.#loading = true;
    this.#clear();
    this.#drawFirst();
    // The tab may remember more by then.
    if (isPrerendering()) shown().then(() => this.#drawFirst());
    let mount: Mount<M> | undefined;
    let kind: FailureKind = 'load';
    try {
      const loading = wasm.load();
      await this.prepareWasm(loading);
      mount = await loading;
    } catch (reason) {
      if (reason instanceof OutdatedError) kind = 'outdated';
      else if (isUnable(reason)) kind = 'unable';
      this.#reason = reason;
      diagnose('error', () => [`${wasm.name}: could not be loaded`, reason]);
      quietly(() => this.explainLoadFailure({ url: wasm.url, integrity: wasm.integrity, reason }));
    }
    // A listener of the failure event may try again at once.
    this.#loading = false;
    if (!this.isConnected) return;
    if (mount) {
      this.#mark.erase('outdated');
      this.#guard(() => this.#mount(mount));
    } else if (kind === 'outdated') this.#reloadOnce(kind);
    else this.#fail(kind, kind === 'load' ? () => this.loadWasm() : undefined);
  }

  /** Moves the focus to the heading, or to that of the first screen. */
  protected focusHeading(options?: FocusOptions) {
    const heading = isPrerendering() ? null : (this.#root.querySelector('#heading, .failure > :first-child') as HTMLElement | null);
    this.#takesFocus = !heading;
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus(options);
  }

  /** The payment ended, so the page may offer a reload again after the next stop. */
  protected forgetCrash() {
    this.#mark.erase('crash');
  }

  /** Passes new options on to the wasm. Several changes in one task are one update. */
  protected updateWasm() {
    if (this.#updating || !(this.#mounted || this.#loading)) return;
    this.#updating = true;
    soon(() => {
      this.#updating = false;
      if (this.#loading) this.#drawFirst();
      if (this.#stage) this.#setLang(this.#stage);
      this.withWasm((mounted) => mounted.update(this.wasmOptions()));
    });
  }

  #mount(mount: Mount<M>) {
    this.#forgetStop?.();
    const forgetStop = this.#wasm.onStop((again) => (again ? this.#restart(again) : this.#crash()));
    const listening = new AbortController();
    const stage = newStage(this.#root, listening.signal);
    this.#forgetStop = () => {
      forgetStop();
      listening.abort();
    };
    const first = this.#first;
    const before = first?.node ?? this.#stage;
    if (before) {
      this.#root.append(stage);
      // What the payer sees stays until then.
      whenDrawn(stage, () => {
        // The element may be out of the page by now, or have failed.
        if (this.#stage !== stage) return;
        first?.handOver(stage);
        this.#put(stage);
      });
    } else {
      measurePaint(`${this.#wasm.name}:painted`);
    }
    this.#show('stage', stage, before);
    this.#setLang(stage);
    if (this.#takesFocus) focusStage(stage);
    this.#takesFocus = false;
    this.#mounted = mount(stage, this.wasmHost(), this.wasmOptions());
  }

  /** The wasm has a fresh instance. */
  #restart(mount: Mount<M>) {
    this.#mounted = undefined;
    this.#takesFocus = Boolean(this.#stage?.contains(this.#root.activeElement));
    this.onWasmRestart();
    this.#guard(() => this.#mount(mount));
  }

  /** Shows the first screen, if it is another one than before. */
  #drawFirst() {
    const first = this.#knownFirst();
    const before = this.#first;
    if (!first) {
      if (before) this.#showContent();
    } else if (before?.text !== first.text) {
      this.#show('stage', first.node);
      this.#setLang(first.node);
      this.#first = first;
      if (this.#takesFocus && !isPrerendering()) first.focus();
      this.#takesFocus &&= isPrerendering();
      if (!before) measurePaint(`${this.#wasm.name}:painted`);
    }
  }

  #knownFirst() {
    try {
      return this.#wasm.refusal ? undefined : this.firstWasmScreen();
    } catch {
      // The checkout works without it, and the wasm reports what is wrong.
      return undefined;
    }
  }

  #setLang(stage: HTMLElement) {
    stage.lang = this.#locale = this.wasmLocale();
  }

  #watchLang() {
    const onChange = () => {
      if (this.wasmLocale() !== this.#locale) this.updateWasm();
    };
    this.#forgetLang?.();
    this.#forgetLang = watchLang(this, onChange);
    if (this.#mounted) onChange();
  }

  #unmount() {
    const mounted = this.#mounted;
    this.#mounted = undefined;
    this.#forgetLang?.();
    this.#forgetStop?.();
    if (mounted) this.#guard(() => mounted.unmount());
    this.onWasmLeave();
    this.#clear();
  }

  /** Runs a call of the wasm, whose traps are exceptions. */
  #guard(call: () => void) {
    try {
      call();
    } catch (reason) {
      // It starts again, or says that it cannot.
      if (!this.#wasm.runs) return;
      this.#reason = reason;
      diagnose('error', () => [`${this.#wasm.name}: stopped`, reason]);
      this.#crash();
    }
  }

  /** The wasm stopped. The merchant's server keeps the payments and actions that were under way. */
  #crash() {
    const mounted = this.#mounted;
    this.#mounted = undefined;
    this.#forgetStop?.();
    if (this.#crashed) return;
    this.#crashed = true;
    try {
      // The flow must not go on without a screen.
      if (this.#wasm.runs) mounted?.unmount();
    } catch (reason) {
      diagnose('error', () => [`${this.#wasm.name}: could not be ended`, reason]);
    }
    this.#reloadOnce('crash');
  }

  /** Offers a reload, but not a second one: then only the page's own content can help. */
  #reloadOnce(kind: FailureKind) {
    const before = this.#mark.read(kind);
    if (before !== undefined) return this.#fail('again', undefined, before);
    this.#mark.write(kind, this.failureNumber());
    this.#fail(kind, reload);
  }

  /** Shows a failure. `number` is the one that an earlier page noted. */
  #fail(kind: FailureKind, retry?: () => void, number = '') {
    const again =
      retry &&
      (() => {
        this.#clear();
        this.#takesFocus = true;
        retry();
      });
    const first = this.#first?.node;
    this.#takesFocus ||= Boolean(first?.contains(this.#root.activeElement));
    const level = this.getAttribute('heading-level');
    const box = failure({
      texts: this.#texts,
      kind,
      locale: this.wasmLocale(),
      level,
      number: this.failureNumber() || number,
      retry: again,
      elsewhere: this.addressWithoutWasm(),
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
    const code = kind === 'crash' || this.#crashed ? 'crash' : 'load';
    this.onWasmFailure(code, Boolean(retry), this.#reason ?? this.#wasm.stoppedBy);
  }

  /** Puts a node in the place of the page's own content. `beside` stays until the next call. */
  #show(part: string, node: HTMLElement, beside?: Node) {
    node.setAttribute('part', part);
    this.#put(node, beside);
    this.#stage = node;
  }

  /** Removes everything else from the root, except its style, which would be loaded again. */
  #put(node: HTMLElement, beside?: Node) {
    this.#first = undefined;
    for (const child of [...this.#root.childNodes]) {
      if (![this.#link, node, beside].some((kept) => kept === child)) child.remove();
    }
    if (!node.parentNode) this.#root.append(node);
  }

  /** Starts again with the page's own content. */
  #clear() {
    this.#crashed = false;
    this.#showContent();
  }

  #showContent() {
    this.#put(document.createElement('slot'));
    this.#stage = undefined;
  }
}
