// Everything can be done with the keyboard.

import { Axis } from './layout';
import { ARROWS, Store } from './state';
import { zoomTo } from './timeline';

export const HELP: [string, string][] = [
  ['← →', 'the action before and after, in the same lane'],
  ['↑ ↓', 'the nearest action in the lane above and below'],
  ['[ ]', 'the action that ran just before and just after'],
  ['l', 'go to the link: who attached it'],
  ['c', 'go to the cause: who made it able to run'],
  ['Backspace', 'go back to what was selected before'],
  ['/', 'search; Enter goes to the next match, n and N, too'],
  ['+ − 0', 'zoom in, zoom out, show everything'],
  ['f', 'go to the failure'],
  ['z', 'zoom to the atomic action'],
  ['a d', 'move the window left and right'],
  ['1 2 3', 'axis: logical time, physical time, order'],
  ['g', 'lag on or off'],
  ['r', 'arrows of the selected action, of all, or none'],
  ['x', 'the first difference of two runs'],
  ['o', 'the other run, when there are two in view'],
  ['t', 'timeline'],
  ['Esc', 'close this, or clear the search or the selection'],
  ['?', 'this help'],
];

export function onKey(event: KeyboardEvent, store: Store, next: (step: number) => void) {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isTyping = target instanceof HTMLInputElement;
  if (event.key === 'Escape') {
    if (store.state.help) store.set({ help: false });
    else if (store.state.guide >= 0) store.set({ guide: -1 });
    else if (store.state.query) store.set({ query: '' });
    else store.select(store.state.run, -1);
    target.blur();
    return;
  }
  if (isTyping) {
    if (event.key === 'Enter') next(event.shiftKey ? -1 : 1);
    return;
  }
  const act = actions[event.key];
  // A list of choices has its own use for keys.
  if (!act || target instanceof HTMLSelectElement) return;
  act(store, next);
  event.preventDefault();
}

type Act = (store: Store, next: (step: number) => void) => unknown;

const axis = (axis: Axis): Act => (store) => store.setAxis(axis);

const actions: Record<string, Act> = {
  ArrowLeft: (store) => alongLane(store, -1),
  ArrowRight: (store) => alongLane(store, 1),
  ArrowUp: (store) => acrossLanes(store, -1),
  ArrowDown: (store) => acrossLanes(store, 1),
  '[': (store) => inOrder(store, -1),
  ']': (store) => inOrder(store, 1),
  l: (store) => parent(store, 'link'),
  c: (store) => parent(store, 'cause'),
  Backspace: () => history.back(),
  '/': () => document.querySelector<HTMLInputElement>('#search')?.focus(),
  n: (_, next) => next(1),
  N: (_, next) => next(-1),
  '+': (store) => store.zoom(0.6, around(store)),
  '=': (store) => store.zoom(0.6, around(store)),
  '-': (store) => store.zoom(1 / 0.6, around(store)),
  '0': (store) => store.fit(),
  z: (store) => store.state.action >= 0 && zoomTo(store, store.state.run, store.state.action),
  a: (store) => store.pan(-0.25),
  d: (store) => store.pan(0.25),
  '1': axis('logical'),
  '2': axis('physical'),
  '3': axis('order'),
  g: (store) => store.set({ lag: !store.state.lag }),
  r: (store) => store.set({ arrows: ARROWS[(ARROWS.indexOf(store.state.arrows) + 1) % ARROWS.length] }),
  x: (store) => toDifference(store),
  f: (store) => store.toFailure(),
  t: (store) => store.set({ tab: 'timeline' }),
  '?': (store) => store.set({ help: !store.state.help }),
  o: (store) => {
    if (store.runs.length < 2) return;
    const run = 1 - store.state.run;
    store.select(run, Math.min(Math.max(0, store.state.action), store.runs[run].count - 1));
  },
};

function around(store: Store): number | undefined {
  const { action, axis, from, to } = store.state;
  if (action < 0) return undefined;
  const x = store.layout.x(axis)[action];
  return x >= from && x <= to ? x : undefined;
}

function inOrder(store: Store, step: number) {
  const { run, action } = store.state;
  const next = action < 0 ? 0 : action + step;
  if (next >= 0 && next < store.run.count) store.select(run, next);
}

function alongLane(store: Store, step: number) {
  const { run, action, axis } = store.state;
  if (action < 0) return inOrder(store, step);
  const { layout } = store;
  const lane = layout.lanes[layout.laneOf[action]];
  const x = layout.x(axis);
  const isBefore = (a: number, b: number) => x[a] - x[b] || a - b;
  let best = -1;
  for (const row of lane.rows) {
    for (const other of row.actions) {
      if (Math.sign(isBefore(other, action)) !== step) continue;
      if (best < 0 || Math.sign(isBefore(other, best)) === -step) best = other;
    }
  }
  if (best >= 0) store.select(run, best);
}

function acrossLanes(store: Store, step: number) {
  const { run, action, axis } = store.state;
  if (action < 0) return inOrder(store, 1);
  const { layout } = store;
  const x = layout.x(axis);
  const rows = layout.lanes.flatMap((lane) => lane.rows).filter((row) => row.actions.length);
  const here = layout.lanes[layout.laneOf[action]].rows[layout.rowOf[action]];
  const row = rows[rows.indexOf(here) + step];
  if (!row) return;
  let best = row.actions[0];
  for (const other of row.actions) {
    const nearer = Math.abs(x[other] - x[action]) - Math.abs(x[best] - x[action]);
    if (nearer < 0 || (nearer === 0 && Math.abs(other - action) < Math.abs(best - action))) best = other;
  }
  store.select(run, best);
}

function parent(store: Store, relation: 'link' | 'cause') {
  const { run, action } = store.state;
  if (action >= 0) store.select(run, store.run[relation][action]);
}

export function toDifference(store: Store) {
  if (!store.difference) return;
  const { run } = store.state;
  store.set({ tab: 'timeline' });
  store.select(run, Math.min(store.difference.at, store.runs[run].count - 1));
}
