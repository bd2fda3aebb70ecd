// Pages and extensions that change what the element has drawn, or how it draws.

/** @typedef {import("./conditions.mjs").Condition} Condition */

/** @type {Record<string, Condition>} */
export const DRAWN = {
  "a node that something else removed": {
    after: () => {
      const { shadowRoot } = /** @type {Element} */ (document.querySelector("payment-checkout"));
      for (const node of shadowRoot?.querySelectorAll("[part=stage] :is(svg, .unseen, [aria-hidden])") ?? []) node.remove();
    },
    stories: ["pays", "cancels"],
    quick: true,
  },
  "one `insertBefore` that throws": {
    after: () => {
      const { insertBefore } = Node.prototype;
      Node.prototype.insertBefore = () => {
        Node.prototype.insertBefore = insertBefore;
        throw new TypeError("the page broke this");
      };
    },
    stories: ["pays"],
    says: /payment-checkout: stopped/,
  },
  "one `removeChild` that throws": {
    after: () => {
      const { removeChild } = Node.prototype;
      Node.prototype.removeChild = () => {
        Node.prototype.removeChild = removeChild;
        throw new TypeError("the page broke this");
      };
    },
    stories: ["pays", "cancels"],
  },
  "an extension that wraps every text in an element": {
    after: () => {
      const { shadowRoot } = /** @type {Element} */ (document.querySelector("payment-checkout"));
      const stage = /** @type {Element} */ (shadowRoot?.querySelector("[part=stage]"));
      const walker = document.createTreeWalker(stage, NodeFilter.SHOW_TEXT);
      const texts = [];
      while (walker.nextNode()) texts.push(walker.currentNode);
      for (const text of texts) {
        const font = document.createElement("font");
        text.parentNode?.replaceChild(font, text);
        font.textContent = text.textContent;
      }
    },
    stories: ["pays", "cancels", "copies"],
  },
  "an extension that puts nodes between those of the element": {
    after: () => {
      const { shadowRoot } = /** @type {Element} */ (document.querySelector("payment-checkout"));
      for (const node of [...(shadowRoot?.querySelectorAll("[part=stage] *") ?? [])]) node.before(document.createElement("ins"));
    },
    stories: ["pays", "cancels", "copies"],
  },
};
