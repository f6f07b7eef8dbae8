import { log } from './log.mjs';
export const gate = {};
log.push('waits');
await new Promise((yes) => { gate.open = yes; globalThis.openGate = yes; });
log.push('opened');
