// What the page is given (see crates/export/src/page/columns.rs), and what it makes of it: columns of
// numbers that can be indexed by the place of an action in the run.

import { Failure, failuresOf } from './failure';

export interface Data {
  format: string;
  version: number;
  runs: RawRun[];
  difference: Difference | null;
  /** Whether the program still runs when the page is opened: the data are to be asked for. */
  live?: boolean;
  /** How many events are in the data, and whether there will be no more. */
  seen?: number;
  over?: boolean;
  /** The number of this answer, and instead of the runs what is new of the one run since the answer before. */
  answer?: number;
  news?: News;
}

/** What makes a value of one that the page has (see crates/export/src/page/news.rs). */
export type News =
  | null
  | ['set', unknown]
  | ['text', string]
  | ['list', number, number, [number, unknown[]][]]
  | ['object', Record<string, News>];

export interface Difference {
  at: number;
  what: string;
  left: string | null;
  right: string | null;
}

export interface RawRun {
  name: string;
  command: string;
  facts: [string, string][];
  started: number | null;
  files: string[];
  texts: (string | null)[];
  sites: { file: number[]; line: number[]; column: number[] };
  domains: [string, number][];
  hasTimes: boolean;
  actions: {
    number: number[];
    kind: string;
    head: string;
    domain: number[];
    lag: (number | null)[];
    step: [number, number][];
    at: number[];
    link: number[];
    cause: number[];
    site: number[];
    release: number[];
    operation: number[];
    spent: number[] | null;
    /** The process of each action, in a fleet. */
    process: number[] | null;
  };
  effects: { action: number[]; kind: string; text: number[]; texts: string[] };
  releases: {
    by: number[];
    domain: number[];
    time: number[];
    delay: number[];
    period: number[];
    site: number[];
    cleared: number[];
  };
  operations: {
    by: number[];
    what: number[];
    texts: string[];
    site: number[];
    done: number[];
    dropped: number[];
  };
  /** The action that began next, the alternative of how many, what ran later, and in words what was taken and what not. */
  choices: [number, number, number, number[], [string, string] | null][];
  transfers: [number, number, number, number][];
  /** Id, the actions in which it was started and ended or -1, and whether it went well. */
  tasks: [string, number, number, number][];
  /**
   * Route, name, the actions that began and answered it, errors, microseconds in all and waiting, and the numbers
   * of its actions.
   */
  requests: [string, string, number, number, number, number, number, number[]][];
  labels: [number, string][];
  races: Race[];
  fleet: RawFleet | null;
}

/** What a trace knows of a fleet besides the actions of its programs. Times are in microseconds, or -1. */
export interface RawFleet {
  /** Name, program, when it began, and when it ended with what exit code, or null if it was killed. */
  processes: [string, string, number, [number, number | null] | null][];
  /** Who sent it and who got it, or -1, what it is, to which host, when, and when it arrived or -1. */
  messages: [number, number, string, string, number, number][];
  /** What went wrong, on which hosts, from when on, for how long. */
  faults: [string, string[], number, number][];
}

export interface Race {
  what: string;
  sides: [number | null, string, string | null][];
}

/** The kinds of invocations, by the letter that stands for each. */
export const KINDS: Record<string, string> = {
  m: 'main program',
  t: 'tick',
  p: 'promise',
  i: 'immediate',
  d: 'timer',
  o: 'I/O callback',
  c: 'close callback',
  n: 'queued callback',
  x: 'exit',
};

/** Lists of small lists, one for each action, in two flat arrays. */
export class Groups {
  private readonly starts: Uint32Array;
  private readonly items: Uint32Array;

  constructor(count: number, keys: ArrayLike<number>) {
    this.starts = new Uint32Array(count + 2);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i];
      if (key >= 0 && key < count) this.starts[key + 2]++;
    }
    for (let i = 2; i < this.starts.length; i++) this.starts[i] += this.starts[i - 1];
    this.items = new Uint32Array(this.starts[count + 1]);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i];
      if (key >= 0 && key < count) this.items[this.starts[key + 1]++] = i;
    }
  }

  of(key: number): Uint32Array {
    return this.items.subarray(this.starts[key], this.starts[key + 1]);
  }
}

const sums = (differences: number[], into: Float64Array | Int32Array) => {
  let sum = 0;
  for (let i = 0; i < differences.length; i++) into[i] = sum += differences[i];
};

const NONE = -1;

