// Which context a continuation was linked from. The engine does not tell, so `then` is ours, and the
// loader wraps every `await` with calls of `c` and `r`; see src/contexts.
// Uses binding.makeThen, takeScope, takeWeakScope, enterScope, noteImport, batchEnded, setTimeout, setInterval,
// setLabelledTimeout, setLabelledInterval.
'use strict';

const { setTimeout, setInterval, setLabelledTimeout, setLabelledInterval } = binding;

// Whether contexts are in use at all: until then promises cost what they cost in the engine. The host
// sets it.
exports.on = false;
// A scope of the running invocation, or undefined where there is nothing to keep.
exports.c = binding.takeScope;
// The same where an async generator yields: nothing is kept for it.
exports.w = binding.takeWeakScope;
// Enters a scope.
exports.r = binding.enterScope;
// The specifier of an `import()`, which notes who asks.
exports.i = binding.noteImport;
// The value itself, while a second argument empties the variable that it was in.
exports.v = (value) => value;
// What a global is to the code of a package, to which a third argument of a timer is an argument (rule
// TIME-15). Whatever the program has put in its place is that to both.
exports.t = (value) => (value === setLabelledTimeout ? setTimeout : value === setLabelledInterval ? setInterval : value);
// `a == b` and `a != b`, which the engine gets wrong for a long text that it keeps in pieces (joined with `+`) and the
// same text in one piece. The other arguments only tell our calls from the program's own.
const { q, n } = {
  q(a, _, b) {
    return typeof a === 'string' && typeof b === 'string' ? a === b : whole(a) == whole(b);
  },
  n(a, _, b) {
    return typeof a === 'string' && typeof b === 'string' ? a !== b : whole(a) != whole(b);
  },
};
const whole = (value) => (typeof value === 'string' && value.length > 512 ? value.slice(0) : value);
exports.q = q;
exports.n = n;
// The pattern of a regular expression with sets, as the engine takes it.
exports.e = (pattern) => (typeof pattern === 'string' || typeof pattern === 'number' ? require('internal/patterns').bearable(pattern) : pattern);
// What decorators become calls of.
Object.defineProperty(exports, 'd', { __proto__: null, get: () => require('internal/decorators') });
// What a module has that TypeScript's compiler would have made a CommonJS module of.
exports.o = (whole, name) => require('internal/modules/interop').take(whole, name);
exports.m = (url) => require('internal/modules/common_js').namesOf(url);

const engineThen = Promise.prototype.then;
// So that nobody who replaces `Function.prototype.call` comes between us and the engine.
Object.defineProperty(engineThen, 'call', { __proto__: null, value: Function.prototype.call });

Object.defineProperty(Promise.prototype, 'then', {
  __proto__: null, value: binding.makeThen(exports, engineThen), writable: true, configurable: true, enumerable: false,
});

const { any } = {
  any(iterable) {
    return require('internal/promise_any')(this, iterable);
  },
};
Object.defineProperty(Promise, 'any', { __proto__: null, value: any, writable: true, configurable: true, enumerable: false });

// A job behind all that wait now, for strategies whose batches end there.
const resolved = Promise.resolve();
const { batchEnded } = binding;
exports.endBatch = () => engineThen.call(resolved, batchEnded);
