// Where things are: lanes with their rows, and the places of actions along each axis.

import { duration } from './format';
import { Run } from './model';
import { Names } from './names';

export type Axis = 'logical' | 'physical' | 'order';
export const AXES: Axis[] = ['logical', 'physical', 'order'];

export type Tone = 'main' | 'clock' | 'timer' | 'tick' | 'promise' | 'immediate' | 'io' | 'task';

export interface Row {
  label: string;
  /** Whether the label says what all of its actions are. */
  isNamed: boolean;
  tone: Tone;
  /** Its actions, in their order. */
  actions: Int32Array;
  /** Its operations or releases, by when they begin. */
  spans: Span[];
  y: number;
}

/** Something that lasts: an operation, or a release until it is cleared. */
export interface Span {
  kind: 'operation' | 'release' | 'task' | 'request';
  index: number;
  /** The action that began it. */
  by: number;
  /** Where it ends on the physical axis; infinite when it does not. */
  end: number;
  /** The action that it ends with, or -1. */
  last: number;
}

export interface Lane {
  key: string;
  title: string;
  note: string;
  tone: Tone;
  domain: number;
  /** The program of a fleet, by its place among the names of the run. */
  program: number;
  /** Whether the name of the program stands above it. */
  isFirst: boolean;
  rows: Row[];
  y: number;
  height: number;
}

export const ROW = 24;
export const GAP = 10;
export const RULER = 30;
export const LAG = 30;
/** The title of a lane, above its rows where there is no room beside them. */
export const TITLE = 20;
/** The name of a program of a fleet, above its lanes. */
export const NAME = 22;
const MOST_ROWS = 8;

export class Layout {
  readonly lanes: Lane[] = [];
  readonly names: Names;
  /** The lane and row of each action. */
  readonly laneOf: Int16Array;
  readonly rowOf: Int16Array;
  readonly start: Record<Axis, number>;
  readonly end: Record<Axis, number>;
  /** All actions, in their order. */
  readonly all: Int32Array;
  height = 0;
  private readonly places: Record<Axis, Float64Array>;
  private readonly sorted = new Map<Row, Int32Array>();

  constructor(readonly run: Run) {
    this.names = new Names(run);
    this.laneOf = new Int16Array(run.count);
    this.rowOf = new Int16Array(run.count);
    this.places = placesOf(run);
    this.all = Int32Array.from({ length: run.count }, (_, action) => action);
    run.programs.forEach((_, program) => this.addLanes(program));
    this.lanes.forEach((lane, laneIndex) =>
      lane.rows.forEach((row, rowIndex) => {
        for (const action of row.actions) {
          this.laneOf[action] = laneIndex;
          this.rowOf[action] = rowIndex;
        }
      }),
    );
    const low = (values: Float64Array) => values.reduce((a, b) => Math.min(a, b), values[0] ?? 0);
    const high = (values: Float64Array) => values.reduce((a, b) => Math.max(a, b), values[0] ?? 0);
    let physical = high(this.places.physical);
    for (const done of run.raw.operations.done) physical = Math.max(physical, done);
    for (const [, , at, lasts] of run.raw.fleet?.faults ?? []) physical = Math.max(physical, at + lasts);
    // Physical times are on the logical axis, too.
    const last = { logical: Math.max(high(this.places.logical), physical), physical };
    this.start = { logical: low(this.places.logical), physical: low(this.places.physical), order: 0 };
    this.end = { ...last, order: run.count };
    this.place(false, false);
  }

  /** The colour of an action, by its name. */
  tone(action: number): Tone {
    const lane = this.lanes[this.laneOf[action]];
    return lane?.rows[this.rowOf[action]]?.tone ?? 'main';
  }

  /** Gives lanes and rows their heights. On a narrow screen the titles of lanes stand above their rows. */
  place(withLag: boolean, isNarrow: boolean) {
    let y = RULER;
    for (const lane of this.lanes) {
      lane.y = y;
      y += isNarrow ? TITLE : GAP;
      y += lane.isFirst ? NAME : 0;
      for (const row of lane.rows) {
        row.y = y;
        y += ROW;
      }
      if (withLag && lane.domain >= 0) y += LAG;
      y += GAP;
      lane.height = y - lane.y;
    }
    this.height = y;
  }

  x(axis: Axis): Float64Array {
    return this.places[axis];
  }

  /** The actions of a row by their places on an axis. */
  along(row: Row, axis: Axis): Int32Array {
    if (axis !== 'logical') return row.actions;
    let sorted = this.sorted.get(row);
    if (!sorted) {
      const x = this.places.logical;
      sorted = row.actions.slice().sort((a, b) => x[a] - x[b] || a - b);
      this.sorted.set(row, sorted);
    }
    return sorted;
  }

