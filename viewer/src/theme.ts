// The colours of the canvas are those of the style sheet, in light and in dark.

import { Tone } from './layout';

export interface Theme {
  back: string;
  stripe: string;
  line: string;
  ink: string;
  muted: string;
  band: string;
  bandSelected: string;
  link: string;
  cause: string;
  message: string;
  fault: string;
  error: string;
  select: string;
  match: string;
  tones: Record<Tone, string>;
  soft: Record<Tone, string>;
}

const TONES: Tone[] = ['main', 'clock', 'timer', 'tick', 'promise', 'immediate', 'io', 'task'];

let known: Theme | null = null;
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', forgetTheme);

export function forgetTheme() {
  known = null;
}

export function theme(): Theme {
  if (known) return known;
  const style = getComputedStyle(document.documentElement);
  const get = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const tones = (prefix: string) =>
    Object.fromEntries(TONES.map((tone) => [tone, get(`${prefix}${tone}`)])) as Record<Tone, string>;
  return (known = {
    back: get('back'),
    stripe: get('stripe'),
    line: get('line'),
    ink: get('ink'),
    muted: get('muted'),
    band: get('band'),
    bandSelected: get('band-selected'),
    link: get('link'),
    cause: get('cause'),
    message: get('message'),
    fault: get('fault'),
    error: get('error'),
    select: get('select'),
    match: get('match'),
    tones: tones('tone-'),
    soft: tones('soft-'),
  });
}
