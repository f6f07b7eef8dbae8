import './dependency.mjs';
console.log('module', globalThis.als.getStore());
await 0;
console.log('module, later', globalThis.als.getStore());
export const later = new Promise((resolve) => setTimeout(() => resolve(globalThis.als.getStore()), 1));
