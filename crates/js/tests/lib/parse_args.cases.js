// util.parseArgs: configurations and arguments, each with each, and the checks of configurations.
const { parseArgs } = load('util');

const show = (value) => JSON.stringify(value, (key, inner) => (inner === undefined ? '(undefined)' : inner));
const attempt = (fn) => {
  try {
    const result = fn();
    return `${show(result)} ${Object.getPrototypeOf(result.values)} ${Object.keys(result.values)}`;
  } catch (error) {
    return `${error.name} ${error.code} ${error.message}`;
  }
};

const optionSets = {
  none: undefined,
  empty: {},
  booleans: { foo: { type: 'boolean', short: 'f' }, bar: { type: 'boolean' }, 'no-color': { type: 'boolean' } },
  strings: { foo: { type: 'string', short: 'f' }, bar: { type: 'string', short: 'b' } },
  mixed: { foo: { type: 'boolean', short: 'f' }, bar: { type: 'string', short: 'b' }, color: { type: 'boolean' }, n: { type: 'boolean' } },
  multiple: { foo: { type: 'boolean', short: 'f', multiple: true }, bar: { type: 'string', short: 'b', multiple: true } },
  defaults: { foo: { type: 'boolean', short: 'f', default: true }, bar: { type: 'string', default: 'preset' }, list: { type: 'string', multiple: true, default: ['x', 'y'] }, flags: { type: 'boolean', multiple: true, default: [] } },
  odd: { '': { type: 'string' }, '=': { type: 'string', short: '=' }, 'a=b': { type: 'string', short: '-' }, 'é': { type: 'boolean', short: 'é' }, ['__proto__']: { type: 'boolean', default: true } },
  shorts: { a: { type: 'boolean' }, b: { type: 'string' }, c: { type: 'boolean', short: 'x' }, first: { type: 'string', short: 's' }, second: { type: 'boolean', short: 's' } },
};
const argLists = [
  [], ['-f'], ['--foo'], ['-f', '-f'], ['--foo', '--foo'], ['--foo', 'bar'], ['-f', 'bar'], ['-fbar'], ['-f=bar'], ['--foo=bar'], ['--foo='], ['--foo=bar=baz'], ['--foo', '--', '--bar'], ['--'], ['--', '--'], ['-', '--foo'], ['-'], ['--foo', '-'],
  ['positional'], ['a', 'b', 'c'], ['a', '--foo', 'b'], ['-fb', 'x'], ['-fbx'], ['-bf'], ['-bfx', 'y'], ['-ffb'], ['-fq'], ['-b'], ['--bar'], ['-f', '--bar', 'x'], ['--bar', '--foo'], ['--bar', '-f'], ['-b', '-f'], ['-b', '--'], ['--bar', '--'], ['-b', '-'], ['--bar', ''], ['-b', ''], ['--bar=-x'], ['-b-x'], ['--bar', '-5'], ['-b', '-5'], ['-5'], ['--bar', 'a', '--bar', 'b'], ['-b', 'a', '-b', 'b'],
  ['--no-color'], ['--no-color=false'], ['--no-foo'], ['--foo', '--no-foo'], ['--no-foo', '--foo'], ['--no-bar'], ['--no-'], ['--no-unknown'], ['--no-bar', 'x'], ['--unknown'], ['--unknown=x'], ['-u'], ['-ux'], ['--unknown', 'x'], ['-abx', 'y'], ['-ab', 'y'], ['-ba'], ['-a', '-b'], ['-x'], ['-xab=c'], ['-s', 'v'], ['-sv'], ['--=x'], ['--=', 'x'], ['---'], ['---foo'], ['--==x'], ['-=', 'x'], ['-=x'], ['--é'], ['-é'], ['-éf'], ['--__proto__'], ['--__proto__=x'], ['--constructor'], ['--toString', 'x'], [''], [' '], ['--foo bar'], ['--list', 'z', '--list=w'], ['--flags'], ['--bar', 'given', '--no-foo'], ['-f\n'], ['--a\nb=c'], ['-😀'],
];
const modes = [
  {}, { strict: false }, { allowPositionals: true }, { strict: false, allowPositionals: false }, { tokens: true, allowPositionals: true }, { tokens: true, strict: false }, { allowNegative: true, allowPositionals: true }, { allowNegative: true, strict: false, tokens: true },
];
for (const [name, options] of Object.entries(optionSets)) {
  for (const args of argLists) {
    for (const mode of modes) {
      const config = { args, ...mode };
      if (options !== undefined) config.options = options;
      test(`${name} ${show(args)} ${show(mode)}`, () => attempt(() => parseArgs(config)));
    }
  }
}

// Whatever can be wrong with a configuration.
const wrong = [null, 0, 1, 'text', '', true, false, {}, [], () => {}, Symbol('s'), 5n, NaN];
for (const [i, value] of wrong.entries()) {
  for (const key of ['args', 'strict', 'allowPositionals', 'tokens', 'allowNegative', 'options']) {
    // Without arguments of its own it would parse those of the test.
    if (key === 'args' && value === null) continue;
    test(`${key} ${i}`, () => attempt(() => parseArgs({ args: [], [key]: value })));
  }
  test(`option ${i}`, () => attempt(() => parseArgs({ args: [], options: { foo: value } })));
  for (const type of ['string', 'boolean']) {
    for (const key of ['type', 'short', 'multiple', 'default']) test(`${type} ${key} ${i}`, () => attempt(() => parseArgs({ args: [], options: { foo: { type, [key]: value } } })));
    test(`${type} default of multiple ${i}`, () => attempt(() => parseArgs({ args: [], options: { foo: { type, multiple: true, default: value } } })));
    test(`${type} defaults of multiple ${i}`, () => attempt(() => parseArgs({ args: [], options: { foo: { type, multiple: true, default: ['a', value] } } })));
  }
  test(`argument ${i}`, () => attempt(() => parseArgs({ args: [String(value)], options: { foo: { type: 'string' } } })));
}
for (const key of ['type', 'short', 'multiple', 'default']) test(`undefined ${key}`, () => attempt(() => parseArgs({ args: [], options: { foo: { type: 'string', [key]: undefined } } })));
test('two letters', () => attempt(() => parseArgs({ args: [], options: { foo: { type: 'string', short: 'ab' } } })));
test('surrogates', () => attempt(() => parseArgs({ args: [], options: { foo: { type: 'string', short: '😀' } } })));
test('inherited members', () => attempt(() => parseArgs({ __proto__: { strict: false }, args: ['--x'], options: Object.create({ x: { type: 'boolean' } }) })));
test('inherited type', () => attempt(() => parseArgs({ args: ['--x'], options: { x: Object.create({ type: 'boolean' }) } })));
test('array-like', () => attempt(() => parseArgs({ args: { length: 1, 0: '--x' } })));
test('shape', () => [parseArgs.name, parseArgs.length]);
test('arguments stay', () => { const args = ['-ab', 'x']; parseArgs({ args, strict: false }); return show(args); });
