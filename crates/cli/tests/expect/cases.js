// Expectations, each a piece of code. scripts/compare-expect-with-jest writes down what jest says to each.
'use strict';

const VALUES = [
  'undefined', 'null', 'true', 'false', '0', '-0', '1', 'NaN', '10n', '""', '"abc"', '"a\\nb"', 'Symbol.for("s")', '[]', '[1, 2]', '{}',
  '{a: 1}', '{a: undefined}', 'new Date(0)', '/x/g', 'new Map([[1, 2]])', 'new Set([1])', 'new Error("no")', '(() => {})', 'new (class Foo {})()',
  '[, 1]', 'new Uint8Array([1, 2])', 'Object.create(null)',
];
const PAIRS = [
  ['1', '1'], ['1', '2'], ['0', '-0'], ['NaN', 'NaN'], ['"a"', '"b"'], ['"one\\ntwo\\nthree"', '"one\\n2\\nthree"'], ['null', 'undefined'],
  ['{a: 1, b: 2}', '{a: 1, b: 2}'], ['{a: 1, b: 2}', '{a: 1, b: 3}'], ['{a: 1}', '{a: 1, b: undefined}'], ['{a: {b: [1, 2, 3]}}', '{a: {b: [1, 2, 4]}}'],
  ['[1, 2, 3]', '[1, 2]'], ['[, 1]', '[undefined, 1]'], ['new Date(0)', 'new Date(1)'], ['/a/', '/a/g'], ['new Set([1, {a: 1}])', 'new Set([{a: 1}, 1])'],
  ['new Set([1])', 'new Set([2])'], ['new Map([["a", {b: 1}]])', 'new Map([["a", {b: 1}]])'], ['new Map([["a", 1]])', 'new Map([["a", 2]])'],
  ['new Error("a")', 'new Error("a")'], ['new Error("a")', 'new Error("b")'], ['new (class A { constructor() { this.x = 1; } })()', '{x: 1}'],
  ['[1, [2, [3]]]', '[1, [2, [4]]]'], ['{a: 1}', '[1]'], ['"1"', '1'], ['10n', '10n'], ['10n', '11n'], ['Symbol.for("a")', 'Symbol.for("a")'],
  ['{a: 1, b: {c: 2}}', '{a: expect.any(Number), b: {c: expect.anything()}}'], ['{a: 1, b: "x"}', '{a: expect.any(String), b: "x"}'],
  ['[1, 2, 3]', 'expect.arrayContaining([3, 1])'], ['[1, 2]', 'expect.arrayContaining([3])'], ['{a: 1, b: 2}', 'expect.objectContaining({a: 1})'],
  ['{a: 1}', 'expect.objectContaining({b: 1})'], ['"hello"', 'expect.stringContaining("ell")'], ['"hello"', 'expect.stringMatching(/^h/)'],
  ['0.1 + 0.2', 'expect.closeTo(0.3)'], ['{x: 1.005}', '{x: expect.closeTo(1, 1)}'], ['[1]', 'expect.not.arrayContaining([2])'],
  ['{a: 1}', 'expect.not.objectContaining({a: 1})'], ['"a"', 'expect.not.stringContaining("a")'],
  ['[{a: 1}, {a: 2}]', '[expect.objectContaining({a: 1}), expect.objectContaining({a: 3})]'],
  ['new Uint8Array([1, 2])', 'new Uint8Array([1, 3])'], ['{a: [1, 2], b: "x", c: null, d: undefined, e: 1, f: 2, g: 3, h: 4, i: 5, j: 6}', '{a: [1, 2], b: "x", c: null, e: 1, f: 2, g: 3, h: 4, i: 5, j: 7}'],
  ['Array.from({length: 30}, (_, i) => i)', 'Array.from({length: 30}, (_, i) => i === 15 ? 0 : i)'],
  ['(() => { const a = {}; a.a = a; return a; })()', '(() => { const a = {}; a.a = a; return a; })()'],
  ['Object.assign(() => {}, {})', 'Object.assign(() => {}, {})'], ['new Number(1)', '1'], ['[undefined]', '[]'], ['{get a() { return 1; }}', '{a: 1}'],
  ['{[Symbol.for("k")]: 1}', '{[Symbol.for("k")]: 2}'],
];
const SIMPLE = ['toBeDefined', 'toBeFalsy', 'toBeNaN', 'toBeNull', 'toBeTruthy', 'toBeUndefined'];
const BOTH = ['toBe', 'toEqual', 'toStrictEqual'];

