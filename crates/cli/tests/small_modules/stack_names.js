// What frames are called: by what a function was called on, and as what.
'use strict';

const frame = (error, at = 1) => error.stack.split('\n')[at].trim().replace(/\(\/.*\//, '(').replace(/at \/.*\//, 'at ');
const here = (at) => frame(new Error('x'), at === undefined ? 2 : at);
const say = (...frames) => console.log(frames.join('\n'));

class A {
  arrow = () => here();
  method() { return here(); }
  optional(a, b, c) { return here(a ?? b ?? c); }
  static still() { return here(); }
  get read() { return here(); }
  set written(value) { say(here(), value); }
  #hidden() { return here(); }
  callHidden() { return this.#hidden(); }
  * generator() { yield here(); }
  ['computed']() { return here(); }
  [Symbol.iterator]() { return here(); }
  constructor() { this.built = here(); }
  async later() { await 1; return here(); }
}
class B extends A {
  method() { return super.method(); }
}
const a = new A();
const b = new B();
say(a.method(), b.method(), a.optional(), a.optional?.(undefined), a['method'](), A.still(), B.still());
say(a.read, a.callHidden(), a.generator().next().value, a.computed(), a[Symbol.iterator](), a.arrow());
a.written = 'written';
say(a.built, b.built);

function plain() { return here(); }
const named = function() { return here(); };
const object = { method() { return here(); }, plain, other: plain, named, get x() { return here(); }, arrow: () => here() };
say(plain(), named(), object.method(), object.plain(), object.other(), object.named(), object.x, object.arrow(), object.method(...[1, 2]));
say(plain.call(a), plain.call(5), plain.call('s'), plain.apply([1]), Reflect.apply(plain, new Map(), []), plain.call(null), plain.call(globalThis));
say(plain.call(Object.create(null)), plain.call(new (class {})()), plain.call(new Proxy(a, {})), plain.bind(b)(), a.method.call(undefined));
say((() => here())(), (function() { return here(); }).call({}), new (class { constructor() { this.frame = here(); } })().frame);
[1].forEach(function() { say(here(), here(3)); });
new Promise(() => say(here(), here(3)));
const Emitter = require('events');
const emitter = new Emitter();
emitter.on('x', function() { say(here()); });
emitter.on('x', function listener() { say(here()); });
emitter.on('x', () => say(here()));
emitter.emit('x');
process.nextTick(() => say(here()));
a.later().then((told) => say(told));
setTimeout(function() {
  say(here());
  setTimeout(() => say(here()), 1);
  setTimeout(function expired() {
    say(here());
    say(plain.call(this), (() => plain.apply(this))(), new (class Timeout { own() { return plain.call(this); } })().own());
    setImmediate(() => say(here()));
    setImmediate(function soon() { say(here()); });
    setTimeout(async () => {
      await 1;
      say(here());
    }, 2);
  }, 2);
}, 1);

Error.prepareStackTrace = (error, sites) => sites.map((site) => [
  site.getTypeName(), site.getFunctionName(), site.getMethodName(), site.isToplevel(), site.isConstructor(), site.isAsync(), site.getThis() === undefined,
].join(' '));
say({ told() { return new Error('x').stack[0]; } }.told());
delete Error.prepareStackTrace;
