// util.parseArgs: command-line arguments to options and positionals.
// Uses binding.argv, without which there is no process.
'use strict';

const {
  validateArray, validateBoolean, validateBooleanArray, validateObject, validateString, validateStringArray,
  validateUnion,
} = require('internal/validators');
const {
  codes: {
    ERR_INVALID_ARG_VALUE, ERR_PARSE_ARGS_INVALID_OPTION_VALUE, ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL,
    ERR_PARSE_ARGS_UNKNOWN_OPTION,
  },
} = require('internal/errors');

// Only own members count: what a program put on Object.prototype configures nothing.
function own(object, key) {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

// The arguments of the process: after the runtime and the program, which has no name where it is code of a flag.
function argumentsOfProcess() {
  if (binding.argv === undefined) return [];
  const { argv, execArgv } = require('internal/process');
  return argv.slice(execArgv.some((flag) => codeFlags.includes(flag)) ? 1 : 2);
}

const codeFlags = ['-e', '--eval', '-p', '--print'];

const parseArgs = (config = {}) => {
  const given = (key, otherwise) => own(config, key) ?? otherwise;
  const args = given('args') ?? argumentsOfProcess();
  const options = given('options', { __proto__: null });
  const strict = given('strict', true);
  const flags = {
    strict,
    allowPositionals: given('allowPositionals', !strict),
    tokens: given('tokens', false),
    allowNegative: given('allowNegative', false),
  };
  validateArray(args, 'args');
  for (const [name, flag] of Object.entries(flags)) validateBoolean(flag, name);
  validateObject(options, 'options');
  for (const [name, option] of Object.entries(options)) validateOption(`options.${name}`, option);

  const settings = { options, ...flags };
  const tokens = new Tokenizer(args, options).run();
  const result = { values: { __proto__: null }, positionals: [] };
  if (flags.tokens) result.tokens = tokens;
  for (const token of tokens) take[token.kind](token, settings, result);
  fillDefaults(options, result.values);
  return result;
};

// What becomes of the tokens of each kind.
const take = {
  'option'(token, settings, { values }) {
    if (settings.strict) checkOption(token, settings);
    store(token, settings, values);
  },
  'positional'({ value }, settings, { positionals }) {
    if (!settings.allowPositionals) throw new ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL(value);
    positionals.push(value);
  },
  'option-terminator'() {},
};

const defaultValidators = {
  string: [validateString, validateStringArray],
  boolean: [validateBoolean, validateBooleanArray],
};

function validateOption(path, option) {
  validateObject(option, path);
  const type = own(option, 'type');
  validateUnion(type, `${path}.type`, ['string', 'boolean']);
  const multiple = own(option, 'multiple');
  if (Object.hasOwn(option, 'short')) validateShort(option.short, `${path}.short`);
  if (Object.hasOwn(option, 'multiple')) validateBoolean(multiple, `${path}.multiple`);
  const initial = own(option, 'default');
  if (initial !== undefined) defaultValidators[type][multiple ? 1 : 0](initial, `${path}.default`);
}

function validateShort(short, name) {
  validateString(short, name);
  if (short.length !== 1) throw new ERR_INVALID_ARG_VALUE(name, short, 'must be a single character');
}

// Turns arguments into tokens. An argument that names several short options, such as `-abc`, is
// replaced by one argument for each; all of them have the index of the original.
class Tokenizer {
  tokens = [];
  index = -1;

  constructor(args, options) {
    this.rest = [...args];
    this.options = options;
  }

  run() {
    let fromGroup = 0;
    while (this.rest.length > 0) {
      const arg = this.rest.shift();
      if (fromGroup > 0) fromGroup--;
      else this.index++;
      if (arg === '--') {
        this.terminate();
      } else if (/^-[^-]$/s.test(arg)) {
        this.addOption(this.nameOf(arg[1]), arg);
      } else if (/^-[^-]./s.test(arg)) {
        const name = this.nameOf(arg[1]);
        if (this.takesValue(name)) {
          this.push('option', { name, rawName: arg.slice(0, 2), value: arg.slice(2), inlineValue: true });
        } else {
          const group = this.expand(arg);
          this.rest.unshift(...group);
          fromGroup = group.length;
        }
      } else if (/^--./s.test(arg)) {
        // A name has at least one character, which may be `=`; Node then splits there all the same.
        if (!arg.includes('=', 3)) {
          this.addOption(arg.slice(2), arg);
        } else {
          const equals = arg.indexOf('=');
          this.push('option', {
            name: arg.slice(2, equals), rawName: arg.slice(0, equals), value: arg.slice(equals + 1), inlineValue: true,
          });
        }
      } else {
        this.push('positional', { value: arg });
      }
    }
    return this.tokens;
  }

  // Node lists the members of an option in this order, which shows when tokens are printed.
  push(kind, { name, rawName, value, inlineValue }) {
    this.tokens.push(kind === 'option' ?
      { kind, name, rawName, index: this.index, value, inlineValue } : { kind, index: this.index, value });
  }

  // Adds an option whose value, if it takes one, is the next argument. Whether that looks like an
  // option itself is judged later, when strict.
  addOption(name, rawName) {
    if (this.takesValue(name) && this.rest[0] != null) {
      const value = this.rest.shift();
      this.push('option', { name, rawName, value, inlineValue: false });
      this.index++;
    } else {
      this.push('option', { name, rawName });
    }
  }

  // `--`: whatever follows is positional.
  terminate() {
    this.tokens.push({ kind: 'option-terminator', index: this.index });
    for (const value of this.rest) {
      this.index++;
      this.push('positional', { value });
    }
    this.rest = [];
  }

  // The first option of a group that takes a value takes the remaining letters.
  expand(group) {
    const args = [];
    for (let i = 1; i < group.length; i++) {
      if (this.takesValue(this.nameOf(group[i]))) {
        args.push(`-${group.slice(i)}`);
        break;
      }
      args.push(`-${group[i]}`);
    }
    return args;
  }

  nameOf(short) {
    const found = Object.entries(this.options).find(({ 1: option }) => own(option, 'short') === short);
    return found?.[0] ?? short;
  }

  takesValue(name) {
    return own(own(this.options, name) ?? {}, 'type') === 'string';
  }
}

// The option that a token sets to false, as in `--no-color`; undefined if it does not.
function negated(token, { options, allowNegative }) {
  if (!allowNegative || !token.name.startsWith('no-')) return undefined;
  const name = token.name.slice(3);
  return own(own(options, name) ?? {}, 'type') === 'boolean' ? name : undefined;
}

function checkOption(token, settings) {
  const { options, allowPositionals } = settings;
  let { name } = token;
  if (!Object.hasOwn(options, name)) {
    name = negated(token, settings);
    if (name === undefined) throw new ERR_PARSE_ARGS_UNKNOWN_OPTION(token.rawName, allowPositionals);
  }
  const short = own(options[name], 'short');
  const shown = `${short ? `-${short}, ` : ''}--${name}`;
  const type = own(options[name], 'type');
  let fault;
  if (type === 'string' && typeof token.value !== 'string') fault = `Option '${shown} <value>' argument missing`;
  else if (type === 'boolean' && token.value != null) fault = `Option '${shown}' does not take an argument`;
  if (fault !== undefined) throw new ERR_PARSE_ARGS_INVALID_OPTION_VALUE(fault);
  checkOptionLikeValue(token);
}

// `--file -x` may mean a file called -x, but more likely the file was forgotten.
function checkOptionLikeValue({ name, rawName, value, inlineValue }) {
  if (inlineValue || value == null || value.length < 2 || value[0] !== '-') return;
  const example = rawName.startsWith('--') ?
    `'${rawName}=-XYZ'` : `'--${name}=-XYZ' or '${rawName}-XYZ'`;
  throw new ERR_PARSE_ARGS_INVALID_OPTION_VALUE(
    `Option '${rawName}' argument is ambiguous.\n` +
    `Did you forget to specify the option argument for '${rawName}'?\n` +
    `To specify an option argument starting with a dash use ${example}.`);
}

function store(token, settings, values) {
  if (token.name === '__proto__') return;
  let value = token.value ?? true;
  if (settings.allowNegative && token.name.startsWith('no-') && token.value === undefined) {
    token.name = token.name.slice(3);
    value = false;
  }
  const { name } = token;
  if (own(own(settings.options, name) ?? {}, 'multiple')) (values[name] ??= []).push(value);
  else values[name] = value;
}

function fillDefaults(options, values) {
  for (const [name, option] of Object.entries(options)) {
    const initial = own(option, 'default');
    if (initial !== undefined && values[name] === undefined && name !== '__proto__') values[name] = initial;
  }
}

module.exports = { parseArgs };
