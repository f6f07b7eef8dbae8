// process.report: what is known of the process, as an object or a file. What nobody knows here has no entries: frames of
// native code, handles, limits, shared objects, workers.
// Uses binding.install, computer.
'use strict';

const { codes: { ERR_UNKNOWN_SIGNAL } } = require('internal/errors');
const process = require('internal/process');
const { validateBoolean, validateObject, validateString } = require('internal/validators');
const { isOn, valueOf } = require('internal/flags');

const settings = {
  directory: valueOf('--report-directory') ?? '',
  filename: valueOf('--report-filename') ?? '',
  compact: isOn('--report-compact'),
  excludeNetwork: isOn('--report-exclude-network'),
  signal: valueOf('--report-signal') ?? 'SIGUSR2',
  reportOnFatalError: false,
  reportOnSignal: false,
  reportOnUncaughtException: false,
};
// How many have been written under names that were made for them.
let count = 0;

/// When it is, as `2026-11-18T07:12:25Z` in UTC; names of files have the local time.
function now() {
  const date = new Date();
  const two = (number) => `${number}`.padStart(2, '0');
  return {
    date: `${date.toISOString().slice(0, 19)}Z`,
    stamp: `${date.getTime()}`,
    ofName: `${date.getFullYear()}${two(date.getMonth() + 1)}${two(date.getDate())}.${two(date.getHours())}${two(date.getMinutes())}${two(date.getSeconds())}`,
  };
}

function networkInterfaces(os) {
  return Object.entries(os.networkInterfaces()).flatMap(([name, addresses]) => addresses.map(
    ({ internal, mac, address, netmask, family, scopeid }) => ({
      name, internal, mac, address, netmask, family, ...(family === 'IPv6' && { scopeid }),
    })));
}

function header(trigger, filename, at) {
  const os = require('os');
  binding.install('os', binding);
  const { libc } = binding.computer();
  return {
    reportVersion: 4,
    event: 'JavaScript API',
    trigger,
    filename,
    dumpEventTime: at.date,
    dumpEventTimeStamp: at.stamp,
    processId: process.pid,
    threadId: require('worker_threads').threadId,
    cwd: process.cwd(),
    commandLine: [process.argv0, ...process.execArgv, ...process.argv.slice(1)],
    nodejsVersion: process.version,
    ...(libc !== undefined && { glibcVersionRuntime: libc }),
    wordSize: 64,
    arch: process.arch,
    platform: process.platform,
    componentVersions: { ...process.versions },
    release: { ...process.release },
    osName: os.type(),
    osRelease: os.release(),
    osVersion: os.version(),
    osMachine: os.machine(),
    cpus: os.cpus().map(({ model, speed, times: { user, nice, sys, idle, irq } }) => ({ model, speed, user, nice, sys, idle, irq })),
    ...(!settings.excludeNetwork && { networkInterfaces: networkInterfaces(os) }),
    host: os.hostname(),
  };
}

function javascriptStack(error) {
  const text = typeof error.stack === 'string' ? error.stack : '';
  const [message, ...frames] = text.split('\n').map((line) => line.trim());
  const properties = Object.entries(error).map(([name, value]) => [name, String(value)]);
  return {
    message: text === '' ? 'No stack.' : message,
    stack: text === '' ? ['Unavailable.'] : frames,
    errorProperties: Object.fromEntries(properties),
  };
}

function javascriptHeap() {
  const { getHeapSpaceStatistics, getHeapStatistics } = require('v8');
  const heap = getHeapStatistics();
  const spaces = getHeapSpaceStatistics().map((space) => [space.space_name, {
    memorySize: space.space_size,
    committedMemory: space.physical_space_size,
    capacity: space.space_size,
    used: space.space_used_size,
    available: space.space_available_size,
  }]);
  return {
    totalMemory: heap.total_heap_size,
    executableMemory: heap.total_heap_size_executable,
    totalCommittedMemory: heap.total_physical_size,
    availableMemory: heap.total_available_size,
    totalGlobalHandlesMemory: heap.total_global_handles_size,
    usedGlobalHandlesMemory: heap.used_global_handles_size,
    usedMemory: heap.used_heap_size,
    memoryLimit: heap.heap_size_limit,
    mallocedMemory: heap.malloced_memory,
    externalMemory: heap.external_memory,
    peakMallocedMemory: heap.peak_malloced_memory,
    nativeContextCount: heap.number_of_native_contexts,
    detachedContextCount: heap.number_of_detached_contexts,
    doesZapGarbage: heap.does_zap_garbage,
    heapSpaces: Object.fromEntries(spaces),
  };
}

