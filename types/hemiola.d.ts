// What Hemiola adds to JavaScript, for TypeScript and editors. To use it, put this into a program:
//
//   /// <reference path="…/types/hemiola.d.ts" />
//
// or, with the package of that name, `/// <reference types="hemiola-types" />`.
// It works with TypeScript 5.0 and newer, with @types/node 20, and without any types of Node.

// TypeScript 5.2 was the first to declare these; declared twice they are one.
interface SymbolConstructor {
  readonly dispose: unique symbol;
  readonly asyncDispose: unique symbol;
}
interface Disposable {
  [Symbol.dispose](): void;
}
interface AsyncDisposable {
  [Symbol.asyncDispose](): PromiseLike<void>;
}

declare namespace NodeJS {
  /** What `setTimeout` and `setInterval` give. */
  interface Timeout {
    ref(): this;
    unref(): this;
    hasRef(): boolean;
    refresh(): this;
    close(): this;
    [Symbol.toPrimitive](): number;
    [Symbol.dispose](): void;
  }
}

/**
 * Runs a callback once, `delay` after the current time of the clock `label`, in one action with
 * everything else that is due on that clock then. The label is the callback's first argument.
 */
declare function setTimeout<Args extends unknown[]>(
  callback: (label: string, ...args: Args) => void,
  delay: number | undefined,
  label: string,
  ...args: Args
): NodeJS.Timeout;

/** Runs a callback after every `period` of the clock `label`, without drift. */
declare function setInterval<Args extends unknown[]>(
  callback: (label: string, ...args: Args) => void,
  period: number | undefined,
  label: string,
  ...args: Args
): NodeJS.Timeout;

/** Clears a timeout or an interval, which are the same in this. */
declare function clearTimeout(timer: NodeJS.Timeout | string | number | undefined): void;
/** Clears a timeout or an interval, which are the same in this. */
declare function clearInterval(timer: NodeJS.Timeout | string | number | undefined): void;

/** Physical time in milliseconds since the program started. */
declare function currentTime(): number;
/** Logical time of a clock in milliseconds; undefined for a label that is not in use. */
declare function currentTime(label: string): number | undefined;

/** Shows a value to whoever checks the runs of the program: appends an observation to the trace. */
declare function obs(value?: unknown): void;

declare module 'hemiola:observe' {
  /** As the global `obs`. */
  export function obs(value?: unknown): void;
  export { obs as observe };
}

declare module 'timers' {
  interface TimerOptions {
    /** Puts the timer on the clock with this label. */
    label?: string | undefined;
    /** Gives it this level. */
    priority?: import('hemiola:tasks').Level | undefined;
  }
}

declare module 'http' {
  interface RequestOptions {
    /** The level of the request and of what its response starts. */
    priority?: import('hemiola:tasks').Level | undefined;
  }
  interface ServerOptions {
    /** The level of the server's connections. */
    priority?: import('hemiola:tasks').Level | undefined;
  }
}

declare module 'net' {
  interface ConnectOpts {
    /** The level of the connection. */
    priority?: import('hemiola:tasks').Level | undefined;
  }
  interface ServerOpts {
    /** The level of the server's connections. */
    priority?: import('hemiola:tasks').Level | undefined;
  }
}

declare module 'fs' {
  interface StatOptions {
    /** The level of the operation. */
    priority?: import('hemiola:tasks').Level | undefined;
  }
  /** The level stands behind the callback, as it may for every call with a callback. */
  function readFile(
    path: string | number | URL, callback: (error: Error | null, data: Uint8Array) => void, level: import('hemiola:tasks').Level
  ): void;
  /** The level is among the options, as it may be for every call with options. */
  function readFile(
    path: string | number | URL,
    options: { priority: import('hemiola:tasks').Level; encoding?: null | undefined; flag?: string | undefined; signal?: AbortSignal | undefined },
    callback: (error: Error | null, data: Uint8Array) => void
  ): void;
}

