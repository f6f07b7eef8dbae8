// Runs that somebody asks for once: what is asked for, and how they are shown.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { inspect } = require('internal/util/inspect');
const { validateInteger, validateObject, validateString } = require('internal/validators');

const known = ['at', 'in', 'key'];

/// What is kept of a payload.
function writePayload(payload) {
  if (payload === undefined) return null;
  const text = JSON.stringify(payload);
  if (text === undefined) throw new ERR_INVALID_ARG_TYPE('payload', 'a value that JSON can hold', payload);
  return text.toWellFormed();
}

const readPayload = (text) => (text === null ? undefined : JSON.parse(text));

/// When a job is due, at a time or after a delay in milliseconds, and its key.
function readOptions(options) {
  validateObject(options, 'options');
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) throw new ERR_INVALID_ARG_VALUE(`options.${name}`, options[name], `is none of ${known.join(', ')}`);
  }
  const { at, in: delay, key } = options;
  if (at !== undefined && delay !== undefined) throw new ERR_INVALID_ARG_VALUE('options', inspect(options), 'has both `at` and `in`');
  if (key !== undefined) {
    validateString(key, 'options.key');
    if (!key.isWellFormed() || key.includes('\0')) throw new ERR_INVALID_ARG_VALUE('options.key', key, 'is no text that a store can hold');
  }
  if (delay !== undefined) validateInteger(delay, 'options.in', 0);
  let due = at;
  if (at instanceof Date) due = at.getTime();
  if (due !== undefined) validateInteger(due, 'options.at');
  return { at: due ?? null, delay: delay ?? null, key: key ?? null };
}

const date = (ms) => (ms === null ? undefined : new Date(ms));

/// A job as it is shown.
const shownJob = ({ id, task, key, payload, due, state, failures, retryAt, dead, lastError, node, fence }) => ({
  id,
  task,
  key: key ?? undefined,
  payload: readPayload(payload),
  state,
  due: date(due),
  failures,
  retryAt: date(retryAt),
  lastError: lastError ?? undefined,
  dead: dead === null ? undefined : { ...dead, at: date(dead.at), due: date(dead.due) },
  node: node ?? undefined,
  fence: fence ?? undefined,
});

module.exports = { readOptions, readPayload, shownJob, writePayload };