function resourceUsage() {
  const os = require('os');
  const { userCPUTime, systemCPUTime, maxRSS, majorPageFault, minorPageFault, fsRead, fsWrite } = process.resourceUsage();
  const [user, kernel] = [userCPUTime / 1e6, systemCPUTime / 1e6];
  const seconds = process.uptime() || 1;
  return {
    free_memory: os.freemem(),
    total_memory: os.totalmem(),
    rss: process.memoryUsage.rss(),
    available_memory: process.availableMemory(),
    userCpuSeconds: user,
    kernelCpuSeconds: kernel,
    cpuConsumptionPercent: (100 * (user + kernel)) / seconds,
    userCpuConsumptionPercent: (100 * user) / seconds,
    kernelCpuConsumptionPercent: (100 * kernel) / seconds,
    maxRss: maxRSS * 1024,
    pageFaults: { IORequired: majorPageFault, IONotRequired: minorPageFault },
    fsActivity: { reads: fsRead, writes: fsWrite },
  };
}

function make(trigger, filename, error, at) {
  return {
    header: header(trigger, filename, at),
    javascriptStack: javascriptStack(error),
    javascriptHeap: javascriptHeap(),
    nativeStack: [],
    resourceUsage: resourceUsage(),
    libuv: [],
    workers: [],
    environmentVariables: { ...process.env },
    userLimits: {},
    sharedObjects: [],
  };
}

/// The error of whoever gives none: it knows where the report was asked for.
function here() {
  const error = new Error('JavaScript Callstack');
  error.name = 'Error [ERR_SYNTHETIC]';
  Error.captureStackTrace(error, here);
  const known = { code: 'ERR_SYNTHETIC' };
  Object.defineProperty(known, 'stack', { __proto__: null, value: error.stack });
  return known;
}

function getReport(err) {
  const error = err === undefined ? here() : err;
  validateObject(error, 'err');
  return make('GetReport', null, error, now());
}

// What a report is told of: those of standard streams are.
const say = (text) => process._rawDebug(text);

function writeReport(file, err) {
  if (typeof file === 'object' && file !== null) [file, err] = [undefined, file];
  if (file !== undefined) validateString(file, 'file');
  const error = err === undefined ? here() : err;
  validateObject(error, 'err');
  const at = now();
  const name = file ?? (settings.filename || nameOf(at));
  const report = make('API', name, error, at);
  const text = settings.compact ? `${JSON.stringify(report)}\n` : `\n${JSON.stringify(report, null, 2)}\n`;
  const fs = require('fs');
  if (name === 'stdout' || name === 'stderr') {
    fs.writeSync(name === 'stdout' ? 1 : 2, text);
    if (name === 'stderr') say('Node.js report completed');
    return name;
  }
  const path = settings.directory === '' ? name : require('path').join(settings.directory, name);
  try {
    fs.writeFileSync(path, text);
  } catch (failure) {
    const where = settings.directory === '' ? '' : ` directory: ${settings.directory}`;
    say(`\nFailed to open Node.js report file: ${name}${where} (errno: ${-failure.errno})`);
    return '';
  }
  say(`\nWriting Node.js report to file: ${name}\nNode.js report completed`);
  return name;
}

function nameOf({ ofName }) {
  const thread = require('worker_threads').threadId;
  return `report.${ofName}.${process.pid}.${thread}.${`${++count}`.padStart(3, '0')}.json`;
}

function text(name) {
  return {
    get: () => settings[name],
    set(value) {
      validateString(value, name);
      settings[name] = value;
    },
  };
}

function flag(name) {
  return {
    get: () => settings[name],
    set(value) {
      validateBoolean(value, name);
      settings[name] = value;
    },
  };
}

/// What would write reports by itself does not, and says so; what fails is recorded anyhow.
function trigger(name) {
  return {
    get: () => settings[name],
    set(value) {
      validateBoolean(value, 'trigger');
      if (value && !settings[name]) {
        process.emitWarning(`process.report.${name} is without effect: a run that fails is recorded, see hemiola replay`);
      }
      settings[name] = value;
    },
  };
}

const signal = {
  get: () => settings.signal,
  set(value) {
    validateString(value, 'signal');
    if (require('internal/signals')[value] === undefined) throw new ERR_UNKNOWN_SIGNAL(value);
    settings.signal = value;
  },
};

const report = { writeReport, getReport };
for (const [name, accessors] of Object.entries({
  directory: text('directory'),
  filename: text('filename'),
  compact: flag('compact'),
  excludeNetwork: flag('excludeNetwork'),
  signal,
  reportOnFatalError: trigger('reportOnFatalError'),
  reportOnSignal: trigger('reportOnSignal'),
  reportOnUncaughtException: trigger('reportOnUncaughtException'),
})) {
  Object.defineProperty(report, name, { __proto__: null, configurable: true, enumerable: true, ...accessors });
}

exports.report = report;
