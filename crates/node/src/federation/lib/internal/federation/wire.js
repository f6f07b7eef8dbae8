// What members say to each other: texts in JSON, each an object with `v` (the version), `k` (its kind), `f` (who says it)
// and `i` (in which incarnation), or a list of such objects that were said together.
//
//   hello    somebody wants to join: its proposal `p`, its founders `m`, a stamp of its own `z`
//   welcome  to one who wants to join (`to`, `ti`): the origin `o`, the founders with their incarnations `m`, how many
//            messages were sent `n`, up to where the name was known, `b`, who has left `g`, the stamp `h` of its hello, and the
//            time `z` of who says it
//   taken    to one who wants to join: somebody has this name; `known`: an incarnation that was later
//   data     a message with its number `n`, the tag of the action `a`, the tag that it is for `d`, topic `t`, value `x`
//            and the sender's time `z`
//   state    how far somebody is: its number `s`, how many messages were sent before it `n`, the origin `o`, where the clock
//            is closed `c`, its reach `r`, the bound of its messages `b`, their least delay `l`, what it has seen `q`, the
//            tag that it waits for `w`, the sender's time `z`, stamps of others `e`
//   again    asks for messages of `of` from number `n` on, up to `u`
//   lost     messages up to `u` are not kept any more
//   bye      somebody leaves; the last of its messages, with the number `n` and a tag `d` that is never reached
'use strict';

const { isTag } = require('internal/federation/tags');

// Members of version 1 did not say several things together.
const VERSION = 2;

const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
const isName = (value) => typeof value === 'string' && value !== '';
const isEnd = (value) => value === null || isTag(value);
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isTime = (value) => typeof value === 'number';

const isPair = (value) => Array.isArray(value) && value.length === 2 && isTime(value[0]) && isTime(value[1]);
const hasCounts = (value) => isObject(value) && Object.values(value).every((number) => isCount(number));
const hasPairs = (value) => isObject(value) && Object.values(value).every((pair) => isPair(pair));

const fields = {
  __proto__: null,
  hello: { p: isTime, z: isTime, m: (value) => Array.isArray(value) && value.every((name) => isName(name)) },
  welcome: {
    to: isName, ti: isCount, o: isTime, n: isCount, b: isEnd, m: hasCounts, g: hasCounts, h: isTime, z: isTime,
  },
  taken: { to: isCount, known: isCount },
  data: { n: isCount, a: isTag, d: isTag, t: isName, z: isTime },
  state: {
    s: isCount, n: isCount, o: isTime, c: isEnd, r: isEnd, b: isEnd, l: isCount, q: hasPairs, w: isEnd, z: isTime, e: hasPairs,
  },
  again: { of: isName, n: isCount, u: isCount },
  lost: { u: isCount },
  bye: { n: isCount, d: isTag },
};

/// The messages of a text, or undefined for what has none.
function read(text) {
  let said;
  try {
    said = JSON.parse(text);
  } catch {
    return undefined;
  }
  const messages = Array.isArray(said) ? said : [said];
  for (const message of messages) if (!isMessage(message)) return undefined;
  return messages;
}

function isMessage(message) {
  if (!isObject(message) || message.v !== VERSION || !isName(message.f) || !isCount(message.i)) return false;
  const needed = fields[message.k];
  if (needed === undefined) return false;
  for (const name of Object.keys(needed)) if (!needed[name](message[name])) return false;
  return true;
}

function write(kind, from, incarnation, rest) {
  return JSON.stringify({ v: VERSION, k: kind, f: from, i: incarnation, ...rest });
}

/// One text for several.
function together(texts) {
  return texts.length === 1 ? texts[0] : `[${texts.join(',')}]`;
}

/// Where a value has something that JSON does not carry as it is; undefined if it has nothing like that.
function unsent(value, path = 'value', above = []) {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0) ? undefined : path;
    case 'object': {
      if (value === null) return undefined;
      if (above.includes(value)) return path;
      const within = [...above, value];
      if (Array.isArray(value)) {
        for (let at = 0; at < value.length; at++) {
          const found = unsent(value[at], `${path}[${at}]`, within);
          if (found !== undefined) return found;
        }
        return undefined;
      }
      const prototype = Object.getPrototypeOf(value);
      if (prototype !== null && prototype !== Object.prototype) return path;
      if (typeof value.toJSON === 'function') return path;
      for (const key of Object.keys(value)) {
        const found = unsent(value[key], `${path}.${key}`, within);
        if (found !== undefined) return found;
      }
      return undefined;
    }
    default:
      return path;
  }
}

module.exports = { read, together, write, unsent };
