// Intl.Segmenter: characters, words and sentences by Unicode's rules, which are those of English.
// Uses binding.segment.
'use strict';

const { finish, hidden, option, resolve, stateOf, toOptions } = require('internal/intl/locale');

const SERVICE = 'Intl.Segmenter';
const states = new WeakMap();
const segments = new WeakMap();
const iterators = new WeakMap();

function Segmenter(locales = undefined, options = undefined) {
  if (new.target === undefined) throw new TypeError(`Constructor ${SERVICE} requires 'new'`);
  const { locale } = resolve(locales);
  options = toOptions(options);
  option(SERVICE, options, 'localeMatcher', ['lookup', 'best fit']);
  const granularity = option(SERVICE, options, 'granularity', ['grapheme', 'word', 'sentence'], 'grapheme');
  states.set(this, { locale, granularity });
}

// Where parts of a text end, and which of them are words: twice the place, and one for a word.
function cut(state) {
  state.ends ??= binding.segment(state.input.toWellFormed(), state.granularity);
  return state.ends;
}

function part(state, at) {
  const { input, granularity } = state;
  const ends = cut(state);
  const index = at === 0 ? 0 : ends[at - 1] >> 1;
  const found = { segment: input.slice(index, ends[at] >> 1), index, input };
  if (granularity === 'word') found.isWordLike = (ends[at] & 1) === 1;
  return found;
}

const Segments = {
  containing(index = undefined) {
    const state = stateOf(segments, this, '%SegmentsPrototype%.containing');
    const place = Math.trunc(Number(index)) || 0;
    if (place < 0 || place >= state.input.length) return undefined;
    const ends = cut(state);
    let [low, high] = [0, ends.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle] >> 1 > place) high = middle;
      else low = middle + 1;
    }
    return part(state, low);
  },
  [Symbol.iterator]() {
    const state = stateOf(segments, this, '%SegmentsPrototype%[Symbol.iterator]');
    const iterator = Object.create(SegmentIterator);
    iterators.set(iterator, { state, at: 0 });
    return iterator;
  },
};
hidden(Segments, 'containing', Segments.containing);
hidden(Segments, Symbol.iterator, Segments[Symbol.iterator]);

const SegmentIterator = Object.create(Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())));
hidden(SegmentIterator, 'next', {
  next() {
    const place = stateOf(iterators, this, '%SegmentIterator.prototype%.next');
    if (place.at >= cut(place.state).length) return { value: undefined, done: true };
    return { value: part(place.state, place.at++), done: false };
  },
}.next);
Object.defineProperty(SegmentIterator, Symbol.toStringTag, { __proto__: null, value: 'Segmenter String Iterator', configurable: true });

exports.Segmenter = finish(Segmenter, SERVICE, {
  segment(input) {
    const { granularity } = stateOf(states, this, `${SERVICE}.prototype.segment`);
    const found = Object.create(Segments);
    segments.set(found, { input: String(input), granularity });
    return found;
  },
  resolvedOptions() {
    return { ...stateOf(states, this, `${SERVICE}.prototype.resolvedOptions`) };
  },
});
