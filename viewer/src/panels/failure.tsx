// The failure of a run: a banner above everything, and its stack with the lines of the program.

import { useContext } from 'preact/hooks';
import { Failure, Frame } from '../failure';
import { Shared, useStore } from '../use';
import { Lines } from './source';

const MOST_FRAMES = 30;

const placeOf = ({ path, line, column }: Frame) => `${path}:${line}:${column}`;

/** The frame that a reader knows: the first one of the project. */
const nearest = ({ stack }: Failure) =>
  stack.find(({ path, text }) => text !== null && !path.includes('node_modules')) ?? stack[0];

export function Banner() {
  const [store] = useStore('run');
  const failing = store.runs.flatMap((run, index) => run.failures.map((failure) => ({ index, run, failure })));
  if (!failing.length) return null;
  const [{ index, run, failure }] = failing;
  const frame = nearest(failure);
  return (
    <div class="banner" role="alert">
      <strong>Failed</strong>
      <span class="headline">{store.runs.length > 1 && `${run.raw.name}: `}{failure.headline}</span>
      {frame && <code>{placeOf(frame)}</code>}
      <button onClick={() => store.toFailure(index)}>
        Go to #{run.number[failure.action]}{run.programName(failure.action) && ` on ${run.programName(failure.action)}`}
      </button>
      {failing.length > 1 && <small>and {failing.length - 1} more</small>}
    </div>
  );
}

/** What is known of a failure. */
export function FailurePart({ failure }: { failure: Failure }) {
  return (
    <section class="part failure" aria-label="Failure">
      <h3>{failure.headline}</h3>
      {failure.more && <pre class="wrapped">{failure.more}</pre>}
      <ol>
        {failure.stack.slice(0, MOST_FRAMES).map((frame, index) => (
          <li>
            <p>{frame.name && <>{frame.name} </>}<code>{placeOf(frame)}</code></p>
            {frame.text && <Lines text={frame.text} line={frame.line} column={frame.column} around={index ? 0 : 3} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The failures of an action, or of a whole run. */
export function Failures({ index, action = -1 }: { index: number; action?: number }) {
  const run = useContext(Shared).runs[index];
  const own = run.failures.filter((failure) => action < 0 || failure.action === action);
  return <>{own.slice(0, 5).map((failure) => <FailurePart failure={failure} />)}</>;
}
