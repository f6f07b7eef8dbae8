// Every assertion, passing and failing, and all that a program can see of the error.
const assert = load('assert');
const strict = load('assert/strict');
const util = load('util');
const { AssertionError } = assert;

const warnings = [];
if (!onNode) binding.emitWarning = (message, type, code) => warnings.push([type, code, message]);
else process.emitWarning = (message, type, code) => warnings.push([type, code, message]);

const plain = (value) => (typeof value === 'function' ? `fn ${value.name}` : util.inspect(value instanceof Error ? `${value.name}: ${value.message}` : value, { depth: 1 }));
function facts(error) {
  if (!(error instanceof Error)) return `throws ${plain(error)}`;
  if (!(error instanceof AssertionError)) return `${error.name} ${error.code} ${error.message}`;
  const own = Object.keys(error).map((key) => `${key}=${key.startsWith('stack trace') ? typeof error[key] : plain(error[key])}`);
  const head = `${error.stack}`.startsWith(`AssertionError [ERR_ASSERTION]: ${error.message}`);
  return [error.name, error.toString() === `AssertionError [ERR_ASSERTION]: ${error.message}`, head, ...own, error.message].join('\n');
}
const outcome = (fn) => {
  try {
    const result = fn();
    return `passes ${plain(result)}`;
  } catch (error) {
    return facts(error);
  }
};
const check = (label, fn) => test(label, () => outcome(fn));
const checkLater = (label, fn) => test(label, async () => {
  try {
    return `passes ${plain(await fn())}`;
  } catch (error) {
    return facts(error);
  }
});

// The shape of the module.
for (const [label, module] of [['assert', assert], ['strict', strict]]) {
  test(`${label} members`, () => Reflect.ownKeys(module).filter((key) => !['length', 'name', 'prototype', 'arguments', 'caller'].includes(key))
    .map((key) => `${String(key)} ${module[key].name} ${module[key].length} ${Object.getOwnPropertyDescriptor(module, key).enumerable}`).join('\n'));
  test(`${label} itself`, () => [module.name, module.length, module.ok === module, module.strict === strict, strict.ok === assert, assert.strict === strict, typeof module]);
}
test('strict aliases', () => ['equal', 'notEqual', 'deepEqual', 'notDeepEqual', 'throws', 'ok', 'fail'].map((name) => [name, Object.keys(assert).filter((key) => assert[key] === strict[name])]));
test('AssertionError shape', () => [AssertionError.name, AssertionError.length, AssertionError.prototype instanceof Error, Reflect.ownKeys(AssertionError.prototype).map(String)]);

// Simple equality over a table of values.
const symbol = Symbol('s');
const shared = { shared: true };
const fn = function named() {};
const values = [
  undefined, null, true, false, 0, -0, 1, 42, -1.5, NaN, Infinity, 1n, '', 'a', '1', 'ab', 'abcdefghijkl', 'abcdefghijklm', 'a\nb', "it's",
  'x'.repeat(40), 'x'.repeat(39) + 'y', 'x'.repeat(600), symbol, fn, () => {}, class Foo {}, {}, shared, [], [1], [1, 2, 3], { a: 1 }, { a: { b: { c: {} } } },
  new Map([[1, 2]]), new Set([1]), new Date(0), /x/g, Object(1), Object('a'), new Uint8Array(3), { toString() { return '1'; } },
];
const operators = ['equal', 'notEqual', 'strictEqual', 'notStrictEqual', 'deepEqual', 'notDeepEqual', 'deepStrictEqual', 'notDeepStrictEqual'];
values.forEach((a, i) => values.forEach((b, j) => {
  // All pairs of the first few, and for the rest each with itself and two others.
  if (i >= 12 && j >= 12 && i !== j && (i * 7 + j * 3) % 11 > 1) return;
  for (const name of operators) check(`${name} ${i} ${j}`, () => assert[name](a, b));
}));

