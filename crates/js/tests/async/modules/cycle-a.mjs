import { log } from './log.mjs';
import { b } from './cycle-b.mjs';
log.push('a');
await null;
log.push(`a sees ${b}`);
export const a = 'a';
export const late = () => b;