declare module 'dns' {
  interface LookupOptions {
    /** The level of the question. */
    priority?: import('hemiola:tasks').Level | undefined;
  }
  interface ResolveOptions {
    /** The level of the question. */
    priority?: import('hemiola:tasks').Level | undefined;
  }
}

declare module 'dgram' {
  interface SocketOptions {
    /** The level of what the socket receives. */
    priority?: import('hemiola:tasks').Level | undefined;
  }
  interface BindOptions {
    /** The level of what the socket receives. */
    priority?: import('hemiola:tasks').Level | undefined;
  }
}

declare module 'child_process' {
  interface ProcessEnvOptions {
    /** The level of all that comes from the child. */
    priority?: import('hemiola:tasks').Level | undefined;
  }
}

declare module 'hemiola:clock' {
  /** What becomes of the periods that a clock missed. */
  export type Policy = 'all' | 'skip' | 'latest';

  /** What one step of a clock is. */
  export type Unit = 'ms' | 'us';

  export interface ClockOptions {
    /** Settles the unit of the label until the clock is closed; milliseconds if nobody does. */
    unit?: Unit | undefined;
  }

  export interface TicksOptions {
    /** Ends it with an AbortError. */
    signal?: AbortSignal | undefined;
    /** Gives it this level. */
    priority?: import('hemiola:tasks').Level | undefined;
  }

  export interface SleepOptions<T> extends TicksOptions {
    /** What the promise gives. */
    value?: T | undefined;
  }

  /** A handler that can be removed. */
  export interface Watch extends Disposable {
    remove(): void;
  }

  /** The times of a clock at every period, each once and in order, even for who asks late. */
  export interface Ticks extends AsyncIterableIterator<number>, AsyncDisposable {
    next(): Promise<IteratorResult<number, undefined>>;
    return(value?: undefined): Promise<IteratorResult<number, undefined>>;
    throw(error?: unknown): Promise<IteratorResult<number, undefined>>;
    [Symbol.asyncIterator](): this;
    [Symbol.asyncDispose](): Promise<void>;
  }

  /**
   * A labelled logical clock. Delays are whole numbers of its unit; what is read from it, and what is
   * said about lateness, is in milliseconds.
   */
  export interface Clock extends Disposable {
    readonly label: string;
    readonly unit: Unit;

    setTimeout<Args extends unknown[]>(
      callback: (...args: Args) => void, delay?: number, ...args: Args
    ): NodeJS.Timeout;
    setInterval<Args extends unknown[]>(
      callback: (...args: Args) => void, period?: number, ...args: Args
    ): NodeJS.Timeout;
    clearTimeout(timer: NodeJS.Timeout | string | number | undefined): void;
    clearInterval(timer: NodeJS.Timeout | string | number | undefined): void;

    /**
     * Is made good within the clock's action at its time plus `delay`: what awaits it runs at the end of
     * that action, while the clock stands still.
     */
    sleep(delay?: number, options?: TicksOptions): Promise<void>;
    sleep<T>(delay: number | undefined, options: SleepOptions<T>): Promise<T>;
    /** Starts when the first tick is asked for. */
    ticks(period: number, options?: TicksOptions): Ticks;

    /** Logical time; undefined while the label is not in use. */
    now(): number | undefined;
    /** How far the clock is behind physical time; undefined while the label is not in use. */
    lag(): number | undefined;

    /** Calls a handler with the lag before every action that is more than `ms` late. */
    deadline(ms: number, handler: (lag: number) => void): Watch;
    /** Calls a handler with the lag when it grows beyond `ms`, once until the clock has recovered. */
    onLag(ms: number, handler: (lag: number) => void): Watch;

    /**
     * Lets no callback of the clock's actions, and no job of their tails, run for longer than `ms`, a number
     * greater than 0. One that does is interrupted with an error that it cannot catch; the handler is the next
     * action. A second call replaces the first.
     */
    watchdog(ms: number, handler: (error: Error & { code: 'ERR_ACTION_TIMEOUT' }) => void): Watch;