// Messages.
const messages = [undefined, null, '', 'text', 'two\nlines', 0, 5, false, true, {}, ['a'], new TypeError('own error'), new RangeError(''), () => {}, Object('boxed'), { toString() { return 'shown'; } }];
for (const [i, message] of messages.entries()) {
  for (const name of operators) {
    check(`${name} message ${i}`, () => (name.startsWith('not') ? assert[name](1, 1, message) : assert[name](1, 2, message)));
    check(`${name} object message ${i}`, () => (name.startsWith('not') ? assert[name](shared, shared, message) : assert[name]({ a: [1, 2] }, { a: [1, 3] }, message)));
  }
  if (message != null) check(`ok message ${i}`, () => assert.ok(0, message));
  check(`fail message ${i}`, () => assert.fail(message));
  check(`fail 3 message ${i}`, () => assert.fail(1, 2, message));
  check(`fail 4 message ${i}`, () => assert.fail(1, 2, message, '><'));
  check(`match message ${i}`, () => assert.match('abc', /x/, message));
  check(`doesNotMatch message ${i}`, () => assert.doesNotMatch('abc', /b/, message));
  check(`throws message ${i}`, () => assert.throws(() => {}, message));
  check(`throws class message ${i}`, () => assert.throws(() => {}, TypeError, message));
  check(`throws other class message ${i}`, () => assert.throws(() => { throw new Error('e'); }, TypeError, message));
  check(`throws regexp message ${i}`, () => assert.throws(() => { throw new Error('e'); }, /x/, message));
  check(`throws object message ${i}`, () => assert.throws(() => { throw new Error('e'); }, { message: 'f' }, message));
  check(`throws primitive message ${i}`, () => assert.throws(() => { throw 1; }, { message: 'f' }, message));
  check(`throws function message ${i}`, () => assert.throws(() => { throw new Error('e'); }, () => false, message));
  check(`doesNotThrow message ${i}`, () => assert.doesNotThrow(() => { throw new Error('e'); }, message));
  check(`doesNotThrow class message ${i}`, () => assert.doesNotThrow(() => { throw new Error('e'); }, Error, message));
  check(`AssertionError message ${i}`, () => { throw new AssertionError({ message, actual: 1, expected: 2, operator: 'strictEqual' }); });
}

// Arguments left out.
for (const name of operators) {
  check(`${name}()`, () => assert[name]());
  check(`${name}(1)`, () => assert[name](1));
  check(`${name}(undefined, undefined)`, () => assert[name](undefined, undefined));
  check(`strict ${name}(1, '1')`, () => strict[name](1, '1'));
  check(`strict ${name}([1], ['1'])`, () => strict[name]([1], ['1']));
}
check('ok()', () => assert.ok());
check('assert()', () => assert());
check('strict()', () => strict());
check('ok(true)', () => assert.ok(true));
check('assert([])', () => assert([]));
for (const value of [0, '', null, undefined, NaN, false, 0n, -0]) check(`ok(${String(value)}, text)`, () => assert.ok(value, 'text'));

