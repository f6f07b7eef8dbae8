// Promises that were rejected and have no handler when the tail of a callback is over.
// Uses binding.takeRejections, flags, promiseFrame, swapFrame, hasAsyncId, swapResource.
'use strict';

const process = require('internal/process');

// Told as unhandled, and perhaps handled later: their numbers.
const told = new WeakMap();
let count = 0;

const flag = '--unhandled-rejections=';
const mode = binding.flags.findLast((word) => word.startsWith(flag))?.slice(flag.length) ?? 'throw';

const showsChains = binding.flags.some((word) => word.startsWith('--stacks='));

const origin = 'This error originated either by throwing inside of an async function without a catch block, ' +
  'or by rejecting a promise which was not handled with .catch().';

const isErrorLike = (value) =>
  value instanceof Error || (typeof value === 'object' && value !== null && Object.hasOwn(value, 'stack'));

// A value as text, without running any code of the program.
function plainText(value) {
  if (typeof value === 'function') return Function.prototype.toString.call(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const tag = require('internal/util/kind').kindOf(value);
  if (['Array', 'Date', 'RegExp', 'Arguments', 'Boolean', 'Number', 'String'].includes(tag)) return `[object ${tag}]`;
  // An object that shows itself in another way, or not at all, has no better name.
  let prototype = value;
  while (prototype !== null && !Object.hasOwn(prototype, 'toString')) prototype = Object.getPrototypeOf(prototype);
  if (prototype !== Object.prototype) return '[object Object]';
  let holder = value;
  while (holder !== null && !Object.hasOwn(holder, 'constructor')) holder = Object.getPrototypeOf(holder);
  const name = holder === null ? undefined : Object.getOwnPropertyDescriptor(holder, 'constructor').value?.name;
  return `#<${typeof name === 'string' && name !== '' ? name : 'Object'}>`;
}

// What the handlers of uncaught errors get for a rejection.
function asError(reason) {
  if (isErrorLike(reason)) return reason;
  const error = new Error(`${origin} The promise rejected with the reason "${plainText(reason)}".`);
  Object.defineProperty(error, 'name', {
    value: 'UnhandledPromiseRejection', writable: true, enumerable: false, configurable: true,
  });
  error.code = 'ERR_UNHANDLED_REJECTION';
  return error;
}

const tell = (reason, promise) =>
  process._listens('unhandledRejection') && process.emit('unhandledRejection', reason, promise);
const raise = (reason) => require('internal/uncaught').handle(asError(reason), 'unhandledRejection');

function warn(reason, number) {
  const name = 'UnhandledPromiseRejectionWarning';
  process.emitWarning(isErrorLike(reason) ? `${reason.stack}` : plainText(reason), name);
  process.emitWarning(
    `Unhandled promise rejection. ${origin} To terminate the node process on unhandled promise rejection, use the CLI ` +
    'flag `--unhandled-rejections=strict` (see https://nodejs.org/api/cli.html#cli_unhandled_rejections_mode). ' +
    `(rejection id: ${number})`, name);
}

const modes = {
  __proto__: null,
  throw(reason, promise) {
    if (!tell(reason, promise)) raise(reason);
  },
  strict(reason, promise, number) {
    raise(reason);
    if (!tell(reason, promise)) warn(reason, number);
  },
  warn(reason, promise, number) {
    tell(reason, promise);
    warn(reason, number);
  },
  none: (reason, promise) => tell(reason, promise),
  'warn-with-error-code'(reason, promise, number) {
    if (tell(reason, promise)) return;
    warn(reason, number);
    process.exitCode = 1;
  },
};

function tellHandled(promise) {
  const number = told.get(promise);
  told.delete(promise);
  if (process._listens('rejectionHandled') && process.emit('rejectionHandled', promise)) return;
  process.emitWarning(
    `Promise rejection was handled asynchronously (rejection id: ${number})`, 'PromiseRejectionHandledWarning');
}

exports.process = function processRejections() {
  const happened = binding.takeRejections();
  const pending = new Map();
  const late = [];
  for (let at = 0; at < happened.length; at += 3) {
    const promise = happened[at];
    // Those that are handled in time have a number, too.
    if (!happened[at + 2]) pending.set(promise, { reason: happened[at + 1], number: ++count });
    else if (!pending.delete(promise) && told.has(promise)) late.push(promise);
  }
  for (const promise of late) separately(() => tellHandled(promise));
  for (const [promise, { reason, number }] of pending) {
    told.set(promise, number);
    if (showsChains) require('internal/long_stacks').setRejected(promise);
    // Whoever is told of it is told where the promise was made.
    const before = binding.swapFrame(binding.promiseFrame(promise));
    const isKnown = binding.hasAsyncId(promise);
    const resource = isKnown ? binding.swapResource(promise) : undefined;
    separately(() => modes[mode](reason, promise, number));
    if (isKnown) binding.swapResource(resource);
    binding.swapFrame(before);
  }
  if (showsChains) require('internal/long_stacks').setRejected(undefined);
};

// A handler that throws does not keep the other rejections from being told.
function separately(act) {
  try {
    act();
  } catch (error) {
    require('internal/uncaught').handle(error);
  }
}