    /** Says what becomes of missed periods. */
    policy(): Policy;
    /** Sets what becomes of missed periods, until the clock is closed. */
    policy(name: Policy): Policy;
    /** How many invocations the policy has dropped. */
    skipped(): number;

    /**
     * Clears what was released through it, aborts its sleeps, ends its tickers, and forgets its handlers,
     * policy and unit.
     */
    close(): void;
  }

  /** A clock object for a label. Several of them with one label are the same clock. */
  export function clock(label: string, options?: ClockOptions): Clock;

  /**
   * Takes that much physical time, as a computation would; in virtual time it passes at once. To try out
   * what a program does when it is late.
   */
  export function spend(ms: number): void;
}

declare module 'hemiola:federation' {
  import type { Clock, Watch } from 'hemiola:clock';

  /** What a message may carry. */
  export type Sendable = null | boolean | number | string | readonly Sendable[] | { readonly [key: string]: Sendable };

  /** A place on the federation's clock: whole milliseconds since the origin, and which action at that instant. */
  export interface Tag {
    time: number;
    microstep: number;
  }

  /** How members reach each other. */
  export interface Transport {
    connect(federation: string, hooks: TransportHooks): Link | Promise<Link>;
  }

  export interface TransportHooks {
    /** To be called with every text that comes, be it doubled or out of order. */
    receive(text: string): void;
    /** To be called when nothing can come any more. */
    failed(error?: Error): void;
  }

  export interface Link {
    /** Gives a text to all members. */
    send(text: string): void;
    close(): void;
  }

  export interface InputOptions {
    /** How long the clock waits for the input, in milliseconds; for ever if nothing is said. */
    maxWait?: number | undefined;
  }

  export interface JoinOptions {
    /** The member's name. */
    as: string;
    transport: Transport;
    /** The members whose messages this one gets. */
    inputs?: Readonly<Record<string, InputOptions>> | readonly string[] | undefined;
    /** Those who begin together; the member and its inputs if nothing is said. */
    founders?: readonly string[] | undefined;
    /** The least delay of all messages that this member sends, in milliseconds. */
    after?: number | undefined;
    /** How often it says how far it is, in milliseconds. */
    period?: number | undefined;
    /** An input that is silent for longer is missing, in milliseconds. */
    liveness?: number | undefined;
    /** Ends the attempt to join. */
    signal?: AbortSignal | undefined;
  }

  export interface SendOptions {
    /** How much later the message is for, in whole milliseconds. */
    after?: number | undefined;
  }

  export interface MessageInfo {
    from: string;
    tag: Tag;
  }

  export interface TardyInfo extends MessageInfo {
    topic: string;
    /** By how many milliseconds the clock had passed its tag. */
    late: number;
    /** Where the clock was. */
    clock: Tag;
  }

  /** Lengths of time, in milliseconds. */
  export interface Lengths {
    count: number;
    last: number | undefined;
    mean: number | undefined;
    longest: number | undefined;
  }

  export interface InputReport {
    present: boolean;
    missing: boolean;
    expelled: boolean;
    /** For how long nothing was heard of it. */
    silent: number | undefined;
    messages: number;
    /** Messages for a time before this member began. */
    before: number;
    latency: Lengths;
    waits: Lengths;
    waiting: number;
    tardy: Lengths;
    /** By how many milliseconds its clock is ahead, and how wrong that may be. */
    clock: { offset: number; error: number } | undefined;
  }

  export interface Report {
    federation: string;
    member: string;
    time: number;
    physical: number;
    sent: number;
    stale: number;
    unreadable: number;
    inputs: Record<string, InputReport>;
  }

