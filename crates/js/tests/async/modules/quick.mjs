import { log } from './log.mjs';
log.push('quick');
export default 'quick';
