// The `stdio` option: what each descriptor of a child is.
'use strict';

const { codes } = require('internal/errors');

const { ERR_INVALID_ARG_VALUE, ERR_INVALID_SYNC_FORK_INPUT, ERR_IPC_ONE_PIPE, ERR_IPC_SYNC_FORK } = codes;

// The words, for the first three descriptors.
const words = new Map([
  ['ignore', ['ignore', 'ignore', 'ignore']],
  ['pipe', ['pipe', 'pipe', 'pipe']],
  ['overlapped', ['overlapped', 'overlapped', 'overlapped']],
  ['inherit', [0, 1, 2]],
]);

function spread(word) {
  const list = words.get(word);
  if (list === undefined) throw new ERR_INVALID_ARG_VALUE('stdio', word);
  return [...list];
}

// What the world has open behind a socket or a server, or behind the handle of one.
function handleOf(value) {
  const handle = value?._handle ?? value;
  return typeof handle?.id === 'number' && typeof handle.close === 'function' ? handle : undefined;
}

const asNumber = (fd, at) => (fd === at && at < 3 ? { type: 'inherit' } : { type: 'fd', fd });

/// The entry for what a list has at a place (rule CHILD-5).
function entry(value, at, isSync) {
  switch (value) {
    case undefined:
    case null:
      return { type: at < 3 ? 'pipe' : 'ignore' };
    case 'ignore':
      return { type: 'ignore' };
    case 'pipe':
    case 'overlapped':
      return { type: 'pipe' };
    case 'inherit':
      return asNumber(at, at);
    case 'ipc':
      if (isSync) throw new ERR_IPC_SYNC_FORK();
      return { type: 'pipe', ipc: true };
    default:
      if (typeof value === 'number') return value < 0 ? { type: 'pipe' } : asNumber(value, at);
      return objectEntry(value, isSync);
  }
}

function objectEntry(value, isSync) {
  const handle = handleOf(value);
  if (handle !== undefined) return { type: 'stream', id: handle.id, stream: value };
  if (value.fd >= 0 && typeof value.fd === 'number') return { type: 'fd', fd: value.fd };
  if (typeof value !== 'string' && !ArrayBuffer.isView(value)) throw new ERR_INVALID_ARG_VALUE('stdio', value);
  // Only who waits for the child can give it its input so.
  if (!isSync) throw new ERR_INVALID_SYNC_FORK_INPUT(require('internal/util/inspect').inspect(value));
  return { type: 'pipe' };
}

/// A list with an object for each descriptor: its `type`, and what belongs to that.
function normalize(stdio, isSync) {
  const given = typeof stdio === 'string' ? spread(stdio) : stdio;
  if (!Array.isArray(given)) throw new ERR_INVALID_ARG_VALUE('stdio', stdio);
  // Also in the program's own list, as in Node.
  while (given.length < 3) given.push(undefined);
  const list = [];
  for (const [at, value] of given.entries()) {
    const made = entry(value, at, isSync);
    if (made.ipc && list.some(({ ipc }) => ipc)) throw new ERR_IPC_ONE_PIPE();
    list.push(made);
  }
  return list;
}

/// What the world is told about an entry.
function told({ type, fd, id, ipc }) {
  if (type === 'fd') return { type, fd };
  if (type === 'stream') return { type, id };
  return { type: ipc ? 'ipc' : type };
}

module.exports = { normalize, spread, told };
