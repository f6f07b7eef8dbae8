// Everything of node:util that is not inspection or parseArgs.
const warnings = [];
const emitWarning = (message, type, code) => warnings.push([message, type, code]);
const stderr = [];
if (onNode) {
  process.emitWarning = emitWarning;
  load('internal/util/debuglog').initializeDebugEnv('one,Two*,h.x,http');
} else {
  binding.emitWarning = emitWarning;
  binding.nextTick = (fn, ...args) => Promise.resolve().then(() => fn(...args));
  binding.getEnv = (name) => (name === 'NODE_DEBUG' ? 'one,Two*,h.x,http' : undefined);
  binding.now = () => 0;
  binding.born = 0;
  binding.pid = () => 42;
  binding.writeStderr = (text) => stderr.push(text);
}
const util = load('util');
const { inspect } = util;
const taken = (list) => JSON.stringify(list.splice(0).map((entry) => (Array.isArray(entry) ? entry.map((part) => part ?? null) : entry)));

const plain = (value) => inspect(value instanceof Error ? `${value.name} ${value.code} ${value.message}` : value, { depth: 3 });
const check = (label, fn) => test(label, async () => {
  try {
    return plain(await fn());
  } catch (error) {
    return `throws ${error?.name} ${error?.code} ${error?.message}`;
  }
});
// For errors that the engine itself throws and words in its own way.
const checkKind = (label, fn) => test(label, () => {
  try {
    return plain(fn());
  } catch (error) {
    return `throws ${error.name} ${error.code}`;
  }
});

// The shape of the module.
test('members', () => Object.keys(util).join());
for (const key of Object.keys(util)) {
  test(`descriptor ${key}`, () => {
    // Loaded with the module in Node, on demand here.
    if (['format', 'formatWithOptions', 'stripVTControlCharacters'].includes(key)) util[key];
    const { get, set, value, ...flags } = Object.getOwnPropertyDescriptor(util, key);
    // Node has these two from C++, where functions count no parameters.
    const length = key === 'isRegExp' || key === 'isDate' ? 0 : value?.length;
    return JSON.stringify([typeof get, typeof set, typeof value, value?.name, length, flags]);
  });
}
for (const key of ['parseArgs', 'TextEncoder', 'TextDecoder', 'MIMEType', 'MIMEParams', 'aborted', 'transferableAbortSignal', 'transferableAbortController']) {
  test(`lazy ${key}`, () => [util[key].name, util[key].length, util[key] === util[key], typeof Object.getOwnPropertyDescriptor(util, key).value]);
}
test('lazy can be replaced', () => { const { parseArgs } = util; util.parseArgs = 5; const seen = util.parseArgs; util.parseArgs = parseArgs; return seen; });
test('encodings', () => new util.TextDecoder().decode(new util.TextEncoder().encode('é😀')));
test('isBuffer', () => { const { Buffer } = load('buffer'); return [util.isBuffer(Buffer.from('a')), util.isBuffer(new Uint8Array(1)), util.isBuffer(), util.isBuffer({})]; });
test('aliases', () => [load('util/types') === util.types, load('sys') === util, util.debug === util.debuglog, util.isArray === Array.isArray, util.isRegExp === util.types.isRegExp, util.isDate === util.types.isDate]);

// The old questions.
const values = [undefined, null, true, 0, NaN, '', 'text', Symbol('s'), 1n, {}, [], () => {}, class {}, /x/, new Date(0), new Error('e'), Object.create(Error.prototype), Object(1), { __proto__: null }, new Map(), new Uint8Array(1)];
for (const name of ['isArray', 'isBoolean', 'isNull', 'isNullOrUndefined', 'isNumber', 'isString', 'isSymbol', 'isUndefined', 'isRegExp', 'isObject', 'isDate', 'isError', 'isFunction', 'isPrimitive']) {
  test(name, () => values.map((value) => util[name](value)));
}
test('isDeepStrictEqual', () => [util.isDeepStrictEqual([1, { a: 2 }], [1, { a: 2 }]), util.isDeepStrictEqual([1], ['1']), util.isDeepStrictEqual()]);
check('_extend', () => [util._extend({ a: 1 }, { b: 2, a: 3 }), util._extend({}, null), util._extend({}, 'text'), util._extend({}, [1]), util._extend(5, null), util._extend({}, { [Symbol('s')]: 1 })]);
check('toUSVString', () => ['a', '\ud800', 'x\udc00y', '😀', 5, null, undefined, [1, 2]].map(util.toUSVString));
checkKind('toUSVString symbol', () => util.toUSVString(Symbol('s')));

