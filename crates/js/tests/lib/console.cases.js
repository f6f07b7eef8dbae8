// Consoles that write to streams which remember. The global console: ../against_node/global_console.js.
const details = new WeakMap();
let clock = 0;
binding.now = () => clock;
binding.born = 0;
binding.flags = [];
binding.previewEntries = (value) => details.get(value);
const warnings = [];
binding.emitWarning = (text) => warnings.push(text);
// Whether inspection was loaded shows in that it asks the binding what it has.
let hasLoadedInspection = false;
Object.defineProperty(binding, 'classOf', { get() { hasLoadedInspection = true; } });
const { Console } = onNode ? { Console: console.Console } : load('internal/console');
if (onNode) process.emitWarning = (text) => warnings.push(text);

const keysOf = (it) => { const keys = it.keys(); details.set(keys, [[...it.keys()], false]); return keys; };
const entriesOf = (it) => { const entries = it.entries(); details.set(entries, [
  [...it.entries()].flat(), true,
]); return entries; };

// Runs `use` with a new console and answers what was written where.
function run(use, options = {}, streams = {}) {
  let written = '';
  const stream = (name) => ({
    write(text) { written += `${name}: ${text}`; return true; }, once() {}, removeListener() {}, listenerCount: () => 0,
    ...streams,
  });
  const console = new Console({ stdout: stream('out'), stderr: stream('err'), ...options });
  warnings.length = 0;
  use(console);
  return withoutFrames(written) + warnings.map((text) => `warning: ${text}\n`).join('');
}
const both = (label, use, options, streams) => test(label, () => run(use, options, streams));

