// How many colours a terminal has, by its environment.
const { getColorDepth } = require('tty').WriteStream.prototype;
const show = (env) => console.log(JSON.stringify(env), getColorDepth(env));

for (const name of [
  'APPVEYOR', 'BUILDKITE', 'CIRCLECI', 'DRONE', 'GITEA_ACTIONS', 'GITHUB_ACTIONS', 'GITLAB_CI', 'TRAVIS', 'JENKINS', 'TF_BUILD',
]) {
  show({ CI: '1', [name]: '1' });
  show({ [name]: '1' });
}
for (const TERM of [
  'eterm', 'Eterm', 'cons25', 'console', 'cygwin', 'dtterm', 'gnome', 'hurd', 'jfbterm', 'konsole', 'kterm', 'mlterm', 'mosh',
  'putty', 'st', 'rxvt-unicode-24bit', 'terminator', 'xterm-kitty', 'alacritty', 'tmux', 'tmux-256color', 'xterm-truecolor',
  'screen-256color', 'ansi', 'color', 'direct', 'con80x25', 'vt100', 'vt220', 'konsole-direct', 'dumb', 'linux', 'xterm',
  'xterm-256color', 'screen', 'rxvt', '',
]) show({ TERM });
for (const TERM_PROGRAM of ['HyperTerm', 'Hyper', 'MacTerm', 'vscode', 'Apple_Terminal', 'iTerm.app']) {
  for (const TERM_PROGRAM_VERSION of [undefined, '2.9', '3.0']) show({ TERM_PROGRAM, TERM_PROGRAM_VERSION });
}
for (const TEAMCITY_VERSION of ['9.0.5', '9.1.0', '10.1', '8.9', '9.10.2', '2020.1']) show({ TEAMCITY_VERSION });
for (const FORCE_COLOR of ['', '0', '1', '2', '3', '4', 'true', 'false', 'x']) show({ FORCE_COLOR });
for (const env of [
  {}, { COLORTERM: 'truecolor' }, { COLORTERM: '24bit' }, { COLORTERM: '1' }, { NO_COLOR: '', TERM: 'xterm' },
  { NO_COLOR: '1', TERM: 'xterm' }, { NODE_DISABLE_COLORS: '', TERM: 'xterm' }, { NODE_DISABLE_COLORS: '1' }, { TMUX: '1' },
  { TMUX: '', TERM: 'xterm' }, { CI: '', TERM: 'xterm' }, { CI: '1', CI_NAME: 'codeship' }, { NO_COLOR: '1', FORCE_COLOR: '1' },
]) show(env);