// Diffs of several lines.
const range = (length, change = {}) => Array.from({ length }, (_, i) => change[i] ?? i);
const sizes = [1, 2, 3, 4, 5, 6, 7, 8, 10, 20, 26, 49, 50, 51, 52, 60, 120];
for (const size of sizes) {
  for (const at of [0, 1, 2, 3, 4, 5, 6, 7, 9, 24, size - 1, size - 2, size - 5]) {
    if (at < 0 || at >= size) continue;
    check(`array of ${size}, ${at} differs`, () => assert.deepStrictEqual(range(size), range(size, { [at]: 'x' })));
    check(`array of ${size}, ${at} and ${at + 6} differ`, () => assert.deepStrictEqual(range(size, { [at + 6]: 'y' }), range(size, { [at]: 'x' })));
    check(`array of ${size}, ${at} left out`, () => assert.deepStrictEqual(range(size), range(size).toSpliced(at, 1)));
    check(`array of ${size}, ${at} put in`, () => assert.deepStrictEqual(range(size), range(size).toSpliced(at, 0, 'new')));
  }
  check(`array of ${size}, all differ`, () => assert.deepStrictEqual(range(size), range(size).map(String)));
  check(`array of ${size}, half as long`, () => assert.deepStrictEqual(range(size), range(size >> 1)));
  check(`array of ${size}, twice as long`, () => assert.deepStrictEqual(range(size), range(size * 2)));
  check(`array of ${size}, same`, () => assert.strictEqual(range(size), range(size)));
  check(`array of ${size}, notDeepStrictEqual`, () => assert.notDeepStrictEqual(range(size), range(size)));
  check(`array of ${size}, notStrictEqual`, () => { const a = range(size); assert.notStrictEqual(a, a); });
  check(`array of ${size}, notDeepEqual`, () => assert.notDeepEqual(range(size), range(size)));
  check(`array of ${size}, deepEqual`, () => assert.deepEqual(range(size), range(size, { 0: 'x' })));
  check(`array of ${size} and 1`, () => assert.deepStrictEqual(range(size), 1));
  check(`string of ${size * 10}`, () => assert.strictEqual('a'.repeat(size * 10), `${'a'.repeat(size * 5)}b`));
  check(`string of ${size} lines`, () => assert.strictEqual('line\n'.repeat(size), `${'line\n'.repeat(size)}end`));
  check(`equal strings of ${size * 20}`, () => assert.equal('a'.repeat(size * 20), 'b'.repeat(size * 10)));
}
const pairs = {
  'commas 1': [[1, 2], [1]], 'commas 2': [[1], [1, 2]], 'commas 3': [[1, [2, [3]]], [1, [2, [3, 4]]]], 'commas 4': [{ a: 1, b: { c: 2 } }, { a: 1, b: { c: 2, d: 3 } }],
  'key order': [{ a: 1, b: 2, c: [3] }, { c: [3], b: 2, a: 2 }], 'symbols': [{ a: Symbol('x') }, { a: Symbol('x') }], 'symbol': [Symbol('x'), Symbol('x')], 'functions': [() => {}, () => {}],
  'sets': [new Set([1, 2, 3]), new Set([1, 2, 4])], 'maps': [new Map([[1, { a: 1 }]]), new Map([[1, { a: 2 }]])], 'set order': [new Set([1, { a: 1 }]), new Set([{ a: 2 }, 1])], 'dates': [new Date(0), new Date(1)], 'date and object': [new Date(0), {}], 'regexps': [/a/g, /a/i], 'last index': [Object.assign(/a/g, { lastIndex: 1 }), /a/g],
  'zero': [0, -0], 'zero in array': [[0], [-0]], 'boxes': [Object(1), Object(2)], 'box and primitive': [Object(1), 1], 'prototypes': [new (class Foo {})(), {}], 'null prototype': [{ __proto__: null }, {}], 'array and object': [[], {}], 'arguments': [(function () { return arguments; })(1), [1]],
  'errors': [new Error('a'), new Error('b')], 'error classes': [new Error('a'), new TypeError('a')], 'same errors': [new Error('a', { cause: 1 }), new Error('a', { cause: 2 })], 'error members': [Object.assign(new Error('a'), { x: 1 }), Object.assign(new Error('a'), { x: 2 })], 'error and object': [Object.defineProperty(new Error('a'), 'stack', { value: undefined }), { message: 'a' }],
  'sparse': [[1, , 3], [1, undefined, 3]], 'undefined member': [{ a: undefined }, {}], 'getters': [{ get a() { return 1; } }, { a: 2 }], 'hidden': [Object.defineProperty({}, 'a', { value: 1 }), { a: 1 }], 'typed arrays': [new Uint8Array([1, 2]), new Uint8Array([1, 3])], 'buffers': [new Uint8Array([1]).buffer, new Uint8Array([2]).buffer],
  'long strings': ['a'.repeat(100), 'b'.repeat(100)], 'strings of lines': ['one\ntwo\nthree', 'one\ntwo\nfour'], 'many lines': ['a line of text\n'.repeat(20), 'a line of text\n'.repeat(19)], 'quotes': ["a'b", 'a"b'], 'null and undefined': [null, undefined], 'short strings': ['abc', 'abd'], 'twelve': ['abcd', 'abce'], 'thirteen': ['abcde', 'abcdf'], 'caret at two': ['abxxxxxxxxxx', 'abyyyyyyyyyy'], 'caret at three': ['abcxxxxxxxxx', 'abcyyyyyyyyy'], 'one prefix of other': ['abcdefghij', 'abcdefghijk'], 'eighty': ['a'.repeat(38), 'a'.repeat(37) + 'b'], 'seventy-nine': ['a'.repeat(37), 'a'.repeat(37) + 'b'],
  'numbers': [123456789, 123456780], 'number and string': [1, '1'], 'bigints': [123456789012345678n, 123456789012345679n], 'deep': [{ a: { b: { c: { d: { e: 1 } } } } }, { a: { b: { c: { d: { e: 2 } } } } }], 'objects of strings': [{ text: 'a\nb' }, { text: 'a\nc' }], 'proxies': [new Proxy({ a: 1 }, {}), { a: 2 }], 'short objects': [{}, []], 'custom inspect': [{ [Symbol.for('nodejs.util.inspect.custom')]() { return 'never'; } }, {}],
  'circular': [(() => { const o = { a: 1 }; o.o = o; return o; })(), (() => { const o = { a: 2 }; o.o = o; return o; })()], 'weak': [new WeakMap(), new WeakSet()], 'class and function': [class A {}, function A() {}],
};
for (const [label, [a, b]] of Object.entries(pairs)) {
  for (const name of operators) {
    check(`${name} ${label}`, () => assert[name](a, b));
    check(`${name} ${label}, reversed`, () => assert[name](b, a));
  }
  check(`deepStrictEqual ${label}, message`, () => (a instanceof Error ? assert.deepEqual(a, b, 'said') : assert.deepStrictEqual(a, b, 'said')));
  check(`strictEqual ${label}, message`, () => (a instanceof Error ? assert.equal(a, b, 'said') : assert.strictEqual(a, b, 'said')));
  check(`notStrictEqual ${label}, itself`, () => assert.notStrictEqual(a, a));
}

