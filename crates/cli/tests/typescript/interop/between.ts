export { third, third as last } from './lib/hidden.js';
export { default as told } from './lib/marked.js';
