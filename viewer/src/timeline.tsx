// The lanes of one run: a canvas that is drawn once for each frame in which something changed, and what
// it shows as elements, for whoever reads the page without seeing it.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { describe } from './describe';
import { GAP, LAG, Layout, ROW, RULER } from './layout';
import { Run } from './model';
import { Hit, Painter } from './paint';
import { Scale } from './scale';
import { Store } from './state';
import { theme } from './theme';
import { useStore } from './use';

/** As many as a person or a test can make use of. */
const MOST_OPTIONS = 400;

export function Timeline({ index, matches }: { index: number; matches: Uint8Array | null }) {
  const [store, state] = useStore('run', 'action', 'lag', 'axis', 'isNarrow', 'isPrinting');
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [shown, setShown] = useState<number[]>([]);
  const [hover, setHover] = useState<{ hit: Hit; x: number; y: number } | null>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const hits = useRef<Hit[]>([]);
  const layout = store.layouts[index];
  const selected = state.run === index ? state.action : -1;

  const measure = () => {
    const box = canvas.current!.parentElement!.getBoundingClientRect();
    setSize({ width: Math.floor(box.width), height: scroller.current!.clientHeight });
  };
  useLayoutEffect(() => {
    const observer = new ResizeObserver(measure);
    observer.observe(scroller.current!);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(measure, [state.isPrinting]);

  const draw = () => {
    const element = canvas.current;
    if (!element || !size.width) return;
    const ratio = devicePixelRatio || 1;
    const { width, height } = size;
    if (element.width !== width * ratio || element.height !== height * ratio) {
      element.width = width * ratio;
      element.height = height * ratio;
    }
    const context = element.getContext('2d')!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const painter = new Painter(context, {
      layout,
      state: store.state,
      scale: new Scale(store.state.from, store.state.to, 0, width),
      theme: theme(),
      width,
      height,
      scroll: scroller.current!.scrollTop,
      selected: store.state.run === index ? store.state.action : -1,
      matches,
      differs: store.difference && store.runs.length > 1 ? store.difference.at : -1,
    });
    painter.paint();
    hits.current = painter.hits;
  };

  // Drawing waits for the next frame, and the elements for a moment without change.
  const frame = useRef(0);
  const settle = useRef(0);
  const newest = useRef(draw);
  newest.current = draw;
  const soon = () => {
    frame.current ||= requestAnimationFrame(() => {
      frame.current = 0;
      newest.current();
      clearTimeout(settle.current);
      settle.current = window.setTimeout(() => setShown(visible(store.layouts[index], store)), 80);
    });
  };
  // A printer does not wait for a frame.
  useLayoutEffect(() => {
    if (state.isPrinting) newest.current();
  }, [size, state.isPrinting]);
  useEffect(soon, [size, matches, state.lag, state.axis, state.isNarrow, state.version, selected]);
  useEffect(() => {
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', soon);
    const forget = store.subscribe(soon);
    return () => {
      forget();
      scheme.removeEventListener('change', soon);
      cancelAnimationFrame(frame.current);
      clearTimeout(settle.current);
    };
  }, [store]);

  // The row of what is selected is moved into sight.
  useEffect(() => {
    const element = scroller.current;
    if (!element || selected < 0) return;
    const row = layout.lanes[layout.laneOf[selected]]?.rows[layout.rowOf[selected]];
    if (!row) return;
    if (row.y - RULER < element.scrollTop) element.scrollTop = row.y - RULER - GAP;
    else if (row.y + ROW > element.scrollTop + element.clientHeight) {
      element.scrollTop = row.y + ROW + GAP - element.clientHeight;
    }
  }, [selected]);

  usePointer(canvas, scroller, store, index, hits, setHover);

  const run = layout.run;
  return (
    <section class="pane" aria-label={`Run ${run.raw.name}`}>
      <div class="scroller" ref={scroller} onScroll={soon}>
        <div class={state.isNarrow ? 'lanes narrow' : 'lanes'} style={{ height: `${layout.height}px` }} role="list" aria-label="Lanes">
          <div class="lanes-top" style={{ height: `${RULER}px` }}>
            {store.runs.length > 1 ? run.raw.name : ''}
          </div>
          {layout.lanes.map((lane) => (
            <div
              key={lane.key}
              role="listitem"
              class={lane.isFirst ? 'lane first' : 'lane'}
              style={{ top: `${lane.y}px`, height: `${lane.height}px` }}
              data-lane={lane.key}
            >
              {lane.isFirst && (
                <span class="lane-program" title={programsOf(run, lane.program).join(', ')}>
                  {run.programs[lane.program]}
                  <small>{programsOf(run, lane.program).join(', ')}</small>
                </span>
              )}
              <span class="lane-title" style={{ color: `var(--tone-${lane.tone})` }} title={lane.title}>
                {lane.domain >= 0 && <span class="lane-clock" aria-hidden="true">◷ </span>}
                {lane.title}
                {lane.note && <small>{lane.note}</small>}
              </span>
              {lane.rows.map((row) => row.label && (
                <span class="row-label" style={{ top: `${row.y - lane.y}px` }} title={row.label}>
                  {row.label}
                </span>
              ))}
              {state.lag && lane.domain >= 0 && (
                <span class="row-label" style={{ top: `${lane.height - GAP - LAG}px` }}>lag</span>
              )}
            </div>
          ))}
        </div>
        <div class="plot" style={{ height: `${layout.height}px` }}>
          <canvas
            ref={canvas}
            tabIndex={0}
            role="application"
            aria-label="Timeline; arrow keys move between actions"
            style={{ width: `${size.width}px`, height: `${size.height}px` }}
          />
        </div>
      </div>
      {hover && <Tip layout={layout} hit={hover.hit} x={hover.x} y={hover.y} />}
      {run.raw.fleet && <Between run={run} />}
      <ul class="unseen" role="listbox" aria-label="Actions in view">
        {shown.map((action) => (
          <li
            key={action}
            role="option"
            id={`a${index + 1}-${run.number[action]}`}
            data-action={run.number[action]}
            data-lane={layout.lanes[layout.laneOf[action]]?.key}
            aria-selected={action === selected}
            onClick={() => store.select(index, action)}
          >
            {describe(layout, action)}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What the processes of one name in a fleet run. */
const programsOf = (run: Run, program: number): string[] => {
  const own = run.raw.fleet?.processes.filter(([name]) => name === run.programs[program]) ?? [];
  return [...new Set(own.map(([, file]) => run.relative(file)).filter(Boolean))];
};

/** The actions in the window, in the order in which they ran. */
function visible(layout: Layout, store: Store): number[] {
  const { axis, from, to } = store.state;
  const x = layout.x(axis);
  const list: number[] = [];
  for (let i = 0; i < layout.run.count && list.length < MOST_OPTIONS; i++) {
    if (x[i] >= from && x[i] <= to) list.push(i);
  }
  return list;
}

/** Messages and faults of a fleet, as elements. */
function Between({ run }: { run: Run }) {
  const { messages, faults } = run.raw.fleet!;
  const number = (action: number) => (action >= 0 ? `#${run.number[action]}` : 'nobody');
  return (
    <>
      <ul class="unseen" aria-label="Faults">
        {faults.map(([what]) => <li data-fault={what}>{what}</li>)}
      </ul>
      <ul class="unseen" aria-label="Messages">
        {messages.slice(0, MOST_OPTIONS).map(([from, to, what, host, , arrives]) => (
          <li data-message={`${number(from)} ${number(to)}`}>
            {`${what} from ${number(from)} to ${arrives < 0 ? `${host}, lost` : to < 0 ? host : number(to)}`}
          </li>
        ))}
      </ul>
    </>
  );
}

function Tip({ layout, hit, x, y }: { layout: Layout; hit: Hit; x: number; y: number }) {
  const text =
    hit.title
      ? hit.title
      : hit.count > 1
        ? `${hit.count} actions from ${describe(layout, hit.action)}`
        : describe(layout, hit.action);
  const isRight = x > innerWidth * 0.55;
  const style = { top: `${y + 16}px`, ...(isRight ? { right: `${innerWidth - x}px` } : { left: `${x + 12}px` }) };
  return <div class="tip" style={style}>{text}</div>;
}

/** Dragging moves the window, the wheel zooms, a click selects. */
function usePointer(
  canvas: { current: HTMLCanvasElement | null },
  scroller: { current: HTMLDivElement | null },
  store: Store,
  index: number,
  hits: { current: Hit[] },
  setHover: (hover: { hit: Hit; x: number; y: number } | null) => void,
) {
  useEffect(() => {
    const element = canvas.current!;
    let drag: { x: number; y: number; from: number; to: number; scroll: number; moved: boolean } | null = null;
    const at = (event: MouseEvent): Hit | null => {
      const box = element.getBoundingClientRect();
      const x = event.clientX - box.left;
      const y = event.clientY - box.top;
      if (y < RULER) return null;
      let best: Hit | null = null;
      let least = Infinity;
      for (const hit of hits.current) {
        if (y < hit.top || y > hit.bottom || x < hit.left - 3 || x > hit.right + 3) continue;
        // Marks lie on operations; the narrower one is meant.
        const size = hit.right - hit.left;
        if (size <= least) [best, least] = [hit, size];
      }
      return best;
    };
    const down = (event: PointerEvent) => {
      if (event.button) return;
      element.setPointerCapture(event.pointerId);
      const { from, to } = store.state;
      drag = { x: event.clientX, y: event.clientY, from, to, scroll: scroller.current!.scrollTop, moved: false };
    };
    const move = (event: PointerEvent) => {
      if (!drag) {
        const hit = at(event);
        element.style.cursor = hit ? 'pointer' : 'grab';
        setHover(hit && { hit, x: event.clientX, y: event.clientY });
        return;
      }
      const dx = event.clientX - drag.x;
      if (Math.abs(dx) + Math.abs(event.clientY - drag.y) > 3) drag.moved = true;
      if (!drag.moved) return;
      setHover(null);
      const shift = (dx / element.clientWidth) * (drag.to - drag.from);
      store.window(drag.from - shift, drag.to - shift);
      scroller.current!.scrollTop = drag.scroll - (event.clientY - drag.y);
    };
    const up = (event: PointerEvent) => {
      if (drag && !drag.moved) {
        const hit = at(event);
        if (hit) store.select(index, hit.action);
      }
      drag = null;
    };
    const leave = () => setHover(null);
    const wheel = (event: WheelEvent) => {
      const lanes = scroller.current!;
      const overflows = lanes.scrollHeight > lanes.clientHeight + 1;
      const sideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (sideways) {
        store.pan((event.deltaX || event.deltaY) / element.clientWidth);
      } else if (event.ctrlKey || event.metaKey || !overflows) {
        const { from, to } = store.state;
        const around = from + (event.offsetX / element.clientWidth) * (to - from);
        store.zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * 0.005), around);
      } else {
        return;
      }
      event.preventDefault();
    };
    const twice = (event: MouseEvent) => {
      const hit = at(event);
      if (hit) zoomTo(store, index, hit.action);
    };
    element.addEventListener('pointerdown', down);
    element.addEventListener('pointermove', move);
    element.addEventListener('pointerup', up);
    element.addEventListener('pointerleave', leave);
    element.addEventListener('wheel', wheel, { passive: false });
    element.addEventListener('dblclick', twice);
    return () => {
      element.removeEventListener('pointerdown', down);
      element.removeEventListener('pointermove', move);
      element.removeEventListener('pointerup', up);
      element.removeEventListener('pointerleave', leave);
      element.removeEventListener('wheel', wheel);
      element.removeEventListener('dblclick', twice);
    };
  }, [store, index]);
}

/** The atomic action of an action fills a good part of the window. */
export function zoomTo(store: Store, index: number, action: number) {
  const layout = store.layouts[index];
  const { run } = layout;
  const x = layout.x(store.state.axis);
  const head = run.atomic[action];
  const end = run.atomicEnd(head) - 1;
  const size = Math.max(x[end] - x[head], store.state.axis === 'order' ? 4 : 50);
  const middle = (x[head] + x[end]) / 2;
  store.window(middle - size, middle + size);
}
