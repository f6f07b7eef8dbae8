export interface Shape { side: number }
export type Unused = 1;
export type Other = string;
export function area(shape: Shape) { return shape.side ** 2 }
export default function make() {}
