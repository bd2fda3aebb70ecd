// Guards one instance of a wasm at its border with JavaScript.
//
// JavaScript enters the wasm only through its exports: at a call of the element, and also when a timer fires, an answer
// arrives or the payer presses something. The wasm leaves only through its imports, and most of them call what the page can
// replace: `fetch`, the clipboard, `Date`, methods of nodes.

import { diagnose } from './diagnosis.ts';

type Call = (...values: unknown[]) => unknown;

/** Imports by name, as the glue makes them. */
type Imports = Record<string, Call>;

/** What the build knows of the imports: the names of those that return a text or a list through the memory, and of the panic. */
interface Kinds {
  texts: string[];
  panics: string[];
}

/** The guards of one instance. The glue makes its imports first, and then has its exports. */
export interface Guards {
  imports(imports: Imports, kinds: Kinds): Imports;
  exports(exports: WebAssembly.Exports): WebAssembly.Exports;
}

/** The guards of a new instance. `name` is that of the element in the console; `report` gets the exception that stopped it. */
export function guards(name: string, report: (reason: unknown) => void): Guards {
  let stopped = false;
  let memory: WebAssembly.Memory | undefined;

  /**
   * An exception that leaves the wasm has interrupted its functions, so its memory cannot be trusted afterwards. The first
   * one is reported, and every later call does nothing.
   */
  const guardedExport =
    (call: Call): Call =>
    (...values) => {
      if (stopped) return undefined;
      try {
        return call(...values);
      } catch (reason) {
        if (!stopped) {
          stopped = true;
          report(reason);
        }
        throw reason;
      }
    };

  /**
   * An exception that enters the wasm would go through its functions and leave it. So it ends here, and the wasm gets
   * nothing: `undefined`, zero, or the empty text. It reads that as the failure of this step.
   */
  const guardedImport = (call: Call, isText: boolean): Call => {
    let isReported = false;
    return (...values) => {
      try {
        return call(...values);
      } catch (reason) {
        // The wasm itself stopped, in a call from within this one.
        if (stopped) throw reason;
        if (!isReported) diagnose('warn', () => [`${name}: a browser function, perhaps replaced by the page, failed:`, reason]);
        isReported = true;
        // The first parameter is the address to which the import writes pointer and length. 8 is an aligned pointer, and with the
        // length 0 nothing is read from it.
        if (isText && memory) new Int32Array(memory.buffer, values[0] as number, 2).set([8, 0]);
        return undefined;
      }
    };
  };

  return {
    imports: (imports, { texts, panics }) =>
      mapped(imports, (call, name) => (panics.includes(name) ? call : guardedImport(call, texts.includes(name)))),
    exports: (exports) => {
      memory = Object.values(exports).find((value) => value instanceof WebAssembly.Memory) as WebAssembly.Memory | undefined;
      return mapped(exports as Imports, (value) => (typeof value === 'function' ? guardedExport(value) : value));
    },
  };
}

const mapped = (calls: Imports, change: (call: Call, name: string) => unknown) =>
  Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, change(call, name)])) as Imports;