  private addLanes(program: number) {
    const { run } = this;
    const name = run.programs[program];
    const isOwn = (action: number) => run.program[action] === program;
    const groups = new Map<string, number[]>();
    for (let i = 0; i < run.count; i++) {
      if (!isOwn(i)) continue;
      const kind = run.kind[i];
      const key =
        run.domain[i] >= 0
          ? `clock ${run.raw.domains[run.domain[i]][0]}`
          : kind === 'm' || kind === 'x'
            ? 'main'
            : kind === 't' || kind === 'p' || kind === 'n'
              ? 'tail'
              : kind === 'i'
                ? 'immediates'
                : kind === 'd'
                  ? 'timers'
                  : 'io';
      const group = groups.get(key);
      if (group) group.push(i);
      else groups.set(key, [i]);
    }
    const add = (key: string, title: string, note: string, tone: Tone, domain: number, rows: Row[]) => {
      if (!rows.length) return;
      const isFirst = name !== '' && this.lanes[this.lanes.length - 1]?.program !== program;
      const whole = name === '' ? key : `${name} ${key}`;
      this.lanes.push({ key: whole, title, note, tone, domain, program, isFirst, rows, y: 0, height: 0 });
    };
    const take = (key: string) => groups.get(key) ?? [];
    add('main', 'Program', '', 'main', -1, plain(take('main'), '', 'main'));
    const labels = new Set(run.raw.domains.map(([label]) => label));
    for (const label of labels) {
      const domain = run.raw.domains.findIndex(([name]) => name === label);
      const key = `clock ${label}`;
      const rows = this.timed(take(key), 'clock', (release) => {
        const of = run.raw.releases.domain[release];
        return of >= 0 && run.raw.domains[of][0] === label && isOwn(run.raw.releases.by[release]);
      });
      add(key, label, 'clock', 'clock', domain, rows);
    }
    add('timers', 'Timers', 'unlabelled', 'timer', -1, this.timed(take('timers'), 'timer', (release) => run.raw.releases.domain[release] < 0 && this.isUsed(release) && isOwn(run.raw.releases.by[release])));
    const tail = take('tail');
    add('tail', 'Microtasks', '', 'tick', -1, [
      ...plain(tail.filter((i) => run.kind[i] === 't'), 'ticks', 'tick'),
      ...plain(tail.filter((i) => run.kind[i] === 'p'), 'promises', 'promise'),
      ...plain(tail.filter((i) => run.kind[i] === 'n'), 'own queues', 'tick'),
    ]);
    add('immediates', 'Immediates', '', 'immediate', -1, plain(take('immediates'), '', 'immediate'));
    add('io', 'I/O', '', 'io', -1, this.operations(take('io'), isOwn));
    add('tasks', 'Tasks', 'scheduler', 'task', -1, this.tasks(isOwn));
    add('requests', 'Requests', '', 'task', -1, this.requests(isOwn));
  }

  /** One row for each task of a scheduler, with its runs. */
  private tasks(isOwn: (action: number) => boolean): Row[] {
    const { run } = this;
    const rows = new Map<string, Span[]>();
    run.raw.tasks.forEach(([id, start, end], index) => {
      if (!isOwn(start)) return;
      const span: Span = { kind: 'task', index, by: start, end: end >= 0 ? run.at[end] : Infinity, last: end };
      const key = rows.has(id) || rows.size < MOST_ROWS ? id : [...rows.keys()][MOST_ROWS - 1];
      const row = rows.get(key);
      if (row) row.push(span);
      else rows.set(key, [span]);
    });
    return [...rows].map(([label, spans]) => ({ label, isNamed: true, tone: 'task' as Tone, actions: new Int32Array(), spans, y: 0 }));
  }

