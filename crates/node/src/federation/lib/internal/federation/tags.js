// Tags of a federation's clock: [time, microstep], time in whole milliseconds since the origin (rule FED-2).
'use strict';

// Before every tag, and behind every tag.
const START = Object.freeze([-Infinity, 0]);
const END = Object.freeze([Infinity, 0]);

function compare(a, b) {
  if (a[0] !== b[0]) return a[0] < b[0] ? -1 : 1;
  return a[1] - b[1];
}

const isBefore = (a, b) => compare(a, b) < 0;
const earlier = (a, b) => (isBefore(b, a) ? b : a);
const later = (a, b) => (isBefore(a, b) ? b : a);

/// The tag for which something is that an action at `tag` sends or releases with that delay.
const following = (tag, after) => (after > 0 ? [tag[0] + after, 0] : [tag[0], tag[1] + 1]);

/// As programs see it.
const shown = (tag) => ({ time: tag[0], microstep: tag[1] });

// On the wire the two ends of time are null.
const write = (tag) => (Number.isFinite(tag[0]) ? tag : null);

function isTag(value) {
  return Array.isArray(value) && value.length === 2 &&
    Number.isSafeInteger(value[0]) && Number.isSafeInteger(value[1]) && value[1] >= 0;
}

module.exports = { START, END, compare, isBefore, earlier, later, following, shown, write, isTag };
