// util.debuglog: messages that show only for the sections named in NODE_DEBUG.
//
// From the binding: getEnv(name), optional; isTerminal(number), optional; pid(), optional; writeStderr(text);
// emitWarning(message).
'use strict';

const sections = { __proto__: null };
let enabledPattern;

function isEnabled(section) {
  if (enabledPattern === undefined) {
    const list = binding.getEnv?.('NODE_DEBUG') ?? '';
    enabledPattern = list === '' ? null : patternOf(list);
  }
  return enabledPattern !== null && enabledPattern.test(section);
}

// The variable is a list such as `fs,net*`, in any case; `*` stands for any text.
function patternOf(list) {
  const pattern = list.replace(/[|\\{}()[\]^$+?.]/g, '\\$&').replaceAll('*', '.*').replaceAll(',', '$|^');
  return new RegExp(`^${pattern}$`, 'i');
}

function printerOf(section) {
  sections[section] ??= isEnabled(section) ? makePrinter(section) : () => {};
  return sections[section];
}

function makePrinter(section) {
  const pid = binding.pid?.() ?? 0;
  if (section === 'HTTP' || section === 'HTTP2') {
    binding.emitWarning(`Setting the NODE_DEBUG environment variable to '${section.toLowerCase()}' ` +
      'can expose sensitive data (such as passwords, tokens and authentication headers) in the resulting log.');
  }
  const { formatWithOptions, inspect } = require('internal/util/inspect');
  return (...args) => {
    const options = { colors: hasColors() };
    binding.writeStderr(`${section} ${inspect(pid, options)}: ${formatWithOptions(options, ...args)}\n`);
  };
}

// Whoever asks for colours has them also where there is no terminal.
function hasColors() {
  const isMeant = binding.getEnv?.('FORCE_COLOR') !== undefined || binding.isTerminal?.(2);
  return Boolean(isMeant) && require('internal/process/colors').hasColors();
}

// Nothing is looked up before the first message; `callback` then gets the function that prints, to
// put it in place of this one.
function debuglog(set, callback) {
  let name;
  const section = () => name ??= Reflect.apply(String.prototype.toUpperCase, set, []);
  let print = (...args) => {
    print = printerOf(section());
    if (typeof callback === 'function') callback(print);
    print(...args);
  };
  const logger = (...args) => print(...args);
  Object.defineProperty(logger, 'enabled', {
    get() { return isEnabled(section()); },
    configurable: true,
    enumerable: true,
  });
  return logger;
}

module.exports = { debuglog };
