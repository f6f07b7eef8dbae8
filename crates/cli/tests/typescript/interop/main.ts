import { first, second as two } from './lib/hidden.js';
import hidden from './lib/hidden.js';
import * as all from './lib/hidden.js';
import marked, { named } from './lib/marked.js';
import * as mark from './lib/marked.js';
import { late } from './lib/made.js';
import callable, { part } from './lib/callable.js';
import data, { version } from './lib/data.json';
import { third, last, told } from './between';
import { seen } from './script.cjs';

const { second: taken } = all;
console.log(first(), two(), typeof hidden.first, all.third(), all.default === hidden, taken());
console.log(marked, named, mark.default, mark.named);
console.log(late);
console.log(callable(), part);
console.log(version, data.list);
console.log(third(), last === third, told);
console.log(seen);
