import { a, type B } from './x.ts'
import type { C } from 'c'
enum E { A = 1, B, C = "c" }
namespace N { export const x: number = 1; export function f() { return x } }
abstract class D<T extends B = C> extends a<T> implements I {
  private readonly #x?: number = 1
  constructor(public y: string, protected z = 2) { super() }
  static { this.s = 1 }
  declare q: string
  get v(): number { return this.#x! }
  async *m<U>(this: D<T>, ...r: U[]): AsyncGenerator<U> { for await (const x of r) yield x as U }
}
function over(x: string): void
function over(x: any) { return x satisfies unknown }
export default <T,>(x: T) => x
export type { C }
let t = <any>over, u = x!.y?.[0]!.z