// System errors.
check('getSystemErrorMap', () => inspect([...util.getSystemErrorMap()], { maxArrayLength: null }));
for (const err of [-1, -2, -13, -4095, -3008, -99999, 0, 1, -1.5, NaN, -Infinity, -(2 ** 53), '-2', undefined, null, {}, 2n, -2n]) {
  check(`getSystemErrorName ${plain(err)}`, () => util.getSystemErrorName(err));
}
const facts = (error) => inspect([error.message, error.name, { ...error }]);
for (const args of [[-2, 'open'], [-2, 'open', 'original text'], [-99999, 'close'], [2, 'open'], [0, 'open'], ['x', 'open'], []]) check(`_errnoException ${plain(args)}`, () => facts(util._errnoException(...args)));
for (const args of [[-111, 'connect', '::1', 80], [-111, 'connect', '1.2.3.4', 80, 'more'], [-98, 'listen', '1.2.3.4'], [-98, 'bind', null, 5], [-2, 'connect', '/socket', -1]]) check(`_exceptionWithHostPort ${plain(args)}`, () => facts(util._exceptionWithHostPort(...args)));

// inherits.
for (const [label, args] of Object.entries({ 'nothing': [], 'null': [null, class {}], 'function null': [function () {}, null], 'function undefined': [function () {}, undefined], 'arrow': [function () {}, () => {}], '5, 5': [5, 5], 'object': [function () {}, {}] })) check(`inherits ${label}`, () => util.inherits(...args));
checkKind('inherits from a number', () => util.inherits(function () {}, { prototype: 5 }));
check('inherits', () => { function A() {} function B() {} B.prototype.m = () => 'm'; const result = util.inherits(A, B); return [result, new A().m(), A.super_ === B, Object.getOwnPropertyDescriptor(A, 'super_'), new A() instanceof B]; });

// promisify.
const { promisify, callbackify } = util;
for (const value of [undefined, null, 5, 'text', {}, []]) { check(`promisify ${plain(value)}`, () => promisify(value)); check(`callbackify ${plain(value)}`, () => callbackify(value)); }
check('promisify value', () => promisify((a, b, callback) => callback(null, a + b))(1, 2));
check('promisify several values', () => promisify((callback) => callback(null, 1, 2, 3))());
check('promisify no value', () => promisify((callback) => callback())());
check('promisify error', () => promisify((callback) => callback(new TypeError('e')))());
check('promisify falsy error', () => promisify((callback) => callback(0, 'value'))());
check('promisify text as error', () => promisify((callback) => callback('text'))().catch((reason) => [reason]));
check('promisify throws', () => promisify(() => { throw new RangeError('at once'); })());
check('promisify this', () => promisify(function (callback) { callback(null, this.tag); }).call({ tag: 't' }));
check('promisify twice', () => promisify((callback) => { callback(null, 1); callback(null, 2); callback(new Error()); })());
check('promisify shape', () => { const original = Object.assign((a, b) => {}, { x: 1, [Symbol.for('y')]: 2 }); const p = promisify(original); return [p.name, p.length, p.x, p[Symbol.for('y')], p[promisify.custom] === p, promisify(p) === p, Object.getOwnPropertyDescriptor(p, promisify.custom).enumerable]; });
check('promisify prototype', () => { class F extends Function {} return Object.getPrototypeOf(promisify(Object.setPrototypeOf(() => {}, F.prototype))) === F.prototype; });
check('promisify.custom', () => [promisify.custom, Object.getOwnPropertyDescriptor(promisify, 'custom').enumerable]);
check('promisify custom', () => { const own = () => 'own'; const p = promisify(Object.assign(() => {}, { [promisify.custom]: own })); return [p === own, p(), Object.getOwnPropertyDescriptor(own, promisify.custom)]; });
check('promisify custom wrong', () => promisify(Object.assign(() => {}, { [promisify.custom]: 5 })));
check('promisify custom falsy', () => promisify(Object.assign((callback) => callback(null, 1), { [promisify.custom]: null }))());
check('promisify class', () => promisify(class A { static m() { return 1; } }).m());
test('customPromisifyArgs', async () => {
  const symbol = onNode ? load('internal/util').customPromisifyArgs : load('internal/util/promisify').customPromisifyArgs;
  const named = (...results) => promisify(Object.assign((callback) => callback(null, ...results), { [symbol]: ['first', 'second'] }))();
  return JSON.stringify([await named(1, 2), await named(1), await named(1, 2, 3)]);
});

