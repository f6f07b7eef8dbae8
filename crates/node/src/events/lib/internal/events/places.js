// Where the listeners of a long list stand, so that one of thousands is found without looking at each.
'use strict';

/// Each listener has a serial number; they grow along the list. It is known by itself and, if it is a `once`, by
/// the function of the program as well.
class Places {
  #serials = [];
  #known = new Map();

  constructor(list) {
    for (let at = 0; at < list.length; ++at) this.append(list[at]);
  }

  get length() {
    return this.#serials.length;
  }

  append(listener) {
    const serials = this.#serials;
    const serial = serials.length === 0 ? 0 : serials[serials.length - 1] + 1;
    serials.push(serial);
    this.#eachName(listener, (name, known) => {
      if (known === undefined) this.#known.set(name, [serial]);
      else known.push(serial);
    });
  }

  prepend(listener) {
    const serial = this.#serials[0] - 1;
    this.#serials.unshift(serial);
    this.#eachName(listener, (name, known) => {
      if (known === undefined) this.#known.set(name, [serial]);
      else known.unshift(serial);
    });
  }

  /// Where the latest of that name stands; -1 if there is none.
  latest(name) {
    const known = this.#known.get(name);
    return known === undefined ? -1 : find(this.#serials, known[known.length - 1]);
  }

  /// Lets go of the listener at a place.
  remove(listener, at) {
    const serial = this.#serials[at];
    this.#serials = without(this.#serials, at);
    this.#eachName(listener, (name, known) => {
      if (known.length === 1) this.#known.delete(name);
      else this.#known.set(name, without(known, find(known, serial)));
    });
  }

  #eachName(listener, act) {
    act(listener, this.#known.get(listener));
    const inner = listener.listener;
    if (inner !== undefined && inner !== listener) act(inner, this.#known.get(inner));
  }
}

/// Where a number stands among numbers that grow.
function find(numbers, number) {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/// The list without one element: the same list if that costs nothing.
function without(list, at) {
  if (at === list.length - 1) list.pop();
  else if (at === 0) list.shift();
  else return list.toSpliced(at, 1);
  return list;
}

module.exports = { Places, without };
