// What Hemiola adds to JavaScript, for TypeScript and editors. To use it, put this into a program:
//
//   /// <reference path="…/types/hemiola.d.ts" />
//
// It goes together with @types/node 20, and with no types of Node at all.

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
  export interface Ticks extends AsyncIterableIterator<number, undefined, void>, AsyncDisposable {
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
}
