// Random pairs of similar values: the verdicts of deep equality and the messages of the assertions
// that fail on them. `--seed=N` draws others.
const { isDeepEqual, isDeepStrictEqual } = load('internal/util/comparisons');
const assert = load('assert');

let state = seed * 7919;
function random(limit) {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) % limit;
}
const pick = (list) => list[random(list.length)];
const chance = (percent) => random(100) < percent;

// A value is drawn as a recipe, since two values are to be made of each and the second of a
// recipe that was changed a little.
const symbols = [Symbol('a'), Symbol('b'), Symbol('a')];
const functions = [function one() {}, () => {}, class Three {}];
class Foo { constructor(members) { Object.assign(this, members); } }
class Bar extends Foo {}
const primitives = [
  undefined, null, true, false, 0, -0, 1, 2, 3, 1.5, NaN, Infinity, 1n, 2n, '', '0', '1', '2', 'a', 'b', 'abc', 'a\nb', "it's",
  'a longer string of text', 'a longer string of words', 'x'.repeat(60), ...symbols, ...functions,
];
const keys = ['a', 'b', 'c', 'key', 'a-b', '0', '1', '10', symbols[0], symbols[1]];
const containers = ['array', 'array', 'array', 'object', 'object', 'object', 'map', 'set', 'foo', 'bar', 'bare', 'arguments', 'error', 'sparse'];
const leaves = ['date', 'regexp', 'box', 'bytes', 'floats', 'buffer'];

function drawLeaf() {
  const kind = pick(leaves);
  switch (kind) {
    case 'date': return { kind, value: random(3) * 1000 };
    case 'regexp': return { kind, value: pick(['a', 'b']), flags: pick(['', 'g']), lastIndex: random(2) };
    case 'box': return { kind, value: pick([1, 0, -0, NaN, 'a', 'ab', true, false, 1n, symbols[0]]) };
    case 'floats': return { kind, value: [pick([0, -0, NaN, 1.5]), pick([0, 1])] };
    default: return { kind, value: Array.from({ length: random(4) }, () => random(3)), type: random(3) };
  }
}

function draw(depth, above) {
  if (depth <= 0 || chance(30)) return { kind: 'primitive', value: pick(primitives) };
  if (chance(15)) return drawLeaf();
  if (above > 0 && chance(8)) return { kind: 'up', value: random(above) };
  const kind = pick(containers);
  const count = chance(10) ? 20 + random(40) : random(5);
  const items = [];
  for (let i = 0; i < count; i++) {
    const childDepth = count > 10 ? 0 : depth - 1;
    items.push({ key: kind === 'map' ? draw(childDepth - 1, above + 1) : pick(keys), value: draw(childDepth, above + 1) });
  }
  return { kind, items, extra: chance(10) ? pick(['x', symbols[2]]) : undefined };
}

function change(recipe, depth) {
  if (recipe.items === undefined) {
    if (chance(50)) return recipe;
    return chance(70) ? { kind: 'primitive', value: pick(primitives) } : drawLeaf();
  }
  const result = { ...recipe, items: [...recipe.items] };
  const { items } = result;
  const at = random(items.length + 1);
  switch (random(9)) {
    case 0: items.splice(at, 1); break;
    case 1: items.splice(at, 0, { key: recipe.kind === 'map' ? draw(0, 0) : pick(keys), value: draw(1, 0) }); break;
    case 2: items.reverse(); break;
    case 3: if (at < items.length) items[at] = { ...items[at], key: recipe.kind === 'map' ? change(items[at].key, 0) : pick(keys) }; break;
    case 4: result.kind = pick(containers) === 'map' || recipe.kind === 'map' ? recipe.kind : pick(['object', 'foo', 'bar', 'bare', recipe.kind]); break;
    case 5: result.extra = chance(50) ? undefined : 'x'; break;
    default: if (at < items.length) items[at] = { key: items[at].key, value: change(items[at].value, depth - 1) };
  }
  return result;
}

function build(recipe, above) {
  const { kind, value, items } = recipe;
  switch (kind) {
    case 'primitive': return value;
    case 'up': return above[Math.min(value, above.length - 1)];
    case 'date': return new Date(value);
    case 'regexp': return Object.assign(new RegExp(value, recipe.flags), { lastIndex: recipe.lastIndex });
    case 'box': return Object(value);
    case 'bytes': return new [Uint8Array, Int8Array, Uint16Array][recipe.type](value);
    case 'floats': return new Float64Array(value);
    case 'buffer': return new Uint8Array(value).buffer;
  }
  const made = {
    array: () => [], sparse: () => [], object: () => ({}), map: () => new Map(), set: () => new Set(), foo: () => new Foo(), bar: () => new Bar(),
    bare: () => ({ __proto__: null }), arguments: () => (function () { return arguments; })(1, 2), error: () => new Error('message'),
  }[kind]();
  const inside = [...above, made];
  items.forEach((item, index) => {
    const member = build(item.value, inside);
    if (kind === 'array') made.push(member);
    else if (kind === 'sparse') made[index * 2 + 1] = member;
    else if (kind === 'map') made.set(build(item.key, inside), member);
    else if (kind === 'set') made.add(member);
    else if (kind === 'error' && item.key === 'a') Object.defineProperty(made, 'cause', { value: member, configurable: true });
    else made[item.key] = member;
  });
  // Stacks differ between the engines; without one an error is shown as its headline.
  if (kind === 'error') Object.defineProperty(made, 'stack', { value: undefined });
  if (recipe.extra !== undefined) made[recipe.extra] = 1;
  return made;
}

const message = (fn) => {
  try {
    fn();
    return 'passes';
  } catch (error) {
    return `${error.name} ${error.generatedMessage}\n${error.message}`;
  }
};

for (let i = 0; i < 1500; i++) {
  const first = draw(4, 0);
  let second = first;
  for (let changes = random(4); changes > 0; changes--) second = change(second, 3);
  test(`verdict ${i}`, () => {
    const [a, b] = [build(first, [{}]), build(second, [{}])];
    return `${isDeepEqual(a, b)} ${isDeepStrictEqual(a, b)} ${isDeepEqual(b, a)} ${isDeepStrictEqual(b, a)}`;
  });
  if (i % 3 !== 0) continue;
  for (const name of ['deepEqual', 'deepStrictEqual', 'strictEqual', 'notDeepEqual', 'notDeepStrictEqual', 'notStrictEqual', 'equal', 'notEqual']) {
    test(`${name} ${i}`, () => {
      const a = build(first, [{}]);
      return message(() => assert[name](a, name === 'notStrictEqual' || name === 'notEqual' ? a : build(second, [{}])));
    });
  }
  test(`message ${i}`, () => message(() => assert.deepStrictEqual(build(first, [{}]), build(second, [{}]), 'said')));
}
