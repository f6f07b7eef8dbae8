import './failing.mjs';
globalThis.evaluations = 'never';
