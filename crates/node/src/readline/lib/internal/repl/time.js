// `.time` and `.timeline` of a prompt: time that is held and moved by hand, and what waits and what ran.
// Uses binding.holdTime, moveTime, now, stopTime, timeline, wallClock.
'use strict';

const units = { __proto__: null, us: 0.001, ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000 };

/// A length of time in milliseconds: `500ms`, `5s`, `1h30m`; undefined for anything else.
function lengthOf(text) {
  let total = 0;
  let rest = text;
  while (rest !== '') {
    const [all, number, unit] = /^(\d+(?:\.\d+)?)(us|ms|s|min|m|h|d)/.exec(rest) ?? [];
    if (all === undefined) return undefined;
    total += Number(number) * units[unit];
    rest = rest.slice(all.length);
  }
  return text === '' ? undefined : total;
}

const seconds = (millis) => `${Number((millis / 1000).toFixed(6))} s`;

/// What time it is, in words.
function tell() {
  const [pending, , isHeld, next] = binding.timeline();
  const wall = new Date(binding.wallClock()).toISOString();
  const due = next === undefined ? 'no timer waits' : `the next timer is due in ${seconds(next)}`;
  const how = isHeld ? 'virtual, moved by `.time +5s`' : 'live; `.time virtual` lets it stand still';
  return `${seconds(binding.now())} since the start, ${wall} (${how})\n${due}${pending.length > 1 ? `, ${pending.length} things wait in all` : ''}\n`;
}

/// What waits and what ran, in words; `sources` has the lines by the name that they run under.
function timeline(sources) {
  const [pending, ran] = binding.timeline();
  const withCode = (line) => line.replace(/\b(REPL\d+):(\d+):(\d+)/, (place, name, line, column) => {
    const code = sources.get(name)?.split('\n')[line - 1]?.slice(column - 1).trim();
    return code === undefined ? place : `${place}  ${code.length > 48 ? `${code.slice(0, 47)}…` : code}`;
  });
  const part = (title, lines, none) => `${title}\n${(lines.length > 0 ? lines.map(withCode) : [`${' '.repeat(14)}${none}`]).join('\n')}\n`;
  return `${part('ran', ran, 'nothing yet')}${part('pending', pending, 'nothing')}`;
}

const usage = '.time            what time it is\n.time virtual    let time stand still\n.time live       let it go on\n' +
  '.time +5s        move it: timers that are due run (us, ms, s, m, h, d)\n.time next       move it to the next timer\n';

class Clock {
  // What ends a move before its time.
  #stop;

  /// Does what `.time` is told to; calls `done` with what is to be shown.
  change(text, done) {
    const [, , isHeld, next] = binding.timeline();
    if (text === '') return done(tell());
    if (text === 'virtual' || text === 'live') {
      binding.holdTime(text === 'virtual' ? 1 : 0);
      return done(tell());
    }
    if (text === 'next' && next === undefined) return done('no timer waits\n');
    const length = text === 'next' ? next : text.startsWith('+') ? lengthOf(text.slice(1).replace(/\s/g, '')) : undefined;
    if (length === undefined) return done(`.time does not know \`${text}\`\n${usage}`);
    if (!isHeld) return done('time is live: `.time virtual` lets it stand still, and then it can be moved\n');
    this.#move(length, () => done(tell()));
  }

  #move(length, done) {
    const { guards } = require('internal/timers');
    binding.moveTime(length);
    const timer = guards.setTimeout(() => {
      this.#stop = undefined;
      // What the last timers have made ready comes first.
      require('timers').setImmediate(done);
    }, length);
    this.#stop = () => {
      this.#stop = undefined;
      guards.clearTimeout(timer);
      binding.stopTime(0);
      done();
    };
  }

  /// Ends a move where it is, if there is one.
  interrupt() {
    this.#stop?.();
  }
}

const isHeld = () => binding.timeline()[2];

module.exports = { Clock, isHeld, timeline, usage };