/** One run. Actions are named by their place in it; `number` is what the trace calls them. */
export class Run {
  readonly count: number;
  readonly number: Int32Array;
  readonly kind: string;
  readonly head: Uint8Array;
  readonly domain: Int32Array;
  /** Logical time, for timed actions; else not a number. */
  readonly time: Float64Array;
  readonly step: Map<number, number>;
  readonly at: Float64Array;
  readonly link: Int32Array;
  readonly cause: Int32Array;
  readonly site: Int32Array;
  readonly release: Int32Array;
  readonly operation: Int32Array;
  readonly spent: Float64Array | null;
  /** The first action of the atomic action that each belongs to. */
  readonly atomic: Int32Array;
  /** The first actions of all atomic actions, in order. */
  readonly heads: Int32Array;
  readonly effectAction: Int32Array;
  readonly effects: Groups;
  /** Whether it ended with an error. */
  readonly threw: Uint8Array;
  readonly requests: Groups;
  readonly released: Groups;
  /** The actions of each request that was served, and the request of each action, or -1. */
  readonly served: Int32Array[];
  readonly requestOf: Int32Array;
  readonly choices: Map<number, RawRun['choices']> = new Map();
  readonly labels: Map<number, string>;
  /** The names of the programs of a fleet, and that of each action; without a fleet, one without a name. */
  readonly programs: string[];
  readonly program: Int32Array;
  /** The messages that each action sent and got. */
  readonly sent: Groups;
  readonly got: Groups;
  readonly ranOf: { release: Groups; operation: Groups };
  /** Why it failed, if it did. */
  readonly failures: Failure[];
  /** The project's directory, where a path begins with it. */
  private readonly inProject: RegExp | null;
  private linked: Groups | null = null;
  private caused: Groups | null = null;
  private inclusive: Float64Array | null = null;

  constructor(readonly raw: RawRun) {
    const { actions } = raw;
    const count = (this.count = actions.kind.length);
    this.kind = actions.kind;
    this.number = new Int32Array(count);
    sums(actions.number, this.number);
    this.at = new Float64Array(count);
    sums(actions.at, this.at);
    this.head = new Uint8Array(count);
    this.time = new Float64Array(count);
    this.link = new Int32Array(count);
    this.cause = new Int32Array(count);
    this.atomic = new Int32Array(count);
    const heads: number[] = [];
    for (let i = 0; i < count; i++) {
      this.head[i] = actions.head[i] === '1' ? 1 : 0;
      if (this.head[i]) heads.push(i);
      this.atomic[i] = heads.length ? heads[heads.length - 1] : 0;
      const lag = actions.lag[i];
      this.time[i] = lag === null ? NaN : this.at[i] - lag;
      this.link[i] = i - actions.link[i];
      this.cause[i] = i - actions.cause[i];
    }
    this.heads = Int32Array.from(heads);
    this.domain = Int32Array.from(actions.domain);
    this.site = Int32Array.from(actions.site);
    this.release = Int32Array.from(actions.release);
    this.operation = Int32Array.from(actions.operation);
    this.spent = actions.spent && Float64Array.from(actions.spent);
    this.step = new Map(actions.step);
    this.effectAction = new Int32Array(raw.effects.action.length);
    sums(raw.effects.action, this.effectAction);
    this.effects = new Groups(count, this.effectAction);
    this.threw = new Uint8Array(count);
    for (let i = 0; i < this.effectAction.length; i++) {
      if (raw.effects.kind[i] === 't') this.threw[this.effectAction[i]] = 1;
    }
    this.requests = new Groups(count, raw.operations.by);
    this.released = new Groups(count, raw.releases.by);
    this.ranOf = {
      release: new Groups(raw.releases.by.length, this.release),
      operation: new Groups(raw.operations.by.length, this.operation),
    };
    this.requestOf = new Int32Array(count).fill(NONE);
    this.served = raw.requests.map(([, , , , , , , numbers], request) => {
      const parts = new Int32Array(numbers.length);
      sums(numbers, parts);
      const actions = parts.map((number) => this.find(number)).filter((action) => action >= 0);
      for (const action of actions) this.requestOf[action] = request;
      return actions;
    });
    for (const choice of raw.choices) {
      const list = this.choices.get(choice[0]);
      if (list) list.push(choice);
      else this.choices.set(choice[0], [choice]);
    }
    const directory = directoryOf(raw).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    this.inProject = directory ? new RegExp(`(?<![\\w.~/\\\\-])(?:file://)?${directory}`, 'g') : null;
    this.labels = new Map([...raw.labels].map(([action, label]) => [action, this.relative(label)]));
    const names = raw.fleet?.processes.map(([name]) => name) ?? [''];
    // A program that was started again is the same one.
    this.programs = [...new Set(names)].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
    const programOf = names.map((name) => this.programs.indexOf(name));
    this.program = Int32Array.from({ length: count }, (_, i) => programOf[actions.process?.[i] ?? 0] ?? 0);
    const messages = raw.fleet?.messages ?? [];
    this.sent = new Groups(count, messages.map(([from]) => from));
    this.got = new Groups(count, messages.map(([, to]) => to));
    this.failures = failuresOf(this);
    for (const { action } of this.failures) this.threw[action] = 1;
  }

