// What a project says about its tests, in the configuration of jest, vitest or mocha, made into settings of ours.
'use strict';

const { existsSync, readFileSync } = require('fs');
const path = require('path');

const SCRIPTS = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'];

/// The settings, and in `notes` what was not understood.
async function read(root) {
  const found = { notes: [] };
  const manifest = json(path.join(root, 'package.json'), found.notes) ?? {};
  const jest = firstOf(root, ['jest.config.'], [...SCRIPTS, 'json']);
  const vitest = firstOf(root, ['vitest.config.', 'vite.config.'], SCRIPTS);
  const mocharc = firstOf(root, ['.mocharc.'], ['js', 'cjs', 'mjs', 'json', 'jsonc', 'yaml', 'yml']);
  const uses = (name) => Boolean(manifest.devDependencies?.[name] ?? manifest.dependencies?.[name]) ||
    new RegExp(`\\b${name}\\b`).test(manifest.scripts?.test ?? '');
  if (jest !== undefined || (manifest.jest !== undefined && typeof manifest.jest === 'object')) {
    await fromJest(found, root, jest === undefined ? manifest.jest : await load(jest, found.notes), jest ?? 'package.json');
  } else if (vitest !== undefined && (uses('vitest') || /vitest/.test(vitest) || /\btest\s*:/.test(readFileSync(vitest, 'utf8')))) {
    await fromVitest(found, root, await load(vitest, found.notes), vitest);
  } else if (mocharc !== undefined || manifest.mocha !== undefined) {
    fromMocha(found, root, mocharc === undefined ? manifest.mocha : await load(mocharc, found.notes), mocharc ?? 'package.json');
  } else if (uses('vitest')) {
    await fromVitest(found, root, {}, '');
  } else if (uses('jest')) {
    await fromJest(found, root, {}, '');
  } else if (uses('mocha')) {
    fromMocha(found, root, {}, '');
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
    return {};
  }
}

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

async function fromJest(found, root, config, source) {
  const base = path.resolve(root, config.rootDir ?? '.');
  const inside = (text) => `${text}`.replaceAll('<rootDir>', base);
  const file = (text) => located(inside(text), base);
  found.flavour = 'jest';
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
    moduleDirectories() {},
    moduleNameMapper(value) {
      found.moduleNameMapper = Object.entries(value).map(([pattern, targets]) => [pattern, listOf(targets).map(inside)]);
    },
    projects(value) { found.notes.push(`${path.basename(source)}: \`projects\` is not understood: run each of ${JSON.stringify(value)} by itself`); },
    retryTimes: plainCopy('retries')(found),
    roots(value) { found.roots = listOf(value).map(inside); },
    setupFiles(value) { found.setup = [...listOf(value).map(file), ...found.setup ?? []]; },
    setupFilesAfterEnv(value) { found.setup = [...found.setup ?? [], ...listOf(value).map(file)]; },
    snapshotFormat() {},
    snapshotSerializers(value) { found.snapshotSerializers = listOf(value).map(file); },
    testEnvironment(value) {
      if (!/^(node|jest-environment-node)$/.test(value)) found.notes.push(`${path.basename(source)}: testEnvironment ${value}: there is only \`node\` here`);
    },
    testEnvironmentOptions() {},
    testMatch(value) { found.include = listOf(value).map((pattern) => relative(inside(pattern), root)); },
    testPathIgnorePatterns(value) {
      found.exclude = listOf(value).map((pattern) => `**${inside(pattern).replace(base, '').replace(/^\/?/, '/').replace(/\/?$/, '/')}**`)
        .map((pattern) => pattern.replace(/^\*\*\//, '**/'));
    },
    testRegex(value) { found.notes.push(`${path.basename(source)}: testRegex ${JSON.stringify(value)} is not understood: give testMatch`); },
    testTimeout: plainCopy('timeout')(found),
    unmockedModulePathPatterns() {},
  }, JEST_IGNORED);
  if (config.automock) found.notes.push(`${path.basename(source)}: automock is not understood: mock modules by name`);
}

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

