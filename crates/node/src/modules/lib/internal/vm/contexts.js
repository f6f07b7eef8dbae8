// Contexts of vm: objects that are the global object of scripts.
//
// There is one realm. A script of a context is evaluated with the context's objects around it, innermost first: what it
// declares by let, const and class; the object that the program made a context of; what the language has. No other name
// is there. So the classes and functions of the language are the program's own in each context, where Node has
// others: `vm.runInNewContext('[]') instanceof Array` is true here.
// Uses binding.evaluate, fileOfNext, languageNames, prepareForContext.
'use strict';

const kept = require('internal/kept');
const { give } = require('internal/modules/given');
const { isProxy } = require('internal/util/types');

const { eval: evaluateText } = globalThis;

const { defineProperty, getOwnPropertyDescriptor, hasOwn, isExtensible } = Object;
const { ownKeys } = Reflect;

/// By the objects that were made contexts.
const contexts = new WeakMap();

// Names that the text of a script has from us; they are the program's globals.
const ours = new Set(['$vmOf', '$hemiola']);

// A function of the language is called by its name.
const languageByName = () => new Map(kept.language.map((value) => [value.name, value]));

const put = (target, name, value, enumerable = false) =>
  defineProperty(target, name, { __proto__: null, configurable: true, enumerable, value, writable: true });

const lazily = (target, name, compute) => {
  const set = (value) => {
    const { enumerable } = getOwnPropertyDescriptor(target, name);
    put(target, name, value, enumerable);
    return value;
  };
  defineProperty(target, name, { __proto__: null, configurable: true, enumerable: false, get: () => set(compute()), set });
};

/// Evaluates the code of `$vmOf` where its objects are around it. It sees what that declares, and so can hand it out.
let evaluate;
const EVALUATE = '(function($vmOf){$vmOf.pull=$v=>eval($v);' +
  'with($vmOf.guard)with($vmOf.builtins)with($vmOf.sandbox)with($vmOf.lexicals)return eval($vmOf.code)})';

function notDefined(name) {
  const error = new ReferenceError(`${name} is not defined`);
  Error.captureStackTrace(error, notDefined);
  return error;
}

// What comes last: names that are nowhere.
const notThere = {
  __proto__: null,
  isAsking: false,
  has: (context, name) => typeof name === 'string' && !ours.has(name),
  get(context, name) {
    if (typeof name === 'symbol' || notThere.isAsking) return undefined;
    throw notDefined(name);
  },
  set: (context, name, value) => Reflect.set(context.holder, name, value),
};

// The same for a strict script, to which a name that nobody declared is a mistake.
const notThereAtAll = {
  ...notThere,
  __proto__: null,
  set(context, name) { throw notDefined(name); },
};

function silentConsole() {
  // It has no terminal; a debugger would see what is written to it.
  const console = {};
  for (const name of Object.keys(globalThis.console)) console[name] = { [name]() {} }[name];
  return console;
}

const refused = (name) => ({
  [name]: function() {
    throw new EvalError('Code generation from strings disallowed for this context');
  },
})[name];

class Context {
  constructor(sandbox, { strings }) {
    this.sandbox = sandbox;
    this.lexicals = { __proto__: null };
    const context = this;
    // Called by another name, or by the program, it evaluates as a script of the context. Called by its own name in one
    // it is the language's, which sees what is around it there.
    this.eval = {
      eval(text) { return typeof text === 'string' ? context.run(prepare(text, '<anonymous>')) : text; },
    }.eval;
    // What the language has are properties of the global object, which do not show; of one that takes no more, or
    // that the program would hear of, they are only names.
    this.builtins = { __proto__: null };
    this.#addBuiltins(isExtensible(sandbox) && !isProxy(sandbox) ? sandbox : this.builtins, strings);
    this.guards = [notThere, notThereAtAll].map((handler) => new Proxy(this, handler));
    this.helper = {
      __proto__: null,
      program: globalThis,
      global: sandbox,
      get eval() { return context.#evalOfPrograms(); },
      ask() { notThere.isAsking = true; },
      told(_, type) {
        notThere.isAsking = false;
        return type;
      },
    };
  }

  /// What `eval` is here, which the program may have put there.
  #evalOfPrograms() {
    return (hasOwn(this.builtins, 'eval') ? this.builtins : this.sandbox).eval;
  }

  /// What new names are put into: an object that takes no more has them beside it.
  get holder() {
    return isExtensible(this.sandbox) ? this.sandbox : this.builtins;
  }

