// `stream/consumers`: all of a stream at once, in the form that is wanted.
'use strict';

const { Buffer } = require('buffer');

async function chunks(stream) {
  const all = [];
  for await (const chunk of stream) all[all.length] = chunk;
  return all;
}

async function blob(stream) {
  const { Blob } = require('internal/blob');
  return new Blob(await chunks(stream));
}

async function arrayBuffer(stream) {
  return (await blob(stream)).arrayBuffer();
}

async function buffer(stream) {
  return Buffer.from(await arrayBuffer(stream));
}

// Characters may be cut in two by the end of a chunk, so one decoder sees all of them.
async function text(stream) {
  const decoder = new (require('internal/encoding').TextDecoder)();
  const parts = [];
  for await (const chunk of stream) parts.push(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
  parts.push(decoder.decode());
  return parts.join('');
}

async function json(stream) {
  return JSON.parse(await text(stream));
}

module.exports = { arrayBuffer, blob, buffer, text, json };
