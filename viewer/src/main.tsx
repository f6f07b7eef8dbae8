// The page: reads the run that stands in it, and shows it.

import { render } from 'preact';
import { useContext, useLayoutEffect, useMemo } from 'preact/hooks';
import { count } from './format';
import { HELP, onKey, toDifference } from './keys';
import { follow, news } from './live';
import { Data } from './model';
import { Overview } from './overview';
import { Bar } from './panels/bar';
import { Details } from './panels/details';
import { Banner } from './panels/failure';
import { Choices, Races } from './panels/findings';
import { Guide, isNew } from './panels/guide';
import { Sites } from './panels/sites';
import { Trees } from './panels/trees';
import { search } from './search';
import { Store } from './state';
import { Timeline } from './timeline';
import { Shared, useStore } from './use';

function Page() {
  const [store, state] = useStore('query', 'run', 'action', 'tab', 'help');
  const found = useMemo(() => store.layouts.map((layout) => search(layout, state.query)), [state.query, state.version]);
  const matches = useMemo(
    () => found.map((list, index) => {
      if (!state.query.trim()) return null;
      const matches = new Uint8Array(store.runs[index].count);
      for (const action of list) matches[action] = 1;
      return matches;
    }),
    [found],
  );
  const here = found[state.run];
  const next = (step: number) => {
    if (!here.length) return;
    const { action } = store.state;
    const after = step > 0 ? here.findIndex((match) => match > action) : here.findLastIndex((match) => match < action);
    const at = after < 0 ? (step > 0 ? 0 : here.length - 1) : after;
    store.select(store.state.run, here[at]);
  };
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event, store, next);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  });
  return (
    <>
      <Bar found={here.length} position={here.indexOf(state.action)} next={next} />
      <Banner />
      {store.runs.length > 1 && <Difference />}
      <main>
        <div class="view">
          {state.tab === 'timeline' && (
            <>
              {store.runs.map((_, index) => <Timeline key={index} index={index} matches={matches[index]} />)}
              <Overview />
            </>
          )}
          {state.tab === 'trees' && <Trees />}
          {state.tab === 'sites' && <Sites />}
          {state.tab === 'choices' && <Choices />}
          {state.tab === 'races' && <Races />}
        </div>
        <Details />
      </main>
      {state.help && <Help />}
      <Guide />
    </>
  );
}

/** Where two runs part, in words. */
function Difference() {
  const store = useContext(Shared);
  const { difference, runs } = store;
  if (!difference) {
    return <p class="difference same" role="status">Both runs do the same, {runs[0].count.toLocaleString('en')} actions long.</p>;
  }
  const side = (index: number, text: string | null) => {
    const run = runs[index];
    const number = difference.at < run.count ? `#${run.number[difference.at]}` : '';
    return <span class="side"><b>{run.raw.name}</b> {number} {text === null ? 'has ended' : text || 'nothing'}</span>;
  };
  return (
    <p class="difference" role="status" aria-label="First difference">
      <button onClick={() => toDifference(store)}>First difference</button>
      <span>after {count(difference.at, 'equal action')}: <b>{difference.what}</b></span>
      {side(0, difference.left)}
      {side(1, difference.right)}
    </p>
  );
}

function Help() {
  const store = useContext(Shared);
  return (
    <div class="veil" onClick={() => store.set({ help: false })}>
      <div class="help" role="dialog" aria-label="Keys" onClick={(event) => event.stopPropagation()}>
        <h2>Keys</h2>
        <dl>{HELP.map(([keys, what]) => <div><dt>{keys.split(' ').map((key) => <kbd>{key}</kbd>)}</dt><dd>{what}</dd></div>)}</dl>
        <h2>What is drawn</h2>
        <ul>
          <li>A <b>solid</b> stroke is the logical time of an action of a clock; a <b>dotted</b> line leads to its physical time.</li>
          <li>A <b>grey band</b> through all lanes is an atomic action: nothing else runs in between. It is as wide as what it took.</li>
          <li>A <b>ring</b> is where a timer was released, a cross where it was cleared.</li>
          <li>A bar in the last lane is an <b>operation</b>, from request to answer; one with teeth was not answered.</li>
          <li>A <b>diamond</b> is a choice; dashed branches were not taken.</li>
        </ul>
        <button onClick={() => store.set({ help: false })}>Close</button>{' '}
        <button onClick={() => store.set({ help: false, tab: 'timeline', guide: 0 })}>Show me around</button>
      </div>
    </div>
  );
}

async function start() {
  const app = document.getElementById('app')!;
  const element = document.getElementById('data')!;
  const given = JSON.parse(element.textContent!) as Data;
  const data = given.live ? await news(null) : given;
  // The text is not needed any more, and it is long.
  element.remove();
  const store = new Store(data);
  if (given.live) {
    store.set({ live: 'runs' });
    follow(store, data);
  }
  document.title = `${store.runs.map(({ raw }) => raw.name).join(' ↔ ')} · Hemiola`;
  if (isNew()) store.set({ guide: 0 });
  app.textContent = '';
  render(<Shared.Provider value={store}><Page /></Shared.Provider>, app);
  performance.mark('shown');
}

start();
