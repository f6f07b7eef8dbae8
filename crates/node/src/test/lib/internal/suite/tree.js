// What a test file declares: suites, tests and hooks, as a tree. Nothing of it runs before all is known.
'use strict';

const HOOKS = ['beforeAll', 'afterAll', 'beforeEach', 'afterEach'];

class Suite {
  constructor(name, parent, options = {}) {
    this.name = name;
    this.parent = parent;
    this.options = options;
    this.children = [];
    this.hooks = Object.fromEntries(HOOKS.map((hook) => [hook, []]));
    this.mode = options.mode ?? 'run';
    this.place = [...(parent?.place ?? []), ...(parent === null ? [] : [parent.children.length + 1])];
    // What `this` is in its functions: what an outer one has, the inner ones have, too.
    this.context = Object.create(parent?.context ?? contextPrototype);
    this.timeout = options.timeout ?? parent?.timeout;
    this.retries = options.retries ?? parent?.retries;
    parent?.children.push(this);
  }

  get isConcurrent() {
    return this.options.concurrent ?? this.parent?.isConcurrent ?? false;
  }

  get path() {
    return this.parent === null ? [] : [...this.parent.path, this.name];
  }
}

class Test {
  constructor(name, parent, fn, options = {}) {
    this.name = name;
    this.parent = parent;
    this.fn = fn;
    this.options = options;
    this.mode = options.mode ?? 'run';
    this.place = [...parent.place, parent.children.length + 1];
    this.timeout = options.timeout;
    this.retries = options.retries;
    parent.children.push(this);
  }

  get isConcurrent() {
    return this.options.concurrent ?? this.parent.isConcurrent;
  }

  get path() {
    return [...this.parent.path, this.name];
  }

  /// Where it was declared.
  get location() {
    return this.options.locate();
  }

  /// The names as mocha, jest and `--grep` join them.
  get fullName() {
    return this.path.join(' ');
  }

  // What mocha's hooks and reporters ask of a test.
  get title() {
    return this.name;
  }

  fullTitle() {
    return this.fullName;
  }

  titlePath() {
    return this.path;
  }

  isFailed() {
    return this.state === 'failed';
  }

  isPassed() {
    return this.state === 'passed';
  }

  currentRetry() {
    return this.attempt ?? 0;
  }
}

/// What a test throws that skips itself.
class Skipped extends Error {
  constructor(reason) {
    super(reason ?? 'sync skip; aborting execution');
    this.name = 'Pending';
  }
}

// `this` of mocha's functions. `running` is what they are about: the test, the hook or the suite.
const contextPrototype = {
  timeout(ms) {
    const { runner } = this;
    if (arguments.length === 0) return runner.limit();
    runner.setLimit(Number(typeof ms === 'string' ? milliseconds(ms) : ms));
    return this;
  },
  slow() {
    return this;
  },
  retries(count) {
    this.runner.setRetries(count);
    return this;
  },
  skip(reason) {
    throw new Skipped(reason);
  },
  enableTimeouts() {
    return this;
  },
  get test() {
    return this.runner?.test;
  },
  get currentTest() {
    return this.runner?.currentTest;
  },
};

function milliseconds(text) {
  const [, number, unit] = /^([\d.]+)\s*(ms|s|m|h)?$/.exec(text) ?? [];
  return number * { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[unit ?? 'ms'];
}

const root = new Suite('', null);
// The suites whose function runs, the innermost last.
const open = [root];
let isOver = false;
let error = null;
// Suites whose function waits for something.
const building = [];

const current = () => open.at(-1);
const isFlat = () => require('internal/suite/project').settings.ui === 'qunit';

function declareSuite(name, fn, options) {
  refuseLate('describe');
  if (typeof fn !== 'function' && isFlat()) {
    // mocha's qunit: what follows belongs to it.
    const suite = new Suite(nameOf(name), root, options);
    open.splice(1, Infinity, suite);
    return suite;
  }
  const suite = new Suite(nameOf(name), current(), options);
  if (typeof fn !== 'function') return suite;
  open.push(suite);
  suite.context.runner = suiteRunner(suite);
  let result;
  try {
    result = Reflect.apply(fn, suite.context, options.args ?? []);
  } catch (thrown) {
    error ??= thrown;
  } finally {
    open.splice(open.lastIndexOf(suite), 1);
  }
  if (typeof result?.then === 'function') {
    // Until it is over, what is declared belongs to it.
    open.push(suite);
    building.push(Promise.resolve(result).catch((thrown) => { error ??= thrown; }).finally(() => open.splice(open.lastIndexOf(suite), 1)));
  }
  return suite;
}

// `this.timeout()` and `this.retries()` in the function of a suite.
const suiteRunner = (suite) => ({
  limit: () => suite.timeout,
  setLimit(ms) { suite.timeout = ms; },
  setRetries(count) { suite.retries = count; },
  test: suite,
  currentTest: undefined,
});

function declareTest(name, fn, options) {
  refuseLate('test');
  return new Test(nameOf(name), current(), fn, options);
}

function declareHook(kind, fn, options) {
  if (typeof fn !== 'function') throw new TypeError(`${kind} takes a function`);
  refuseLate(kind);
  current().hooks[kind].push({ fn, kind, ...options });
}

function refuseLate(what) {
  if (!isOver) return;
  throw new Error(`${what} is called while tests run. Declare tests, suites and hooks before: in the file or in the function of a describe`);
}

const nameOf = (name) => (typeof name === 'function' ? name.name || '<anonymous>' : `${name}`);

/// All that was declared, once nothing is missing; throws what a function of a suite has thrown.
async function collected() {
  while (building.length > 0) await building.shift();
  isOver = true;
  if (error !== null) throw error;
  return root;
}

module.exports = { Skipped, Suite, Test, collected, declareHook, declareSuite, declareTest, milliseconds, root };
