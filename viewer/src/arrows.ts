// Arrows for both relations between actions: link, who attached it, and cause, who made it able to run; and for what
// the programs of a fleet send each other.

import type { Painter, Pens, Scene } from './paint';

/** Further than this a chain or a family is not drawn; the panel lists it. */
const MOST_PARENTS = 200;
const MOST_CHILDREN = 60;
const MOST_ARROWS = 500;

type Relation = 'link' | 'cause' | 'message';

export function paintArrows(context: Pens, scene: Scene, painter: Painter) {
  const { state, layout, selected } = scene;
  const { run } = layout;
  if (state.arrows === 'none') return;
  if (run.raw.fleet) messages();
  if (state.arrows === 'all') {
    const marks = painter.hits.filter((hit) => hit.operation < 0 && hit.count === 1);
    if (marks.length <= MOST_ARROWS) {
      for (const { action } of marks) {
        // What runs at the end is attached by the main program, always.
        if (run.kind[action] === 'x') continue;
        arrow(run.link[action], action, 'link', 0.8);
        if (!isSent(action)) arrow(run.cause[action], action, 'cause', 0.8);
      }
      return;
    }
  }
  if (selected < 0) return;
  for (const relation of ['link', 'cause'] as const) {
    const children = (relation === 'link' ? run.links : run.causes).of(selected);
    const of = (action: number): Relation => (relation === 'cause' && isSent(action) ? 'message' : relation);
    for (const child of children.subarray(0, MOST_CHILDREN)) arrow(selected, child, of(child), 0.35);
    let child = selected;
    for (const parent of run.chain(selected, run[relation]).slice(0, MOST_PARENTS)) {
      arrow(parent, child, of(child), 1);
      child = parent;
    }
  }

  /** Whether its cause sent it a message: that has an arrow of its own. */
  function isSent(action: number): boolean {
    return run.program[run.cause[action]] !== run.program[action];
  }

  /** What programs send each other, as far as it is in view; what is lost ends on its way. */
  function messages() {
    const { from, to } = scene.scale;
    const x = layout.x(state.axis);
    const { messages } = run.raw.fleet!;
    const inView = messages.filter(([by, got]) => by >= 0 && x[by] <= to && (got < 0 ? x[by] : x[got]) >= from);
    if (inView.length > MOST_ARROWS) return;
    for (const [by, got, , host, , arrives] of inView) {
      const alpha = selected < 0 || by === selected || got === selected ? 0.8 : 0.3;
      if (got >= 0) arrow(by, got, 'message', alpha);
      else if (arrives < 0) lost(by, host, alpha);
    }
  }

  function lost(by: number, host: string, alpha: number) {
    const start = painter.point(by);
    const lane = layout.lanes.find((lane) => run.isOn(host, run.programs[lane.program]));
    if (!lane || start.x < 0 || start.x > scene.width) return;
    const goal = lane.y - scene.scroll;
    const y = start.y + Math.sign(goal - start.y) * Math.min(Math.abs(goal - start.y), 40);
    const x = start.x + 22;
    context.save();
    context.globalAlpha = alpha;
    context.strokeStyle = scene.theme.error;
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(start.x + 4, start.y);
    context.lineTo(x, y);
    context.moveTo(x - 4, y - 4);
    context.lineTo(x + 4, y + 4);
    context.moveTo(x + 4, y - 4);
    context.lineTo(x - 4, y + 4);
    context.stroke();
    context.restore();
  }

  function arrow(from: number, to: number, relation: Relation, alpha: number) {
    if (from === to) return;
    const start = painter.point(from);
    const end = painter.point(to);
    const { width } = scene;
    if ((start.x < -50 && end.x < -50) || (start.x > width + 50 && end.x > width + 50)) return;
    const isLink = relation !== 'cause';
    const half = 4;
    const offset = isLink ? -3 : 3;
    const isWide = scene.state.axis === 'order' ? Math.min(1 / scene.scale.perPixel - 3, 180) : 8;
    const x0 = start.x + Math.max(half, Math.min(isWide, 60) / 2);
    const x1 = end.x - 2;
    const y1 = end.y + offset;
    // It leaves at the edge that is nearer, so that what is written in the mark can be read.
    const y0 = end.y === start.y ? start.y + offset * 3 : end.y > start.y ? start.y + 8 : start.y - 8;
    context.save();
    context.globalAlpha = alpha;
    context.strokeStyle = context.fillStyle = scene.theme[relation];
    context.lineWidth = 1.75;
    context.setLineDash(isLink ? [] : [5, 3]);
    // Between two at the same place the arrow goes around on the left.
    const bend = Math.max(18, Math.min(120, Math.abs(x1 - x0) * 0.5));
    context.beginPath();
    context.moveTo(x0, y0);
    const rise = start.y === end.y ? (isLink ? -22 : 22) : 0;
    context.bezierCurveTo(x0 + (x1 > x0 ? bend : -bend), y0 + rise, x1 - bend, y1 + rise, x1 - 5, y1 + (rise ? rise / 8 : 0));
    context.stroke();
    context.setLineDash([]);
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x1 - 7, y1 - 4);
    context.lineTo(x1 - 7, y1 + 4);
    context.fill();
    context.restore();
  }
}
