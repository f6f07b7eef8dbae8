// Things of the library that hooks know as resources of their own, besides what the host runs.
// Uses binding.hooked, which is there while a hook is on.
'use strict';

/// Tells hooks of something new.
exports.made = (type, resource) => {
  binding.hooked?.made(type, resource);
  return resource;
};

/// Calls a method of it, within it if hooks know of it.
exports.run = (resource, method, ...args) => {
  if (binding.hooked?.knows(resource)) return binding.hooked.run(resource, resource[method], resource, args);
  return resource[method](...args);
};

/// Tells hooks that it is over, if they know of it.
exports.ended = (resource) => {
  if (binding.hooked?.knows(resource)) binding.hooked.ended(resource);
};