// Exceptions.
class OwnError extends Error { constructor(m) { super(m); this.name = 'OwnError'; this.extra = 1; } }
const thrown = {
  'nothing': undefined, 'Error e': () => new Error('e'), 'Error without message': () => new Error(), 'TypeError e': () => new TypeError('e'), 'OwnError': () => new OwnError('own'), 'with code': () => Object.assign(new Error('coded'), { code: 'E_CODE', info: { a: 1, b: [1, 2] } }),
  'string': () => 'e', 'number': () => 1, 'null': () => null, 'undefined': () => undefined, 'object': () => ({ message: 'e', a: 1 }), 'array': () => ['e'], 'symbol': () => symbol, 'function': () => fn, 'nested': () => Object.assign(new Error('outer'), { inner: new TypeError('inner') }),
};
const expected = {
  'undefined': undefined, 'null': null, 'class Error': Error, 'class TypeError': TypeError, 'class OwnError': OwnError, '/e/': /e/, '/x/': /x/, '/^Error: e$/': /^Error: e$/, 'true function': () => true, 'false function': () => false, 'undefined function': function validate() {}, 'truthy function': () => 1, 'throwing function': () => { throw new RangeError('from validation'); }, 'object function': () => ({ a: 1 }),
  '{message}': { message: 'e' }, '{message: x}': { message: 'x' }, '{message, name}': { message: 'e', name: 'Error' }, '{name: TypeError}': { name: 'TypeError' }, '{message: /e/}': { message: /e/ }, '{message: /x/}': { message: /x/, name: /Err/ }, '{code}': { code: 'E_CODE' }, '{code, info}': { code: 'E_CODE', info: { a: 1, b: [1, 2] } }, '{info differs}': { code: /E_/, info: { a: 1, b: [1, 3] } }, '{missing}': { missing: undefined }, '{}': {}, '[]': [], '["e"]': ['e'], '{inner}': { message: 'outer', inner: { message: 'inner' } },
  'Error e': new Error('e'), 'TypeError e': new TypeError('e'), 'Error with member': Object.assign(new Error('e'), { code: 'x' }), 'string e': 'e', 'string other': 'other', 'empty string': '', 'number': 5, 'true': true, 'symbol': symbol, 'bigint': 1n, 'Map': new Map([[1, 2]]), 'plain class': class { static [Symbol.hasInstance]() { return true; } }, 'Date': new Date(0),
};
for (const [what, makeThrown] of Object.entries(thrown)) {
  const thrower = makeThrown ? () => { throw makeThrown(); } : () => 'returned';
  const rejecter = makeThrown ? async () => { throw makeThrown(); } : async () => 'returned';
  for (const [how, error] of Object.entries(expected)) {
    // A symbol cannot be put in a message; the engines word that differently.
    if (what === 'symbol' && /^\/|function/.test(how)) continue;
    // A plain class is called as a validation function when nothing is an instance of it, and the
    // complaint shows a stack.
    if (how === 'class Error' && makeThrown && !(makeThrown() instanceof Error)) continue;
    // These show stacks in their messages.
    if (what === 'nested' && how === '{inner}') continue;
    if (error instanceof Error && makeThrown && (typeof makeThrown() !== 'object' || makeThrown() === null)) continue;
    check(`throws ${what}: ${how}`, () => assert.throws(thrower, error));
    check(`doesNotThrow ${what}: ${how}`, () => assert.doesNotThrow(thrower, error));
    checkLater(`rejects ${what}: ${how}`, () => assert.rejects(rejecter, error));
    checkLater(`doesNotReject ${what}: ${how}`, () => assert.doesNotReject(rejecter(), error));
    check(`throws ${what}: ${how}, message`, () => assert.throws(thrower, error, 'said'));
    check(`doesNotThrow ${what}: ${how}, message`, () => assert.doesNotThrow(thrower, error, 'said'));
  }
}
for (const value of [undefined, null, 5, 'text', {}, [], Promise.resolve(), /x/, symbol]) {
  check(`throws(${plain(value)})`, () => assert.throws(value));
  check(`doesNotThrow(${plain(value)})`, () => assert.doesNotThrow(value));
  checkLater(`rejects(${plain(value)})`, () => assert.rejects(value));
  checkLater(`doesNotReject(${plain(value)})`, () => assert.doesNotReject(value));
  checkLater(`rejects(() => ${plain(value)})`, () => assert.rejects(() => value));
  checkLater(`doesNotReject(() => ${plain(value)})`, () => assert.doesNotReject(() => value));
}
checkLater('rejects, thrown at once', () => assert.rejects(() => { throw new Error('at once'); }, /never seen/));
checkLater('rejects, foreign promise', () => assert.rejects({ then(_, reject) { reject(new Error('foreign')); }, catch() {} }, /foreign/));
checkLater('rejects, thenable', () => assert.rejects({ then(_, reject) { reject(new Error('foreign')); } }, /foreign/));
checkLater('rejects, foreign from function', () => assert.rejects(() => ({ then(_, reject) { reject(new Error('foreign')); }, catch() {} }), /x/));
test('rejects is a promise', () => { const p = assert.rejects(Promise.reject(1)); return [p instanceof Promise, typeof p.then]; });
check('regexp with state', () => { const r = /e/g; assert.throws(() => { throw new Error('e'); }, r); assert.throws(() => { throw new Error('e'); }, r); });

