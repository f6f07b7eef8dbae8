// What the page shows, in one value; whoever shows it is told when it changes. The part that matters to
// others is in the address, so that it can be pasted.

import { AXES, Axis, Layout } from './layout';
import { Data, Difference, Run } from './model';
import { forgetTheme } from './theme';

export type Tab = 'timeline' | 'trees' | 'sites' | 'choices' | 'races';
export const TABS: Tab[] = ['timeline', 'trees', 'sites', 'choices', 'races'];
export type Arrows = 'selected' | 'all' | 'none';
export const ARROWS: Arrows[] = ['selected', 'all', 'none'];

export interface State {
  tab: Tab;
  axis: Axis;
  /** The window, in units of the axis. */
  from: number;
  to: number;
  /** The selected action, and of which run; -1 for none. */
  run: number;
  action: number;
  lag: boolean;
  arrows: Arrows;
  query: string;
  help: boolean;
  /** The card of the guide, or -1. */
  guide: number;
  /** Whether there is little room beside each other. */
  isNarrow: boolean;
  isPrinting: boolean;
  /** How often the runs have changed, and what is known of a program that is looked at while it runs. */
  version: number;
  live: '' | 'runs' | 'ended' | 'lost';
}

export class Store {
  runs: Run[];
  layouts: Layout[];
  readonly difference: Difference | null;
  state: State;
  private readonly listeners = new Set<() => void>();
  private addressed = '';

  constructor(data: Data) {
    this.runs = data.runs.map((raw) => new Run(raw));
    this.layouts = this.runs.map((run) => new Layout(run));
    this.difference = data.difference;
    this.state = {
      tab: 'timeline',
      axis: 'logical',
      from: 0,
      to: 1,
      run: 0,
      action: -1,
      lag: false,
      arrows: 'selected',
      query: '',
      help: false,
      guide: -1,
      isNarrow: false,
      isPrinting: false,
      version: 0,
      live: '',
    };
    const narrow = matchMedia('(max-width: 700px)');
    narrow.addEventListener('change', () => this.set({ isNarrow: narrow.matches }));
    this.fit(false);
    this.readAddress();
    this.set({ isNarrow: narrow.matches });
    addEventListener('beforeprint', () => this.print(true));
    addEventListener('afterprint', () => this.print(false));
    matchMedia('print').addEventListener('change', ({ matches }) => this.print(matches));
    addEventListener('hashchange', () => {
      if ((location.hash || '#') !== this.addressed) this.readAddress();
    });
  }

  /** The style of paper is a class, so that it is there when the browser is about to print. */
  private print(isPrinting: boolean) {
    document.documentElement.classList.toggle('printing', isPrinting);
    forgetTheme();
    this.set({ isPrinting });
  }

  get run(): Run {
    return this.runs[this.state.run];
  }