  /** A member of a federation. */
  export interface Federation extends AsyncDisposable {
    readonly name: string;
    readonly as: string;
    readonly clock: Clock;
    send(topic: string, value: Sendable, options?: SendOptions): void;
    /** Calls a handler with every message on a topic, at its tag. */
    on(topic: string, handler: (value: any, info: MessageInfo) => void): Watch;
    /** Calls a handler with messages for tags that the clock has passed. */
    tardy(topic: string, handler: (value: any, info: TardyInfo) => void): Watch;
    /** Calls a handler when an input has been silent for longer than `liveness`. */
    missing(handler: (name: string, info: { silent: number }) => void): Watch;
    /** Does not wait for an input any more. */
    expel(name: string): void;
    report(): Report;
    leave(): Promise<void>;
  }

  export function join(federation: string, options: JoinOptions): Promise<Federation>;

  /** Between members in one program and its workers. */
  export function memory(): Transport;
  /** Over a client of the package mqtt. */
  export function mqtt(client: object): Transport;
  /** Over a connection of the package nats. */
  export function nats(connection: object): Transport;
}

declare module 'hemiola:tasks' {
  /** How urgent a task is; `high` comes first. */
  export type Level = 'high' | 'low' | 'background';

  /** A task that waits. */
  export interface Task {
    /** Gives it another level; false when it does not wait any more. */
    setLevel(level: Level): boolean;
    /** Takes it back; false when it does not wait any more. */
    cancel(): boolean;
  }

  /** Runs a callback with that level, without a deadline. */
  export function runTask(callback: () => void, level: Level): Task;
  /** Runs a callback with the level `high`, which should start within so many milliseconds. */
  export function runSchedule(callback: () => void, deadline: number): Task;
  /** Runs a callback when there is time; after so many milliseconds its level is `high`. */
  export function runBackground(callback: () => void, deadline: number): Task;
  /** The level of what runs, which everything that it starts inherits. */
  export function currentLevel(): Level;
  /** Calls a function now and gives what it returns; what it starts has that level. */
  export function withLevel<Args extends unknown[], R>(level: Level, callback: (...args: Args) => R, ...args: Args): R;

  /** How something is spread. */
  export interface Spread {
    mean: number;
    /** The standard deviation. */
    stdev: number;
  }

  /** What callbacks took, with everything that they caused and without. */
  export interface Usage {
    inclusive: Spread;
    exclusive: Spread;
  }

  export interface ResourceEstimate {
    /** How many callbacks it is learned from. */
    count: number;
    /** In milliseconds. */
    time: Usage;
    /** In bytes. */
    network: Usage;
    /** In bytes. */
    disk: Usage;
  }

  /**
   * What callbacks that were written where this function was took so far, or without a function those of the running
   * one; undefined where nothing is known. Only the strategy `priority` learns.
   */
  export function resourceEstimate(callback?: (...args: never[]) => unknown): ResourceEstimate | undefined;
}

declare module 'hemiola:context' {
  /** One run of a callback. */
  export interface Invocation {
    /** Its number; the main program is 1. */
    readonly index: number;
    /** What the program called it. */
    readonly label: string | undefined;
  }

  /** The running invocation; the main program has neither link nor cause. */
  export interface Current extends Invocation {
    /** The number of the invocation that attached it. */
    readonly link: number | undefined;
    /** The number of the invocation that made it able to run. */
    readonly cause: number | undefined;
  }

  /** A callback that is attached to a queue of the program's own. */
  export interface Linked<Callback> {
    readonly [Symbol.toStringTag]: 'Bound';
    /** Not there: it is how the type of the callback is known. */
    readonly callback?: Callback;
  }

  /** A callback that is able to run. */
  export interface Bound<Callback> extends Linked<Callback> {
    /** Not there: one that is only linked has no cause. */
    readonly caused?: true;
  }

  /** Attaches a callback to a queue of the program's own: the running invocation is its link. */
  export function bindLink<Callback extends (...args: never[]) => unknown>(callback: Callback): Linked<Callback>;
  /** Makes a linked callback able to run: the running invocation is its cause. */
  export function bindCausal<Callback>(bound: Linked<Callback>): Bound<Callback>;
  /** The function that calls a bound callback, as an invocation of its own. */
  export function unpack<Callback>(bound: Bound<Callback>): Callback;

