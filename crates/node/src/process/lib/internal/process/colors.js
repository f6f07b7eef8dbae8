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

const programs = { __proto__: null, HyperTerm: ALL, MacTerm: ALL, Apple_Terminal: MANY };

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

// Signs of how many colours there are, the surest first. The first that answers with a depth decides.
const signs = [
  (env) => (env.NODE_DISABLE_COLORS !== undefined || env.NO_COLOR !== undefined || env.TERM === 'dumb') && NONE,
  ({ TMUX }) => TMUX && MANY,
  (env) => env.CI && (builders.some((name) => name in env) || env.CI_NAME === 'codeship' ? MANY : NONE),
  (env) => 'TEAMCITY_VERSION' in env && (/^(?:9\.0*[1-9]\d*\.|\d{2,}\.)/.test(env.TEAMCITY_VERSION) ? FEW : NONE),
  ({ TERM_PROGRAM, TERM_PROGRAM_VERSION: version }) => (
    TERM_PROGRAM === 'iTerm.app' ? (!version || /^[0-2]\./.test(version) ? MANY : ALL) : programs[TERM_PROGRAM]),
  ({ COLORTERM }) => (COLORTERM === 'truecolor' || COLORTERM === '24bit') && ALL,
  ({ TERM }) => TERM && depthOfTerminal(TERM),
  ({ COLORTERM }) => COLORTERM && FEW,
];

function depthOfTerminal(name) {
  if (name.startsWith('xterm-256')) return MANY;
  const term = name.toLowerCase();
  return exact[term] ?? (similar.some((pattern) => pattern.test(term)) ? FEW : undefined);
}

function getColorDepth(env = binding.env) {
  if (env.FORCE_COLOR !== undefined) {
    const depth = forced(env.FORCE_COLOR);
    if (depth !== NONE) warnOfConflict(env);
    return depth;
  }
  for (const sign of signs) {
    const depth = sign(env);
    if (depth) return depth;
  }
  return NONE;
}

function hasColors(count, env) {
  const isLeftOut = env === undefined && (count === undefined || (typeof count === 'object' && count !== null));
  // Whoever does not say how many means the sixteen that any terminal with colours has.
  if (isLeftOut) return getColorDepth(count) >= FEW;
  require('internal/validators').validateInteger(count, 'count', 2);
  return count <= 2 ** getColorDepth(env);
}

module.exports = { getColorDepth, hasColors };