  get layout(): Layout {
    return this.layouts[this.state.run];
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  set(change: Partial<State>, isStep = false) {
    const before = this.state;
    this.state = { ...before, ...change };
    const { lag, isNarrow } = this.state;
    if (lag !== before.lag || isNarrow !== before.isNarrow) for (const layout of this.layouts) layout.place(lag, isNarrow);
    this.writeAddress(isStep);
    for (const listener of this.listeners) listener();
  }

  /** The whole of all runs, with some room at the ends. */
  bounds(axis: Axis): [number, number] {
    const from = Math.min(...this.layouts.map((layout) => layout.start[axis]));
    const to = Math.max(...this.layouts.map((layout) => layout.end[axis]));
    const room = axis === 'order' ? 0.5 : Math.max((to - from) * 0.03, 20);
    return [from - room, to + room * (axis === 'order' ? 1 : 2)];
  }

  /**
   * Takes more of the same runs. A window that shows everything still does, one at the end stays at the end, and any
   * other stays where it is.
   */
  update(data: Data) {
    const { axis, from, to, lag, isNarrow, version } = this.state;
    const [low, high] = this.bounds(axis);
    const nearly = (high - low) * 1e-6;
    this.runs = data.runs.map((raw) => new Run(raw));
    this.layouts = this.runs.map((run) => new Layout(run));
    for (const layout of this.layouts) layout.place(lag, isNarrow);
    const [newLow, newHigh] = this.bounds(axis);
    const isAtEnd = to >= high - nearly;
    const window = isAtEnd && from <= low + nearly ? [newLow, newHigh] : isAtEnd ? [newHigh - (to - from), newHigh] : [from, to];
    this.set({ from: window[0], to: window[1], version: version + 1 });
  }

  fit(tell = true) {
    const [from, to] = this.bounds(this.state.axis);
    if (tell) this.set({ from, to });
    else this.state = { ...this.state, from, to };
  }

  setAxis(axis: Axis) {
    if (axis === this.state.axis) return;
    this.state = { ...this.state, axis };
    const [from, to] = this.bounds(axis);
    this.set({ axis, from, to });
    if (this.state.action >= 0) this.reveal(this.state.run, this.state.action);
  }

  /** Moves the window, within the bounds. */
  window(from: number, to: number) {
    const [low, high] = this.bounds(this.state.axis);
    const least = this.state.axis === 'order' ? 3 : 5;
    const size = Math.min(Math.max(to - from, least), high - low);
    // What is asked for is kept in its middle.
    const middle = (from + to) / 2;
    const start = Math.min(Math.max(middle - size / 2, low), high - size);
    this.set({ from: start, to: start + size });
  }

  zoom(factor: number, around = (this.state.from + this.state.to) / 2) {
    const { from, to } = this.state;
    this.window(around - (around - from) * factor, around + (to - around) * factor);
  }

  pan(part: number) {
    const { from, to } = this.state;
    this.window(from + (to - from) * part, to + (to - from) * part);
  }

  select(run: number, action: number) {
    if (run === this.state.run && action === this.state.action) return;
    this.set({ run, action }, true);
    if (action >= 0) this.reveal(run, action);
  }

  /** Selects what a run failed with, in the timeline. */
  toFailure(run = this.runs.findIndex(({ failures }) => failures.length)) {
    if (run < 0 || !this.runs[run].failures.length) return;
    this.set({ tab: 'timeline' });
    this.select(run, this.runs[run].failures[0].action);
  }

  /** Moves the window so that an action is in it. */
  reveal(run: number, action: number) {
    const { axis, from, to } = this.state;
    const x = this.layouts[run].x(axis)[action];
    const margin = (to - from) * 0.08;
    if (x >= from + margin && x <= to - margin) return;
    const [low, high] = this.bounds(axis);
    if (from <= low && to >= high) return;
    this.window(x - (to - from) / 2, x + (to - from) / 2);
  }

  address(): string {
    const { tab, axis, run, action, arrows, lag, query } = this.state;
    const parts: string[] = [];
    if (action >= 0) parts.push(`action=${this.runs[run].number[action]}`);
    if (run > 0) parts.push(`run=${run + 1}`);
    if (tab !== 'timeline') parts.push(`tab=${tab}`);
    if (axis !== 'logical') parts.push(`axis=${axis}`);
    if (arrows !== 'selected') parts.push(`arrows=${arrows}`);
    if (lag) parts.push('lag=on');
    if (query) parts.push(`search=${encodeURIComponent(query)}`);
    const [low, high] = this.bounds(axis);
    const { from, to } = this.state;
    if (from > low + 1e-9 || to < high - 1e-9) {
      const digits = axis === 'order' ? 2 : 0;
      parts.push(`from=${from.toFixed(digits)}`, `to=${to.toFixed(digits)}`);
    }
    return parts.length ? `#${parts.join('&')}` : '#';
  }

  private writeAddress(isStep: boolean) {
    const address = this.address();
    if (address === this.addressed) return;
    this.addressed = address;
    if (isStep) history.pushState(null, '', address);
    else this.replaceSoon();
  }

  private timer = 0;

  // Browsers refuse when this is done a hundred times a second, as dragging would.
  private replaceSoon() {
    this.timer ||= window.setTimeout(() => {
      this.timer = 0;
      history.replaceState(null, '', this.addressed);
    }, 150);
  }

  private readAddress() {
    const given = new URLSearchParams(location.hash.slice(1));
    const one = <T extends string>(name: string, of: readonly T[], otherwise: T): T =>
      of.find((value) => value === given.get(name)) ?? otherwise;
    const axis = one('axis', AXES, 'logical');
    const number = (name: string) => (given.has(name) ? Number(given.get(name)) : NaN);
    const wanted = number('run') - 1;
    const run = wanted >= 0 && wanted < this.runs.length ? wanted : 0;
    const action = this.runs[run].find(number('action'));
    this.state = { ...this.state, axis };
    const [low, high] = this.bounds(axis);
    const from = number('from');
    const to = number('to');
    this.set({
      axis,
      run,
      action,
      tab: one('tab', TABS, 'timeline'),
      arrows: one('arrows', ARROWS, 'selected'),
      lag: given.get('lag') === 'on',
      query: given.get('search') ?? '',
      from: from < to ? Math.max(from, low) : low,
      to: from < to ? Math.min(to, high) : high,
    });
    if (action >= 0 && !(from < to)) this.reveal(run, action);
  }
}
