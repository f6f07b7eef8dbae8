// What stands below a stack with `--stacks`: the chain of invocations that linked or caused the one that
// ran, each with the place where it was attached.
// Uses binding.flags, setLocate, quietPlaces, useContexts, captureScope, chain.
'use strict';

const flag = '--stacks=';
const mode = binding.flags.find((word) => word.startsWith(flag))?.slice(flag.length) ?? 'off';

// How many different places of a chain are shown.
const SHOWN = 20;
// How many places may take turns and still count as the same again and again.
const CYCLE = 8;

// What ran when an error was made: a stack is of that moment, and so is what stands below it.
const origins = new WeakMap();
require('internal/stack/noting').made = (error) => { origins.set(error, binding.captureScope(true)); };

// The promise whose rejection is being told. If it was not with an error, its chain is the one of where it
// was rejected.
let rejected;
exports.setRejected = (promise) => { rejected = promise; };

// The frames of the call that attaches something.
function locate() {
  const at = {};
  binding.quietPlaces(true);
  try {
    Error.captureStackTrace(at, locate);
  } finally {
    binding.quietPlaces(false);
  }
  const frames = `${at.stack}`.split('\n').filter((line) => line.startsWith('    at ') && !isNative(line));
  return frames.join('\n');
}

// The functions by which callbacks are attached say nothing about where that was.
function isNative(line) {
  return line.endsWith('(native)') || line.endsWith('(<anonymous>)');
}

function who([index, label]) {
  if (index === 1) return 'the main program';
  return label === undefined ? `#${index}` : `#${index} ${JSON.stringify(label)}`;
}

// A chain as text: a line for each invocation, with the frames where what came of it was attached.
function describe(chain, verb, siteOf) {
  const pieces = [];
  for (let at = 0; at + 1 < chain.length; at++) pieces.push({ head: `    -- ${verb} by ${who(chain[at + 1])} --`, frames: siteOf(at) });
  const lines = [];
  let shown = 0;
  let at = 0;
  while (at < pieces.length && shown < SHOWN) {
    const { length, times } = repetition(pieces, at);
    for (const { head, frames } of pieces.slice(at, at + length)) {
      lines.push(head);
      if (frames !== '') lines.push(frames);
    }
    if (times > 1) lines.push(`    -- and the same again, ${times - 1} times --`);
    shown += length;
    at += length * times;
  }
  if (at < pieces.length) lines.push(`    -- and so on, ${pieces.length - at} more --`);
  else if (chain.length > 0 && chain.at(-1)[0] !== 1) lines.push('    -- what came before is not kept --');
  return lines;
}

// How often the places from there on come again in a row: of all lengths the one that saves most.
function repetition(pieces, start) {
  let best = { length: 1, times: 1 };
  for (let length = 1; length <= CYCLE; length++) {
    let end = start + length;
    while (end < pieces.length && pieces[end].frames === pieces[end - length].frames) end += 1;
    const times = Math.floor((end - start) / length);
    if (times > 1 && length * (times - 1) > best.length * (best.times - 1)) best = { length, times };
  }
  return best;
}

// What belongs below the stack of an error, or of the running invocation; empty, or lines that begin with a
// line break.
exports.below = function below(error) {
  const from = origins.get(error) ?? rejected;
  const lines = [];
  if (mode === 'link' || mode === 'both') {
    const chain = binding.chain(false, Infinity, from);
    lines.push(...describe(chain, 'linked', (at) => chain[at][2] ?? ''));
  }
  if (mode === 'cause' || mode === 'both') {
    // Where the cause itself was attached.
    const chain = binding.chain(true, Infinity, from);
    lines.push(...describe(chain, 'caused', (at) => chain[at + 1][2] ?? ''));
  }
  return lines.map((line) => `\n${line}`).join('');
};

binding.setLocate(locate);
binding.useContexts('sites', true);
