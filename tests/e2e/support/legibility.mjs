// Measures what can be seen in a shadow root: the contrast of texts, buttons, icons and of the outline of the focus.

/**
 * Lists each thing that cannot be seen, in a line; WCAG asks 4.5 of text, 3 of large text, icons, outlines and buttons.
 * @param {import("@playwright/test").Locator} hosts elements with shadow roots
 */
export async function illegible(hosts) {
  // Browsers outline the focus for those who were last heard from by keyboard.
  await hosts.page().keyboard.press("Tab");
  return hosts.evaluateAll((hosts) => {
    const options = { willReadFrequently: true };
    const pen = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d", options));
    /** @type {(color: string, below: number[]) => number[]} */
    const over = (color, below) => {
      pen.fillStyle = `rgb(${below.join(" ")})`;
      pen.fillRect(0, 0, 1, 1);
      pen.fillStyle = color;
      pen.fillRect(0, 0, 1, 1);
      return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    /** @param {number[]} color */
    const light = (color) => {
      const [red, green, blue] = color.map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    /** @type {(one: number[], other: number[]) => number} */
    const contrast = (one, other) => {
      const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
      return (high + 0.05) / (low + 0.05);
    };
    /** @type {(node: Element) => Element | undefined} */
    const parent = (node) => node.parentElement ?? /** @type {ShadowRoot} */ (node.getRootNode()).host;
    /**
     * The color behind a node's content.
     * @type {(node: Element | undefined) => number[]}
     */
    const ground = (node) => {
      if (!node) return [255, 255, 255];
      const { backgroundColor, backgroundImage } = getComputedStyle(node);
      const below = over(backgroundColor, ground(parent(node)));
      // A dialog lays the color of the card over that of the page: a gradient between two that are the same.
      const [, laid] = backgroundImage.match(/^linear-gradient\(((?:[a-z-]+\(.*?\)|[^(),]+)), \1\)$/) ?? [];
      return laid ? over(laid, below) : below;
    };
    /** @type {string[]} */
    const found = [];
    /** @type {(host: Element, node: Element, what: string, color: string, below: number[], least: number) => void} */
    const demand = (host, node, what, color, below, least) => {
      const measured = contrast(over(color, below), below);
      if (measured >= least) return;
      const name = host.getAttribute("screen") ?? host.localName;
      found.push(`${name}: ${what} of <${node.localName} class="${node.getAttribute("class")}">: ${measured.toFixed(2)}`);
    };
    /** @param {Element} node */
    const drawn = (node) => {
      const { width, height } = node.getBoundingClientRect();
      // What a closed disclosure hides keeps its box.
      const folded = node.closest("details:not([open])") && !node.closest("summary");
      return !folded && width > 1 && height > 1 && getComputedStyle(node).visibility === "visible";
    };
    for (const host of hosts) {
      const shadowRoot = /** @type {ShadowRoot} */ (host.shadowRoot);
      for (const node of /** @type {NodeListOf<HTMLElement>} */ (shadowRoot.querySelectorAll("*"))) {
        if (!drawn(node) || node.closest("[aria-disabled=true], :disabled")) continue;
        const style = getComputedStyle(node);
        const texts = [...node.childNodes].some((inner) => inner instanceof Text && inner.data.trim());
        if (texts) {
          const size = Number.parseFloat(style.fontSize);
          const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 650);
          demand(host, node, "text", style.color, ground(node), large ? 3 : 4.5);
        }
        if (node.localName === "svg") {
          const { width, height } = node.getBoundingClientRect();
          if (style.stroke === "none" || width < 20 || height < 20) found.push(`no icon: ${node.getAttribute("class")}`);
          else demand(host, node, "icon", style.stroke, ground(node), 3);
          if (!node.getAttribute("width") || !node.getAttribute("height")) found.push("an icon has no size of its own");
        }
        // A line under the text shows a button as well.
        if (node.matches("[data-look=primary], [data-look~=plain], [data-look=danger], .plain, .choice") && style.textDecorationLine === "none") {
          const around = ground(parent(node));
          const edge = contrast(over(style.borderTopColor, around), around);
          if (edge < 3) demand(host, node, "shape", style.backgroundColor, around, 3);
        }
        // Behind an open dialog nothing takes the focus.
        const dialog = shadowRoot.querySelector("dialog:modal");
        const behind = dialog && !dialog.contains(node);
        if (!behind && node.matches("button, a[href], input, select, summary")) {
          node.focus({ preventScroll: true });
          const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(node);
          if (outlineStyle !== "solid" || Number.parseFloat(outlineWidth) < 2) found.push(`no focus: ${node.className}`);
          else demand(host, node, "focus", outlineColor, ground(parent(node)), 3);
          node.blur();
        }
      }
    }
    return found;
  });
}
