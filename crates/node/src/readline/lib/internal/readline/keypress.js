// Keys from what a terminal sends: `keypress` events with a name and what was held down.
'use strict';

const kKeypress = Symbol('keypress');
const ESC = '\u001b';

// By what follows the escape and its bracket, with the parameters taken out.
const named = {
  __proto__: null,
  A: 'up', B: 'down', C: 'right', D: 'left', E: 'clear', F: 'end', H: 'home', P: 'f1', Q: 'f2', R: 'f3', S: 'f4',
  a: 'up', b: 'down', c: 'right', d: 'left', e: 'clear', Z: 'tab',
  '1~': 'home', '2~': 'insert', '3~': 'delete', '4~': 'end', '5~': 'pageup', '6~': 'pagedown', '7~': 'home', '8~': 'end',
  '11~': 'f1', '12~': 'f2', '13~': 'f3', '14~': 'f4', '15~': 'f5', '17~': 'f6', '18~': 'f7', '19~': 'f8', '20~': 'f9',
  '21~': 'f10', '23~': 'f11', '24~': 'f12', '200~': 'paste-start', '201~': 'paste-end',
};

// A whole sequence at the beginning of a text: `ESC [ 1 ; 5 A`, `ESC O P`, `ESC [ [ A`, `ESC x`.
const sequence = /^\u001b\u001b?(?:O(\d*)([A-Za-z])|\[(\[?)(\d*)(?:;(\d+))?([~^$A-Za-z])|([^\u001b[O]))/u;
const beginning = /^\u001b\u001b?(?:O\d*|\[\[?\d*(?:;\d*)?)?$/;

/// The key of one character.
function plainKey(character, meta) {
  const key = { sequence: character, name: undefined, ctrl: false, meta, shift: false };
  const code = character.codePointAt(0);
  if (character === '\r') key.name = 'return';
  else if (character === '\n') key.name = 'enter';
  else if (character === '\t') key.name = 'tab';
  else if (character === '\b' || character === '\u007f') key.name = 'backspace';
  else if (character === ESC) key.name = 'escape';
  else if (character === ' ') key.name = 'space';
  else if (code <= 0x1a && code > 0) {
    key.name = String.fromCharCode(code + 0x60);
    key.ctrl = true;
  } else if (/^[0-9A-Za-z]$/.test(character)) {
    key.name = character.toLowerCase();
    key.shift = /^[A-Z]$/.test(character);
  }
  return key;
}

function sequenceKey(match) {
  const [text, ssModifier, ssLetter, bracket, number, modifier, letter, meta] = match;
  if (meta !== undefined) {
    const key = plainKey(meta, true);
    key.sequence = text;
    return key;
  }
  const isLetter = ssLetter !== undefined || !/[~^$]/.test(letter);
  const code = ssLetter ?? (isLetter ? letter : `${number}~`);
  const held = Number(modifier ?? (isLetter ? ssModifier || number : '') ?? 0) - 1;
  const key = {
    sequence: text,
    name: (bracket ? ['f1', 'f2', 'f3', 'f4', 'f5']['ABCDE'.indexOf(letter)] : named[code]) ?? 'undefined',
    ctrl: letter === '^' || (held > 0 && Boolean(held & 4)),
    meta: held > 0 && Boolean(held & 10),
    shift: letter === '$' || code === 'Z' || (!ssLetter && /^[a-e]$/.test(code)) || (held > 0 && Boolean(held & 1)),
    code: `${ssLetter === undefined ? `[${bracket}` : 'O'}${code}`,
  };
  return key;
}

function emitKeypressEvents(stream, iface = {}) {
  if (stream[kKeypress]) return;
  const { StringDecoder } = require('string_decoder');
  const decoder = new StringDecoder('utf8');
  let rest = '';
  stream[kKeypress] = true;

  const emit = (text, key) => {
    stream.emit('keypress', [...text].length === 1 ? text : undefined, key);
  };
  const flush = () => {
    // Nothing more came: it was the escape key.
    for (const character of rest) emit(character, plainKey(character, false));
    rest = '';
  };
  const ondata = (data) => {
    if (stream.listenerCount('keypress') === 0) {
      stream.removeListener('data', ondata);
      stream.on('newListener', onlistener);
      return;
    }
    rest += decoder.write(data);
    while (rest !== '') {
      const match = sequence.exec(rest);
      if (match !== null) {
        rest = rest.slice(match[0].length);
        emit(match[0], sequenceKey(match));
      } else if (beginning.test(rest)) {
        const { setTimeout } = require('internal/timers').guards;
        const waiting = rest;
        setTimeout(() => {
          if (rest === waiting) flush();
        }, iface.escapeCodeTimeout ?? 500);
        return;
      } else {
        const [character] = rest;
        rest = rest.slice(character.length);
        emit(character, plainKey(character, false));
      }
    }
  };
  const onlistener = (event) => {
    if (event !== 'keypress') return;
    stream.on('data', ondata);
    stream.removeListener('newListener', onlistener);
  };
  if (stream.listenerCount('keypress') > 0) stream.on('data', ondata);
  else stream.on('newListener', onlistener);
}

module.exports = { emitKeypressEvents };
