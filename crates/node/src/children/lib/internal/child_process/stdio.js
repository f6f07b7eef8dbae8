// The `stdio` option: what each descriptor of a child is.
'use strict';

const { codes } = require('internal/errors');

const { ERR_INVALID_ARG_VALUE, ERR_INVALID_SYNC_FORK_INPUT, ERR_IPC_ONE_PIPE, ERR_IPC_SYNC_FORK } = codes;

// One word for the first three.
function spread(word) {
  switch (word) {
    case 'ignore':
    case 'pipe':
    case 'overlapped':
      return [word, word, word];
    case 'inherit':
      return [0, 1, 2];
    default:
      throw new ERR_INVALID_ARG_VALUE('stdio', word);
  }
}

// What the world has open behind a socket or a server, or behind the handle of one.
function handleOf(value) {
  const handle = value?._handle ?? value;
  return typeof handle?.id === 'number' && typeof handle.close === 'function' ? handle : undefined;
}

function entry(value, at, isSync, list) {
  if (value === undefined || value === null) value = at < 3 ? 'pipe' : 'ignore';
  if (value === 'ignore') return { type: 'ignore' };
  if (value === 'pipe' || value === 'overlapped' || (typeof value === 'number' && value < 0)) return { type: 'pipe' };
  if (value === 'ipc') {
    if (isSync) throw new ERR_IPC_SYNC_FORK();
    if (list.some((other) => other.ipc)) throw new ERR_IPC_ONE_PIPE();
    return { type: 'pipe', ipc: true };
  }
  if (value === at && at < 3) return { type: 'inherit' };
  if (value === 'inherit') return at < 3 ? { type: 'inherit' } : { type: 'fd', fd: at };
  if (typeof value === 'number') return { type: 'fd', fd: value };
  if (typeof value?.fd === 'number' && value.fd >= 0 && handleOf(value) === undefined) return { type: 'fd', fd: value.fd };
  const handle = handleOf(value);
  if (handle !== undefined) return { type: 'stream', id: handle.id, handle };
  if (ArrayBuffer.isView(value) || typeof value === 'string') {
    if (!isSync) throw new ERR_INVALID_SYNC_FORK_INPUT(require('internal/util/inspect').inspect(value));
    return { type: 'pipe' };
  }
  throw new ERR_INVALID_ARG_VALUE('stdio', value);
}

/// A list with an object for each descriptor: its `type`, and what belongs to that.
function normalize(stdio, isSync) {
  if (typeof stdio === 'string') stdio = spread(stdio);
  else if (!Array.isArray(stdio)) throw new ERR_INVALID_ARG_VALUE('stdio', stdio);
  // Also in the program's own list, as in Node.
  while (stdio.length < 3) stdio.push(undefined);
  const list = [];
  for (let at = 0; at < stdio.length; at++) list.push(entry(stdio[at], at, isSync, list));
  return list;
}

/// What the world is told about an entry.
function told({ type, fd, id, ipc }) {
  if (type === 'fd') return { type, fd };
  if (type === 'stream') return { type, id };
  return { type: ipc ? 'ipc' : type };
}

module.exports = { normalize, spread, told };