const FN = 'const f = jest.fn((a) => { if (a === "no") throw new Error("no"); return a; });';
const OTHERS = [
  ...['toBeGreaterThan', 'toBeGreaterThanOrEqual', 'toBeLessThan', 'toBeLessThanOrEqual'].flatMap((name) =>
    [['1', '2'], ['2', '2'], ['3n', '2'], ['"a"', '1'], ['1', 'null']].flatMap(([a, b]) => [`expect(${a}).${name}(${b})`, `expect(${a}).not.${name}(${b})`])),
  ...['0.1 + 0.2, 0.3', '1, 1.1', '1.23, 1.2, 1', '1.23, 1.2, 3', 'Infinity, Infinity', 'Infinity, -Infinity', '"a", 1', '1, "a"'].flatMap((args) => {
    const [a, ...rest] = args.split(', ');
    return [`expect(${a}).toBeCloseTo(${rest.join(', ')})`, `expect(${a}).not.toBeCloseTo(${rest.join(', ')})`];
  }),
  ...['new Error("a"), Error', 'new TypeError("a"), Error', '[], Map', '1, Number', 'null, Object', '{}, "x"', 'class A {}, Function'].flatMap((args) => {
    const at = args.lastIndexOf(', ');
    return [`expect(${args.slice(0, at)}).toBeInstanceOf(${args.slice(at + 2)})`, `expect(${args.slice(0, at)}).not.toBeInstanceOf(${args.slice(at + 2)})`];
  }),
  ...['[1, 2]|2', '[1, 2]|3', '"abc"|"b"', '"abc"|"x"', 'new Set([1])|1', '[{a: 1}]|{a: 1}', 'null|1', '"abc"|1', '[NaN]|NaN'].flatMap((pair) => {
    const [a, b] = pair.split('|');
    return [`expect(${a}).toContain(${b})`, `expect(${a}).not.toContain(${b})`, `expect(${a}).toContainEqual(${b})`, `expect(${a}).not.toContainEqual(${b})`];
  }),
  ...['[1, 2]|2', '[1, 2]|3', '"abc"|3', '"abc"|4', '{length: 1}|1', '1|1', '[]|-1', '(a, b) => {}|2'].flatMap((pair) => {
    const [a, b] = pair.split('|');
    return [`expect(${a}).toHaveLength(${b})`, `expect(${a}).not.toHaveLength(${b})`];
  }),
  ...['"a"', '"a", 1', '"a", 2', '"b"', '"c.d"', '"c.d", {e: 1}', '"c.d.e", 1', '"c.x.e"', '["c", "d"]', '["x"]', '"l[0]"', '"l[1].m", 2', '"a.b.c"', '[]', '"u"', '"u", undefined', '1'].flatMap((args) =>
    ['', '.not'].map((not) => `expect({a: 1, c: {d: {e: 1}}, l: [1, {m: 2}], u: undefined})${not}.toHaveProperty(${args})`)),
  'expect(null).toHaveProperty("a")',
  ...['"hello"|/ell/', '"hello"|"ell"', '"hello"|/x/', '"hello"|"x"', '1|/x/', '"a"|1'].flatMap((pair) => {
    const [a, b] = pair.split('|');
    return [`expect(${a}).toMatch(${b})`, `expect(${a}).not.toMatch(${b})`];
  }),
  ...['{a: 1, b: 2}|{a: 1}', '{a: 1, b: 2}|{a: 2}', '{a: {b: 1, c: 2}}|{a: {b: 1}}', '{a: {b: 1, c: 2}}|{a: {b: 2}}', '[{a: 1, b: 2}]|[{a: 1}]', '[{a: 1}, {b: 2}]|[{a: 1}]', '{a: undefined}|{a: undefined}', '{}|{a: undefined}', '{a: [1, 2, 3]}|{a: [1, 2]}', 'null|{}', '{}|1', '{d: new Date(0)}|{d: new Date(0)}', '{a: 1}|{a: expect.any(String)}', '{a: {b: {c: {d: 1}}}}|{a: {b: {c: {d: 2}}}}'].flatMap((pair) => {
    const [a, b] = pair.split('|');
    return [`expect(${a}).toMatchObject(${b})`, `expect(${a}).not.toMatchObject(${b})`];
  }),
  ...['() => { throw new Error("boom"); }', '() => { throw new TypeError("bad type"); }', '() => { throw "text"; }', '() => {}', '1'].flatMap((fn) =>
    ['', '"boom"', '"x"', '/bo+m/', '/x/', 'Error', 'TypeError', 'new Error("boom")', 'new Error("other")', 'expect.objectContaining({message: "boom"})', '1'].flatMap((arg) =>
      [`expect(${fn}).toThrow(${arg})`, `expect(${fn}).not.toThrow(${arg})`])),
  ...['f();', 'f(1);', 'f(1); f(2, "x"); f({a: 1});', '', 'try { f("no"); } catch {}'].flatMap((calls) => [
    'toHaveBeenCalled()', 'toHaveBeenCalledTimes(1)', 'toHaveBeenCalledTimes(2)', 'toHaveBeenCalledWith()', 'toHaveBeenCalledWith(1)', 'toHaveBeenCalledWith(2, "x")',
    'toHaveBeenCalledWith({a: expect.any(Number)})', 'toHaveBeenLastCalledWith({a: 1})', 'toHaveBeenNthCalledWith(2, 2, "x")', 'toHaveReturned()', 'toHaveReturnedTimes(1)',
    'toHaveReturnedWith(1)', 'toHaveLastReturnedWith({a: 1})', 'toHaveNthReturnedWith(1, 1)',
  ].flatMap((matcher) => [`${FN} ${calls} expect(f).${matcher}`, `${FN} ${calls} expect(f).not.${matcher}`])),
  'expect(() => {}).toHaveBeenCalled()', 'expect(1).toHaveBeenCalledTimes(1)', 'expect(jest.fn()).toHaveBeenCalledTimes("a")',
  'expect(1).toBeNull(2)', 'expect(1).toBeDefined("x")',
];

