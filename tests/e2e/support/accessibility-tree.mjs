// Chromium's accessibility tree as text.

/** Roles whose name is all that there is to say. */
const WHOLE = new Set(["heading", "button", "link", "image"]);
/** Roles that say nothing by themselves. */
const SILENT = new Set(["generic", "none", "InlineTextBox", "LineBreak", "paragraph", "strong", "Section"]);
const TOLD = ["level", "disabled", "modal"];

const plain = (text) => text.replace(/\s+/g, " ").trim();

/**
 * The tree below a node of `Accessibility.getFullAXTree`, a line a node.
 * @param {any} node
 * @param {Map<string, any>} nodes
 */
export function written(node, nodes, indent = "") {
  const children = (node.childIds ?? []).map((id) => nodes.get(id)).filter(Boolean);
  const below = (more) => merged(children.flatMap((child) => written(child, nodes, indent + more)));
  const role = node.role?.value;
  if (role === "StaticText") return [`${indent}${plain(node.name?.value ?? "")}`];
  if (node.ignored || SILENT.has(role)) return below("");
  const told = TOLD.map((name) => node.properties?.find((property) => property.name === name))
    .filter((property) => property && property.value.value !== false)
    .map(({ name, value }) => ` (${name}${value.value === true ? "" : ` ${value.value}`})`);
  const name = plain(node.name?.value ?? "");
  const line = `${indent}${role}${name && ` “${name}”`}${told.join("")}`;
  return [line, ...(WHOLE.has(role) ? [] : below("  "))];
}

/** Texts that follow each other are one text. */
function merged(lines) {
  return lines.filter((line) => line.trim() !== "");
}

/** The nodes of a page by their ids. */
export async function tree(page) {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  return new Map(nodes.map((node) => [node.nodeId, node]));
}
