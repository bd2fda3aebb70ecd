// The memory of a page's scripts after a garbage collection.

/** @import { CDPSession, Page } from "@playwright/test" */

/** @param {number} bytes */
const kib = (bytes) => `${(bytes / 1024).toFixed(0)} KiB`;

/** Runs in the page, before its own scripts, and keeps the memories of its wasms: Chromium counts them in no heap. */
export function keepMemories() {
  /** @type {WebAssembly.Memory[]} */
  const memories = [];
  Object.assign(window, { memories });
  for (const name of /** @type {const} */ (["instantiate", "instantiateStreaming"])) {
    const original = WebAssembly[name];
    const keeping = async (/** @type {[any, any]} */ ...given) => {
      const made = await original(...given);
      const { exports } = "instance" in made ? made.instance : made;
      memories.push(...Object.values(exports).filter((value) => value instanceof WebAssembly.Memory));
      return made;
    };
    Object.assign(WebAssembly, { [name]: keeping });
  }
}

/**
 * The memory of the page: objects, array buffers, and the memory of its wasm.
 * @param {Page} page
 * @param {CDPSession} session
 */
export async function held(page, session) {
  // The first one makes room that the second one finds.
  await session.send("HeapProfiler.collectGarbage");
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize, backingStorageSize } = /** @type {any} */ (await session.send("Runtime.getHeapUsage"));
  const { nodes, jsEventListeners } = await session.send("Memory.getDOMCounters");
  const wasm = await page.evaluate(() => {
    const { memories } = /** @type {any} */ (window);
    return memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  });
  if (wasm === 0) throw new Error("no memory of a wasm was found");
  const heap = usedSize + backingStorageSize;
  const kinds = await sizes(session);
  const largest = Object.entries(kinds).sort(([, a], [, b]) => b - a);
  return {
    heap,
    wasm,
    kinds,
    told: [
      `heap ${kib(heap)}, wasm ${kib(wasm)}, ${nodes} nodes, ${jsEventListeners} listeners;`,
      ...largest.slice(0, 6).map(([kind, size]) => `${kind} ${kib(size)}`),
    ].join(" "),
  };
}

/**
 * The sizes of a snapshot by kind of node: the engine compiles a function that runs often once more, and keeps both.
 * @param {CDPSession} session
 * @returns {Promise<Record<string, number>>}
 */
async function sizes(session) {
  /** @type {string[]} */
  const chunks = [];
  const more = (/** @type {{ chunk: string }} */ { chunk }) => chunks.push(chunk);
  session.on("HeapProfiler.addHeapSnapshotChunk", more);
  await session.send("HeapProfiler.takeHeapSnapshot");
  session.off("HeapProfiler.addHeapSnapshotChunk", more);
  const { snapshot, nodes } = JSON.parse(chunks.join(""));
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, size] = [fields.indexOf("type"), fields.indexOf("self_size")];
  /** @type {Record<string, number>} */
  const sizes = {};
  for (let at = 0; at < nodes.length; at += fields.length) {
    const kind = types[type][nodes[at + type]];
    sizes[kind] = (sizes[kind] ?? 0) + nodes[at + size];
  }
  return sizes;
}
