// What a compiler makes CommonJS of may use what CommonJS modules have.
import { sep } from 'path';
import fs = require('fs');
import Shape = require('./whole');
import whole from './whole';
import { told } from './told';
import own from './own';

declare const require: any, __dirname: string, __filename: string, module: any, exports: any;

console.log(typeof require, typeof module, typeof exports, typeof fs.readFileSync);
console.log(__filename.startsWith(__dirname + sep), __filename.slice(__dirname.length + 1).split('.')[0]);
console.log(require.main === module, require('./told').told, require.resolve('./own') !== '');
console.log(new Shape(2).area(), Shape.unit, whole === Shape);
console.log(told, own('abc'));
function inner(require: number) { return require + 1 }
console.log(inner(1));
