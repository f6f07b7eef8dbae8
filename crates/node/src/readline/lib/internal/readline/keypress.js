// Keys from what a terminal sends: `keypress` events with a name and what was held down.
'use strict';

const kKeypress = Symbol('keypress');
const ESC = '\u001b';
// After a second escape nothing begins any more.
const THRICE = ESC.repeat(3);

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

const characters = new Map([
  ['\r', 'return'], ['\n', 'enter'], ['\t', 'tab'], ['\b', 'backspace'], ['\u007f', 'backspace'], [ESC, 'escape'],
  [' ', 'space'],
]);

/// The name of a character's key, and whether control or shift was held down for it.
function nameOf(character) {
  const name = characters.get(character);
  if (name !== undefined) return [name, false, false];
  const code = character.codePointAt(0);
  if (code > 0 && code <= 26) return [String.fromCharCode(code + 0x60), true, false];
  const isKey = /^[0-9a-z]$/i.test(character);
  return [isKey ? character.toLowerCase() : undefined, false, isKey && character !== character.toLowerCase()];
}

/// The key of one character.
function plainKey(character, meta) {
  const [name, ctrl, shift] = nameOf(character);
  return { sequence: character, name, ctrl, meta, shift };
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

/// Makes keys of what a stream gives, while somebody listens for them (rule READLINE-14).
class Keys {
  #stream;
  #delay;
  #decoder = new (require('string_decoder').StringDecoder)('utf8');
  // What may be the beginning of a sequence.
  #rest = '';
  #ondata = (data) => {
    if (this.#stream.listenerCount('keypress') > 0) this.#take(this.#decoder.write(data));
    else this.#watch('data', 'newListener');
  };
  #onlistener = (event) => {
    if (event === 'keypress') this.#watch('newListener', 'data');
  };
  #listeners = { data: this.#ondata, newListener: this.#onlistener };

  constructor(stream, delay) {
    this.#stream = stream;
    this.#delay = delay;
    this.#watch(undefined, stream.listenerCount('keypress') > 0 ? 'data' : 'newListener');
  }

  /// Listens for data while it has listeners of its own, and else for those.
  #watch(before, event) {
    if (before !== undefined) this.#stream.removeListener(before, this.#listeners[before]);
    this.#stream.on(event, this.#listeners[event]);
  }

  #take(text) {
    this.#rest += text;
    while (this.#rest !== '') {
      const match = sequence.exec(this.#rest);
      if (this.#rest.startsWith(THRICE)) this.#give(THRICE, { ...plainKey(ESC, true), sequence: THRICE });
      else if (match !== null) this.#give(match[0], sequenceKey(match));
      else if (beginning.test(this.#rest)) return this.#wait();
      else this.#giveCharacter();
    }
  }

  #give(text, key) {
    this.#rest = this.#rest.slice(text.length);
    this.#stream.emit('keypress', [...text].length === 1 ? text : undefined, key);
  }

  #giveCharacter() {
    const [character] = this.#rest;
    this.#give(character, plainKey(character, false));
  }

  /// If nothing comes after an escape it was the key of that name. A sequence that has begun waits for its end.
  #wait() {
    const waiting = this.#rest;
    if (waiting.at(-1) !== ESC) return;
    require('internal/timers').guards.setTimeout(() => {
      if (this.#rest !== waiting) return;
      this.#rest = '';
      this.#stream.emit('keypress', undefined, { ...plainKey(ESC, true), sequence: waiting });
    }, this.#delay());
  }
}

function emitKeypressEvents(stream, iface = {}) {
  stream[kKeypress] ??= new Keys(stream, () => iface.escapeCodeTimeout ?? 500);
}

module.exports = { emitKeypressEvents };
