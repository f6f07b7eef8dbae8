export class Imported {}
export interface OnlyType { a: 1 }
export interface TypeOnly { b: 1 }
