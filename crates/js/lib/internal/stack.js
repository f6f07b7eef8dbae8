// Stacks as Node shows them: the error's name and message above the frames, and positions in the
// program's own text.
'use strict';

// How many columns a loader put before the first line of a file.
const shift = { __proto__: null };

exports.shiftFirstLine = (file, columns) => {
  shift[file] = columns;
};

function header(error) {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return 'Error';
  }
}

function frame(site) {
  const name = site.getFunctionName();
  const file = site.getFileName();
  if (site.isNative() || file === null || file === undefined) {
    return name ? `    at ${name} (<anonymous>)` : '    at <anonymous>';
  }
  const line = site.getLineNumber();
  let column = site.getColumnNumber();
  if (line === 1 && file in shift) column -= shift[file];
  const place = `${file}:${line}:${column}`;
  return name && name !== '<anonymous>' ? `    at ${name} (${place})` : `    at ${place}`;
}

// Frames of the loader and of the engine's calls into the program say nothing about the program.
function isOurs(site) {
  const file = site.getFileName();
  return typeof file === 'string' && (file === 'node:lib/internal/bootstrap' || file === 'node:lib/internal/modules');
}

exports.install = function install() {
  let custom;
  const engine = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
  const stack = Object.getOwnPropertyDescriptor(Error.prototype, 'stack');
  // Stacks that still lack their headline: Node writes it when a stack is first read, so that a name
  // which a constructor sets after `super()` is in it.
  const frames = new WeakMap();
  // The engine asks again while an error unwinds; only a program that asks gets a new stack.
  let asked = false;
  const capture = Error.captureStackTrace;
  Object.defineProperty(Error, 'captureStackTrace', {
    __proto__: null,
    configurable: true,
    enumerable: false,
    writable: true,
    value: function captureStackTrace(target, above) {
      asked = true;
      try {
        capture.call(Error, target, typeof above === 'function' ? above : captureStackTrace);
      } finally {
        asked = false;
      }
    },
  });
  engine.set.call(Error, (error, sites) => {
    if (!asked && (frames.has(error) || Object.hasOwn(error, 'stack'))) return undefined;
    if (typeof custom === 'function') return custom(error, sites);
    let text = '';
    for (let at = 0; at < sites.length; at++) {
      const site = sites[at];
      // What calls into our loader, and out of it, is the engine's `call`.
      const intoOurs = site.isNative() && at + 1 < sites.length && isOurs(sites[at + 1]);
      if (!isOurs(site) && !intoOurs) text += `\n${frame(site)}`;
    }
    if (asked || !(error instanceof Error)) return header(error) + text;
    frames.set(error, text);
    return text;
  });
  Object.defineProperty(Error.prototype, 'stack', {
    __proto__: null,
    configurable: true,
    enumerable: false,
    get() {
      const bare = frames.get(this);
      if (bare === undefined) return stack.get.call(this);
      const text = header(this) + bare;
      frames.delete(this);
      Object.defineProperty(this, 'stack', { __proto__: null, value: text, writable: true, configurable: true, enumerable: false });
      return text;
    },
    set(value) {
      frames.delete(this);
      Object.defineProperty(this, 'stack', { __proto__: null, value, writable: true, configurable: true, enumerable: false });
    },
  });
  Object.defineProperty(Error, 'prepareStackTrace', {
    __proto__: null,
    configurable: true,
    enumerable: false,
    get() {
      return custom;
    },
    set(value) {
      custom = value;
    },
  });
};
