// What a first visitor is told, in four cards that are in nobody's way.

import { useEffect } from 'preact/hooks';
import { useStore } from '../use';

const STEPS: [string, string, string][] = [
  ['.scroller', 'What ran', 'Each mark is an action: one callback with its microtasks. Lanes are clocks, timers, microtasks and I/O; time goes to the right.'],
  ['.details', 'Why it ran', 'Click an action, or walk with the arrow keys. Here you see where it was registered, what it wrote, who attached it and who made it able to run.'],
  ['.overview', 'The whole run', 'Zoom with the wheel or + and −. This strip is the whole run: drag the window, its edges, or a new one.'],
  ['.help-button', 'Keys and links', 'Everything has a key, and all are listed here. What you look at is in the address: paste it to show somebody.'],
];
const SEEN = 'hemiola-guide';

/** Whether this browser has seen it; one that keeps nothing, or is driven by a program, has. */
export function isNew(): boolean {
  try {
    return !navigator.webdriver && innerWidth > 700 && localStorage.getItem(SEEN) === null;
  } catch {
    return false;
  }
}

export function Guide() {
  const [store, state] = useStore('guide', 'tab');
  const step = STEPS[state.guide];
  useEffect(() => {
    const target = step && document.querySelector(step[0]);
    target?.classList.add('pointed');
    return () => target?.classList.remove('pointed');
  }, [state.guide, state.tab]);
  if (!step) return null;
  const go = (guide: number) => {
    store.set({ guide: guide < STEPS.length ? guide : -1 });
    try {
      localStorage.setItem(SEEN, 'seen');
    } catch {
      // It will be told again.
    }
  };
  return (
    <section class="guide" aria-label="First visit">
      <h2>{step[1]}</h2>
      <p>{step[2]}</p>
      <footer>
        <small>{state.guide + 1} of {STEPS.length}</small>
        <button onClick={() => go(-1)}>Close</button>
        <button class="next" onClick={() => go(state.guide + 1)}>{state.guide + 1 < STEPS.length ? 'Next' : 'Done'}</button>
      </footer>
    </section>
  );
}
