export const plain = 'plain.ts, imported as plain.js';
