// Layouts of objects that are made and dropped all the time.
'use strict';

// One object for every stage of every layout.
const kept = [];
// Properties are defined, and not set: a program may have put setters in the prototype.
const plain = { __proto__: null, value: undefined, writable: true, enumerable: true, configurable: true };

/// Keeps the layouts that objects with that prototype go through as they get these properties, one by one. The engine
/// has objects of the same layout share its description, but drops that with the last of them: where each message is
/// gone before the next one comes, it would be built anew for each.
function keepLayouts(prototype, names) {
  for (let count = 0; count <= names.length; count++) {
    const object = Object.create(prototype);
    for (let at = 0; at < count; at++) Object.defineProperty(object, names[at], plain);
    kept.push(object);
  }
}

module.exports = { keepLayouts };
