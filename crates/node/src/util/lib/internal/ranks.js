// Which of many things is the k-th that is left, when some were taken out: without moving the others.
'use strict';

/// A tree of counts: `#counts[at]` says how many are left of those that end at `at` and begin where its lowest bit ends.
class Ranks {
  #counts = [0];
  #top = 1;

  /// `isLeft(place)` says of each of `count` places whether its thing is still there.
  constructor(count, isLeft) {
    for (let place = 0; place < count; place++) this.append(isLeft(place));
  }

  append(isLeft = true) {
    const at = this.#counts.length;
    let left = isLeft ? 1 : 0;
    const lowest = at & -at;
    for (let step = 1; step < lowest; step *= 2) left += this.#counts[at - step];
    this.#counts[at] = left;
    if (at >= 2 * this.#top) this.#top *= 2;
  }

  /// Notes that the thing at a place was taken out.
  remove(place) {
    for (let at = place + 1; at < this.#counts.length; at += at & -at) this.#counts[at]--;
  }

  /// The place of the one with that number, from 0, among those that are left; as many as were ever there are the most.
  placeOf(number) {
    let at = 0;
    let before = number + 1;
    for (let step = this.#top; step > 0; step >>= 1) {
      const next = at + step;
      if (next < this.#counts.length && this.#counts[next] < before) {
        at = next;
        before -= this.#counts[next];
      }
    }
    return at;
  }
}

module.exports = Ranks;
