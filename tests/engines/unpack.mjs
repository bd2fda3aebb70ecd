// Unpacks a Chromium that npm delivers compressed: `node unpack.mjs FROM TO`.

import { createReadStream, createWriteStream } from "node:fs";
import { rename } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";

const [from, to] = process.argv.slice(2);
// Under another name until it is whole, since somebody may stop this.
const unfinished = `${to}.${process.pid}`;
await pipeline(
  createReadStream(from),
  createBrotliDecompress(),
  createWriteStream(unfinished, { mode: 0o755 }),
);
await rename(unfinished, to);
