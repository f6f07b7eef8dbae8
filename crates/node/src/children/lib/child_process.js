// node:child_process. Each form is in a file of its own, loaded when it is first used.
'use strict';

function later(name, length, file) {
  const fn = (...args) => require(file)[name](...args);
  Object.defineProperty(fn, 'name', { value: name, configurable: true });
  Object.defineProperty(fn, 'length', { value: length, configurable: true });
  exports[name] = fn;
  return fn;
}

function promising(name) {
  Object.defineProperty(exports[name], Symbol.for('nodejs.util.promisify.custom'), {
    enumerable: false,
    value: (...args) => require('internal/child_process/exec').promise(exports[name], args),
  });
}

later('_forkChild', 2, 'internal/child_process/fork');
Object.defineProperty(exports, 'ChildProcess', {
  configurable: true,
  enumerable: true,
  get() { return require('internal/child_process/child').ChildProcess; },
  set(value) { Object.defineProperty(exports, 'ChildProcess', { value, writable: true, configurable: true, enumerable: true }); },
});
later('exec', 3, 'internal/child_process/exec');
later('execFile', 4, 'internal/child_process/exec');
later('execFileSync', 3, 'internal/child_process/sync');
later('execSync', 2, 'internal/child_process/sync');
later('fork', 1, 'internal/child_process/fork');
later('spawn', 3, 'internal/child_process/spawn');
later('spawnSync', 3, 'internal/child_process/sync');
promising('exec');
promising('execFile');
