// The whole run in a strip: how many actions there are where, and which part of it is in the window.

import { useEffect, useRef, useState } from 'preact/hooks';
import { theme } from './theme';
import { useStore } from './use';

const HEIGHT = 36;
/** So near, in pixels, is at an edge of the window. */
const EDGE = 6;

export function Overview() {
  const [store, state] = useStore('axis', 'from', 'to');
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  const density = useRef<{ key: string; columns: Float64Array } | null>(null);

  useEffect(() => {
    const element = canvas.current!;
    const observer = new ResizeObserver(() => setWidth(element.parentElement!.clientWidth));
    observer.observe(element.parentElement!);
    return () => observer.disconnect();
  }, []);

  const [low, high] = store.bounds(state.axis);

  useEffect(() => {
    const element = canvas.current!;
    if (!width) return;
    const ratio = devicePixelRatio || 1;
    element.width = width * ratio;
    element.height = HEIGHT * ratio;
    const context = element.getContext('2d')!;
    context.scale(ratio, ratio);
    const key = `${state.axis} ${width} ${state.version}`;
    if (density.current?.key !== key) {
      const columns = new Float64Array(width);
      for (const layout of store.layouts) {
        for (const x of layout.x(state.axis)) columns[Math.floor(((x - low) / (high - low)) * (width - 1))]++;
      }
      density.current = { key, columns };
    }
    const { columns } = density.current;
    const most = columns.reduce((a, b) => Math.max(a, b), 1);
    const colors = theme();
    context.fillStyle = colors.stripe;
    context.fillRect(0, 0, width, HEIGHT);
    context.fillStyle = colors.tones.main;
    columns.forEach((count, x) => {
      if (!count) return;
      const high = Math.max(3, (Math.log1p(count) / Math.log1p(most)) * (HEIGHT - 8));
      context.fillRect(x, HEIGHT - 3 - high, 1.5, high);
    });
    context.fillStyle = colors.error;
    store.runs.forEach((run, index) => {
      for (const { action } of run.failures) {
        const x = ((store.layouts[index].x(state.axis)[action] - low) / (high - low)) * width;
        context.fillRect(x - 1, 0, 3, HEIGHT);
      }
    });
    const left = ((state.from - low) / (high - low)) * width;
    const right = ((state.to - low) / (high - low)) * width;
    context.globalAlpha = 0.14;
    context.fillStyle = colors.select;
    context.fillRect(left, 0, Math.max(2, right - left), HEIGHT);
    context.globalAlpha = 1;
    context.strokeStyle = colors.select;
    context.lineWidth = 1.5;
    context.strokeRect(left + 0.75, 0.75, Math.max(2, right - left - 1.5), HEIGHT - 1.5);
  });

  useEffect(() => {
    const element = canvas.current!;
    // What is dragged: an edge of the window, the window, or a new one from where it was begun.
    let drag: { edge: 'from' | 'to' | 'both' | 'new'; at: number; from: number; to: number; moved: boolean } | null = null;
    const value = (event: PointerEvent) => {
      const [low, high] = store.bounds(store.state.axis);
      return low + (event.offsetX / element.clientWidth) * (high - low);
    };
    const edge = (event: PointerEvent) => {
      const { from, to, axis } = store.state;
      const [low, high] = store.bounds(axis);
      const pixels = (at: number) => Math.abs(event.offsetX - ((at - low) / (high - low)) * element.clientWidth);
      const isWhole = from <= low && to >= high;
      if (!isWhole && pixels(from) < EDGE) return 'from';
      if (!isWhole && pixels(to) < EDGE) return 'to';
      const at = value(event);
      return !isWhole && at > from && at < to ? 'both' : 'new';
    };
    const move = (event: PointerEvent) => {
      if (!drag) {
        element.style.cursor = { from: 'ew-resize', to: 'ew-resize', both: 'grab', new: 'crosshair' }[edge(event)];
        return;
      }
      const at = value(event);
      const shift = at - drag.at;
      drag.moved ||= Math.abs(shift) / (drag.to - drag.from) > 0.002;
      if (drag.edge === 'both') store.window(drag.from + shift, drag.to + shift);
      else if (!drag.moved) return;
      else if (drag.edge === 'new') store.window(Math.min(drag.at, at), Math.max(drag.at, at));
      else if (drag.edge === 'from') store.window(Math.min(at, drag.to), drag.to);
      else store.window(drag.from, Math.max(at, drag.from));
    };
    const down = (event: PointerEvent) => {
      const { from, to } = store.state;
      drag = { edge: edge(event), at: value(event), from, to, moved: false };
      element.setPointerCapture(event.pointerId);
    };
    const up = (event: PointerEvent) => {
      // A click beside the window moves it there.
      if (drag?.edge === 'new' && !drag.moved) {
        const { from, to } = drag;
        store.window(value(event) - (to - from) / 2, value(event) + (to - from) / 2);
      }
      drag = null;
    };
    const twice = () => store.fit();
    element.addEventListener('pointerdown', down);
    element.addEventListener('pointermove', move);
    element.addEventListener('pointerup', up);
    element.addEventListener('dblclick', twice);
    return () => {
      element.removeEventListener('pointerdown', down);
      element.removeEventListener('pointermove', move);
      element.removeEventListener('pointerup', up);
      element.removeEventListener('dblclick', twice);
    };
  }, [store]);

  const onKeyDown = (event: KeyboardEvent) => {
    const size = state.to - state.from;
    const act: Record<string, () => void> = {
      ArrowLeft: () => store.pan(-0.1),
      ArrowRight: () => store.pan(0.1),
      ArrowUp: () => store.zoom(0.8),
      ArrowDown: () => store.zoom(1.25),
      PageUp: () => store.pan(-0.9),
      PageDown: () => store.pan(0.9),
      Home: () => store.window(low, low + size),
      End: () => store.window(high - size, high),
    };
    if (!act[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    act[event.key]();
    // The keys of the timeline are others.
    event.stopPropagation();
    event.preventDefault();
  };
  const part = (at: number) => Math.round(((at - low) / (high - low)) * 100);

  return (
    <div class="overview">
      <div class="overview-plot">
        <canvas
          ref={canvas}
          tabIndex={0}
          role="slider"
          aria-label="Overview: what part of the run is in the window"
          aria-orientation="horizontal"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={part((state.from + state.to) / 2)}
          aria-valuetext={`from ${part(state.from)} to ${part(state.to)} percent of the run`}
          onKeyDown={onKeyDown}
          style={{ width: `${width}px`, height: `${HEIGHT}px` }}
        />
      </div>
    </div>
  );
}
