// Keys from what a terminal sends: `keypress` events with a name and what was held down.
'use strict';

const kKeypress = Symbol('keypress');
const ESC = '\u001b';
// After a second escape nothing begins any more.
const THRICE = ESC.repeat(3);

// Keys by what follows the escape, without numbers for what was held down: letters after a bracket or an `O`, and numbers
// after a bracket.
const letters = {
  __proto__: null,
  A: 'up', B: 'down', C: 'right', D: 'left', E: 'clear', F: 'end', H: 'home', P: 'f1', Q: 'f2', R: 'f3', S: 'f4',
};
const numbers = {
  __proto__: null,
  1: 'home', 2: 'insert', 3: 'delete', 4: 'end', 5: 'pageup', 6: 'pagedown', 7: 'home', 8: 'end',
  11: 'f1', 12: 'f2', 13: 'f3', 14: 'f4', 15: 'f5', 17: 'f6', 18: 'f7', 19: 'f8', 20: 'f9',
  21: 'f10', 23: 'f11', 24: 'f12', 200: 'paste-start', 201: 'paste-end',
};

/// What a code means: name, and whether control or shift belong to it.
function keyOf(code) {
  const [, lead, number, final] = /^(O|\[\[?)(\d*)(.)$/su.exec(code) ?? [];
  if (number === '') {
    if (lead === '[[') return ['f1', 'f2', 'f3', 'f4', 'f5']['ABCDE'.indexOf(final)];
    if (code === '[Z') return ['tab', false, true];
    // One kind of terminal has small letters: after a bracket with shift, else with control.
    if (/^[a-e]$/.test(final)) return [letters[final.toUpperCase()], lead === 'O', lead === '['];
    return letters[final];
  }
  if (final === '~') return lead === '[' || number === '5' || number === '6' ? numbers[number] : undefined;
  const isHeld = lead === '[' && /^[235678]$/.test(number) && (final === '^' || final === '$');
  return isHeld ? [numbers[number], final === '^', final === '$'] : undefined;
}

// A whole sequence at the beginning of a text: `ESC O 5 P`, `ESC [ 1 ; 5 A`, `ESC [ [ A`, `ESC x`; and what may become one.
const sequence = /^\u001b\u001b?(?:O(\d?)([^])|\[(\[?)(\d{0,3}(?:;\d?)?)([^])|([^\u001b[O]))/u;
const beginning = /^\u001b\u001b?(?:O\d?|\[\[?\d{0,3}(?:;\d?)?)?$/;

const characters = new Map([
  ['\r', 'return'], ['\n', 'enter'], ['\t', 'tab'], ['\b', 'backspace'], ['\u007f', 'backspace'], [ESC, 'escape'],
  [' ', 'space'],
]);

/// The name of a character's key, and whether control or shift was held down for it.
function nameOf(character) {
  const name = characters.get(character);
  if (name !== undefined) return [name, false, false];
  const code = character.codePointAt(0);
  if (code <= 26) return [String.fromCharCode(code + 0x60), true, false];
  const isKey = /^[0-9a-z]$/i.test(character);
  return [isKey ? character.toLowerCase() : undefined, false, isKey && character !== character.toLowerCase()];
}

/// The key of one character.
function plainKey(character, meta) {
  const [name, ctrl, shift] = nameOf(character);
  return { sequence: character, name, ctrl, meta, shift };
}

/// A code without the number for what was held down, and that number.
function taken(digits, final) {
  const [number, held] = digits.split(';');
  if ('~^$'.includes(final) && (number.length === 1 || number.length === 2) && held !== '') return [number + final, held];
  if (!/^[a-z]$/i.test(final)) return [digits + final];
  if (digits === '' || (number.length === 1 && held !== undefined && held !== '')) return [final, held];
  return number.length === 1 && held === undefined ? [final, number] : [digits + final];
}

function sequenceKey(match) {
  const [text, ssHeld, ssFinal, doubled, digits, final, meta] = match;
  if (meta !== undefined) {
    const [name, ctrl, shift] = nameOf(meta);
    return ctrl ? { sequence: text, name: undefined, ctrl: false, meta: true, shift: false } : { sequence: text, name, ctrl, meta: true, shift };
  }
  const [rest, held] = ssFinal === undefined ? taken(digits, final) : [ssFinal, ssHeld];
  const code = `${ssFinal === undefined ? `[${doubled}` : 'O'}${rest}`;
  const [name = 'undefined', ctrl = false, shift = false] = [keyOf(code)].flat();
  const bits = Number(held || 1) - 1;
  return {
    sequence: text,
    name,
    ctrl: ctrl || Boolean(bits & 4),
    meta: Boolean(bits & 10),
    shift: shift || Boolean(bits & 1),
    code,
  };
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
      else if (beginning.test(this.#rest)) return this.#wait();
      else if (match !== null) this.#give(match[0], sequenceKey(match));
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