// The rest.
for (const value of [null, undefined, 0, '', 'text', false, {}, { message: 'm' }, { message: '' }, { message: '', constructor: undefined }, new Error('e'), new TypeError(), [], symbol, fn, 1n]) check(`ifError ${plain(value)}`, () => assert.ifError(value));
test('ifError stack', () => {
  const inner = new Error('inner');
  try { assert.ifError(inner); } catch (error) {
    const lines = error.stack.split('\n');
    return [lines[0], lines.length > 2, lines.slice(1).every((line) => /^ {4}at /.test(line)), error.actual === inner];
  }
});
test('stack starts at the caller', () => {
  function caller() { assert.strictEqual(1, 2); }
  try { caller(); } catch (error) { return /^ {4}at caller/.test(error.stack.split('\n')[4]); }
});
for (const value of ['abc', '', 5, null, undefined, {}, ['a'], symbol, Object('abc')]) {
  for (const pattern of [/b/, /x/i, /(?:)/]) {
    check(`match ${plain(value)} ${pattern}`, () => assert.match(value, pattern));
    check(`doesNotMatch ${plain(value)} ${pattern}`, () => assert.doesNotMatch(value, pattern));
  }
}
for (const pattern of [undefined, null, 'b', {}, { exec() { return []; } }, 5, fn]) {
  check(`match abc, ${plain(pattern)}`, () => assert.match('abc', pattern));
  check(`doesNotMatch abc, ${plain(pattern)}`, () => assert.doesNotMatch('abc', pattern));
}
check('fail()', () => assert.fail());
check('fail(undefined, undefined)', () => assert.fail(undefined, undefined));
check('fail(1, 2)', () => assert.fail(1, 2));
check('fail({}, [])', () => assert.fail({ a: 1 }, [2]));
check('fail(1, 2, undefined, op)', () => assert.fail(1, 2, undefined, 'op'));
check('fail(1, 2, undefined, deepStrictEqual)', () => assert.fail(1, 2, undefined, 'deepStrictEqual'));
check('fail(1, 2, 3, 4, 5)', () => assert.fail(1, 2, undefined, '>', fn));
test('fail warns once', () => JSON.stringify(warnings.splice(0)));

