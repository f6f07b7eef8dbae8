// What decorators do: the loader makes calls of these functions of them; see docs/design/transform.md.
'use strict';

// Decorators as TypeScript had them before there was a standard.

// One of a parameter, as one of the function that has it.
exports.parameter = (index, decorator) => (target, key) => decorator(target, key, index);

// One that tells a type, if the program keeps such things.
exports.metadata = (name, value) => (typeof globalThis.Reflect.metadata === 'function' ? globalThis.Reflect.metadata(name, value) : undefined);

// What stands for a type: the function that makes its values.
exports.made = (value) => (typeof value === 'function' ? value : Object);

// Calls those of a member; `isProperty`: it is no method and has no descriptor yet.
function decorateMember(decorators, target, key, isProperty) {
  let descriptor = isProperty ? undefined : Object.getOwnPropertyDescriptor(target, key);
  if (typeof Reflect.decorate === 'function') {
    descriptor = Reflect.decorate(decorators, target, key, descriptor);
  } else {
    for (let i = decorators.length - 1; i >= 0; i--) {
      const decorator = decorators[i];
      if (decorator) descriptor = decorator(target, key, descriptor) || descriptor;
    }
  }
  if (descriptor) Object.defineProperty(target, key, descriptor);
}

// All members of a class, those of its objects first.
exports.run = (type, members) => {
  for (const wanted of [false, true]) {
    for (const [isStatic, key, isProperty, evaluate] of members) {
      if (isStatic === wanted) decorateMember(evaluate(), isStatic ? type : type.prototype, key, isProperty);
    }
  }
};

// The class that decorators make of one.
exports.type = (type, evaluate, name) => {
  if (name !== undefined) nameClass(type, name);
  const decorators = evaluate();
  if (typeof Reflect.decorate === 'function') return Reflect.decorate(decorators, type);
  let result = type;
  for (let i = decorators.length - 1; i >= 0; i--) {
    const decorator = decorators[i];
    if (decorator) result = decorator(result) || result;
  }
  return result;
};

function nameClass(type, name) {
  const own = Object.getOwnPropertyDescriptor(type, 'name');
  if (own === undefined || (own.configurable && typeof own.value === 'string')) {
    Object.defineProperty(type, 'name', { __proto__: null, value: name, writable: false, enumerable: false, configurable: true });
  }
}
exports.named = nameClass;

// Decorators of the standard.

if (Symbol.metadata === undefined) {
  Object.defineProperty(Symbol, 'metadata', {
    __proto__: null, value: Symbol('Symbol.metadata'), writable: false, enumerable: false, configurable: false,
  });
}

function checkFunction(value, what = 'Function') {
  if (typeof value !== 'function') throw new TypeError(`${what} expected`);
  return value;
}

const runAll = (functions, self) => {
  for (const one of functions) one.call(self);
};

// What is known of a member.
class Element {
  constructor([number, kind, isStatic, key, access, original], decorators, computed) {
    this.number = number;
    this.kind = kind;
    this.isStatic = isStatic;
    this.key = key === undefined ? computed : key;
    this.access = access;
    this.original = original;
    this.decorators = decorators;
    // What makes the first value of a field, and what is done when it is there.
    this.initializers = [];
    this.after = [];
    // What a private method is now.
    this.current = undefined;
  }

  get isField() {
    return this.kind === 'field';
  }

  contextAccess() {
    const { key, kind } = this;
    const [has, get, set] = this.access ?? [(object) => key in object, (object) => object[key], (object, value) => { object[key] = value; }];
    const access = { has };
    if (kind !== 'setter') access.get = get;
    if (kind !== 'method' && kind !== 'getter') access.set = set;
    return access;
  }
}

class State {
  constructor(decorators) {
    this.decorators = decorators;
    this.evaluated = [];
    this.keys = [];
    this.elements = [];
    this.ofObjects = [];
    this.ofClass = [];
    this.lastOfClass = [];
    this.result = undefined;
  }

  // The decorators of a member.
  e(number, decorators) {
    this.evaluated[number] = decorators;
  }

  // The key of a member that is computed.
  k(number, ...key) {
    if (key.length > 0) this.keys[number] = typeof key[0] === 'symbol' ? key[0] : `${key[0]}`;
    return this.keys[number];
  }

