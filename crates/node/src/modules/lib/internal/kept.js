// What the library needs of the language in places where it handles what a program must not get: taken
// before the program could replace it. A function that is called here by its name is the language's own.
'use strict';

const { apply, construct } = Reflect;
const { defineProperties, defineProperty, freeze, getPrototypeOf, hasOwn } = Object;
const { call } = Function.prototype;
const { startsWith } = String.prototype;

// The methods of a collection as properties of its own.
const methodsOf = ({ prototype }, names) => {
  const methods = { __proto__: null };
  for (const name of names) methods[name] = { __proto__: null, value: prototype[name] };
  return methods;
};
const Map_ = WeakMap;
const Set_ = WeakSet;
const ofMaps = methodsOf(Map_, ['delete', 'get', 'has', 'set']);
const ofSets = methodsOf(Set_, ['add', 'delete', 'has']);

module.exports = {
  apply, call, construct, defineProperty, freeze, getPrototypeOf, hasOwn,
  startsWith: (text, start) => apply(startsWith, text, [start]),
  // Collections to which nobody listens by replacing a method of all of them.
  weakMap: () => defineProperties(new Map_(), ofMaps),
  weakSet: () => defineProperties(new Set_(), ofSets),
};