  /** The running invocation. */
  export function current(): Current;
  /** From the running invocation along links to the main program. */
  export function linkChain(): Invocation[];
  /** From the running invocation along causes to the main program. */
  export function causeChain(): Invocation[];
  /** Names the running invocation: in chains, and as a request whose costs `hemiola lineage` and `--profile` tell. */
  export function label(name: string): void;
}

/** TC39's proposal: values that follow the links between callbacks. */
declare namespace AsyncContext {
  interface VariableOptions<T> {
    name?: string | undefined;
    /** What it is where nobody has given it a value. */
    defaultValue?: T | undefined;
  }

  class Variable<T> {
    constructor(options?: VariableOptions<T>);
    readonly name: string;
    get(): T | undefined;
    /** Calls a function while the variable has a value. */
    run<Args extends unknown[], R>(value: T, callback: (...args: Args) => R, ...args: Args): R;
  }

  class Snapshot {
    constructor();
    /** Calls a function with the values of where the snapshot was made. */
    run<Args extends unknown[], R>(callback: (...args: Args) => R, ...args: Args): R;
    /** A function that runs with the values of where it was wrapped. */
    static wrap<This, Args extends unknown[], R>(
      callback: (this: This, ...args: Args) => R
    ): (this: This, ...args: Args) => R;
  }
}

declare module 'hemiola:scheduler' {
  /** What a task is called with. */
  export interface Run {
    /** Aborted when the task's timeout is over, and when the lease of its node is lost. */
    signal: AbortSignal;
    /** 1 for the first try, one more after each failure. */
    attempt: number;
    /** The due that this run is for. */
    due: Date;
    /** Why it starts. */
    reason: 'due' | 'boot-due' | 'retry' | 'orphaned' | 'triggered' | 'enqueued';
    /** A number that grows with every start, to be checked by what the task writes to. */
    fence: number;
    /** The name of the node that runs it. */
    node: string;
    /** Writes a line about this run to standard error, and tells `on`. */
    log: (...values: unknown[]) => void;
    /** Of a job: its id, its key, and what it was enqueued with. */
    job?: string;
    key?: string;
    payload?: any;
  }

  export type Callback = (run: Run) => unknown;

  /** A task, with times in milliseconds. */
  export interface Task {
    id: string;
    /**
     * Five fields: minute, hour, day of the month, month, day of the week; six and nicknames with the option `cron`.
     * Without it the task only runs jobs.
     */
    cron?: string;
    run: Callback;
    /** How long after a failure it is tried again; a minute by default. */
    retryDelay?: number;
    /** By how many times longer it waits after each further failure; 1 by default. */
    backoff?: number;
    /** The longest delay that `backoff` leads to; a day by default. */
    maxRetryDelay?: number;
    /** How often a due is tried before it is given up; without it for ever. */
    attempts?: number;
    /** The zone whose clock counts; by default the host's, which `TZ` names. */
    zone?: string;
    /** What becomes of minutes that the clock skips or repeats. */
    dst?: 'theory' | 'once';
    timeout?: number;
    /** By how much a due start may be put off at random. */
    jitter?: number;
    /** Labels that a node must have, all of them, to run it. */
    where?: string[];
  }

  export interface Options {
    /**
     * The file that keeps what a restart must not forget, or the address of a database that several nodes share,
     * such as `postgres://user@host/database`; without it nothing is kept.
     */
    store?: string;
    /** Which scheduler of the database. */
    name?: string;
    /** How long a node may be silent before others take over what it runs, in milliseconds. */
    lease?: number;
    /** The name of this node. */
    node?: string;
    /** The age of the list: the greater, the younger. */
    generation?: number;
    /** How many tasks run at once. */
    concurrency?: number;
    /** How many jobs run at once; as many as tasks by default. */
    jobs?: number;
    /** How many runs of each task are kept. */
    history?: number;
    /** What this node has: it runs the tasks whose `where` asks for nothing else. */
    labels?: string[];
    /** Whether this node leaves other nodes their share of what is due at once. */
    spread?: boolean;
    /** Whether expressions may have six fields, the first for seconds, or be nicknames such as `@daily`. */
    cron?: { seconds?: boolean };
    /** Whether differences to the stored list are written to standard error. */
    log?: boolean;
    /** Is told of starts and ends. */
    on?: (event: {
      what: 'start' | 'success' | 'failure' | 'timeout' | 'log' | 'refused' | 'lost' | 'stands-by' | 'in-force' | 'trouble';
      id?: string;
      attempt?: number;
      fence?: number;
      node?: string;
      error?: unknown;
      /** Of a failure: whether its due is given up, or when it is tried again. */
      dead?: boolean;
      retryAt?: Date;
      /** What a callback gave to `log`. */
      message?: string;
    }) => void;
  }

