// process.permission: what a program that was started with --permission may do.
// Uses binding.permits, refusal.
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

function denial(message, permission, resource) {
  const { codes: { ERR_ACCESS_DENIED } } = require('internal/errors');
  return new ERR_ACCESS_DENIED(message, permission, resource);
}

/// The error for what the gate says of a call that is not allowed; anything else is itself.
exports.denied = function denied(fault) {
  if (fault.code !== 'ERR_ACCESS_DENIED' || fault instanceof Error) return fault;
  return denial(fault.message, fault.syscall, fault.path);
};

/// What the gate is asked for; throws the error for what is not allowed.
exports.allowed = function allowed(ask) {
  try {
    return ask();
  } catch (fault) {
    throw exports.denied(fault);
  }
};

/// The error for something that is not allowed.
exports.refused = function refused(scope, resource) {
  const [permission, message] = binding.refusal(scope, resource);
  return denial(message, permission, resource);
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
