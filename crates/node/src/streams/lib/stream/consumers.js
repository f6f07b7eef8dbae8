// `stream/consumers`: all of a stream at once, in the form that is wanted.
'use strict';

const { Buffer } = require('buffer');

async function chunksOf(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

async function blob(stream) {
  const { Blob } = require('internal/blob');
  return new Blob(await chunksOf(stream));
}

async function arrayBuffer(stream) {
  const { Blob } = require('internal/blob');
  return new Blob(await chunksOf(stream)).arrayBuffer();
}

async function buffer(stream) {
  return Buffer.from(await arrayBuffer(stream));
}

async function text(stream) {
  const { TextDecoder } = require('internal/encoding');
  const decoder = new TextDecoder();
  let result = '';
  for await (const chunk of stream) {
    result += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
  }
  return result + decoder.decode();
}

async function json(stream) {
  return JSON.parse(await text(stream));
}

module.exports = { arrayBuffer, blob, buffer, text, json };