  /** What differs from the list that the store kept. */
  export interface Differences {
    added: string[];
    removed: string[];
    changed: { id: string; before: string; now: string }[];
    orphaned: string[];
  }

  export interface Status {
    id: string;
    state: 'waiting' | 'running' | 'paused' | 'dead';
    pending: string | undefined;
    nextDue: Date | undefined;
    retryAt: Date | undefined;
    failures: number;
    lastStart: Date | undefined;
    lastEnd: Date | undefined;
    lastResult: 'success' | 'failure' | undefined;
    lastError: string | undefined;
    /** The due that was given up, until the task succeeds or is tried again. */
    dead: { at: Date; due: Date | undefined; attempts: number; error: string } | undefined;
    /** With PostgreSQL: who runs it. */
    node?: string;
    fence?: number;
  }

  /** A run that was asked for once, until it has succeeded. */
  export interface Job {
    id: string;
    task: string;
    key: string | undefined;
    payload: any;
    state: 'waiting' | 'running' | 'paused' | 'dead';
    due: Date;
    failures: number;
    retryAt: Date | undefined;
    lastError: string | undefined;
    dead: { at: Date; due: Date | undefined; attempts: number; error: string } | undefined;
    /** With PostgreSQL: who runs it. */
    node?: string;
    fence?: number;
  }

  export interface PastRun {
    start: Date;
    end: Date | undefined;
    result: 'success' | 'failure' | 'running' | 'interrupted';
    error: string | undefined;
    /** Runs from before these were kept have none of the following. */
    due?: Date;
    attempt?: number;
    node?: string;
    fence?: number;
    /** The job that it was a run of. */
    job?: string;
  }

  export interface Node {
    node: string;
    joined: Date;
    until: Date;
    generation: number;
    alive: boolean;
    inForce: boolean;
    labels: string[];
  }

  /** Takes the whole list, or rejects it with an error that names the entry and the field. */
  export function initialize(
    tasks: readonly (Task | [string, string, Callback] | [string, string, Callback, number])[],
    options?: Options,
  ): Promise<Differences>;
  /** Starts nothing any more, and waits for what runs. */
  export function stop(): Promise<void>;
  /** How the tasks stand. With PostgreSQL it is a promise: `await status()` is right in any case. */
  export function status(): Status[];
  export function history(id: string, limit?: number): Promise<PastRun[]>;
  /** The nodes that share the tasks. */
  export function nodes(): Promise<Node[]>;
  export function trigger(id: string): Promise<void>;
  /** Tries a task again now that was given up, or waits to be tried again; resolves with whether it is such a one. */
  export function retry(id: string): Promise<boolean>;
  /**
   * Runs a task once with a payload, at a time, or in so many milliseconds, or at once. While there is a job of the task
   * with the key, none is added.
   */
  export function enqueue(
    id: string,
    payload?: unknown,
    options?: { at?: Date | number; in?: number; key?: string },
  ): Promise<{ job: string; added: boolean }>;
  /** The jobs of a task, or all. */
  export function jobs(id?: string): Promise<Job[]>;
  /** Removes a job that does not run; resolves with whether it is removed. */
  export function cancel(job: string): Promise<boolean>;
  export function pause(id: string): Promise<void>;
  export function resume(id: string): Promise<void>;
}

