// node:path, both halves: listed cases, wrong arguments, and paths drawn at random.
binding.cwd = () => '/home/user/work';
const path = load('path');
if (onNode) process.cwd = binding.cwd;

const names = [
  '', '/', '//', '///', '.', '..', '...', './', '../', '/.', '/..', '/../', 'a', 'a/', 'a//', '/a', '/a/', '//a', '///a//', 'a/b', 'a//b',
  'a/b/', 'a/./b', 'a/../b', 'a/b/..', 'a/b/../..', 'a/b/../../..', '/a/../..', '../a', '../../a', './a', 'a/.', '.a', '.a.b', 'a.', 'a..',
  'a.b', 'a.b.c', 'a.b/', 'a/b.c//', 'a/.b', 'a/..b', 'a/b.', '/a.b/c', '/home/user', '/home/user/work', '/home/user/work/x', '/home/user/workx',
  'C:', 'c:', 'C:\\', 'C:/', 'C:a', 'C:a\\b', 'C:\\a', 'C:\\a\\', 'C:\\a\\b.c', 'C:/a/../b', 'C:..', 'C:.', 'C:\\..', 'C:a\\..', 'D:\\a', 'c:\\A\\B',
  '\\', '\\\\', '\\\\\\', '\\a', '\\a\\b', '\\\\a', '\\\\a\\b', '\\\\a\\b\\', '\\\\a\\b\\c', '\\\\a\\b\\c\\..\\..', '//a/b/c.d', '\\\\.\\a', '\\\\?\\C:\\a',
  '\\\\.\\PHYSICALDRIVE0', '\\\\?\\UNC\\a\\b', 'CON:', 'con:x', 'COM1:x', 'a\\CON:x', 'a:b:c', 'x\\..\\C:y', '.\\C:', '1:\\a', 'ä:\\b', 'C:\\İ', 'a\\b/c',
  'a\\b.c\\', 'file.tar.gz', 'a b', 'ünï/cödé.tëxt', '\u{1f600}/a', 'a\nb/c', 'C:\\a\\..\\..\\b', 'foo', 'foobar', '\\foo', '\\foobar', '\\ab', '\\abc',
];
for (const kind of ['posix', 'win32']) {
  const p = path[kind];
  test(`${kind} keys`, () => JSON.stringify(Object.keys(p)) + p.sep + p.delimiter + (p.posix === path.posix) + (p.win32 === path.win32));
  test(`${kind} names`, () => Object.values(p).filter((f) => typeof f === 'function').map((f) => f.name + f.length).join());
  for (const name of names) {
    for (const method of ['resolve', 'normalize', 'isAbsolute', 'join', 'toNamespacedPath', '_makeLong', 'dirname', 'basename', 'extname', 'parse']) {
      test(`${kind}.${method} ${name}`, () => JSON.stringify(p[method](name)));
    }
    test(`${kind}.format ${name}`, () => p.format(p.parse(name)));
    for (const suffix of ['', 'b', '.c', 'a', '.b', name, `x${name}`, `${name}/`]) test(`${kind}.basename ${name} ${suffix}`, () => p.basename(name, suffix));
    for (const other of names) {
      test(`${kind}.relative ${name} ${other}`, () => p.relative(name, other));
      test(`${kind}.join ${name} ${other}`, () => p.join(name, other));
      test(`${kind}.resolve ${name} ${other}`, () => p.resolve(name, other));
    }
  }
  for (const value of [undefined, null, 1, {}, [], true, Symbol('s'), () => {}]) {
    for (const method of ['resolve', 'normalize', 'isAbsolute', 'join', 'relative', 'toNamespacedPath', 'dirname', 'basename', 'extname', 'format', 'parse', 'matchesGlob']) {
      test(`${kind}.${method} of ${String(value)}`, () => JSON.stringify(p[method](value, 'x')));
    }
    test(`${kind}.relative to ${String(value)}`, () => p.relative('x', value));
    test(`${kind}.basename suffix ${String(value)}`, () => p.basename('x', value));
    test(`${kind}.resolve second ${String(value)}`, () => p.resolve('x', value));
    test(`${kind}.resolve first ${String(value)}`, () => p.resolve(value, '/x'));
  }
  const formats = [
    {}, { dir: 'd' }, { root: '/' }, { root: '/', base: 'b' }, { dir: '/', root: '/', base: 'b' }, { dir: 'd', base: 'b', name: 'n', ext: '.e' },
    { name: 'n' }, { ext: 'e' }, { ext: '.e' }, { name: 'n', ext: 'e' }, { dir: 'd', name: 'n', ext: '.e' }, { dir: '', root: 'C:\\', base: 'x' },
  ];
  for (const parts of formats) test(`${kind}.format ${JSON.stringify(parts)}`, () => p.format(parts));
}

const globs = [
  '', '*', '**', 'a', 'a/*', 'a/**', '**/c', 'a/**/c', '*.js', '.*', '{a,b}', '{a,b}/*', 'a{1..3}', 'a{01..10..3}', 'a?', '?', '[ab]*', '[!a]*', '[^a]*',
  '@(a|b)', '!(a)', '*(a|b)', '+(a|b)', '?(a)b', '!(*.js)', 'a\\b', '[[:alpha:]]?', '[[:digit:]]*', './a', 'a/../b', 'a/', '/a', '/*', '/**', '{a', 'a}', '[a',
  '**/*.js', 'a/**/..', '#a', '!a', '{a,{b,c}}', '{a}', '${a,b}', 'x/*/y', '**/.a', '.a/**',
];
const files = [
  '', 'a', 'b', 'c', 'ab', 'a/b', 'a/c', 'a/b/c', 'a/.b/c', '.a', '.a/b', 'x.js', 'a/x.js', 'a1', 'a3', 'a04', 'a/', '/a', '/', './a', 'a/../b', 'a\\b', '#a',
  '!a', '{a', 'a}', '[a', '{a}', '${a,b}', '1x', 'Ab', 'x/q/y', 'x/.q/y', 'ä', 'a/.a',
];
for (const glob of globs) {
  for (const file of files) for (const kind of ['posix', 'win32']) test(`${kind}.matchesGlob ${file} ${glob}`, () => path[kind].matchesGlob(file, glob));
}

let state = seed;
const draw = (n) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0, Math.floor((state / 2 ** 32) * n));
const tokens = ['/', '\\', '/', '\\', '//', '\\\\', '.', '..', 'a', 'b.js', 'foo', 'C:', 'c:', 'D:\\', 's', '.x', '...', '?', 'CON:', 'aB', 'x.', 'work', '/home', ':'];
const drawPath = () => Array.from({ length: draw(8) }, () => tokens[draw(tokens.length)]).join('');
for (let i = 0; i < 3000; i++) {
  const drawn = [drawPath(), drawPath(), drawPath()];
  for (const kind of ['posix', 'win32']) {
    const p = path[kind];
    test(`${kind} drawn ${JSON.stringify(drawn)}`, () => JSON.stringify([
      p.resolve(...drawn), p.join(...drawn), p.relative(drawn[0], drawn[1]), p.normalize(drawn[0]), p.dirname(drawn[0]), p.basename(drawn[0]),
      p.basename(drawn[0], drawn[1]), p.extname(drawn[0]), p.parse(drawn[0]), p.isAbsolute(drawn[0]), p.toNamespacedPath(drawn[0]),
    ]));
  }
}
