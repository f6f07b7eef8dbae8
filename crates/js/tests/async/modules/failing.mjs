globalThis.evaluations = (globalThis.evaluations ?? 0) + 1;
await null;
throw new RangeError('failing');