// callbackify.
const called = (fn, ...args) => new Promise((resolve) => { fn(...args, (...results) => resolve(results.map((result) => (result instanceof Error ? [plain(result), result.reason, Object.keys(result)] : result)))); });
check('callbackify value', () => called(callbackify(async (a) => a + 1), 1));
check('callbackify no value', () => called(callbackify(async () => {})));
check('callbackify error', () => called(callbackify(async () => { throw new TypeError('e'); })));
for (const reason of [null, undefined, 0, '', false, NaN]) check(`callbackify rejects ${plain(reason)}`, () => called(callbackify(() => Promise.reject(reason))));
check('callbackify rejects text', () => called(callbackify(() => Promise.reject('text'))));
check('callbackify this', () => new Promise((resolve) => { callbackify(async function () { return this.tag; }).call({ tag: 't' }, function (_, value) { resolve([value, this.tag]); }); }));
check('callbackify thenable', () => called(callbackify(() => ({ then(resolve) { resolve('foreign'); } }))));
check('callbackify shape', () => { const c = callbackify(Object.assign(async function named(a, b) {}, { x: 1 })); return [c.name, c.length, c.x]; });
check('callbackify without name', () => { const c = callbackify((() => async () => {})()); return [c.name, c.length]; });
for (const value of [undefined, null, 5, 'text', {}]) check(`callbackified with ${plain(value)}`, () => callbackify(async () => {})(1, value));
check('callbackified without arguments', () => callbackify(async () => {})());
check('callbackify throws', () => callbackify(() => { throw new RangeError('at once'); })(() => {}));

// deprecate.
check('deprecate', () => { const d = util.deprecate(function (a) { return [this.tag, a]; }, 'message'); return [d.call({ tag: 't' }, 1), d.call({ tag: 't' }, 2), taken(warnings)]; });
check('deprecate with code', () => { const one = util.deprecate(() => 1, 'first', 'CODE'); const two = util.deprecate(() => 2, 'second', 'CODE'); const three = util.deprecate(() => 3, 'third', 'OTHER'); return [one(), two(), three(), one(), taken(warnings)]; });
check('deprecate class', () => { class A { static s = 1; constructor(x) { this.x = x; } } const D = util.deprecate(A, 'class', 'CLASS'); class E extends D {} return [new D(5), new D(1) instanceof A, new D(1) instanceof D, D.s, new E(2), D.prototype === A.prototype, taken(warnings)]; });
check('deprecate shape', () => { const d = util.deprecate(Object.assign(function named(a, b) {}, { x: 1 }), 'message'); return [d.name, d.length, d.x, Object.keys(d), Object.getPrototypeOf(d).name]; });
for (const code of [5, null, {}, true]) check(`deprecate code ${plain(code)}`, () => util.deprecate(() => {}, 'message', code));
checkKind('deprecate number', () => util.deprecate(5, 'message'));
check('deprecate throws', () => util.deprecate(() => { throw new RangeError('own'); }, 'message')());

// debuglog.
for (const set of ['one', 'ONE', 'two', 'twofold', 'three', 'h.x', 'hax', '', 'one,two', 'http', 5]) {
  test(`debuglog ${plain(set)}`, () => {
    const written = onNode ? [] : stderr;
    const { write } = onNode ? process.stderr : {};
    if (onNode) process.stderr.write = (text) => { written.push(text); return true; };
    const given = [];
    const logger = util.debuglog(set, (replacement) => given.push(typeof replacement));
    const first = [logger.name, logger.length, logger.enabled, Object.keys(logger), given.length];
    logger('text %s %d', 'a', 5, { b: 1 });
    logger('again');
    if (onNode) process.stderr.write = write;
    return inspect([first, given, written.splice(0).map((text) => text.replace(/\d+:/, 'PID:')), taken(warnings)]);
  });
}
for (const set of [undefined, null]) checkKind(`debuglog ${set}`, () => util.debuglog(set).enabled);
checkKind('debuglog symbol', () => util.debuglog(Symbol('s')).enabled);

