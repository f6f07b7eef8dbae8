// packages: lodash@4.18.1 underscore@1.13.8 ramda@0.32.0 immer@11.2.10 lru-cache@11.5.3 quick-lru@7.3.0 bn.js@5.2.5 decimal.js@10.6.0 big.js@7.0.1 long@5.3.2 classnames@2.5.1
import _ from 'lodash';
import underscore from 'underscore';
import * as R from 'ramda';
import { produce, produceWithPatches, enablePatches, enableMapSet, freeze, original } from 'immer';
import { LRUCache } from 'lru-cache';
import QuickLRU from 'quick-lru';
import BN from 'bn.js';
import Decimal from 'decimal.js';
import Big from 'big.js';
import Long from 'long';
import classNames from 'classnames';

console.log(_.chunk([1, 2, 3, 4, 5], 2), _.groupBy(['one', 'two', 'three'], 'length'), _.get({ a: [{ b: { c: 3 } }] }, 'a[0].b.c'), _.cloneDeep(new Map([[{ a: 1 }, new Set([1])]])));
console.log(_.template('hello <%= user %>!<% if (n) { %> <%- n %><% } %>')({ user: 'x', n: '<' }), _.kebabCase('fooBar baz'), _.deburr('déjà vu'), _.words('a-b cD'), _.isEqual(new Map([[1, [2]]]), new Map([[1, [2]]])));
console.log(_.merge({ a: [{ b: 2 }] }, { a: [{ c: 3 }] }), _.orderBy([{ u: 'b', a: 1 }, { u: 'a', a: 1 }, { u: 'a', a: 2 }], ['u', 'a'], ['asc', 'desc']), _.flow([(x) => x + 1, (x) => x * 2])(1), _.sampleSize([1], 2));
const calls = [];
const debounced = _.debounce((x) => calls.push(x), 10, { maxWait: 30 });
debounced(1); debounced(2);
const throttled = _.throttle((x) => calls.push(`t${x}`), 10);
throttled(1); throttled(2); throttled(3);
await new Promise((resolve) => setTimeout(resolve, 50));
console.log(calls.sort(), typeof _.now(), _.memoize((x) => x)(1));
console.log(underscore.countBy([1.3, 2.1, 2.4], Math.floor), underscore.chain([3, 1, 2]).sortBy().reverse().value(), underscore.zip([1, 2], ['a', 'b']));
console.log(R.pipe(R.map(R.inc), R.sum)([1, 2]), R.path(['a', 'b'], { a: { b: 1 } }), R.groupWith(R.equals, [1, 1, 2]), R.curry((a, b, c) => a + b + c)(1)(2, 3), R.toString({ a: [new Date(0), 'x'] }));
enablePatches(); enableMapSet();
const base = freeze({ list: [{ done: false }], map: new Map([['a', 1]]), set: new Set([1]) }, true);
const next = produce(base, (draft) => { draft.list[0].done = true; draft.list.push({ done: original(draft).list[0].done }); draft.map.set('b', 2); draft.set.delete(1); });
console.log(base, next, Object.isFrozen(next.list), produceWithPatches({ a: 1 }, (draft) => { draft.a++; draft.b = [1]; }));
try { next.list.push(1); } catch (error) { console.log(error.name); }
const cache = new LRUCache({ max: 2, dispose: (value, key, reason) => console.log('gone', key, reason) });
cache.set('a', 1).set('b', 2); cache.get('a'); cache.set('c', 3);
console.log([...cache.entries()], cache.size, [...new QuickLRU({ maxSize: 2 }).set(1, 2)]);
console.log(new BN('123456789012345678901234567890').pow(new BN(3)).toString(16), new BN(7).invm(new BN(11)).toNumber(), new BN(-5).umod(new BN(3)).toString());
console.log(new Decimal('0.1').plus('0.2').toString(), Decimal.sqrt(2).toPrecision(30), new Decimal(2).pow(0.5).toFixed(5), Decimal.exp(1).toString(), new Big(1).div(3).toString(), Long.fromString('9223372036854775807').add(1).toString(), Long.fromNumber(-1).toUnsigned().toString());
console.log(classNames('a', { b: true, c: false }, ['d', { e: 1 }]));