  /** Rows for each route, with its requests from arrival to answer; those that overlap are below each other. */
  private requests(isOwn: (action: number) => boolean): Row[] {
    const { run } = this;
    const rows: { label: string; end: number; spans: Span[] }[] = [];
    run.raw.requests.forEach(([route, , first, last], index) => {
      if (!isOwn(first)) return;
      const span: Span = { kind: 'request', index, by: first, end: run.at[last], last };
      let row = rows.find(({ label, end }) => label === route && end < first);
      if (!row && rows.length < MOST_ROWS) rows.push((row = { label: route, end: 0, spans: [] }));
      row ??= rows[rows.length - 1];
      row.spans.push(span);
      row.end = Math.max(row.end, last);
    });
    rows.sort((a, b) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0));
    return rows.map(({ label, spans }) => ({ label, isNamed: true, tone: 'task' as Tone, actions: new Int32Array(), spans, y: 0 }));
  }

  /** Timers that the library sets and clears for itself would hide the program's own. */
  private isUsed(release: number): boolean {
    const { cleared } = this.run.raw.releases;
    return cleared[release] < 0 || this.run.ranOf.release.of(release).length > 0;
  }

  /** One row for each place where timed callbacks are released, as the time lines of a figure. */
  private timed(actions: number[], tone: Tone, isOf: (release: number) => boolean): Row[] {
    const { run, names } = this;
    const { releases } = run.raw;
    const keys = new Map<string, { label: string; actions: number[]; spans: Span[] }>();
    const keyOf = (release: number, site: number) =>
      site >= 0 ? `site ${names.sites[site].path}` : `release ${release < 0 ? '' : periodOf(run, release)}`;
    const labelOf = (release: number, site: number) =>
      site >= 0 ? names.sites[site].name : release < 0 ? '' : periodOf(run, release);
    const rowOf = (release: number, site: number) => {
      const key = keyOf(release, site);
      let row = keys.get(key);
      if (!row) keys.set(key, (row = { label: labelOf(release, site), actions: [], spans: [] }));
      return row;
    };
    releases.by.forEach((by, release) => {
      if (!isOf(release)) return;
      const ran = run.ranOf.release.of(release);
      const cleared = releases.cleared[release];
      const lastRan = ran.length ? ran[ran.length - 1] : -1;
      const last = cleared >= 0 ? cleared : releases.period[release] ? -1 : lastRan;
      rowOf(release, releases.site[release]).spans.push({
        kind: 'release',
        index: release,
        by,
        end: last >= 0 ? run.at[last] : Infinity,
        last,
      });
    });
    for (const action of actions) rowOf(run.release[action], run.site[action]).actions.push(action);
    const rows = [...keys.values()];
    const shown = rows.slice(0, rows.length > MOST_ROWS ? MOST_ROWS - 1 : MOST_ROWS);
    const others = rows.slice(shown.length);
    if (others.length) {
      const all = others.flatMap((row) => row.actions).sort((a, b) => a - b);
      shown.push({ label: `${others.length} more`, actions: all, spans: [] });
    }
    return shown.map(({ label, actions, spans }, index) => ({
      label,
      isNamed: !others.length || index < shown.length - 1,
      tone,
      actions: Int32Array.from(actions),
      spans,
      y: 0,
    }));
  }

  /** Operations next to each other in as few rows as they fit in, with the callbacks that they end in. */
  private operations(actions: number[], isOwn: (action: number) => boolean): Row[] {
    const { run } = this;
    const { by, done, dropped } = run.raw.operations;
    const rows: { end: number; spans: Span[]; actions: number[] }[] = [];
    const rowOf = new Int16Array(by.length);
    for (let index = 0; index < by.length; index++) {
      if (!isOwn(by[index])) continue;
      const from = run.at[by[index]];
      const ran = run.ranOf.operation.of(index);
      const last = ran.length ? ran[ran.length - 1] : dropped[index];
      const end = last >= 0 ? Math.max(run.at[last], done[index]) : done[index] >= 0 ? done[index] : Infinity;
      // In the order of actions, too, one is to end before the next begins in its row.
      const position = last >= 0 ? last : end === Infinity ? Infinity : by[index];
      let row = rows.findIndex((row) => row.end < by[index]);
      if (row < 0 && rows.length < MOST_ROWS) row = rows.push({ end: -1, spans: [], actions: [] }) - 1;
      if (row < 0) row = rows.reduce((best, row, i) => (row.end < rows[best].end ? i : best), 0);
      rows[row].end = Math.max(rows[row].end, position);
      rows[row].spans.push({ kind: 'operation', index, by: by[index], end: Math.max(from, end), last });
      rowOf[index] = row;
    }
    if (!rows.length && actions.length) rows.push({ end: -1, spans: [], actions: [] });
    for (const action of actions) {
      const operation = run.operation[action];
      rows[operation >= 0 ? rowOf[operation] : 0].actions.push(action);
    }
    return rows.map(({ spans, actions }) => ({
      label: '',
      isNamed: false,
      tone: 'io' as Tone,
      actions: Int32Array.from(actions),
      spans,
      y: 0,
    }));
  }
}

const periodOf = (run: Run, release: number) => {
  const { period, delay } = run.raw.releases;
  return period[release] ? `every ${duration(period[release])}` : `after ${duration(delay[release])}`;
};

const plain = (actions: number[], label: string, tone: Tone): Row[] =>
  actions.length ? [{ label, isNamed: false, tone, actions: Int32Array.from(actions), spans: [], y: 0 }] : [];

/**
 * The places of all actions on each axis. In logical time a timed action is where it is due, and what
 * comes in its tail is there too, since no logical time passes in between; all else is where it was in
 * physical time, which shares the axis.
 */
function placesOf(run: Run): Record<Axis, Float64Array> {
  const logical = new Float64Array(run.count);
  const order = new Float64Array(run.count);
  for (let i = 0; i < run.count; i++) {
    order[i] = i;
    const head = run.atomic[i];
    logical[i] = !Number.isNaN(run.time[i]) ? run.time[i] : head < i ? logical[head] : run.at[i];
  }
  return { logical, physical: run.at, order };
}