test('plain text loads nothing', () => {
  run((c) => { c.log('x'); c.log('a', 1, true, null, undefined, -0); c.error('y'); c.group('g'); c.log('z'); });
  return hasLoadedInspection;
});
const samples = [
  [], ['text'], [''], ['two\nlines'], ['a', 'b'], [1, -0, true, null, undefined], ['%s', 1], ['%d%%', 5], ['100%', 1],
  ['a', '%s', 'b'], [1, '%s'], [{ a: 1 }], ['x', { a: { b: { c: {} } } }], [[1, 2, 3]], [new Error('m')], [Symbol('s')],
  [5n], [() => {}], ['%o', { a: 1 }], ['%c css', 'x'], [NaN, Infinity, 1e21], ['%'], ['%s'], [undefined], [null],
  ['a\n', 'b\n'], [{ text: 'x'.repeat(100) }], [new Map([[1, { a: 1 }]])], ['%s %s', 'a'], [123456.789, 'x'],
];
for (const name of ['log', 'info', 'debug', 'error', 'warn', 'dirxml', 'group', 'groupCollapsed', 'trace', 'dir']) {
  for (const args of samples) {
    const label = `${name} ${args.map(String).join(', ')}`.slice(0, 60);
    both(label, (c) => c[name](...args));
    both(`${label} in a group`, (c) => { c.group('head'); c[name](...args); c.log('after'); c.groupEnd(); c[name](...args); });
    both(`${label} in colour`, (c) => c[name](...args), { colorMode: true });
    both(`${label} with options`, (c) => c[name](...args), { inspectOptions: { depth: 0, numericSeparator: true } });
  }
}
for (const args of samples) {
  both(`assert ${args.map((arg) => typeof arg)}`, (c) => { try { c.assert(false, ...args); } catch (error) { c.log(error.name); } });
  both(`assert true ${args.map((arg) => typeof arg)}`, (c) => c.assert(true, ...args));
}
both('assert nothing', (c) => c.assert());
both('dir with options', (c) => { c.dir({ a: { b: { c: 1 } } }, { depth: 0 }); c.dir({ a: [1] }, { colors: true }); c.dir({ [Symbol.for('nodejs.util.inspect.custom')]: () => 'custom' }); c.dir({ a: 1 }, { showHidden: true }); c.dir(1, null); });
both('count', (c) => { c.count(); c.count('x'); c.count(undefined); c.count(null); c.count(5); c.countReset(); c.count(); c.countReset('none'); c.count({}); c.group(); c.count(); });
both('groups', (c) => { c.group('a', 'b', { c: 1 }); c.group(); c.log('deep\ndeeper'); c.error({
  x: 1, y: 'z'.repeat(80),
}); c.groupEnd(); c.info(1); c.groupEnd(); c.groupEnd(); c.log(2); });
for (const groupIndentation of [
  0, 1, 4, 10,
]) both(`indentation ${groupIndentation}`, (c) => { c.group('a'); c.group('b'); c.log('c\nd'); c.groupEnd(); c.log('e'); }, { groupIndentation });
both('unbound methods', ({ log, error, group }) => { group('x'); log('y'); error('z'); });
both('warnings', (c) => { c.time(); c.time(); c.time('a'); c.time('a'); c.timeEnd('b'); c.timeLog('c'); c.countReset('d'); });
both('terminal', (c) => { c.log({ a: 1 }, 'x'); c.error(5); c.clear(); }, {}, { isTTY: true });
both('terminal without colours', (c) => c.log({ a: 1 }), {}, { isTTY: true, getColorDepth: () => 1 });
both('terminal with colours', (c) => { c.log(1, 'x', null); c.table([1]); c.dir(1); c.trace('x', 1); }, {}, {
  isTTY: true, getColorDepth: () => 8,
});
both('not a terminal', (c) => { c.clear(); c.log(1); }, {}, { getColorDepth: () => 8 });
both('a stream that throws', (c) => c.log('x'), {}, { write() { throw new Error('broken'); } });
both('a stream that throws and is heard', (c) => c.log('x'), { ignoreErrors: false }, { write() { throw new Error('broken'); } });
both('one stream', (c) => { c.log(1); c.error(2); }, { stderr: undefined });
test('subclass', () => {
  let written = '';
  class Loud extends Console { log(...args) { super.log('loud', ...args); } extra() { this.log('extra'); } }
  const c = new Loud({ stdout: {
    write(text) { written += text; }, once() {}, removeListener() {}, listenerCount: () => 0,
  } });
  c.log(1); c.extra(); c.group('g'); c.count(); c.info(2);
  return written + (c instanceof Loud) + (c instanceof Console);
});
const sink = () => ({ write() {} });
for (const [label, make] of Object.entries({
  nothing: () => new Console(), empty: () => new Console({}), notWritable: () => new Console({ stdout: {} }),
  badStderr: () => new Console({ stdout: sink(), stderr: {} }),
  badMode: () => new Console({ stdout: sink(), colorMode: 'x' }),
  mode1: () => new Console({ stdout: sink(), colorMode: 1 }),
  badIndent: () => new Console({ stdout: sink(), groupIndentation: -1 }),
  badIndent2: () => new Console({ stdout: sink(), groupIndentation: 1001 }),
  badIndent3: () => new Console({ stdout: sink(), groupIndentation: 'x' }),
  badOptions: () => new Console({ stdout: sink(), inspectOptions: 5 }),
  nullOptions: () => new Console({ stdout: sink(), inspectOptions: null }),
  pair: () => new Console({ stdout: sink(), colorMode: 'auto', inspectOptions: { colors: true } }),
  noNew: () => Console(sink()) instanceof Console,
  positional: () => new Console(sink(), sink(), false) instanceof Console, notConsole: () => ({}) instanceof Console,
  badProperties: () => new Console(sink()).table([1], 'x'),
})) {
  test(`Console ${label}`, () => String(make()));
}
test('shape', () => {
  const c = new Console(sink());
  return [
    Object.keys(c).join(), Object.keys(Console.prototype).join(), Object.keys(c).map((key) => c[key].name).join(),
    Object.prototype.toString.call(c), Console.name, c._stdout === c._stderr,
  ].join(' ');
});