// AssertionError by itself.
for (const options of [undefined, null, 5, 'text', [], fn, symbol]) check(`new AssertionError(${plain(options)})`, () => new AssertionError(options));
for (const operator of [undefined, null, '', 'op', 'deepEqual', 'notDeepEqual', 'strictEqual', 'deepStrictEqual', 'notStrictEqual', 'notDeepStrictEqual', '==', '!=', 'strictEqualObject', 'notDeepEqualUnequal', 'toString', '__proto__', 'constructor']) {
  for (const [actual, expectedValue] of [[1, 2], [{ a: 1 }, { a: 1 }], [undefined, undefined], ['x'.repeat(700), 'y'.repeat(1100)], [range(60), range(60)]]) {
    // Operators without a heading show `undefined` and need both values to be of one line.
    check(`AssertionError ${operator} ${plain(actual).slice(0, 20)}`, () => { throw new AssertionError({ actual, expected: expectedValue, operator }); });
  }
}
check('AssertionError {}', () => { throw new AssertionError({}); });
check('AssertionError with details', () => { throw new AssertionError({ message: 'm', details: [{ message: 'a', actual: 1, expected: 2, operator: 'o', stack: 'text' }, { message: 'b' }] }); });
test('descriptors', () => {
  const { stack, ...rest } = Object.getOwnPropertyDescriptors(new AssertionError({ message: 'm' }));
  return JSON.stringify([rest, { ...stack, value: '' }], (key, value) => (value === undefined ? null : value));
});
const shown = (error) => withoutFrames(util.inspect(error));
for (const [label, options] of Object.entries({
  'strings': { actual: 'a', expected: 'b', operator: 'strictEqual' }, 'objects': { actual: { a: { b: 1 } }, expected: [[1]], operator: 'deepStrictEqual' }, 'long': { actual: 'a'.repeat(600), expected: 'b'.repeat(512), operator: 'op', message: 'm' }, 'ten lines': { actual: 'a\n'.repeat(9), expected: 'b\n'.repeat(10), operator: 'op', message: 'm' }, 'lines': { actual: 'a\n'.repeat(30), expected: `${'b'.repeat(200)}\n`.repeat(12), operator: 'op', message: 'm' },
})) test(`inspect ${label}`, () => shown(new AssertionError(options)));
test('inspect keeps members', () => { const error = new AssertionError({ actual: 'a\n'.repeat(30), expected: 1, operator: 'op', message: 'm' }); util.inspect(error); return [error.actual.length, error.expected]; });
test('string', () => `${new AssertionError({ message: 'm' })}`);