// styleText.
for (const format of ['red', 'bold', 'gray', 'grey', 'bgBlueBright', 'reset', ['red'], ['red', 'bold', 'bgBlue'], [], 'none', '', null, undefined, 5, ['red', 'none'], ['red', null], 'toString', '__proto__', Symbol('s')]) {
  for (const [label, options] of Object.entries({ 'no stream': { validateStream: false }, 'terminal': { stream: { isTTY: true, on() {}, write() {} } }, 'file': { stream: { isTTY: false, on() {}, pipe() {} } }, 'poor terminal': { stream: { isTTY: true, on() {}, write() {}, getColorDepth: () => 1 } }, 'state': { stream: { _writableState: {} } } })) {
    check(`styleText ${plain(format)} ${label}`, () => util.styleText(format, 'text', options));
  }
}
for (const text of [undefined, null, 5, {}, ['a'], Symbol('s'), '', 'a\u001b[39mb']) check(`styleText of ${plain(text)}`, () => util.styleText('red', text, { validateStream: false }));
for (const options of [{ stream: 5 }, { stream: {} }, { stream: null }, { stream: 'text' }, { validateStream: 1 }, { validateStream: null }, { validateStream: false, stream: 5 }, 5, []]) check(`styleText options ${plain(options)}`, () => util.styleText('underline', 'text', options));
check('styleText wrong in two ways', () => util.styleText('none', 5, { stream: 5 }));
check('styleText wrong format and stream', () => util.styleText('none', 'text', { stream: 5 }));

// aborted.
const { AbortController, AbortSignal } = onNode ? globalThis : load('internal/abort_controller');
check('aborted', async () => { const c = new AbortController(); const p = util.aborted(c.signal, {}); c.abort(); const event = await p; return [event.type, p instanceof Promise]; });
check('aborted already', () => util.aborted(AbortSignal.abort(), {}));
for (const signal of [undefined, null, 5, {}]) check(`aborted signal ${plain(signal)}`, () => util.aborted(signal, {}));
for (const resource of [undefined, null, 5, 'text', [], () => {}]) check(`aborted resource ${plain(resource)}`, () => util.aborted(AbortSignal.abort(), resource));
check('transferableAbortController', () => { const c = util.transferableAbortController(); return [c instanceof AbortController, c.signal.aborted]; });
check('transferableAbortSignal', () => { const { signal } = new AbortController(); const marked = util.transferableAbortSignal(signal); return [marked instanceof AbortSignal, marked.aborted]; });
for (const signal of [undefined, null, 5, {}, 'text']) check(`transferableAbortSignal ${plain(signal)}`, () => util.transferableAbortSignal(signal));

// parseEnv.
let state = seed * 104729;
function random(limit) {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) % limit;
}
const drawText = (parts, length) => Array.from({ length: random(length) }, () => parts[random(parts.length)]).join('');
const env = (text) => { const result = util.parseEnv(text); return JSON.stringify([Object.entries(result), Object.getPrototypeOf(result) === null]); };
for (const text of [
  'a=1', 'b=1\na=2', 'a', 'a\nb=1', '#c\na=1', 'a=1 # c', 'a="x" # y\nb=2', 'a="x', 'a="x\nb=1', "a='x\\n'", 'a="x\\ny"', 'export a=1', 'export  a=1', 'exporta=1', 'a= "x"', 'a=\n b=2', 'a=', '=1\nb=2', 'a="x" b=3\nc=4', 'a=x#y', '\r\na=1\r\n', 'a=`x\ny`', 'a=" x "', '  a  =  b  ', '#only', 'a=1\n#c', 'a=1\n#c=2', 'a=1\n  #c=2\nd=1', "a='x\nb='y'", '__proto__=1', 'a=1\na=2', 'a="b"c"d"\ne=f', ' \n \n a=1', '\ta\t=\t1\t', 'a="\\t\\\\n"', '5=1\n1=2\na=1', 'é=ü', 'a\n=b\nc=1', '', '\n', 'a= \n', 'a=  "x"  \n b = \'y\' # z\n', '\ufeffa=1', 'Z=1\na=2\n_=3\né=4',
]) test(`parseEnv ${JSON.stringify(text)}`, () => env(text));
for (let i = 0; i < 1500; i++) {
  const text = drawText(['a', 'b', '=', '=', '\n', '\n', ' ', '"', "'", '`', '#', '\\n', '\r', 'export ', 'KEY=value', '\t', '\\'], 16);
  // Node reads outside the text when a name is nothing but blanks.
  if (!/\n\r* [ \r]*=/.test(text)) test(`parseEnv ${JSON.stringify(text)}`, () => env(text));
}
for (const value of [undefined, null, 5, {}, Symbol('s')]) check(`parseEnv ${plain(value)}`, () => util.parseEnv(value));

