// Which actions a text means.

import { Layout } from './layout';
import { KINDS } from './model';

/** The actions that a query finds, in order. */
export function search(layout: Layout, query: string): Int32Array {
  const { run, names } = layout;
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return new Int32Array();
  let found: Uint8Array | null = null;
  for (const word of words) {
    const hits = hitsOf(word);
    found = found ? found.map((hit, i) => hit & hits[i]) : hits;
  }
  const list: number[] = [];
  found?.forEach((hit, action) => hit && list.push(action));
  return Int32Array.from(list);

  function hitsOf(word: string): Uint8Array {
    const hits = new Uint8Array(run.count);
    const has = (text: string) => text.toLowerCase().includes(word);
    const number = /^#(\d+)$/.exec(word);
    if (number) {
      const action = run.find(Number(number[1]));
      if (action >= 0) hits[action] = 1;
      return hits;
    }
    const sites = names.sites.map((site) => has(site.name) || has(site.path));
    const operations = run.raw.operations.texts.map((text) => has(run.relative(text)));
    const kinds = Object.fromEntries(Object.entries(KINDS).map(([kind, name]) => [kind, has(name)]));
    const domains = run.raw.domains.map(([label]) => has(label) || has(`clock:${label}`));
    const programs = run.programs.map((name) => word === `host:${name.toLowerCase()}`);
    const { what } = run.raw.operations;
    for (let i = 0; i < run.count; i++) {
      const site = run.site[i];
      const operation = run.operation[i];
      const domain = run.domain[i];
      if (
        kinds[run.kind[i]] ||
        programs[run.program[i]] ||
        (site >= 0 && sites[site]) ||
        (operation >= 0 && operations[what[operation]]) ||
        (domain >= 0 && domains[domain])
      ) {
        hits[i] = 1;
      }
    }
    const texts = run.raw.effects.texts.map(has);
    const threw = has('threw');
    run.raw.effects.text.forEach((text, effect) => {
      if (texts[text] || (threw && run.raw.effects.kind[effect] === 't')) hits[run.effectAction[effect]] = 1;
    });
    for (const [action, label] of run.labels) if (has(label)) hits[action] = 1;
    return hits;
  }
}
