// Stacks as Node shows them: the error's name and message above the frames, positions in the
// program's own text, and nothing of how the program was loaded. This puts the ways to them in place;
// a program that makes no error does not load what they lead to: `internal/stack/noting` takes note of
// frames when an error is made, and `internal/stack/frames` shows them when somebody looks.
// Uses binding.withRoom.
'use strict';

const { apply } = require('internal/kept');

const noting = () => require('internal/stack/noting');
// Whether there were any frames yet to take note of.
let isNoting = false;

// The functions that CommonJS modules are made of: their frames have a name of their own.
exports.moduleFunctions = new WeakSet();
// Where in a text something is wrong that keeps it from being run.
const places = new WeakMap();
exports.setPlace = (error, place) => { places.set(error, place); };
exports.placeOf = (error) => places.get(error);

// What `internal/stack/noting` needs of the language as it was before the program began.
const { apply: applyOfFunctions } = Function.prototype;
const { isPrototypeOf } = Object.prototype;
exports.kept = { __proto__: null, applyOfFunctions, isPrototypeOf };
// Where a list of frames has what their functions were called on.
exports.kReceivers = Symbol('receivers');
// Where it has what they execute.
exports.kExecuted = Symbol('executed');
// Where a list of frames has the one above its first, which is not shown.
exports.kAbove = Symbol('above');

// How many frames a program wants to see; the engine is asked for more, since some are not shown.
const LIMIT = 10;
exports.HIDDEN = 10;
exports.LIMIT = LIMIT;

// Native functions show themselves on one line.
const NATIVE = ' {\n    [native code]\n}';
const { endsWith, slice } = String.prototype;
function installToString() {
  const engine = Function.prototype.toString;
  const { toString } = {
    toString() {
      if (this === toString) return 'function toString() { [native code] }';
      const text = apply(engine, this, []);
      return apply(endsWith, text, [NATIVE]) ? `${apply(slice, text, [0, -NATIVE.length])} { [native code] }` : text;
    },
  };
  Object.defineProperty(Function.prototype, 'toString', { __proto__: null, configurable: true, enumerable: false, writable: true, value: toString });
}

exports.install = function install() {
  installToString();
  const prepare = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
  const stack = Object.getOwnPropertyDescriptor(Error.prototype, 'stack');
  const limit = Object.getOwnPropertyDescriptor(Error, 'stackTraceLimit');
  const { captureStackTrace } = Error;
  // What the engine has in the places of what is put there.
  exports.engine = { __proto__: null, prepare, stack, limit, captureStackTrace };
  const accessor = {
    get() {
      return isNoting ? noting().stackOf(this) : apply(stack.get, this, []);
    },
    set(value) {
      noting().setStack(this, value);
    },
  };
  exports.accessor = accessor;
  apply(limit.set, Error, [LIMIT + exports.HIDDEN]);
  Object.defineProperty(Error, 'stackTraceLimit', {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get: () => noting().limit(),
    set(value) { noting().setLimit(value); },
  });
  Object.defineProperty(Error, 'captureStackTrace', {
    __proto__: null,
    configurable: true,
    enumerable: false,
    writable: true,
    value: function captureStackTrace_(target, above) {
      isNoting = true;
      noting().capture(target, above, captureStackTrace_);
    },
  });
  Object.defineProperty(Error.captureStackTrace, 'name', { __proto__: null, configurable: true, value: 'captureStackTrace' });
  apply(prepare.set, Error, [binding.withRoom((error, sites) => {
    isNoting = true;
    return noting().note(error, sites);
  })]);
  Object.defineProperty(Error.prototype, 'stack', { __proto__: null, ...accessor, configurable: true, enumerable: false });
  // A program may call it, too.
  function ErrorPrepareStackTrace(error, sites) {
    return require('internal/stack/frames').write(error, sites);
  }
  // The program's own, wherever it has put it.
  let custom = ErrorPrepareStackTrace;
  exports.preparing = () => {
    const own = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
    const found = own === undefined || 'value' in own ? own?.value : custom;
    return found === ErrorPrepareStackTrace ? undefined : found;
  };
  Object.defineProperty(Error, 'prepareStackTrace', {
    __proto__: null,
    configurable: true,
    enumerable: false,
    get() {
      return custom;
    },
    set(value) {
      custom = value;
    },
  });
};