async function fromVitest(found, root, config, source) {
  const test = config.test ?? {};
  const base = path.resolve(root, test.root ?? config.root ?? '.');
  const file = (name) => located(name, base);
  found.flavour = 'vitest';
  found.globals = test.globals === true;
  found.include = ['**/*.{test,spec}.?(c|m)[jt]s?(x)'];
  found.exclude = ['**/node_modules/**', '**/dist/**', '**/cypress/**'];
  const aliases = { ...aliasesOf(config.resolve?.alias), ...aliasesOf(test.alias) };
  if (Object.keys(aliases).length > 0) {
    found.moduleNameMapper = Object.entries(aliases).map(([name, target]) => [`^${name.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')}(/.*)?$`, [`${target.replace(/\/$/, '')}$1`]]);
  }
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
    env(value) { found.env = value; },
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
  if (!Array.isArray(alias)) return alias ?? {};
  return Object.fromEntries(alias.filter(({ find }) => typeof find === 'string').map(({ find, replacement }) => [find, replacement]));
}

const MOCHA_IGNORED = [
  '$schema', 'allow-uncaught', 'async-only', 'bail', 'check-leaks', 'checkLeaks', 'color', 'colors', 'diff', 'delay', 'exit', 'fail-zero', 'forbid-only', 'forbidOnly',
  'forbid-pending', 'full-trace', 'fullTrace', 'inline-diffs', 'jobs', 'loader', 'node-option', 'parallel', 'reporter', 'reporter-option', 'reporter-options', 'reporterOption',
  'package', 'slow', 'sort', 'watch', 'watch-files', 'watch-ignore', 'extension', 'experimental-specifier-resolution',
];

function fromMocha(found, root, config, source) {
  found.flavour = 'mocha';
  const isRecursive = config.recursive === true;
  found.include = [`test/${isRecursive ? '**/' : ''}*.{js,cjs,mjs}`];
  const extensions = listOf(config.extension ?? config.extensions).map((end) => end.replace(/^\./, ''));
  if (extensions.length > 0) found.include = [`test/${isRecursive ? '**/' : ''}*.{${[...extensions, ''].join(',')}}`];
  const file = (name) => located(name, root);
  taken(found, source, config, {
    'exclude'(value) { found.exclude = listOf(value); },
    'extensions'() {},
    'file'(value) { found.setup = [...found.setup ?? [], ...listOf(value).map(file)]; },
    'ignore'(value) { found.exclude = [...found.exclude ?? [], ...listOf(value)]; },
    'import'(value) { found.setup = [...listOf(value).filter(isSetup).map(file), ...found.setup ?? []]; },
    'recursive'() {},
    'require'(value) { found.setup = [...listOf(value).filter(isSetup).map(file), ...found.setup ?? []]; },
    'retries': plainCopy('retries')(found),
    'spec'(value) {
      found.include = listOf(value).map((pattern) => {
        const clean = pattern.replace(/^\.\//, '').replace(/\/$/, '');
        return existsSync(path.join(root, clean)) && !/\.\w+$/.test(clean) ? `${clean}/${isRecursive ? '**/' : ''}*.{js,cjs,mjs}` : clean;
      });
    },
    'timeout'(value) { found.timeout = typeof value === 'string' ? require('internal/suite/tree').milliseconds(value) : Number(value) || 0; },
    'ui'(value) {
      if (!['bdd', 'tdd'].includes(value)) found.notes.push(`${path.basename(source)}: ui ${value} is not understood: bdd and tdd are`);
    },
  }, MOCHA_IGNORED);
}

// What only lets Node understand other languages is not needed here.
const isSetup = (name) => !/^(ts-node|tsx|esm|@babel\/register|@swc-node\/register|source-map-support|esbuild-register|jsdom-global)(\/|$)/.test(name);

// Paths of tsconfig.json.
function fromTypescript(found, root) {
  const options = json(path.join(root, 'tsconfig.json'), [])?.compilerOptions;
  if (options?.paths === undefined) return;
  const base = path.resolve(root, options.baseUrl ?? '.');
  const escaped = (text) => text.replace(/[$()+.?[\\\]^{|}]/g, '\\$&').replace('*', '(.*)');
  const mapped = Object.entries(options.paths).map(([name, targets]) => [
    `^${escaped(name)}$`, targets.map((target) => path.resolve(base, target.replace('*', '$1'))),
  ]);
  found.moduleNameMapper = [...found.moduleNameMapper ?? [], ...mapped];
}

module.exports = { read };