  #addBuiltins(target, strings) {
    const byName = languageByName();
    const isMissing = (name) => !hasOwn(target, name);
    for (const name of binding.languageNames().filter(isMissing)) {
      const value = byName.get(name) ?? globalThis[name];
      if (name === 'Date') lazily(target, name, () => kept.Date);
      else if (value === undefined || typeof value === 'number') defineProperty(target, name, { __proto__: null, value });
      else put(target, name, value);
    }
    if (isMissing('Intl')) lazily(target, 'Intl', () => globalThis.Intl);
    // A program that has it finds it in each of its contexts.
    if (hasOwn(globalThis, 'gc') && isMissing('gc')) put(target, 'gc', globalThis.gc);
    if (isMissing('console')) lazily(target, 'console', silentConsole);
    const own = [
      ['globalThis', this.sandbox], ['Function', strings ? this.#functions() : refused('Function')],
      ['eval', strings ? this.eval : refused('eval')],
    ];
    for (const [name, value] of own) {
      if (getOwnPropertyDescriptor(target, name)?.value === globalThis[name]) put(target, name, value);
    }
  }

  /// `Function` of this context: what it makes has the context's names.
  #functions() {
    const context = this;
    const made = {
      Function: function(...parts) {
        // What is no function is told as everywhere.
        void Function(...parts);
        const body = parts.pop() ?? '';
        return context.run(prepare(`(function anonymous(${parts.join()}\n) {\n${body}\n})`, '<anonymous>'));
      },
    };
    const { prototype } = Function;
    return defineProperty(made.Function, 'prototype', { __proto__: null, value: prototype, writable: false });
  }

  /// What a prepared script comes to.
  run(script) {
    const { lexicals, sandbox, builtins, helper } = this;
    const guard = this.guards[Number(script.isStrict)];
    for (const name of [...script.lexical, ...script.variables, ...script.functions]) {
      if (name !== 'eval' && hasOwn(lexicals, name)) throw new SyntaxError(`Identifier '${name}' has already been declared`);
    }
    const $vmOf = {
      __proto__: null, guard, builtins, sandbox, lexicals, pull: undefined,
      get code() {
        // It is evaluated next.
        binding.fileOfNext(script.file);
        return script.code;
      },
      begin: (own, lexical) => {
        if (this.#evalOfPrograms() !== this.eval) delete lexicals.eval;
        this.#declare(script, $vmOf.pull, own);
        for (const name of script.lexical) defineProperty(lexicals, name, getOwnPropertyDescriptor(lexical, name));
        return helper;
      },
    };
    evaluate ??= binding.evaluate(EVALUATE, 'node:lib/internal/vm/contexts');
    notThere.isAsking = false;
    // What evaluates the script, whatever the context has by that name.
    put(lexicals, 'eval', evaluateText);
    return Reflect.apply(evaluate, sandbox, [$vmOf]);
  }

  /// The variables and functions of a script, which are properties of the global object.
  #declare({ isStrict, variables, functions }, pull, own) {
    const { holder: sandbox } = this;
    if (isStrict) {
      for (const name of ownKeys(own)) {
        defineProperty(sandbox, name, { ...getOwnPropertyDescriptor(own, name), configurable: true, enumerable: true });
      }
      return;
    }
    const values = functions.length === 0 ? [] : pull(`[${functions.join()}]`);
    functions.forEach((name, at) => {
      if (getOwnPropertyDescriptor(sandbox, name)?.configurable === false) sandbox[name] = values[at];
      else put(sandbox, name, values[at], true);
    });
    for (const name of variables) {
      const known = getOwnPropertyDescriptor(sandbox, name);
      if (known === undefined) put(sandbox, name, undefined, true);
      else if (known.configurable && !known.enumerable) defineProperty(sandbox, name, { __proto__: null, enumerable: true });
    }
  }
}

/// A script as `run` takes it.
function prepare(source, file) {
  const script = binding.prepareForContext(source, file);
  if (script === undefined) {
    // Throws what is wrong with it.
    void Function(source);
    throw new SyntaxError('This script can not be run in a context');
  }
  for (const name of [script.context, script.access]) ours.add(name);
  give(script.context, script.access);
  script.file = file;
  return script;
}

exports.prepare = prepare;

/// Makes an object a context.
exports.make = function make(sandbox, options) {
  contexts.set(sandbox, new Context(sandbox, options));
  return sandbox;
};

exports.has = (object) => contexts.has(object);

exports.runIn = (object, script) => contexts.get(object).run(script);
