// What happens to watched files: the world tells that something did, and what it was goes to whoever
// watches, one change at a time.
// Uses binding.perform, request, giveUpOperation, referOperation.
'use strict';

const active = require('internal/active');
const hooked = require('internal/hooked');
const { onPath } = require('internal/fs/gate');

// Who watches, by the number of what they watch: several may watch one file.
const watchers = new Map();
// Changes that were not told yet: for each the number, whether it is more than a change of the file, a name.
let changes = [];
// Where the next of them begins: there may be very many, and taking the first ones out moves all others.
let next = 0;
// Who is still to be told of the change before those.
let audience = [];
let operation;
let isReferenced = true;

const anyReferenced = () => {
  for (const group of watchers.values()) for (const watcher of group) if (watcher.referenced) return true;
  return false;
};

function refer() {
  const wanted = anyReferenced();
  if (operation === undefined || wanted === isReferenced) return;
  isReferenced = wanted;
  binding.referOperation(operation, wanted);
}

function wait() {
  if (operation !== undefined || watchers.size === 0) return;
  operation = hooked.quietly(() => binding.request('fs.awaitChanges', [skip()], onChanges));
  isReferenced = true;
  refer();
}

let tellCurrent;

// Goes on to somebody who is to be told of something. Those who watch by the time that a change has its turn
// are told of it, and nobody who has stopped.
function skip() {
  for (;;) {
    while (audience.length > 0 && !audience[0].active) audience.shift();
    if (audience.length > 0) return true;
    if (next === changes.length) return false;
    const [number, isMore, name] = [changes[next], changes[next + 1], changes[next + 2]];
    next += 3;
    audience = [...watchers.get(number) ?? []];
    tellCurrent = (watcher) => hooked.run(watcher, 'tell', isMore ? 'rename' : 'change', name);
  }
}

function onChanges() {
  operation = undefined;
  try {
    if (!skip()) [changes, next] = [binding.perform('fs.changes', []), 0];
    if (skip()) tellCurrent(audience.shift());
  } finally {
    wait();
  }
}

/// What a watcher is to who asks what keeps the program alive.
const nameOf = (watcher) => (watcher.referenced ? 'FSEventWrap' : undefined);

/// Watches a path for its owner; `tell(type, name)` hears of every change, with an empty name for the path itself.
class Watcher {
  active = true;
  referenced;
  tell;
  #number;

  constructor(owner, path, referenced, tell) {
    this.referenced = referenced;
    this.tell = tell;
    this.#number = onPath('watch', path, [], (number) => number).perform();
    const group = watchers.get(this.#number);
    if (group === undefined) watchers.set(this.#number, new Set([this]));
    else group.add(this);
    active.opened(this, nameOf, owner);
    hooked.made('FSEVENTWRAP', this);
    wait();
    refer();
  }

  refer(referenced) {
    this.referenced = referenced;
    refer();
  }

  close() {
    if (!this.active) return;
    this.active = false;
    active.closed(this);
    hooked.ended(this);
    const group = watchers.get(this.#number);
    group.delete(this);
    if (group.size > 0) return refer();
    watchers.delete(this.#number);
    try {
      binding.perform('fs.unwatch', [this.#number]);
    } catch {
      // What is gone is not watched any more.
    }
    if (watchers.size > 0 || operation === undefined) return refer();
    binding.giveUpOperation(operation);
    operation = undefined;
    [changes, next, audience] = [[], 0, []];
  }
}

module.exports = { Watcher };