  /** The program of a fleet that an action is of; nothing without a fleet. */
  programName(action: number): string {
    return this.programs[this.program[action]];
  }

  /** Whether an action is of a host: its name is that of the host, with a number if the host has several programs. */
  isOn(host: string, program: string): boolean {
    return program === host || (program.startsWith(`${host}/`) && /^\d+$/.test(program.slice(host.length + 1)));
  }

  find(number: number): number {
    // They are numbered in the order in which they began.
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.number[middle] < number) low = middle + 1;
      else high = middle;
    }
    return this.number[low] === number ? low : NONE;
  }

  /** The main program, of a fleet those of all processes: each is its own link and cause. */
  get roots(): number[] {
    const roots: number[] = [];
    for (let i = 0; i < this.count; i++) if (this.link[i] === i) roots.push(i);
    return roots;
  }

  /** The actions that this one attached; the main program is its own link. */
  get links(): Groups {
    return (this.linked ??= new Groups(this.count, this.withoutRoot(this.link)));
  }

  /** The actions that this one made able to run. */
  get causes(): Groups {
    return (this.caused ??= new Groups(this.count, this.withoutRoot(this.cause)));
  }

  private withoutRoot(parents: Int32Array): Int32Array {
    return parents.map((parent, index) => (parent === index ? NONE : parent));
  }

  /** What an action and everything that it caused spent, in nanoseconds. */
  get inclusiveSpent(): Float64Array | null {
    if (!this.spent) return null;
    if (!this.inclusive) {
      const total = this.spent.map((value) => Math.max(0, value));
      for (let i = this.count - 1; i > 0; i--) {
        if (this.cause[i] < i) total[this.cause[i]] += total[i];
      }
      this.inclusive = total;
    }
    return this.inclusive;
  }

  atomicEnd(head: number): number {
    let low = 0;
    let high = this.heads.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.heads[middle] <= head) low = middle + 1;
      else high = middle;
    }
    return low < this.heads.length ? this.heads[low] : this.count;
  }

  lag(action: number): number {
    return this.at[action] - this.time[action];
  }

  /** A text with its paths as seen from the project's directory. */
  relative(text: string): string {
    return this.inProject ? text.replace(this.inProject, '') : text;
  }

  what(operation: number): string {
    const { what, texts } = this.raw.operations;
    return this.relative(texts[what[operation]]) || 'operation';
  }

  /** What was shown. Errors with paths as seen from the project, output as it was. */
  effectText(effect: number): string {
    const text = this.rawEffect(effect);
    return 'et'.includes(this.raw.effects.kind[effect]) ? this.relative(text) : text;
  }

  rawEffect(effect: number): string {
    return this.raw.effects.texts[this.raw.effects.text[effect]];
  }

  chain(action: number, parents: Int32Array): number[] {
    const chain: number[] = [];
    while (parents[action] !== action && parents[action] < action) {
      action = parents[action];
      chain.push(action);
    }
    return chain;
  }
}

/** With a slash at its end, or nothing: where the program was started if its files are there, else the directory that all of its own files are in. */
function directoryOf(raw: RawRun): string {
  const files = raw.files.filter((file) => /^(\/|[a-z]:\\)/i.test(file));
  const own = files.filter((file) => !/[\\/]node_modules[\\/]/.test(file));
  const all = own.length ? own : files.map((file) => `${file.split('node_modules')[0]}.`);
  if (!all.length) return '';
  const started = raw.facts.find(([name]) => name === 'directory')?.[1];
  if (started && started !== '/' && all.every((file) => file.startsWith(`${started}/`))) return `${started}/`;
  const parts = all.map((file) => file.split(/(?<=[\\/])/).slice(0, -1));
  const same = parts[0].findIndex((part, i) => parts.some((other) => other[i] !== part));
  const common = parts[0].slice(0, same < 0 ? undefined : same);
  // The root is nobody's project.
  return common.length > 1 ? common.join('') : '';
}