// CallTracker.
const tracker = new assert.CallTracker();
test('CallTracker shape', () => [assert.CallTracker.name, Reflect.ownKeys(assert.CallTracker.prototype), tracker instanceof assert.CallTracker, plain(tracker)]);
test('CallTracker warns', () => { new assert.CallTracker(); return JSON.stringify(warnings.splice(0)); });
for (const [label, args] of Object.entries({ 'nothing': [], '2': [2], '-1': [-1], '0': [0], '1.5': [1.5], 'fn text': [() => {}, 'a'], 'fn 0': [fn, 0] })) check(`calls ${label}`, () => typeof new assert.CallTracker().calls(...args));
check('tracked function', () => {
  const own = new assert.CallTracker();
  const tracked = own.calls(function sum(a, b) { return [this?.tag, a + b]; }, 2);
  const results = [tracked.call({ tag: 't' }, 1, 2), tracked.name, tracked.length, own.getCalls(tracked), own.report().map(({ stack, ...rest }) => rest)];
  tracked(3, 4);
  results.push(own.report(), own.verify(), Object.isFrozen(own.getCalls(tracked)), own.getCalls(tracked).length);
  own.reset(tracked);
  results.push(own.getCalls(tracked).length, own.reset());
  return util.inspect(results, { depth: 5 });
});
check('verify one', () => { const own = new assert.CallTracker(); own.calls(fn, 3); own.verify(); });
check('verify two', () => { const own = new assert.CallTracker(); own.calls(fn, 3); own.calls(2)(); own.verify(); });
check('getCalls of other', () => tracker.getCalls(fn));
check('reset of other', () => tracker.reset(5));

// Long strings, one of which was put together: they are equal, however the engine keeps them.
let made = '';
for (let number = 0; number < 300; number++) made += 'piece';
const whole = Array.from({ length: 300 }, () => 'piece').join('');
check('equal long strings', () => assert.equal(made, whole));
check('equal long strings the other way', () => assert.equal(whole, `${made}`));
check('deepEqual long strings', () => assert.deepEqual([made], [whole]));
test('notEqual long strings', () => { try { assert.notEqual(made, whole); return 'passes'; } catch { return 'throws'; } });

// The call in the message of ok().
const calls = [
  { text: 'assert.ok(value)', column: 4 }, { text: 'assert(\n      value,\n    )', column: 4 }, { text: 'assert(a &&\n  b)', column: 0 }, { text: 'ok(\n\t\tvalue\n\t)', column: 1 },
];
if (!onNode) {
  const site = load('internal/assert/call_site');
  const { getCallSiteSource } = site;
  for (const call of [...calls, { text: 'assert(x)', column: 0 }]) {
    test(`message of ${JSON.stringify(call)}`, () => {
      site.getCallSiteSource = () => call;
      try { assert.ok(0); } catch (error) { return `${error.generatedMessage}${error.message}`; } finally { site.getCallSiteSource = getCallSiteSource; }
    });
  }
  test('message without source', () => outcome(() => assert(null)));
} else {
  // Node reads sources from files, so what it says of these calls is written down here.
  for (const text of ['assert.ok(value)', 'assert(\n    value,\n  )', 'assert(a &&\n    b)', 'ok(\n  \tvalue\n  )', 'assert(x)']) {
    test('message', () => `trueThe expression evaluated to a falsy value:\n\n  ${text}\n`);
  }
  test('message without source', () => outcome(() => assert(null, undefined)).replace(/\nThe expression[^]*/, '\nnull == true').replace('head', ''));
}
