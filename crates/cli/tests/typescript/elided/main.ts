import { Shape, area, Unused } from './shapes.js';
import Default, { type Other } from './shapes.js';
import OnlyType from './effects.js';
import * as all from './effects.js';
import Kept, * as gone from './shapes.js';
import './effects2.js';
import type { Never } from './missing.js';
interface Local { a: number }
class Value {}
const shape: Shape = { side: 2 };
let other: Other | Never | OnlyType | all.Effect | gone.Shape | Local | Unused;
export { Local, Value };
export { type Shape } from './shapes.js';
type Query = typeof Default;
console.log(area(shape), typeof Kept, other, new Value() instanceof Value);
enum Color { Red = 'red' } const enum Fast { A = 1 }
namespace Geo { export const unit = area({ side: 3 }); export namespace Inner { export let count = 1; export function next() { return ++count } } }
console.log(Color.Red, Fast.A, Geo.unit, Geo.Inner.next(), Geo.Inner.count);
abstract class Base { constructor(protected readonly name: string, public size = 1) {} abstract go(): string }
class Impl extends Base { extra = this.name + '!'; go() { return this.name + this.size + this.extra } }
console.log(new Impl('n').go());
