// What the text of a script needs of the library, where it finds it: in globals that do not show.
'use strict';

/// Gives the runtime's objects the names by which a script means them, if it does.
exports.give = function give(context, access) {
  for (const [name, part] of [[context, 'internal/context'], [access, 'internal/access']]) {
    if (name === undefined) continue;
    Object.defineProperty(globalThis, name, { __proto__: null, configurable: true, value: require(part) });
  }
};