const PRINTED = [
  ...VALUES, '{a: {b: {c: 1}}}', '[[1], [2, [3]]]', '{"a-b": 1, 2: 3, a: 4}', '"quote \\" back \\\\ slash"', 'jest.fn()', 'jest.fn().mockName("named")', 'function named() {}', 'class A {}',
  'new (class A { constructor() { this.x = 1; } })()', '[undefined, null]', 'new WeakMap()', 'Promise.resolve()', '{toJSON() { return {j: 1}; }}', 'Buffer.from("ab")', 'new Date(NaN)',
  '(function () { return arguments; })(1, 2)', 'new Map([[{a: 1}, "b"]])', 'new Set([[1], {b: 2}])', '{[Symbol.for("k")]: 1, z: 2, a: 3}', 'new ArrayBuffer(2)', 'new Number(3)', 'new String("s")',
  'expect.any(Number)', 'expect.anything()', 'expect.objectContaining({a: 1})', 'expect.arrayContaining([1])', 'expect.stringContaining("x")', 'expect.stringMatching(/x/)', 'expect.closeTo(1, 3)',
  '(() => { const a = {n: 1}; a.self = a; return a; })()', '(() => { const f = jest.fn((x) => x * 2); f(1); f(2); return f; })()', 'Object.assign(new Error("e"), {code: 1})', 'new TypeError("t")', '-1.5', '1e21', '"`tick` ${x}"',
];

module.exports = {
  expectations: [
    ...VALUES.flatMap((value) => SIMPLE.flatMap((name) => [`expect(${value}).${name}()`, `expect(${value}).not.${name}()`])),
    ...PAIRS.flatMap(([a, b]) => BOTH.flatMap((name) => [`expect(${a}).${name}(${b})`, `expect(${a}).not.${name}(${b})`])),
    ...OTHERS,
  ],
  printed: PRINTED,
};
