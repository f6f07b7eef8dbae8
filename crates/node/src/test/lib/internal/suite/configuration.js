// What a project says about its tests, in the configuration of jest, vitest or mocha, made into settings of ours.
'use strict';

const { existsSync, readdirSync, readFileSync, statSync } = require('fs');
const path = require('path');
const { optionsOf, runsOf, wordsOf } = require('internal/suite/script');

const SCRIPTS = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'];

/// The settings, and in `notes` what was not understood.
async function read(root) {
  const found = { notes: [] };
  const manifest = json(path.join(root, 'package.json'), found.notes) ?? {};
  const runs = runsOf(manifest.scripts);
  const args = (runner) => runs.filter((run) => run.runner === runner).flatMap((run) => run.args);
  const flags = { jest: optionsOf(args('jest'), JEST_VALUED), vitest: optionsOf(args('vitest'), VITEST_VALUED) };
  const named = (runner) => flags[runner].options.config?.map((name) => path.resolve(root, name)).find((file) => existsSync(file));
  const jest = named('jest') ?? firstOf(root, ['jest.config.'], [...SCRIPTS, 'json']);
  const vitest = named('vitest') ?? firstOf(root, ['vitest.config.', 'vite.config.'], SCRIPTS);
  const mocharc = firstOf(root, ['.mocharc.'], ['js', 'cjs', 'mjs', 'json', 'jsonc', 'yaml', 'yml']);
  const depends = (name) => Boolean(manifest.devDependencies?.[name] ?? manifest.dependencies?.[name]);
  const uses = (name) => depends(name) || runs.some(({ runner }) => runner === name);
  const called = runs.map(({ runner }) => runner);
  const runners = new Set(called.length === 0 ? ['vitest', 'jest', 'mocha'].filter(depends) : called);
  if (jest !== undefined || (manifest.jest !== undefined && typeof manifest.jest === 'object')) {
    await fromJest(found, root, jest === undefined ? manifest.jest : await load(jest, found.notes), jest ?? 'package.json', flags.jest);
  } else if (vitest !== undefined && (uses('vitest') || /vitest/.test(vitest) || /\btest\s*:/.test(readFileSync(vitest, 'utf8')))) {
    await fromVitest(found, root, await load(vitest, found.notes), vitest, flags.vitest);
  } else if (mocharc !== undefined || manifest.mocha !== undefined) {
    fromMocha(found, root, mocharc === undefined ? manifest.mocha : await load(mocharc, found.notes), mocharc ?? 'package.json', args('mocha'));
  } else if (runners.size > 1) {
    // Its files are for several runners: names say which are tests, and all globals are there.
  } else if (runners.has('node')) {
    fromNode(found, root, args('node'));
  } else if (runners.has('vitest')) {
    await fromVitest(found, root, {}, '', flags.vitest);
  } else if (runners.has('jest')) {
    await fromJest(found, root, {}, 'package.json', flags.jest);
  } else if (runners.has('mocha')) {
    fromMocha(found, root, {}, 'package.json', mochaArgs(root, manifest, args('mocha')));
  }
  fromTypescript(found, root);
  return found;
}

function firstOf(root, starts, ends) {
  for (const start of starts) {
    for (const end of ends) {
      const file = path.join(root, start + end);
      if (existsSync(file)) return file;
    }
  }
  return undefined;
}

function json(file, notes) {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8');
  try {
    return JSON.parse(text);
  } catch { /* perhaps it has comments */ }
  try {
    return JSON.parse(withoutComments(text));
  } catch (error) {
    notes.push(`${file} cannot be read: ${error.message}`);
    return undefined;
  }
}

// JSON without comments, and without commas before a closing bracket.
function withoutComments(text) {
  return text
    .replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[^]*?\*\//g, (_, string) => string ?? '')
    .replace(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, (_, string) => string ?? '');
}