/** What a fleet file in TypeScript has as its default export: `export default { … } satisfies Fleet`. There is nothing to run. */
declare module 'hemiola:fleet' {
  /** Milliseconds, or a text with a unit: 250ms, 1.5s, 2m, 1h. */
  export type Length = number | string;

  /** Several programs on several hosts. */
  export interface Fleet {
    /** Where the schema is, for editors. */
    $schema?: string | null | undefined;
    /** The hosts by name, or as a list of hosts with names. */
    hosts: Record<string, Host> | (Host & { name: string })[];
    /** What is between two hosts, where `links` says nothing else. */
    link?: Link | null | undefined;
    /** Links that differ. */
    links?: Link[] | null | undefined;
    /** What goes wrong. */
    faults?: string[] | Faults | null | undefined;
    /** A module whose default export is shown every observation, and throws when something must not be. */
    invariant?: string | null | undefined;
    /** Observations that must come. */
    eventually?: string | number | Expected | (string | number | Expected)[] | null | undefined;
    /** When the world ends. */
    until?: Length | null | undefined;
    /** Programs that stand in for commands in a simulation, on all hosts. */
    commands?: Record<string, string> | null | undefined;
  }

  export interface Host {
    /** What it is called, in a list of hosts. */
    name?: string | null | undefined;
    /** What runs on it. */
    program?: string | Program | null | undefined;
    /** What runs on it. */
    programs?: (string | Program)[] | null | undefined;
    /** The folder where its programs begin. */
    disk?: string | null | undefined;
    /** How its clocks go. */
    clock?: Clock | null | undefined;
    /** Programs that stand in for commands in a simulation, on this host. */
    commands?: Record<string, string> | null | undefined;
  }

  export interface Program {
    /** Relative to the fleet's file. */
    file: string;
    args?: (string | number)[] | null | undefined;
    /** Its variables, and no others. */
    env?: Record<string, string | number | boolean> | null | undefined;
    /** When it is started again: `on-failure` if nothing is said. */
    restart?: 'on-failure' | 'never' | 'always' | null | undefined;
    /** Flags of `hemiola run`. */
    flags?: (string | number)[] | null | undefined;
    /** Whether it may end with another exit status than 0. */
    mayFail?: boolean | null | undefined;
  }

  export interface Clock {
    /** By how much the clock on the wall is ahead. */
    offset?: Length | null | undefined;
    /** By how many microseconds in a second all clocks of the host are too fast. */
    drift?: number | null | undefined;
    /** When the clock on the wall is set. */
    steps?: Step[] | null | undefined;
  }

  export interface Step {
    at: Length;
    by: Length;
  }

  /** A link says what it is about with `between`, or with `from` and `to`. */
  export interface Link {
    /** Two hosts, for both directions. */
    between?: [string, string] | null | undefined;
    /** A host, for one direction. */
    from?: string | null | undefined;
    /** A host, for one direction. */
    to?: string | null | undefined;
    /** How long something is under way: 5ms, or 1ms..20ms. */
    latency?: Length | null | undefined;
    /** The share of packets that are lost. */
    loss?: number | null | undefined;
    /** The share of datagrams that arrive twice. */
    doubled?: number | null | undefined;
    /** How many bytes go through in a second. */
    bandwidth?: number | null | undefined;
  }

  /** How often something happens: 2/h, 1/min, 0.5/s. */
  export interface Faults {
    /** Faults at given times, such as `crash b at 12s for 2s`. */
    schedule?: string[] | undefined;
    crash?: string | undefined;
    power?: string | undefined;
    pause?: string | undefined;
    cut?: string | undefined;
    clock?: string | undefined;
    disk?: string | undefined;
    restart?: string | undefined;
    drop?: string | undefined;
    slow?: string | undefined;
    deaf?: string | undefined;
  }

  export interface Expected {
    /** Where it must come; anywhere if nothing is said. */
    host?: string | null | undefined;
    obs: string | number;
  }
}
