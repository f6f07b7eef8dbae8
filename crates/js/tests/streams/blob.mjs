// Blob, File and FormData. The output is Node 20's.
import { Blob, File } from 'buffer';
import util from 'util';
const d = (e) => (e instanceof Error ? `${e.name} ${e.code} ${e.message}` : util.inspect(e));
const s = async (l, f) => {
  try {
    console.log(l, '=>', d(await f()));
  } catch (e) {
    console.log(l, 'throws', d(e));
  }
};
for (const a of [
  [],
  [1],
  ['abc'],
  [null],
  [undefined],
  [{}],
  [[]],
  [['a', 1, null, undefined, {}, [1, 2]]],
  [new Set(['x', 'y'])],
  [[new Uint8Array([65, 66]), new Uint16Array([0x4344]).buffer, new DataView(new ArrayBuffer(1)), new Blob(['zz'])]],
  [['a\r\nb\nc'], { endings: 'native' }],
  [['a\r\nb\nc'], { endings: 'x' }],
  [['a'], { type: 'Text/PLAIN' }],
  [['a'], { type: 'té' }],
  [['a'], { type: 5 }],
  [['a'], { type: null }],
  [['a'], 1],
  [['a'], null],
  [['\ud800']],
])
  await s('Blob ' + util.inspect(a), async () => {
    const b = new Blob(...a);
    return [b, b.size, b.type, await b.text()];
  });
const b = new Blob(['hello world'], { type: 'a/b' });
for (const a of [[], [1], [1, 3], [-3], [-3, -1], [5, 2], [0, 100], [0, 5, 'X/Y'], [0, 5, 5], [undefined, 3]])
  await s('slice ' + util.inspect(a), async () => {
    const x = b.slice(...a);
    return [x.size, x.type, await x.text()];
  });
await s('arrayBuffer', () => b.arrayBuffer());
await s('stream', async () => {
  const c = [];
  for await (const x of b.stream()) c.push(x);
  return c;
});
console.log(b.stream());
await s('bytes', () => b.bytes?.());
for (const a of [
  [],
  [[]],
  [['a'], 'n'],
  [['a'], 'n', { lastModified: 5, type: 'T/x' }],
  [['a'], 5],
  [['a'], 'n', { lastModified: '7' }],
  [['a'], 'n', { lastModified: NaN }],
  [['a'], 'n', { lastModified: null }],
  [['a'], 'a/b'],
  ['x', 'n'],
  [['a'], 'n', 1],
])
  await s('File ' + util.inspect(a), async () => {
    const f = new File(...a);
    return [
      f.name,
      f.size,
      f.type,
      a[2]?.lastModified !== undefined ? f.lastModified : typeof f.lastModified,
      f instanceof Blob,
      await f.text(),
    ];
  });
await s('fd', () => {
  const f = new FormData();
  f.append('a', '1');
  f.append('a', new Blob(['x']), 'file.txt');
  f.set('b', 5);
  f.append('c', new File(['q'], 'q.txt', { lastModified: 1 }));
  return [...f].map(([k, v]) => [k, typeof v === 'string' ? v : [v.constructor.name, v.name, v.size]]);
});
for (const a of [[], ['a'], ['a', 'b', 'c'], ['a', {}], ['a', new Blob([])], ['a', new Blob([]), 'n']])
  await s('fd.append ' + util.inspect(a), () => {
    const f = new FormData();
    f.append(...a);
    return f.get('a') && (typeof f.get('a') === 'string' ? f.get('a') : [f.get('a').name, f.get('a').type]);
  });
await s('fd methods', () => {
  const f = new FormData();
  f.append('a', '1');
  f.append('b', '2');
  f.append('a', '3');
  f.set('a', '4');
  f.delete('b');
  const o = [];
  f.forEach(function (v, k, s) {
    o.push([k, v, s === f, this === 7]);
  }, 7);
  return [
    f.get('a'),
    f.get('z'),
    f.getAll('a'),
    f.getAll('z'),
    f.has('a'),
    f.has('b'),
    [...f.keys()],
    [...f.values()],
    [...f.entries()],
    o,
    String(f),
    f,
    Object.prototype.toString.call(f.entries()),
  ];
});
await s('fd ctor', () => new FormData(1));
await s('fd ctor und', () => new FormData(undefined));
await s('fd wrong', () => FormData.prototype.get.call({}, 'a'));
await s('fd get', () => new FormData().get());
