// A name that another piece of the namespace exports is read and written there; a closer one hides it.
namespace Shop {
  export const first = 1;
  const hidden = 5;
  export let count = 0;
  export function total() {
    return hidden + first + count;
  }
  export class Item {
    price = first;
  }
}
namespace Shop {
  export const second = first + 1;
  export function bump(by = count) {
    count++;
    count += by;
    return `${count}`;
  }
  export class Sale extends Item {
    off = { first, count };
  }
  export function set(value: { count: number }) {
    ({ count } = value);
    [count] = [count + 1];
    const first = 'own';
    return first + typeof second;
  }
  console.log(total(), new Item().price, new Sale().off);
}
namespace Shop.Till {
  export const open = second + first;
}
namespace Shop {
  export namespace Till {
    export const closed = open + second;
  }
  console.log(Till.open, Till.closed, Till === Shop.Till);
}
console.log(Shop.second, Shop.bump(), Shop.bump(1), Shop.count, Shop.set({ count: 7 }), Shop.count, Shop.total());

class Point {
  static origin() {
    return new Point();
  }
  at = 0;
}
namespace Point {
  export const label = 'point';
  export const start = Point.origin().at;
}
namespace Point {
  export class Far extends Point {
    at = start + label.length;
  }
}
console.log(Point.start, new Point.Far().at);

function counter() {
  return counter.from + counter.by;
}
namespace counter {
  export let from = 3;
}
namespace counter {
  export const by = ++from;
}
console.log(counter(), counter.from);

enum Side { Left = 1, Right }
namespace Side {
  export const all = [Side.Left, Side.Right];
}
namespace Side {
  export const names = all.map((side) => Side[side]);
}
enum Side { Both = Left + Right }
console.log(Side.names, Side.Both);

export namespace Out {
  export enum Kind { A = 'a' }
  export const [m, { n }] = [1, { n: 2 }];
  export interface Type { x: number }
  export type Alias = Type;
}
export namespace Out {
  const value: Type = { x: m + n };
  export import Other = Shop.Till;
  console.log(value, Kind.A);
}
console.log(Out.Other.closed);
