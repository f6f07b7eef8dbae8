import { sep } from 'node:path';
import hidden = require('./lib/hidden.js');
import * as marked from './lib/marked.js';
export const seen = `${hidden.second()} ${sep} ${marked.named} ${typeof __filename}`;
