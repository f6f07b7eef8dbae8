// Things of the library that hooks know as resources of their own, besides what the host runs.
// Uses binding.heard, which is there as soon as somebody wants to know what callbacks belong to.
'use strict';

/// Tells hooks of something new; `maker` is the resource that it comes from, if that is not the running one.
exports.made = (type, resource, maker) => {
  binding.heard?.made(type, resource, maker);
  return resource;
};

/// Whether a hook is on.
exports.hears = () => binding.heard !== undefined && binding.heard.hears();

/// Calls a method of it, within it.
exports.run = (resource, method, ...args) => {
  if (binding.heard !== undefined) return binding.heard.run(resource, resource[method], resource, args);
  return resource[method](...args);
};

/// Calls a function within it.
exports.call = (resource, callback, ...args) => {
  if (binding.heard !== undefined) return binding.heard.run(resource, callback, undefined, args);
  return callback(...args);
};

/// Tells hooks that it is over.
exports.ended = (resource) => {
  binding.heard?.ended(resource);
};

/// Nobody says when it is over: that is when nobody can use it any more.
exports.endsAsGarbage = (resource) => {
  binding.heard?.endsAsGarbage(resource);
};

/// What `act` gives to the host runs within that resource, of that type.
exports.within = (resource, type, act) => (binding.heard === undefined ? act() : binding.heard.within(resource, type, act));

/// What `act` gives to the host is a resource of that type, which comes from `maker`.
exports.named = (type, maker, act) => (binding.heard === undefined ? act() : binding.heard.named(type, maker, act));

/// What is made in `act` comes from `maker`.
exports.madeBy = (maker, act) => (binding.heard === undefined || maker == null ? act() : binding.heard.madeBy(maker, act));

/// Hooks do not hear of what `act` gives to the host, nor of what it makes.
exports.quietly = (act) => (binding.heard === undefined ? act() : binding.heard.quietly(act));

/// A callback that is called once, as a resource of that type.
exports.once = (type, maker, callback) => (binding.heard === undefined ? callback : binding.heard.once(type, maker, callback));

/// What a parser reads by itself from now on runs within that resource.
exports.consumed = (resource, act) => {
  if (binding.heard === undefined || resource === undefined) act();
  else binding.heard.consumed(resource, act);
};
