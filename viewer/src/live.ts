// A program that runs: the page asks for what is new until it hears that this was the end.

import { Data, News, RawRun } from './model';
import { Store } from './state';

/** Asked for more often than this, a page would be all that the computer does. */
const APART = 250;

/** The data of a run, as soon as there is more of it than in those before. */
export async function news(before: Data | null): Promise<Data> {
  const answer = await fetch(`data?after=${before?.seen ?? 0}&to=${before?.answer ?? 0}`);
  if (!answer.ok) throw new Error(`the program's page answers ${answer.status}`);
  const data = (await answer.json()) as Data;
  if (data.news !== undefined && before) data.runs = [changed(before.runs[0], data.news) as RawRun];
  return data;
}

/** What news make of a value, which stays as it was. */
function changed(before: unknown, news: News): unknown {
  if (news === null) return before;
  switch (news[0]) {
    case 'set':
      return news[1];
    case 'text':
      return (before as string) + news[1];
    case 'list': {
      const [, length, size, pieces] = news;
      const items = (before as unknown[]).slice(0, length);
      for (const [number, piece] of pieces) {
        for (let at = 0; at < piece.length; at++) items[number * size + at] = piece[at];
      }
      return items;
    }
    case 'object': {
      const all = { ...(before as Record<string, unknown>) };
      for (const name of Object.keys(news[1])) all[name] = changed(all[name], news[1][name]);
      return all;
    }
  }
}

/** Keeps a store up to date. */
export async function follow(store: Store, first: Data) {
  let data = first;
  while (!data.over) {
    const began = performance.now();
    try {
      data = await news(data);
    } catch {
      // Whoever ran it has gone, with what came after.
      store.set({ live: 'lost' });
      return;
    }
    store.update(data);
    // A long run takes a while to draw, and is asked for less often.
    const took = performance.now() - began;
    if (!data.over) await new Promise((done) => setTimeout(done, Math.max(APART, Math.min(took * 2, 5000))));
  }
  store.set({ live: 'ended' });
}
