function show(v) {
  if (typeof v === 'string') return JSON.stringify(v);
  if (typeof v === 'function') return 'function ' + v.name;
  if (typeof v !== 'object' || v === null) return Object.is(v, -0) ? '-0' : String(v);
  if (Array.isArray(v)) return '[' + v.map(show).join(', ') + ']';
  return '{' + Object.keys(v).map((k) => k + ': ' + show(v[k])).join(', ') + '}';
}
function log(...values) { write(values.map(show).join(' ')) }
