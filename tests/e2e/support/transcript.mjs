// A page's accessibility tree as Chromium gives it, as a text that is kept in `transcripts`.

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";

/** @import { Page } from "@playwright/test" */

/** Roles whose name is all that there is to say. */
const WHOLE = new Set(["heading", "button", "link", "image"]);
/** Roles that say nothing by themselves. */
const SILENT = new Set(["generic", "none", "InlineTextBox", "LineBreak", "paragraph", "strong", "Section"]);
const TOLD = ["level", "disabled", "modal"];

/** @param {string} text */
const plain = (text) => text.replace(/\s+/g, " ").trim();

/**
 * The tree below a node of `Accessibility.getFullAXTree`, a line a node.
 * @param {any} node
 * @param {Map<string, any>} nodes
 * @returns {string[]}
 */
export function written(node, nodes, indent = "") {
  const children = (node.childIds ?? []).map((/** @type {string} */ id) => nodes.get(id)).filter(Boolean);
  const below = (/** @type {string} */ more) =>
    merged(children.flatMap((/** @type {any} */ child) => written(child, nodes, indent + more)));
  const role = node.role?.value;
  if (role === "StaticText") return [`${indent}${plain(node.name?.value ?? "")}`];
  if (node.ignored || SILENT.has(role)) return below("");
  const told = TOLD.map((name) => node.properties?.find((/** @type {any} */ property) => property.name === name))
    .filter((property) => property && property.value.value !== false)
    .map(({ name, value }) => ` (${name}${value.value === true ? "" : ` ${value.value}`})`);
  const name = plain(node.name?.value ?? "");
  const hint = role === "textbox" ? plain(node.description?.value ?? "") : "";
  const line = `${indent}${role}${name && ` “${name}”`}${told.join("")}${hint && `, described: “${hint}”`}`;
  return [line, ...(WHOLE.has(role) ? [] : below("  "))];
}

/**
 * Texts that follow each other are one text.
 * @param {string[]} lines
 */
function merged(lines) {
  return lines.filter((line) => line.trim() !== "");
}

/**
 * The nodes of a page by their ids.
 * @param {Page} page
 */
export async function tree(page) {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  return new Map(nodes.map((node) => [node.nodeId, node]));
}

/**
 * Compares a transcript with the kept one, or keeps it.
 * @param {string} name
 * @param {string} text
 */
export function matches(name, text) {
  const file = fileURLToPath(new URL(`../transcripts/${name}.txt`, import.meta.url));
  if (test.info().config.updateSnapshots === "none") {
    expect(text).toBe(readFileSync(file, "utf8"));
  } else {
    writeFileSync(file, text);
  }
}
