// A program that runs: the page asks for what is new until it hears that this was the end.

import { Data } from './model';
import { Store } from './state';

/** Asked for more often than this, a page would be all that the computer does. */
const APART = 250;

/** The data of a run after so many events, as soon as there are more. */
export async function news(after: number): Promise<Data> {
  const answer = await fetch(`data?after=${after}`);
  if (!answer.ok) throw new Error(`the program's page answers ${answer.status}`);
  return (await answer.json()) as Data;
}

/** Keeps a store up to date. */
export async function follow(store: Store, first: Data) {
  let data = first;
  while (!data.over) {
    const began = performance.now();
    try {
      data = await news(data.seen ?? 0);
    } catch {
      // Whoever ran it has gone, with what came after.
      store.set({ live: 'lost' });
      return;
    }
    store.update(data);
    // A long run takes a while to read, and is asked for less often.
    const took = performance.now() - began;
    if (!data.over) await new Promise((done) => setTimeout(done, Math.max(APART, Math.min(took * 2, 5000))));
  }
  store.set({ live: 'ended' });
}
