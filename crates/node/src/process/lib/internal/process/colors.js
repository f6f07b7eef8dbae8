// How many colours a terminal shows, as the environment tells it.
// Uses binding.env.
'use strict';

// Depths in bits.
const NONE = 1;
const FEW = 4;
const MANY = 8;
const ALL = 24;

// Terminals by the whole of their name, and by a part of it.
const exact = {
  __proto__: null,
  eterm: FEW, cons25: FEW, console: FEW, cygwin: FEW, dtterm: FEW, gnome: FEW, hurd: FEW, jfbterm: FEW, konsole: FEW,
  kterm: FEW, mlterm: FEW, mosh: ALL, putty: FEW, st: FEW, 'rxvt-unicode-24bit': ALL, terminator: ALL,
};
const similar = [/ansi/, /color/, /linux/, /^con\d*x\d/, /^rxvt/, /^screen/, /^xterm/, /^vt100/];

// Services that run builds, and show many colours.
const builders = ['APPVEYOR', 'BUILDKITE', 'CIRCLECI', 'DRONE', 'GITHUB_ACTIONS', 'GITLAB_CI', 'TRAVIS'];

const forced = (value) => {
  switch (value) {
    case '': case '1': case 'true': return FEW;
    case '2': return MANY;
    case '3': return ALL;
    default: return NONE;
  }
};

let warned = false;

// A flag that is overruled deserves a word, once.
function warnOfConflict(env) {
  if (warned) return;
  const ignored = ['NODE_DISABLE_COLORS', 'NO_COLOR'].find((name) => env[name] !== undefined);
  if (ignored === undefined) return;
  warned = true;
  binding.emitWarning(`The '${ignored}' env is ignored due to the 'FORCE_COLOR' env being set.`, 'Warning');
}

function getColorDepth(env = binding.env) {
  if (env.FORCE_COLOR !== undefined) {
    const depth = forced(env.FORCE_COLOR);
    if (depth !== NONE) warnOfConflict(env);
    return depth;
  }
  if (env.NODE_DISABLE_COLORS !== undefined || env.NO_COLOR !== undefined || env.TERM === 'dumb') return NONE;
  if (env.TMUX) return MANY;
  if (env.CI) return builders.some((name) => name in env) || env.CI_NAME === 'codeship' ? MANY : NONE;
  if ('TEAMCITY_VERSION' in env) return /^(9\.(0*[1-9]\d*)\.|\d{2,}\.)/.test(env.TEAMCITY_VERSION) ? FEW : NONE;
  switch (env.TERM_PROGRAM) {
    case 'iTerm.app':
      return !env.TERM_PROGRAM_VERSION || /^[0-2]\./.test(env.TERM_PROGRAM_VERSION) ? MANY : ALL;
    case 'HyperTerm': case 'MacTerm': return ALL;
    case 'Apple_Terminal': return MANY;
  }
  if (env.COLORTERM === 'truecolor' || env.COLORTERM === '24bit') return ALL;
  if (env.TERM) {
    if (/^xterm-256/.test(env.TERM)) return MANY;
    const term = env.TERM.toLowerCase();
    if (exact[term] !== undefined) return exact[term];
    if (similar.some((pattern) => pattern.test(term))) return FEW;
  }
  return env.COLORTERM ? FEW : NONE;
}

function hasColors(count, env) {
  if (env === undefined && (count === undefined || (typeof count === 'object' && count !== null))) {
    env = count;
    count = 16;
  } else {
    require('internal/validators').validateInteger(count, 'count', 2);
  }
  return count <= 2 ** getColorDepth(env);
}

module.exports = { getColorDepth, hasColors };
