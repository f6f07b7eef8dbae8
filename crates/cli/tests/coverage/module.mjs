import fs from 'node:fs';
export default function () { return fs ? 1 : 2; }
export const a = () => {};
export function b() {}
export class C { constructor() {} m() {} }
export const { d = () => {} } = {};
const x = await 5;
if (x) {
  a();
}
const t = x > 9 ? () => {} : 0;
