// toThrow, and whatever else is about errors.
'use strict';

const { custom } = require('internal/expect/asymmetric');
const { equals, isAsymmetric, iterableEquality } = require('internal/expect/equals');
const { hint, labels, misuse, printed, withType } = require('internal/expect/messages');

// What was thrown, and its message if it has one.
function thrownBy(error) {
  const hasMessage = error !== null && error !== undefined && typeof error.message === 'string';
  return { hasMessage, message: hasMessage ? error.message : `${String(error)}`, value: error };
}

function stackOf(thrown) {
  if (!thrown.hasMessage || typeof thrown.value.stack !== 'string') return '';
  const lines = thrown.value.stack.split('\n').filter((line) => /^\s+at /.test(line) && !/\(?(node|hemiola):/.test(line));
  return lines.length === 0 ? '' : `\n${lines.map((line) => `      ${line.trim()}`).join('\n')}`;
}

function shown(label, thrown, isMessage) {
  if (!isMessage || !thrown.hasMessage) return `${label}${printed(thrown.value)}`;
  return `${label}${printed(thrown.message)}`;
}

const make = (name) => function (received, expected) {
  const options = { isNot: this.isNot, promise: this.promise };
  const hinted = hint(name, undefined, expected === undefined ? '' : undefined, options);
  let thrown = null;
  if (this.promise === 'rejects') {
    thrown = thrownBy(received);
  } else if (typeof received !== 'function') {
    if (this.promise !== '' && received instanceof Error) thrown = thrownBy(received);
    else throw misuse(hint(name, undefined, expected === undefined ? '' : undefined, options), 'received value must be a function', withType('Received', received));
  } else {
    try {
      received();
    } catch (error) {
      thrown = thrownBy(error);
    }
  }
  return judge(this, name, hinted, thrown, expected);
};

function judge(context, name, hinted, thrown, expected) {
  if (expected === undefined) return any(hinted, thrown);
  if (typeof expected === 'function') return ofClass(context, hinted, thrown, expected);
  if (typeof expected === 'string') {
    return about(context, hinted, thrown, 'substring', expected, thrown !== null && thrown.message.includes(expected));
  }
  if (typeof expected?.test === 'function' && expected instanceof RegExp) {
    return about(context, hinted, thrown, 'pattern', expected, thrown !== null && new RegExp(expected).test(thrown.message));
  }
  if (isAsymmetric(expected)) {
    const pass = thrown !== null && expected.asymmetricMatch(thrown.value);
    return {
      pass,
      message: () => {
        const head = `${hinted}\n\nExpected asymmetric matcher: ${context.isNot ? 'not ' : ''}${printed(expected)}\n\n`;
        if (thrown === null) return `${head}Received function did not throw`;
        if (!thrown.hasMessage) return `${head}Thrown value: ${printed(thrown.value)}\n`;
        return `${head}Received name:    ${printed(thrown.value.name)}\nReceived message: ${printed(thrown.message)}\n${stackOf(thrown)}`;
      },
    };
  }
  if (expected !== null && typeof expected === 'object') {
    const pass = thrown !== null && sameError(thrown, expected);
    return {
      pass,
      message: pass
        ? () => `${hinted}\n\nExpected message: not ${printed(expected.message)}`
        : () => both(context, hinted, 'Expected message', printed(expected.message), thrown, true),
    };
  }
  throw misuse(hinted, 'expected value must be a string or regular expression or class or error', withType('Expected', expected));
}

function sameError(thrown, expected) {
  if (thrown.message !== expected.message) return false;
  if (expected.cause === undefined) return true;
  return equals(thrown.value?.cause, expected.cause, [...custom, iterableEquality]);
}

function any(hinted, thrown) {
  return {
    pass: thrown !== null,
    message: thrown === null
      ? () => `${hinted}\n\nReceived function did not throw`
      : () => `${hinted}\n\n${thrown.hasMessage
        ? `Error name:    ${printed(thrown.value.name)}\nError message: ${printed(thrown.message)}\n${stackOf(thrown)}`
        : `Thrown value: ${printed(thrown.value)}\n`}`,
  };
}

function both(context, hinted, label, text, thrown, isMessage) {
  const not = context.isNot ? 'not ' : '';
  if (thrown === null) return `${hinted}\n\n${label}: ${not}${text}\n\nReceived function did not throw`;
  const [first, second] = labels(label, `Received ${isMessage && thrown.hasMessage ? 'message' : 'value'}`);
  return `${hinted}\n\n${first}${not}${text}\n${shown(second + (context.isNot ? '    ' : ''), thrown, isMessage)}\n${stackOf(thrown)}`;
}

function about(context, hinted, thrown, kind, expected, pass) {
  return { pass, message: () => both(context, hinted, `Expected ${kind}`, printed(expected), thrown, true) };
}

function ofClass(context, hinted, thrown, expected) {
  const pass = thrown !== null && thrown.value instanceof expected;
  const not = context.isNot ? 'not ' : '';
  return {
    pass,
    message: () => {
      const head = `${hinted}\n\nExpected constructor: ${not}${expected.name}\n`;
      if (thrown === null) return `${head}\nReceived function did not throw`;
      const constructor = thrown.value?.constructor?.name;
      const own = constructor !== undefined && constructor !== expected.name
        ? `Received constructor: ${context.isNot ? '    ' : ''}${constructor}${context.isNot ? ` extends ${expected.name}` : ''}\n` : '';
      const told = thrown.hasMessage
        ? `Received message: ${printed(thrown.message)}\n${stackOf(thrown)}`
        : `Received value: ${context.isNot ? '    ' : ''}${printed(thrown.value)}\n`;
      return `${head}${own}\n${told}`;
    },
  };
}

module.exports = { toThrow: make('toThrow'), toThrowError: make('toThrowError') };
