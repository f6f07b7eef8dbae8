// What flags do before a program begins. Others are asked for where they matter.
// Uses binding.collectGarbage, collected, readFile, permits, writeStderr, exit.
'use strict';

const process = require('internal/process');
const { isOff, isOn, valueOf } = require('internal/flags');

// How a process ends whose command line cannot be followed.
const WRONG = 9;

function hide(target, name, value) {
  Object.defineProperty(target, name, { __proto__: null, configurable: true, enumerable: false, writable: true, value });
}

/// Variables from files. What the environment has already stays; of several files the last one wins.
function loadEnvironment() {
  const variables = {};
  for (const flag of binding.flags) {
    const [, isOptional, file] = /^--env-file(-if-exists)?=(.*)$/s.exec(flag) ?? [];
    if (file === undefined) continue;
    const path = require('path').resolve(file);
    const text = binding.readFile(path);
    if (text !== undefined) {
      Object.assign(variables, require('internal/util/dotenv').parseEnv(text));
      continue;
    }
    if (isOptional !== undefined && binding.permits('fs.read', path)) {
      binding.writeStderr(`${file} not found. Continuing without it.\n`);
      continue;
    }
    binding.writeStderr(`hemiola: ${file}: ${binding.permits('fs.read', path) ? 'not found' : 'may not be read'}\n`);
    binding.exit(WRONG);
  }
  for (const name of Object.keys(variables)) process.env[name] ??= variables[name];
}

/// `Object.prototype.__proto__`, gone or guarded.
function disableProto(how) {
  if (how === undefined) return;
  if (how === 'delete') {
    delete Object.prototype.__proto__;
    return;
  }
  const refuse = () => {
    const { codes: { ERR_PROTO_ACCESS } } = require('internal/errors');
    throw new ERR_PROTO_ACCESS();
  };
  Object.defineProperty(Object.prototype, '__proto__', { __proto__: null, configurable: true, enumerable: false, get: refuse, set: refuse });
}

/// Tells where the program ends itself.
function traceExit() {
  const { reallyExit } = process;
  process.reallyExit = function reallyExit_(code) {
    const place = {};
    Error.captureStackTrace(place, reallyExit_);
    const frames = String(place.stack).split('\n').slice(1).join('\n');
    const { isMainThread, threadId } = require('worker_threads');
    const who = `${process.release.name}:${process.pid}${isMainThread ? '' : `, thread:${threadId}`}`;
    binding.writeStderr(`(${who}) WARNING: Exited the environment with code ${code}\n${frames}\n`);
    reallyExit(code);
  };
  hide(process.reallyExit, 'name', 'reallyExit');
}

// Globals that can be left out, by the flag that asks for them.
const optional = {
  '--experimental-global-customevent': ['CustomEvent'],
  '--experimental-global-webcrypto': ['crypto', 'Crypto', 'CryptoKey', 'SubtleCrypto'],
  '--experimental-fetch': ['fetch', 'FormData', 'Headers', 'Request', 'Response'],
};

/// The global of that name. Who waits for the end of what is gone hears of it.
exports.gc = gc;
function gc() {
  const observed = require('internal/observed');
  const start = observed.begin('gc');
  binding.collectGarbage();
  // All of the memory was looked at, and that was asked for.
  observed.finish('gc', 'gc', start, () => ({ kind: 4, flags: 4 }));
  binding.collected?.();
}

exports.apply = function apply() {
  loadEnvironment();
  const title = valueOf('--title');
  if (title !== undefined) process.title = title;
  const limit = Number(valueOf('--stack-trace-limit') ?? NaN);
  if (Number.isInteger(limit)) Error.stackTraceLimit = limit;
  if (isOn('--expose-gc')) globalThis.gc = gc;
  if (isOn('--expose-externalize-string')) require('internal/flags/strings').expose();
  if (isOn('--trace-exit')) traceExit();
  for (const flag of Object.keys(optional)) {
    if (isOff(flag)) for (const name of optional[flag]) delete globalThis[name];
  }
  disableProto(valueOf('--disable-proto'));
};
