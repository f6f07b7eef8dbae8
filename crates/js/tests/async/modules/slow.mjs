import { log } from './log.mjs';
log.push('slow starts');
await null;
await new Promise((yes) => setTimeout(yes, 2));
log.push('slow ends');
export const value = await Promise.resolve('slow');
export let live = 1;
export const change = async () => { await null; live = 2; };