async function load(file, notes) {
  if (/\.jsonc?$/.test(file)) return json(file, notes) ?? {};
  if (/\.ya?ml$/.test(file)) return yaml(readFileSync(file, 'utf8'), file, notes);
  try {
    const loaded = await import(binding.fileUrl(file));
    let config = loaded.default ?? loaded;
    if (config?.__esModule && config.default !== undefined) config = config.default;
    if (typeof config === 'function') config = await config({ command: 'serve', mode: 'test' });
    return await config ?? {};
  } catch (error) {
    notes.push(`${file} cannot be read, and is ignored: ${error.message}`);
    return { ...UNREAD };
  }
}

// What is known of a configuration that cannot be read: nothing, so all globals are there.
const UNREAD = { [Symbol('unread')]: true };
const isUnread = (config) => Object.getOwnPropertySymbols(config).length > 0;

// As much of YAML as configurations of mocha have: keys with values, and lists of them.
function yaml(text, file, notes) {
  const config = {};
  let list;
  const value = (written) => {
    const bare = written.replace(/\s+#.*$/, '').trim();
    if (/^\[.*\]$/.test(bare)) return bare.slice(1, -1).split(',').map((item) => value(item));
    if (/^(['"]).*\1$/.test(bare)) return bare.slice(1, -1);
    if (/^(true|false)$/.test(bare)) return bare === 'true';
    return bare !== '' && !Number.isNaN(Number(bare)) ? Number(bare) : bare;
  };
  for (const line of text.split('\n')) {
    if (/^\s*(#.*|---)?$/.test(line)) continue;
    const item = /^\s+-\s+(.*)$|^-\s+(.*)$/.exec(line);
    const pair = /^([\w-]+):\s*(.*)$/.exec(line);
    if (item !== null && list !== undefined) list.push(value(item[1] ?? item[2]));
    else if (pair !== null && pair[2].replace(/#.*$/, '').trim() === '') config[pair[1]] = list = [];
    else if (pair !== null) config[pair[1]] = value(pair[2]);
    else notes.push(`${file}: not understood: ${line.trim()}`);
  }
  return config;
}

const listOf = (value) => (value === undefined || value === null ? [] : [].concat(value));

// Takes what is known out of a configuration; the rest is told of.
function taken(found, source, config, known, ignored) {
  const name = path.basename(source);
  for (const [key, value] of Object.entries(config)) {
    if (ignored.includes(key) || value === undefined) continue;
    if (known[key] === undefined) found.notes.push(`${name}: \`${key}\` is not understood, and is ignored`);
    else known[key](value);
  }
}

const plainCopy = (key, as = key) => (found) => (value) => { found[as] = value; };
const COMMON = { clearMocks: plainCopy('clearMocks'), resetMocks: plainCopy('resetMocks'), restoreMocks: plainCopy('restoreMocks') };
const common = (found) => Object.fromEntries(Object.entries(COMMON).map(([key, make]) => [key, make(found)]));

const JEST_IGNORED = [
  'automock', 'bail', 'cache', 'cacheDirectory', 'ci', 'coverageDirectory',
  'coveragePathIgnorePatterns', 'coverageProvider', 'coverageReporters', 'detectLeaks', 'detectOpenHandles', 'displayName',
  'errorOnDeprecated', 'extensionsToTreatAsEsm', 'forceExit', 'maxConcurrency', 'maxWorkers', 'moduleFileExtensions', 'name', 'notify',
  'preset', 'randomize', 'reporters', 'resetModules', 'rootDir', 'silent', 'slowTestThreshold', 'testLocationInResults', 'testRunner',
  'transform', 'transformIgnorePatterns', 'verbose', 'watchman', 'watchPathIgnorePatterns', 'watchPlugins', 'workerIdleMemoryLimit',
  'modulePathIgnorePatterns', '$schema',
];

// What the command in package.json may give a value to.
const JEST_VALUED = { config: 'c', maxWorkers: 'w', rootDir: undefined, testTimeout: undefined, testNamePattern: 't', selectProjects: undefined };
const VITEST_VALUED = { config: 'c', dir: undefined, project: undefined, reporter: undefined, maxWorkers: undefined, testTimeout: undefined };

const isOne = (value) => Number(listOf(value).at(-1)) === 1;

async function fromJest(found, root, config, source, { options }) {
  if (options.runInBand ?? options.i ?? (isOne(options.maxWorkers) || isOne(config.maxWorkers))) found.serial = true;
  // As seen from the file that says so.
  const home = path.dirname(path.resolve(root, source));
  const base = options.rootDir === undefined ? path.resolve(home, config.rootDir ?? '.') : path.resolve(root, options.rootDir.at(-1));
  const inside = (text) => `${text}`.replaceAll('<rootDir>', base);
  const file = (text) => located(inside(text), base);
  const expression = (pattern) => {
    try {
      return [new RegExp(inside(pattern))];
    } catch (error) {
      found.notes.push(`${path.basename(source)}: ${error.message}: it is ignored`);
      return [];
    }
  };
  let roots = [base];
  let ignored = [];
  let wanted;
  found.flavour = 'jest';
  if (options.testTimeout !== undefined) found.timeout = Number(options.testTimeout.at(-1));
  found.include = ['**/__tests__/**/*.[jt]s?(x)', '**/?(*.)+(spec|test).?([cm])[jt]s?(x)'];
  taken(found, source, config, {
    ...common(found),
    collectCoverage(value) { coverageOf(found).enabled = value === true; },
    collectCoverageFrom(value) {
      const patterns = listOf(value).map((pattern) => `${pattern}`.replaceAll('<rootDir>/', ''));
      coverageOf(found).include = patterns.filter((pattern) => !pattern.startsWith('!'));
      const excluded = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
      if (excluded.length > 0) coverageOf(found).exclude = excluded;
    },
    coverageThreshold({ global = {}, ...others }) {
      coverageOf(found).thresholds = thresholds(global);
      for (const name in others) found.notes.push(`${path.basename(source)}: coverageThreshold of ${name} is not understood: only \`global\` is`);
    },
    fakeTimers(value) { found.fakeTimers = typeof value === 'object' ? value : undefined; },
    globalSetup(value) { found.globalSetup = listOf(value).map(file); },
    globalTeardown(value) { found.globalTeardown = listOf(value).map(file); },
    globals(value) { found.globalValues = value; },
    injectGlobals(value) { found.globals = value; },
    moduleDirectories(value) {
      const others = listOf(value).filter((name) => name !== 'node_modules');
      if (others.length > 0) found.notes.push(`${path.basename(source)}: moduleDirectories ${others.join(', ')}: packages are only found in \`node_modules\``);
    },
    moduleNameMapper(value) {
      found.moduleNameMapper = Object.entries(value).map(([pattern, targets]) => [pattern, listOf(targets).map(inside)]);
    },
    projects(value) { found.notes.push(`${path.basename(source)}: \`projects\` is not understood: run each of ${JSON.stringify(value)} by itself`); },
    retryTimes: plainCopy('retries')(found),
    roots(value) { roots = listOf(value).map((name) => path.resolve(base, inside(name))); },
    setupFiles(value) { found.setup = [...listOf(value).map(file), ...found.setup ?? []]; },
    setupFilesAfterEnv(value) { found.setup = [...found.setup ?? [], ...listOf(value).map(file)]; },
    snapshotFormat() {},
    snapshotSerializers(value) { found.snapshotSerializers = listOf(value).map(file); },
    testEnvironment(value) {
      if (!/^(node|jest-environment-node)$/.test(value)) found.notes.push(`${path.basename(source)}: testEnvironment ${value}: there is only \`node\` here`);
    },
    testEnvironmentOptions() {},
    testMatch(value) {
      const patterns = listOf(value).map((pattern) => inside(pattern));
      found.include = patterns.filter((pattern) => !pattern.startsWith('!')).map((pattern) => relative(pattern, root));
      const others = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => relative(pattern.slice(1), root));
      if (others.length > 0) found.exclude = others;
    },
    testPathIgnorePatterns(value) { ignored = listOf(value).flatMap(expression); },
    testRegex(value) { wanted = listOf(value).flatMap(expression); },
    testTimeout: plainCopy('timeout')(found),
    unmockedModulePathPatterns() {},
  }, JEST_IGNORED);
  const folders = roots.map((folder) => path.relative(root, folder)).filter((folder) => folder !== '');
  if (folders.length > 0 && folders.length === roots.length) {
    found.include = folders.flatMap((folder) => found.include.map((pattern) => (pattern.startsWith('**/') ? `${folder}/${pattern}` : pattern)));
  }
  if (wanted?.length > 0) {
    found.include = exactly(filesIn(root, folders).filter((name) => wanted.some((pattern) => pattern.test(path.join(root, name)))));
  }
  if (ignored.length > 0) {
    found.exclude = (found.exclude ?? []).concat(exactly(filesIn(root, folders).filter((name) => ignored.some((pattern) => pattern.test(path.join(root, name))))));
  }
  if (config.automock) found.notes.push(`${path.basename(source)}: automock is not understood: mock modules by name`);
}

// All files of a project, or of some of its folders, by their paths in it.
function filesIn(root, folders) {
  const found = [];
  const visit = (folder) => {
    for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const name = path.join(folder, entry.name);
      if (!entry.isDirectory()) found.push(name);
      else if (entry.name !== 'node_modules' && !entry.name.startsWith('.')) visit(name);
    }
  };
  for (const folder of folders.length > 0 ? folders : ['']) if (existsSync(path.join(root, folder))) visit(folder);
  return found;
}

// Patterns that match these paths, and nothing if there are none.
const exactly = (names) => (names.length === 0 ? ['/'] : names.map((name) => name.replace(/[()*+?@![\\]/g, '\\$&')));

// What is wanted of coverage.
const coverageOf = (found) => (found.coverage ??= {});

// How much must be covered; what is said of statements holds for lines.
function thresholds({ statements, lines = statements, branches, functions }) {
  const given = Object.entries({ lines, branches, functions }).filter(([, least]) => typeof least === 'number');
  return Object.fromEntries(given);
}

const relative = (pattern, root) => (pattern.startsWith(root) ? path.relative(root, pattern) : pattern);

// A file or a package that the configuration names.
function located(name, base) {
  if (path.isAbsolute(name)) return name;
  if (/^\.{1,2}\//.test(name)) return path.resolve(base, name);
  try {
    const { Module } = require('internal/modules');
    const module = new Module(path.join(base, 'noop.js'));
    module.filename = path.join(base, 'noop.js');
    module.paths = Module._nodeModulePaths(base);
    return Module._resolveFilename(name, module, false);
  } catch {
    return path.resolve(base, name);
  }
}

const VITEST_IGNORED = [
  'allowOnly', 'api', 'bail', 'benchmark', 'browser', 'cache', 'chaiConfig', 'css', 'dangerouslyIgnoreUnhandledErrors', 'deps',
  'diff', 'disableConsoleIntercept', 'expect', 'fileParallelism', 'forceRerunTriggers', 'hideSkippedTests', 'includeSource', 'inspect', 'isolate',
  'logHeapUsage', 'maxConcurrency', 'maxWorkers', 'minWorkers', 'mockReset', 'name', 'open', 'outputFile', 'passWithNoTests',
  'pool', 'poolOptions', 'printConsoleTrace', 'reporters', 'root', 'sequence', 'server', 'silent', 'slowTestThreshold',
  'snapshotFormat', 'teardownTimeout', 'typecheck', 'ui', 'update', 'watch', 'workspace', 'clearMocks', 'restoreMocks', 'unstubEnvs', 'unstubGlobals',
];

async function fromVitest(found, root, config, source, { options }) {
  const test = config.test ?? {};
  if (options['no-file-parallelism'] ?? (test.fileParallelism === false || isOne(options.maxWorkers) || isOne(test.maxWorkers))) found.serial = true;
  const base = path.resolve(root, test.root ?? config.root ?? '.');
  const file = (name) => located(name, base);
  found.flavour = 'vitest';
  if (!isUnread(config)) found.globals = test.globals === true || options.globals !== undefined;
  found.include = ['**/*.{test,spec}.?(c|m)[jt]s?(x)'];
  found.exclude = ['**/node_modules/**', '**/dist/**', '**/cypress/**'];
  const aliases = [...aliasesOf(test.alias), ...aliasesOf(config.resolve?.alias)];
  if (aliases.length > 0) found.moduleNameMapper = aliases.flatMap((alias) => mappingOf(alias, found, source));
  defined(found, config.define, source);
  if (test.mockReset) found.resetMocks = true;
  if (test.clearMocks) found.clearMocks = true;
  if (test.restoreMocks) found.restoreMocks = true;
  taken(found, source, test, {
    alias() {},
    coverage({ enabled, include, exclude, thresholds: { perFile, 100: all, ...least } = {} }) {
      const coverage = coverageOf(found);
      coverage.enabled = enabled === true;
      if (include !== undefined) coverage.include = listOf(include);
      if (exclude !== undefined) coverage.exclude = listOf(exclude);
      coverage.thresholds = thresholds(all === true ? { lines: 100, branches: 100, functions: 100 } : least);
      coverage.perFile = perFile === true;
    },
    dir(value) { found.include = found.include.map((pattern) => path.join(path.relative(root, path.resolve(base, value)), pattern)); },
    env(value) { found.env = { ...found.env, ...value }; },
    environment(value) {
      if (value !== 'node') found.notes.push(`${path.basename(source)}: environment ${value}: there is only \`node\` here`);
    },
    environmentOptions() {},
    exclude(value) { found.exclude = listOf(value); },
    fakeTimers(value) { found.fakeTimers = value; },
    globalSetup(value) { found.globalSetup = listOf(value).map(file); },
    globals() {},
    hookTimeout: plainCopy('hookTimeout')(found),
    include(value) { found.include = listOf(value); },
    provide: plainCopy('provide')(found),
    retry: plainCopy('retries')(found),
    setupFiles(value) { found.setup = listOf(value).map(file); },
    snapshotSerializers(value) { found.snapshotSerializers = listOf(value).map(file); },
    testTimeout: plainCopy('timeout')(found),
  }, VITEST_IGNORED);
}

function aliasesOf(alias) {
  if (Array.isArray(alias)) return alias;
  return Object.entries(alias ?? {}).map(([find, replacement]) => ({ find, replacement }));
}

// What vite replaces at the beginning of a name, as a pattern for the whole of it.
function mappingOf({ find, replacement }, found, source) {
  if (typeof find === 'string') return [[`^${find.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')}(/.*)?$`, [`${replacement.replace(/\/$/, '')}$1`]]];
  if (find instanceof RegExp && find.source.startsWith('^')) {
    const groups = new RegExp(`${find.source}|`).exec('').length;
    return [[`${find.source}(.*)`, [`${replacement.replaceAll('$&', '')}$${groups}`]]];
  }
  found.notes.push(`${path.basename(source)}: the alias ${find} is not understood, and is ignored`);
  return [];
}

// What vite writes in place of names: here these are globals and variables of the process.
function defined(found, define, source) {
  for (const [name, written] of Object.entries(define ?? {})) {
    const variable = /^(?:process\.env|import\.meta\.env)\.(\w+)$/.exec(name)?.[1];
    let value = written;
    try {
      if (typeof written === 'string') value = JSON.parse(written);
    } catch {
      value = undefined;
    }
    if (value === undefined || variable === undefined && !/^[\w$]+$/.test(name)) {
      found.notes.push(`${path.basename(source)}: \`define\` of ${name} is not understood, and is ignored`);
    } else if (variable === undefined) {
      found.globalValues = { ...found.globalValues, [name]: value };
    } else {
      found.env = { ...found.env, [variable]: value };
    }
  }
}

const MOCHA_IGNORED = [
  '$schema', 'allow-uncaught', 'async-only', 'bail', 'check-leaks', 'checkLeaks', 'color', 'colors', 'diff', 'delay', 'exit', 'fail-zero', 'forbid-only', 'forbidOnly',
  'forbid-pending', 'full-trace', 'fullTrace', 'inline-diffs', 'jobs', 'loader', 'node-option', 'parallel', 'reporter', 'reporter-option', 'reporter-options', 'reporterOption',
  'package', 'slow', 'sort', 'watch', 'watch-files', 'watch-ignore', 'extension', 'experimental-specifier-resolution',
];

// Options of mocha that take a value, and the letters for them.
const MOCHA_VALUED = {
  'config': undefined, 'exclude': undefined, 'extension': undefined, 'fgrep': 'f', 'file': undefined, 'grep': 'g', 'ignore': undefined, 'import': undefined,
  'jobs': 'j', 'loader': undefined, 'node-option': 'n', 'opts': undefined, 'package': undefined, 'reporter': 'R', 'reporter-option': 'O',
  'reporter-options': undefined, 'require': 'r', 'retries': undefined, 'slow': 's', 'spec': undefined, 'timeout': 't', 'ui': 'u', 'watch-files': undefined,
};

// What mocha is told on its command line; until its version 8 it read test/mocha.opts, too.
function mochaArgs(root, manifest, args) {
  const file = path.resolve(root, optionsOf(args, MOCHA_VALUED).options.opts?.at(-1) ?? 'test/mocha.opts');
  const major = Number(/\d+/.exec(manifest.devDependencies?.mocha ?? '')?.[0] ?? 0);
  if (major >= 8 || !existsSync(file)) return args;
  return [...wordsOf(readFileSync(file, 'utf8').replace(/^\s*#.*$/gm, '')), ...args];
}

function fromMocha(found, root, config, source, args) {
  found.flavour = 'mocha';
  const { options, words } = optionsOf(args, MOCHA_VALUED);
  const told = (name) => listOf(options[name]).concat(listOf(config[name]));
  const isRecursive = config.recursive === true || options.recursive !== undefined;
  // mocha runs one file after the other, and its tests rely on that.
  found.serial = config.parallel !== true && options.parallel === undefined && options.p === undefined;
  const extensions = [...told('extension'), ...listOf(config.extensions)].map((end) => end.replace(/^\./, ''));
  const ends = extensions.length > 0 ? extensions : ['js', 'cjs', 'mjs'];
  const within = (folder) => `${folder}/${isRecursive ? '**/' : ''}*.{${[...ends, ''].join(',')}}`;
  found.include = [within('test')];
  const file = (name) => located(name, root);
  const setup = (value) => listOf(value).filter(isSetup).map(file);
  const spec = [...words, ...listOf(options.spec)];
  // The command line comes before the configuration, except that lists are joined.
  const merged = { ...config };
  for (const name of ['exclude', 'file', 'ignore', 'import', 'require']) if (options[name] !== undefined) merged[name] = told(name);
  for (const name of ['retries', 'timeout', 'ui']) if (options[name] !== undefined) merged[name] = options[name].at(-1);
  if (options['no-timeouts'] !== undefined || options['no-timeout'] !== undefined) merged.timeout = 0;
  if (spec.length > 0) merged.spec = [...spec, ...listOf(config.spec)];
  taken(found, source, merged, {
    'exclude'(value) { found.exclude = [...found.exclude ?? [], ...listOf(value)]; },
    'extensions'() {},
    'file'(value) { found.setup = [...found.setup ?? [], ...listOf(value).map(file)]; },
    'ignore'(value) { found.exclude = [...found.exclude ?? [], ...listOf(value)]; },
    'import'(value) { found.setup = [...setup(value), ...found.setup ?? []]; },
    'recursive'() {},
    'require'(value) { found.setup = [...setup(value), ...found.setup ?? []]; },
    'retries'(value) { found.retries = Number(value); },
    'spec'(value) {
      found.include = listOf(value).map((pattern) => {
        const clean = pattern.replace(/^\.\//, '').replace(/\/$/, '');
        const full = path.join(root, clean);
        return existsSync(full) && statSync(full).isDirectory() ? within(clean) : clean;
      });
    },
    'timeout'(value) { found.timeout = typeof value === 'string' ? require('internal/suite/tree').milliseconds(value) : Number(value) || 0; },
    'ui'(value) {
      if (['bdd', 'tdd', 'qunit'].includes(value)) found.ui = value;
      else found.notes.push(`${path.basename(source)}: ui ${value} is not understood: bdd, tdd and qunit are`);
    },
  }, MOCHA_IGNORED);
}

// Options of node that take a value and matter to tests.
const NODE_VALUED = {
  'concurrency': 'c', 'coverage-exclude': 'X', 'experimental-loader': undefined, 'ignore': 'i', 'import': undefined, 'loader': undefined,
  'reporter': undefined, 'require': 'r', 'test-concurrency': undefined, 'timeout': undefined,
  'test-name-pattern': undefined, 'test-reporter': undefined, 'test-reporter-destination': undefined, 'test-timeout': undefined,
};

// `node --test`: words are files, directories and patterns.
function fromNode(found, root, args) {
  const { options, words } = optionsOf(args, NODE_VALUED);
  const setup = [...listOf(options.require), ...listOf(options.import)].filter(isSetup);
  if (setup.length > 0) found.setup = setup.map((name) => located(name, root));
  if (isOne(options['test-concurrency']) || isOne(options.concurrency)) found.serial = true;
  if (words.length === 0) return;
  found.include = words.flatMap((word) => {
    const clean = word.replace(/^\.\//, '').replace(/\/$/, '');
    const full = path.join(root, clean);
    return existsSync(full) && statSync(full).isDirectory() ? [`${clean}/**/*.{js,cjs,mjs,ts,cts,mts}`] : [clean];
  });
}

// What only lets Node understand other languages is not needed here.
const isSetup = (name) => !/^(ts-node|tsx|esm|babel-register|babel-core\/register|@babel\/register|@swc-node\/register|@swc\/register|source-map-support|esbuild-register|jsdom-global|coffee-script\/register)(\/|$)/.test(name);

// Paths of tsconfig.json, or of the one that it extends.
function fromTypescript(found, root) {
  const { paths, base } = pathsOf(path.join(root, 'tsconfig.json'), []) ?? {};
  if (paths === undefined) return;
  const escaped = (text) => text.replace(/[$()+.?[\\\]^{|}]/g, '\\$&').replace('*', '(.*)');
  const mapped = Object.entries(paths).map(([name, targets]) => [
    `^${escaped(name)}$`, targets.map((target) => path.resolve(base, target.replace('*', '$1'))),
  ]);
  found.moduleNameMapper = [...found.moduleNameMapper ?? [], ...mapped];
}

// What a file says of paths, and the directory that they begin at; `around` are the files that extend it.
function pathsOf(file, around) {
  const config = around.includes(file) ? undefined : json(file, []);
  if (config === undefined) return undefined;
  const { baseUrl, paths } = config.compilerOptions ?? {};
  const folder = path.dirname(file);
  const extended = listOf(config.extends).map((name) => {
    const found = located(/^\.\.?\/.*(?<!\.json)$/.test(name) ? `${name}.json` : name, folder);
    return pathsOf(existsSync(found) ? found : `${found}.json`, [...around, file]);
  }).filter((one) => one !== undefined);
  const inherited = Object.assign({}, ...extended);
  const start = baseUrl === undefined ? inherited.start : path.resolve(folder, baseUrl);
  const of = paths === undefined ? { base: inherited.base, paths: inherited.paths } : { base: folder, paths };
  return { ...start === undefined ? {} : { start }, ...of.paths === undefined ? {} : { base: start ?? of.base, paths: of.paths } };
}

module.exports = { read };
