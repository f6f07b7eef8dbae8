// The clock of a federation in one member: a labelled domain whose advance the federation holds (rule FED-1).
//
// Timers and messages wait in a schedule of their own. When the federation lets the clock reach a tag, all callbacks of
// that tag are released on the machine's domain at once, in their order, so that they are one action there (rule FED-3).
// Until then a timer stands at the end of time on that domain: it can be cleared, keeps the program alive, and is pending.
//
// Uses binding.now, clockTime, setClockUnit, startTimer, changeTimer, refreshTimer, clearTimeout, timerInfo, getFrame,
// swapFrame.
'use strict';

const { codes: { ERR_INVALID_STATE } } = require('internal/errors');
const { holdClock, setImmediate, toLabel } = require('internal/timers');
const { Schedule } = require('internal/federation/queue');
const { START, following, isBefore, later } = require('internal/federation/tags');

// In microseconds: the end of time.
const NEVER = 2 ** 52;

class Domain {
  schedule = new Schedule();
  /// No action is taken any more before this tag.
  closed = START;
  /// Callbacks from outside act at this tag: others were told that nothing comes before it (rule TIME-7).
  promised = START;
  /// Whether an action was released that has not ended.
  isRunning = false;
  /// The tag of the running action, until everything that it caused has run.
  #inside = undefined;
  #time = undefined;
  #name;
  #keeper;
  /// The origin, in whole milliseconds of the machine's time.
  #base;
  #releases = 0;
  #entries = new WeakMap();
  #changed;

  /// `changed` is called when something was put into the schedule.
  constructor(label, changed) {
    this.#name = toLabel(label);
    this.#changed = changed;
    // So the library starts all timers with this label: what natives start are milliseconds.
    if (!binding.setClockUnit(this.#name, 'us')) throw new ERR_INVALID_STATE(`the clock '${label}' is in use`);
    // It opens the machine's domain, before the origin, and keeps it.
    this.#keeper = binding.startTimer(() => {}, NEVER, false, undefined, this.#name, false);
    holdClock(this.#name, this);
  }

  /// What time it is on the clock: constant during an action.
  now() {
    return this.#time;
  }

  /// Physical time since the origin, in milliseconds. It never goes back: the clock on the wall was looked at once.
  physical() {
    return binding.now() - this.#base;
  }

  /// The tag from which delays count.
  get present() {
    return this.#inside ?? this.promised;
  }

  /// Sets the origin, an instant of the machine's time, and takes the first action, at that tag.
  begin(base, tag, callback) {
    // Whole milliseconds, as all tags are.
    this.#base = Math.ceil(base);
    this.closed = tag;
    this.promised = tag;
    this.run(tag, callback, () => {});
  }

  /// Begins one action at a tag that is in the schedule, or at the first; `deliver` is called behind its timers, and `ended`
  /// when all that it caused has run.
  run(tag, deliver, ended) {
    this.isRunning = true;
    this.closed = later(this.closed, tag);
    this.promised = later(this.promised, tag);
    const delay = this.#delayTo(tag);
    const begin = () => {
      this.#inside = tag;
      this.#time = tag[0];
      this.closed = following(tag, 0);
      setImmediate(() => {
        this.#inside = undefined;
        this.isRunning = false;
        ended();
      });
    };
    binding.startTimer(begin, delay, false, undefined, this.#name, false);
    for (;;) {
      const { head } = this.schedule;
      if (head?.timer === undefined || isBefore(tag, head.tag)) break;
      const { timer, repeats } = this.schedule.take();
      if (!binding.timerInfo(timer).pending) continue;
      binding.changeTimer(timer, 'delay', delay);
      // One that comes again stands at the end of time again once it has fired.
      binding.changeTimer(timer, 'period', repeats ? NEVER : undefined);
      binding.refreshTimer(timer, false);
    }
    binding.startTimer(deliver, delay, false, undefined, this.#name, false);
  }

  /// Takes an action of its own, at no tag of the schedule.
  act(callback) {
    binding.startTimer(callback, 0, false, undefined, this.#name, false);
  }

  /// Starts a timer on the clock (rules TIME-3 and TIME-12).
  start(callback, delay, repeats, args) {
    if (this.#time === undefined) throw new ERR_INVALID_STATE('the federation has not begun');
    const least = repeats ? 1 : 0;
    const whole = delay > least ? Math.trunc(delay) : least;
    const frame = binding.getFrame();
    const entry = { tag: undefined, release: 0, timer: undefined, delay: whole, repeats, fires: false };
    const domain = this;
    function fire(...given) {
      if (repeats) domain.#insert(entry, entry.tag);
      entry.fires = true;
      const before = binding.swapFrame(frame);
      try {
        Reflect.apply(callback, this, given);
      } finally {
        binding.swapFrame(before);
        entry.fires = false;
      }
    }
    entry.timer = binding.startTimer(fire, NEVER, false, args, this.#name, false);
    // A periodic callback keeps the number of its one release.
    entry.release = ++this.#releases;
    this.#entries.set(entry.timer, entry);
    this.#insert(entry, this.present);
    return entry.timer;
  }

  /// Lets a timer begin anew.
  refresh(timer) {
    const entry = this.#entries.get(timer);
    if (entry === undefined) return;
    this.schedule.remove((other) => other === entry);
    const { callback, pending } = binding.timerInfo(timer);
    if (callback === null) return;
    if (entry.fires) {
      binding.changeTimer(timer, 'period', NEVER);
    } else if (!pending) {
      binding.changeTimer(timer, 'delay', NEVER);
      binding.refreshTimer(timer, false);
    }
    entry.release = ++this.#releases;
    this.#insert(entry, this.present);
  }

  #insert(entry, from) {
    entry.tag = following(from, entry.delay);
    this.schedule.add(entry);
    this.#changed();
  }

  /// Forgets timers that were cleared; gives the tag of what comes first.
  next() {
    for (;;) {
      const { head } = this.schedule;
      if (head?.timer === undefined || binding.timerInfo(head.timer).pending) return head?.tag;
      this.schedule.take();
    }
  }

  #delayTo(tag) {
    const clock = Math.round(binding.clockTime(this.#name) * 1000);
    return Math.max((this.#base + tag[0]) * 1000 - clock, 0);
  }

  close() {
    for (const { timer } of this.schedule.remove((entry) => entry.timer !== undefined)) binding.clearTimeout(timer);
    binding.clearTimeout(this.#keeper);
    holdClock(this.#name, undefined);
    binding.setClockUnit(this.#name, undefined);
  }
}

module.exports = { Domain };
