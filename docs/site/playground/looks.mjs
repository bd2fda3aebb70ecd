// The looks that docs/theming.md describes, for the playground.

/** @returns {{ name: string, style: Record<string, string> }[]} what each sets on the element, without rules for parts */
export function looks(/** @type {string} */ guide) {
  const [, two = ''] = /^## Two looks$([\s\S]*?)^## /m.exec(guide) ?? [];
  const found = [...two.matchAll(/look-(\w+)\.png[\s\S]*?^payment-checkout \{([\s\S]*?)\}/gm)];
  if (!found.length) throw new Error('docs/theming.md has no section "Two looks" with a picture look-….png and a rule for payment-checkout.');
  return found.map(([, name, rule]) => ({
    name,
    style: Object.fromEntries(rule.split(';').flatMap((line) => {
      const [property, ...value] = line.split(':');
      return value.length ? [[property.trim(), value.join(':').trim()]] : [];
    })),
  }));
}
