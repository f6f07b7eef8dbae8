import { log } from './log.mjs';
import { a } from './cycle-a.mjs';
log.push('b');
export const b = 'b';
try {
  a;
} catch (error) {
  log.push(error.name);
}
export const late = () => a;