  // All decorators are called.
  a(type, elements) {
    const parent = Object.getPrototypeOf(type);
    const metadata = Object.create(parent?.[Symbol.metadata] ?? null);
    for (const told of elements) this.elements.push(new Element(told, this.evaluated[told[0]], this.keys[told[0]]));
    for (const [isField, isStatic] of [[false, true], [false, false], [true, true], [true, false]]) {
      for (const element of this.elements) {
        if (element.isField === isField && element.isStatic === isStatic) this.decorate(type, element, metadata);
      }
    }
    this.result = type;
    if (this.decorators !== undefined) this.decorateClass(type, metadata);
    Object.defineProperty(this.result, Symbol.metadata, {
      __proto__: null, value: metadata, writable: true, enumerable: true, configurable: true,
    });
    runAll(this.ofClass, this.result);
  }

  // The context of one call, in which more can be asked for until it is over.
  call(decorator, value, context, list) {
    let isOver = false;
    context.addInitializer = (initializer) => {
      if (isOver) throw new TypeError('Cannot add initializers after decoration has completed');
      list.push(checkFunction(initializer));
    };
    const result = checkFunction(decorator)(value, context);
    isOver = true;
    return result;
  }

  decorate(type, element, metadata) {
    const { kind, key, isStatic, decorators } = element;
    const isPrivate = element.access !== undefined;
    const target = isStatic ? type : type.prototype;
    const descriptor = element.isField ? undefined : isPrivate ? descriptorOf(element) : Object.getOwnPropertyDescriptor(target, key);
    const isOwn = element.isField || kind === 'accessor';
    const list = isOwn ? element.after : isStatic ? this.ofClass : this.ofObjects;
    for (let i = decorators.length - 1; i >= 0; i--) {
      const context = { kind, name: key, static: isStatic, private: isPrivate, access: element.contextAccess(), metadata };
      const part = kind === 'getter' ? 'get' : kind === 'setter' ? 'set' : 'value';
      const value = element.isField ? undefined : kind === 'accessor' ? { get: descriptor.get, set: descriptor.set } : descriptor[part];
      const result = this.call(decorators[i], value, context, list);
      if (result === undefined) continue;
      if (kind === 'accessor') {
        if (result === null || typeof result !== 'object') throw new TypeError('Object expected');
        if (result.get !== undefined) descriptor.get = checkFunction(result.get);
        if (result.set !== undefined) descriptor.set = checkFunction(result.set);
        if (result.init !== undefined) element.initializers.unshift(checkFunction(result.init));
      } else if (element.isField) {
        element.initializers.unshift(checkFunction(result));
      } else {
        descriptor[part] = checkFunction(result);
      }
    }
    if (isPrivate) element.current = descriptor;
    else if (descriptor !== undefined) Object.defineProperty(target, key, descriptor);
  }

  decorateClass(type, metadata) {
    for (let i = this.decorators.length - 1; i >= 0; i--) {
      const context = { kind: 'class', name: type.name, metadata };
      const result = this.call(this.decorators[i], this.result, context, this.lastOfClass);
      if (result !== undefined) this.result = checkFunction(result);
    }
  }

  // Before the fields of an object.
  i(object) {
    runAll(this.ofObjects, object);
  }

  // The first value of a field.
  f(number, object, value) {
    let result = value;
    for (const initializer of this.elements[number].initializers) result = initializer.call(object, result);
    return result;
  }

  // When the field is there.
  x(number, object) {
    runAll(this.elements[number].after, object);
  }

  // What a private method, getter or setter is now.
  v(number) {
    const { current } = this.elements[number];
    return current.value ?? current.get ?? current.set;
  }

  g(number) {
    return this.elements[number].current.get;
  }

  s(number) {
    return this.elements[number].current.set;
  }

  // When all of the class is there.
  z() {
    runAll(this.lastOfClass, this.result);
  }

  // What the decorators of the class made of it.
  r() {
    return this.result;
  }
}

function descriptorOf({ kind, original, key }) {
  if (kind === 'accessor') return { get: original.get, set: original.set };
  nameClass(original, kind === 'getter' ? `get ${key}` : kind === 'setter' ? `set ${key}` : key);
  return kind === 'getter' ? { get: original } : kind === 'setter' ? { set: original } : { value: original };
}

exports.begin = (decorators) => new State(decorators);
