// process.permission: what a program that was started with --permission may do.
// Uses binding.permits.
'use strict';

const { validateString, validateBuffer } = require('internal/validators');

// Each of Node's scopes and ours; some are several.
const scopes = {
  __proto__: null,
  'fs': ['fs.read', 'fs.write'],
  'fs.read': ['fs.read'],
  'fs.write': ['fs.write'],
  'child': ['child'],
  'worker': ['worker'],
  'net': ['net'],
  'env': ['env'],
};

exports.permission = {
  /// Whether something may be done: to that file, host, program or variable, or to all.
  has(scope, reference) {
    validateString(scope, 'scope');
    if (reference !== undefined && reference !== null) {
      if (typeof reference === 'string') validateString(reference, 'reference');
      else validateBuffer(reference, 'reference');
      reference = String(reference);
      if (scope.startsWith('fs')) reference = String(require('internal/fs/gate').absolute(reference));
    }
    return scopes[scope]?.every((one) => binding.permits(one, reference ?? undefined)) ?? false;
  },
};
Object.freeze(exports.permission);
