// Stacks need none of these globals, which a program can take away.
for (const name of ['SharedArrayBuffer', 'WeakRef', 'FinalizationRegistry', 'Proxy', 'Float64Array', 'AggregateError']) delete globalThis[name];
try {
  new RegExp('(');
} catch ({ stack }) {
  console.log(stack.split('\n').slice(0, 2).join('\n'));
}