// MIMEType and MIMEParams.
const { MIMEType, MIMEParams } = util;
const mime = (text) => { const type = new MIMEType(text); return JSON.stringify([type.type, type.subtype, type.essence, [...type.params], `${type}`, type]); };
for (const text of [
  'text/plain', 'TEXT/Plain; Charset=UTF-8', '  text/html ; charset="a b" ; x=y  ', 'text', '/', 'a/', '/b', '', 'a b/c', 'a/b c', 'é/b', 'a/é', 'a/b;', 'a/b;;;', 'a/b;c', 'a/b;c=', 'a/b;c=;d=e', 'a/b;=c', 'a/b;c="', 'a/b;c=""', 'a/b;c="\\"', 'a/b;c="x\\', 'a/b;c="x\\"y"', 'a/b;c="x"y;d=e', 'a/b;c="x;y";d=e', 'a/b;c=x;c=y', 'a/b;C=x;c=y', 'a/b;c d=e', 'a/b;c=é', 'a/b;c=\u0100', 'a/b;c="é"', 'a/b; c = d', 'a/b;c= d', 'a/b\t;\tc=d\r\n', 'a/b;c=d e', "a/b;c=d'e", 'a/b/c', 'a;b/c', 'a/b;c=d=e', 'a/b ; c', 'a/b;c="d" ;e="f"', 'a/b;c="\\d\\\\"', 'a/b;"c"=d', 'a/b;c=\u0000', 'a/b;c="\t"',
  'a/b; c=d;e=f ', '\u00a0a/b', 'a/b\u00a0', 'a/b;c=d\u00a0', 'a\n/b', 'a/b\n', 'a/b;\nc=d',
]) check(`MIMEType ${JSON.stringify(text)}`, () => mime(text));
for (let i = 0; i < 1500; i++) {
  const text = `${random(10) ? 'a/b' : 'a'}${drawText([';', ';', 'c', 'd', '=', '=', '"', '"', '\\', ' ', '\t', 'X', '/', 'é', 'c=d', '\n', '\u0100', '\u0001'], 14)}`;
  check(`MIMEType ${JSON.stringify(text)}`, () => mime(text));
}
for (const value of [undefined, null, 5, {}, ['a/b'], { toString: () => 'x/y' }]) check(`MIMEType ${plain(value)}`, () => mime(value));
check('MIMEType members', () => {
  const type = new MIMEType('a/b;c=d');
  type.type = 'X'; type.subtype = 'Y'; type.params.set('E', 'f g'); type.params.set('c', '');
  return [`${type}`, type.essence, type.params.has('E'), type.params.has('e'), type.params.get('E'), type.params.get('none'), type.params.delete('c'), `${type}`, [...type.params.keys()], [...type.params.values()], [...type.params.entries()], JSON.stringify(type), JSON.stringify(type.params), inspect(type), inspect(type.params)];
});
for (const value of ['', ' ', 'a b', 'é', 'a/b', undefined, null, 5, 'A;']) {
  check(`type = ${plain(value)}`, () => { const type = new MIMEType('a/b'); type.type = value; return `${type}`; });
  check(`subtype = ${plain(value)}`, () => { const type = new MIMEType('a/b'); type.subtype = value; return `${type}`; });
  check(`params.set ${plain(value)}`, () => { const params = new MIMEParams(); params.set(value, 'x'); return `${params}`; });
  check(`params.set x ${plain(value)}`, () => { const params = new MIMEParams(); params.set('x', value); return `${params}`; });
}
check('params.set with wrong value', () => new MIMEParams().set('x', 'a\u0100'));
test('MIME shapes', () => [MIMEType, MIMEParams].map((type) => Object.entries(Object.getOwnPropertyDescriptors(type.prototype)).map(([key, d]) => [key, d.enumerable, typeof d.get, typeof d.set, d.value?.name, d.value?.length]).join('\n')));
test('MIME aliases', () => [MIMEParams.prototype[Symbol.iterator] === MIMEParams.prototype.entries, MIMEParams.prototype.toJSON === MIMEParams.prototype.toString, MIMEType.prototype.toJSON === MIMEType.prototype.toString, Object.getOwnPropertyNames(MIMEParams), Object.getOwnPropertyNames(MIMEType)]);
checkKind('MIME foreign this', () => MIMEParams.prototype.get.call({}, 'a'));
checkKind('MIMEType without new', () => MIMEType('a/b'));
test('MIME params are live', () => { const params = new MIMEParams(); params.set('a', '1'); const iterator = params[Symbol.iterator](); params.set('b', '2'); return [[...iterator], Object.prototype.toString.call(iterator)]; });