// Tables.
const tables = [
  () => [], () => ({}), () => [1, 2], () => ['a', 'b'], () => [[1, 2], [3, 4]], () => [[1], [2, 3]],
  () => [{ a: 1, b: 2 }, { a: 3, c: 4 }], () => ({ x: { a: 1 }, y: { b: 2 } }), () => ({ a: 1, b: 'x' }),
  () => [1, { a: 1 }, null, undefined], () => [{ a: { b: { c: 1 } }, d: [1, 2, 3, 4, 5] }],
  () => new Map([['a', 1], [{ k: 1 }, { v: 2 }]]), () => new Map(), () => new Set([1, 'a', { x: 1 }]), () => new Set(),
  () => keysOf(new Map([[1, 2]])), () => entriesOf(new Map([[1, 2], ['x', { y: 1 }]])), () => keysOf(new Set([1, 2])),
  () => entriesOf(new Set([1])), () => 5, () => 'text', () => null, () => undefined, () => true, () => Symbol('s'),
  () => () => {}, () => [{ text: '中文', other: 'é' }, { text: '😀', other: 'plain' }], () => [{ a: 'x'.repeat(60) }],
  () => [{ 'long column name': 1 }], () => [{ a: { one: 1, two: 2, three: 3 } }, { a: { one: 1, two: 2 } }],
  () => new Uint8Array([1, 2]), () => [new Date(0), /x/], () => [() => {}, function f() {}],
  () => [[['deep', ['deeper']]]], () => Object.create({ inherited: 1 }, { own: { value: { a: 1 }, enumerable: true } }),
  () => [{ a: undefined, b: null }], () => [{ 1: 'x', 0: 'y' }], () => [{ __proto__: null, a: 1 }],
  () => [{ get g() { return 5; } }], () => [new (class P { a = 1; })()], () => ({ 'line\nbreak': 1 }), () => [['a\nb']],
  () => (function () { return arguments; })(1, 2), () => [{ a: 10n, b: Symbol('x') }], () => [[], []], () => [{}],
  () => [1, [2]], () => [{ a: -0 }],
];
for (const make of tables) {
  for (const properties of [
    undefined, ['a'], ['b', 'zz'], [], [0],
  ]) both(`table ${make} ${properties}`, (c) => c.table(make(), properties));
  both(`table ${make} in a group`, (c) => { c.group(); c.table(make()); });
  both(`table ${make} in colour`, (c) => c.table(make()), { colorMode: true });
}
for (const properties of [
  'a', 5, {}, null,
]) test(`table properties ${properties}`, () => run((c) => c.table([{ a: 1 }], properties)));

// Times. The clock is ours only on one side, so Node's function for durations is asked directly.
const time = onNode ? load('internal/console/constructor').formatTime : (ms) => {
  const use = (c) => { c.time('label'); clock = ms; c.timeEnd('label'); };
  clock = 0;
  return run(use).match(/label: (\S+(?: \(.*?\))?)/)[1];
};
for (const ms of [
  0, 0.0001, 0.1234, 1.5, 12.34567, 999.9994, 999.9999, 1000, 1234.5678, 59999.4, 59999.99, 60000, 61234.567,
  119999.9999, 3599999.9, 3600000, 3661234.5, 36000000, 86400000.5,
]) test(`time ${ms}`, () => time(ms));
const timed = (label, use) => test(label, () => {
  clock = 0;
  return run(use).replace(/: \d+(?:\.\d+)?m?s/g, ': T');
});
timed('timeEnd', (c) => { c.time(); clock = 5; c.timeEnd(); c.timeEnd(); });
timed('timeLog', (c) => { c.time('a'); clock = 1.5; c.timeLog('a'); c.timeLog('a', 'more', { x: 1 }); c.timeEnd('a'); c.timeLog('a'); });
timed('times in a group', (c) => { c.group(); c.time(5); c.timeLog(5); c.timeEnd('5'); });
timed('labels', (c) => { c.time('%s'); c.timeEnd('%s'); c.time(null); c.timeEnd(null); });
