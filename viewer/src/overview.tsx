// The whole run in a strip: how many actions there are where, and which part of it is in the window.

import { useEffect, useRef, useState } from 'preact/hooks';
import { theme } from './theme';
import { useStore } from './use';

const HEIGHT = 36;

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
    const key = `${state.axis} ${width}`;
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
    let dragging = false;
    const move = (event: PointerEvent) => {
      if (!dragging) return;
      const { from, to, axis } = store.state;
      const [low, high] = store.bounds(axis);
      const middle = low + (event.offsetX / element.clientWidth) * (high - low);
      store.window(middle - (to - from) / 2, middle + (to - from) / 2);
    };
    const down = (event: PointerEvent) => {
      dragging = true;
      element.setPointerCapture(event.pointerId);
      move(event);
    };
    const up = () => (dragging = false);
    element.addEventListener('pointerdown', down);
    element.addEventListener('pointermove', move);
    element.addEventListener('pointerup', up);
    return () => {
      element.removeEventListener('pointerdown', down);
      element.removeEventListener('pointermove', move);
      element.removeEventListener('pointerup', up);
    };
  }, [store]);

  return (
    <div class="overview" aria-hidden="true">
      <div class="overview-plot">
        <canvas ref={canvas} style={{ width: `${width}px`, height: `${HEIGHT}px` }} />
      </div>
    </div>
  );
}
