// Draws what is in the window of one run. Only that is looked at: rows are sorted, and marks that fall
// on the same pixels become one.

import { paintArrows } from './arrows';
import { choiceText } from './describe';
import { duration, instant } from './format';
import { Axis, LAG, Lane, Layout, NAME, ROW, RULER, Row, Span } from './layout';
import { Scale, lowerBound } from './scale';
import { State } from './state';
import { Theme } from './theme';

/** Something that was drawn and can be pointed at. */
export interface Hit {
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** The first of the actions that it stands for. */
  action: number;
  count: number;
  /** The operation or the task, if it is one; else -1. */
  operation: number;
  /** What it is called, if it is no action. */
  title: string;
}

export interface Scene {
  layout: Layout;
  state: State;
  scale: Scale;
  theme: Theme;
  width: number;
  height: number;
  scroll: number;
  /** The selected action of this run, or -1. */
  selected: number;
  /** What a search found, or nothing. */
  matches: Uint8Array | null;
  /** The first action that differs from the other run, or -1. */
  differs: number;
}

export const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const SMALL = '11px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const MARK = 8;
/** More than this in a window would be a grey area, and slow. */
const MOST_BANDS = 700;
const MOST_DROPS = 500;
/** Marks at one place stand beside each other up to so many; more would seem to last. */
const MOST_BESIDE = 5;

/** What a picture is drawn with: a canvas, or what writes SVG. */
export type Pens = Pick<
  CanvasRenderingContext2D,
  | 'globalAlpha' | 'lineWidth' | 'font' | 'fillRect' | 'clearRect' | 'beginPath' | 'moveTo' | 'lineTo' | 'bezierCurveTo'
  | 'roundRect' | 'setLineDash' | 'fillText' | 'measureText' | 'save' | 'restore' | 'translate'
> & {
  fillStyle: unknown;
  strokeStyle: unknown;
  textBaseline: string;
  arc(x: number, y: number, radius: number, from: number, to: number): void;
  fill(): void;
  stroke(): void;
};

export class Painter {
  hits: Hit[] = [];
  /** Where actions were drawn, if not at their place: beside others at the same. */
  readonly moved = new Map<number, number>();

  constructor(
    private readonly context: Pens,
    private readonly scene: Scene,
  ) {}

  get axis(): Axis {
    return this.scene.state.axis;
  }

  paint() {
    const { context, scene } = this;
    const { theme, layout, width, height } = scene;
    context.clearRect(0, 0, width, height);
    context.fillStyle = theme.back;
    context.fillRect(0, 0, width, height);
    layout.lanes.forEach((lane, index) => this.ground(lane, index));
    this.grid();
    this.faults();
    this.bands();
    for (const lane of layout.lanes) {
      const top = lane.y - scene.scroll;
      if (top > height || top + lane.height < RULER) continue;
      if (scene.state.lag && lane.domain >= 0) this.lag(lane);
      for (const row of lane.rows) this.row(lane, row);
    }
    this.difference();
    paintArrows(context, scene, this);
    this.choices();
    this.ruler();
    this.failures();
  }

  /** Where an action is drawn. */
  point(action: number): { x: number; y: number } {
    const { layout, scale, scroll } = this.scene;
    const row = layout.lanes[layout.laneOf[action]]?.rows[layout.rowOf[action]];
    const x = this.moved.get(action) ?? scale.x(layout.x(this.axis)[action]);
    return { x, y: (row?.y ?? 0) - scroll + ROW / 2 };
  }

  private ground(lane: Lane, index: number) {
    const { context, scene } = this;
    const top = lane.y - scene.scroll;
    if (index % 2) {
      context.fillStyle = scene.theme.stripe;
      context.fillRect(0, top, scene.width, lane.height);
    }
    context.fillStyle = scene.theme.line;
    context.fillRect(0, Math.round(top + lane.height) - 1, scene.width, 1);
  }

  private grid() {
    const { context, scene } = this;
    context.fillStyle = scene.theme.line;
    for (const value of scene.scale.marks(110).values) {
      context.fillRect(Math.round(scene.scale.x(value)), RULER, 1, scene.height);
    }
  }

  /** What goes wrong in a fleet: bands through the lanes of the hosts that it is about, as long as it lasts. */
  private faults() {
    const { context, scene } = this;
    const { layout, scale, theme } = scene;
    const { run } = layout;
    if (!run.raw.fleet) return;
    // In the order of actions, an instant is before the first action after it.
    const place = (time: number) => (this.axis === 'order' ? lowerBound(layout.all, run.at, time) : time);
    for (const [what, hosts, at, lasts] of run.raw.fleet.faults) {
      const left = Math.max(-4, scale.x(place(at)));
      const right = Math.min(scene.width + 4, Math.max(scale.x(place(at + lasts)), left + 3));
      if (right < 0 || left > scene.width) continue;
      for (const host of hosts) {
        const own = layout.lanes.filter((lane) => run.isOn(host, run.programs[lane.program]));
        if (!own.length) continue;
        const top = own[0].y - scene.scroll;
        const bottom = own[own.length - 1].y + own[own.length - 1].height - scene.scroll;
        context.fillStyle = theme.fault;
        context.fillRect(left, top, right - left, bottom - top);
        context.fillStyle = theme.error;
        context.fillRect(left, top, 2, bottom - top);
        this.text(what, Math.max(left, 0) + 6, top + NAME / 2 + 2, Math.max(right - left, 260), theme.error, SMALL);
        const action = Math.min(run.count - 1, lowerBound(layout.all, run.at, at));
        this.hits.push({ left, right, top, bottom: top + NAME, action, count: 1, operation: -1, title: what });
      }
    }
  }

  /** Atomic actions, as bands through all lanes. They are in physical time, whatever is on the axis. */
  private bands() {
    const { context, scene } = this;
    const { layout, scale, theme, height } = scene;
    const { run } = layout;
    const isOrder = this.axis === 'order';
    const places = isOrder ? layout.x('order') : run.at;
    const first = Math.max(0, lowerBound(run.heads, places, scale.from) - 1);
    const last = lowerBound(run.heads, places, scale.to + 1);
    const selected = scene.selected >= 0 ? run.atomic[scene.selected] : -1;
    if (last - first > MOST_BANDS && selected < 0) return;
    const few = last - first <= MOST_BANDS;
    context.fillStyle = theme.band;
    let drawn = -Infinity;
    for (let i = first; i < last; i++) {
      const head = run.heads[i];
      if (!few && head !== selected) continue;
      const end = i + 1 < run.heads.length ? run.heads[i + 1] : run.count;
      let from = scale.x(places[head]);
      let to: number;
      if (isOrder) {
        to = scale.x(end) - 2;
        if (to - from < 2) continue;
      } else {
        let spent = 0;
        if (run.spent) for (let k = head; k < end; k++) spent += Math.max(0, run.spent[k]);
        from -= 2;
        to = Math.max(scale.x(places[head] + spent / 1000) + 2, from + MARK + 4);
      }
      if (head === selected) {
        context.fillStyle = theme.bandSelected;
        context.fillRect(from, RULER, to - from, height);
        context.fillStyle = theme.band;
        continue;
      }
      // Where bands overlap they are no darker.
      from = Math.max(from, drawn);
      drawn = Math.max(drawn, to);
      if (to > from) context.fillRect(from, RULER, to - from, height);
    }
  }

  private row(lane: Lane, row: Row) {
    const top = row.y - this.scene.scroll;
    if (top > this.scene.height || top + ROW < 0) return;
    if (row.spans.length) this.spans(lane, row, top);
    this.marks(lane, row, top);
  }

  private spans(lane: Lane, row: Row, top: number) {
    const { scene } = this;
    const { layout, scale } = scene;
    const x = layout.x(this.axis);
    const isOrder = this.axis === 'order';
    let drawn = -Infinity;
    for (const span of row.spans) {
      const start = x[span.by] + (isOrder ? 0.5 : 0);
      if (start > scale.to) break;
      const end = isOrder
        ? span.last >= 0 ? span.last : span.end === Infinity ? Infinity : span.by + 0.9
        : span.kind !== 'operation' && span.last >= 0 ? x[span.last] : span.end;
      if (end < scale.from) continue;
      const left = Math.max(scale.x(start), -20);
      const right = Math.min(scale.x(end), scene.width + 20);
      if (right < drawn + 1) continue;
      drawn = right;
      if (span.kind !== 'release') this.bar(row, span, left, right, top);
      else this.release(lane, row, span, left, right, top);
    }
  }

  /** An operation from request to answer, the run of a task, or a request that is served. */
  private bar(row: Row, span: Span, left: number, right: number, top: number) {
    const { context, scene } = this;
    const { theme, layout } = scene;
    const { run } = layout;
    const isTask = span.kind === 'task';
    const request = span.kind === 'request' ? run.raw.requests[span.index] : undefined;
    const failed = request ? request[4] > 0 : isTask && span.last >= 0 && !run.raw.tasks[span.index][3];
    const width = Math.max(isTask ? 4 : 2, right - left);
    context.fillStyle = theme.soft[row.tone];
    context.fillRect(left, top + 6, width, ROW - 12);
    context.fillStyle = failed ? theme.error : theme.tones[row.tone];
    context.fillRect(left, top + 6, isTask ? 3 : 1.5, ROW - 12);
    if (failed) context.fillRect(left + width - 3, top + 6, 3, ROW - 12);
    if (request) this.work(row, span, top);
    if (span.end === Infinity) this.zigzag(Math.min(right, scene.width) - 1, top);
    const isMark = span.last >= 0 ? MARK : 0;
    const room = Math.min(right, scene.width) - Math.max(left, 0) - isMark - 10;
    const name = request
      ? `${request[1]}, ${duration(request[5])}, waiting ${duration(request[6])}${failed ? ', failed' : ''}`
      : isTask ? run.raw.tasks[span.index][0] + (failed ? ', failed' : '') : run.what(span.index);
    this.text(name, Math.max(left, 0) + 5, top + ROW / 2, room, theme.ink, SMALL);
    this.hits.push({
      left, right: left + width, top: top + 4, bottom: top + ROW - 4,
      action: span.last >= 0 && !isTask && !request ? span.last : span.by, count: 1, operation: span.index, title: name,
    });
  }

  /** Where a request was worked on; in between it waited. */
  private work(row: Row, span: Span, top: number) {
    const { context, scene } = this;
    const { layout, scale, theme } = scene;
    const { run } = layout;
    const x = layout.x(this.axis);
    context.fillStyle = theme.tones[row.tone];
    for (const action of run.served[span.index]) {
      const left = scale.x(x[action]);
      const spent = this.axis === 'order' ? 1 : run.spent ? Math.max(0, run.spent[action]) / 1000 : 0;
      const width = Math.max(2, spent / scale.perPixel - (this.axis === 'order' ? 2 : 0));
      if (left + width > 0 && left < scene.width) context.fillRect(left, top + ROW - 9, width, 3);
    }
  }

  private zigzag(x: number, top: number) {
    const { context, scene } = this;
    context.fillStyle = scene.theme.back;
    for (let i = 0; i < 2; i++) {
      context.beginPath();
      context.moveTo(x + 1, top + 5 + i * 7);
      context.lineTo(x - 5, top + 8.5 + i * 7);
      context.lineTo(x + 1, top + 12 + i * 7);
      context.fill();
    }
  }

  /** The time line of a release: from where it was released to where it ends. */
  private release(lane: Lane, row: Row, span: Span, left: number, right: number, top: number) {
    const { context, scene } = this;
    const { scale, theme, layout } = scene;
    const { run } = layout;
    const { time, delay, cleared } = run.raw.releases;
    const middle = top + ROW / 2;
    const isLabelled = lane.domain >= 0;
    let start = left;
    if (isLabelled && this.axis !== 'order') {
      const logical = scale.x(time[span.index] - delay[span.index]);
      const physical = scale.x(run.at[span.by]);
      start = Math.max(-20, logical);
      // The trace knows when the callback around began, which may be long before.
      if (physical - logical > 3) this.drop(logical, middle, physical, lane);
    }
    context.strokeStyle = theme.tones[row.tone];
    context.globalAlpha = isLabelled ? 0.75 : 0.35;
    context.lineWidth = isLabelled ? 1.5 : 1;
    context.beginPath();
    context.moveTo(start, middle);
    context.lineTo(right, middle);
    context.stroke();
    context.globalAlpha = 1;
    // Only where there is room for it: of many timers the releases would be all that is seen.
    if (right - start > 6) {
      context.beginPath();
      context.arc(start, middle, 3.5, 0, 7);
      context.fillStyle = theme.back;
      context.fill();
      context.stroke();
    }
    if (cleared[span.index] >= 0 && right - start > 10) {
      context.beginPath();
      context.moveTo(right - 3, middle - 3);
      context.lineTo(right + 3, middle + 3);
      context.moveTo(right + 3, middle - 3);
      context.lineTo(right - 3, middle + 3);
      context.stroke();
    }
  }

  /** The dotted line from the logical time of something to its physical time. */
  private drop(logical: number, y: number, physical: number, lane: Lane) {
    const { context, scene } = this;
    const bottom = lane.y + lane.height - scene.scroll - (scene.state.lag ? LAG : 0) - 3;
    context.save();
    context.strokeStyle = scene.theme.ink;
    context.globalAlpha = 0.7;
    context.lineWidth = 1;
    context.setLineDash([1.5, 2.5]);
    context.beginPath();
    context.moveTo(logical, y);
    context.lineTo(physical, Math.max(bottom, y + 6));
    context.stroke();
    context.setLineDash([]);
    context.restore();
  }

  private marks(lane: Lane, row: Row, top: number) {
    const { scene } = this;
    const { layout, scale, theme } = scene;
    const x = layout.x(this.axis);
    const { run } = layout;
    const list = layout.along(row, this.axis);
    const isOrder = this.axis === 'order';
    const unit = 1 / scale.perPixel;
    const reach = this.axis === 'physical' && run.spent ? 200 * scale.perPixel : 20 * scale.perPixel;
    let i = lowerBound(list, x, scale.from - (isOrder ? 1 : reach));
    const end = lowerBound(list, x, scale.to + (isOrder ? 0 : 10 * scale.perPixel));
    const isTimed = lane.domain >= 0 && !isOrder;
    const drops = end - i <= MOST_DROPS;
    while (i < end) {
      // All that falls on the same pixel.
      const left = scale.x(x[list[i]]);
      let next = i + 1;
      while (next < end && scale.x(x[list[next]]) - left < 1) next++;
      const count = next - i;
      const following = next < list.length ? scale.x(x[list[next]]) : scene.width + 200;
      const gap = Math.min(following - left, this.room(row, list[next - 1], left));
      if (isOrder) {
        this.mark(row, list, i, count, left + 1, Math.max(1, Math.min(unit - 3, 180)), top, gap);
      } else if (count > 1 && count <= MOST_BESIDE && count * (MARK + 2) <= gap + 2) {
        for (let k = 0; k < count; k++) {
          const at = left + k * (MARK + 2);
          this.moved.set(list[i + k], at + MARK / 2);
          this.mark(row, list, i + k, 1, at - 1, MARK, top, k + 1 < count ? 0 : gap - k * (MARK + 2));
        }
      } else {
        const spent = this.axis === 'physical' && run.spent ? run.spent[list[i]] / 1000 / scale.perPixel : 0;
        const width = Math.max(1.5, Math.min(Math.max(MARK, spent), Math.max(gap - 1, 2)));
        this.mark(row, list, i, count, left - 1, width, top, gap);
      }
      if (isTimed && drops) {
        const other = this.axis === 'logical' ? run.at[list[i]] : run.time[list[i]];
        const [logical, physical] = this.axis === 'logical' ? [left, scale.x(other)] : [scale.x(other), left];
        this.drop(logical, top + ROW / 2 + 8, physical, lane);
        this.context.fillStyle = theme.ink;
        this.context.fillRect(logical - 0.75, top + 1, 1.5, ROW - 2);
      }
      i = next;
    }
  }

  private mark(row: Row, list: Int32Array, i: number, count: number, left: number, width: number, top: number, gap: number) {
    const { context, scene } = this;
    const { layout, theme, matches, selected } = scene;
    const action = list[i];
    let isSelected = false;
    let isMatch = !matches;
    let failed = false;
    for (let k = i; k < i + count; k++) {
      const one = list[k];
      if (one === selected) isSelected = true;
      if (matches?.[one]) isMatch = true;
      if (layout.run.threw[one]) failed = true;
    }
    context.globalAlpha = isMatch ? 1 : 0.2;
    context.fillStyle = failed ? theme.error : theme.tones[row.tone];
    const height = ROW - 8;
    if (width >= 4) {
      context.beginPath();
      context.roundRect(left, top + 4, width, height, 2.5);
      context.fill();
    } else {
      context.fillRect(left, top + 4, width, height);
    }
    if (matches && isMatch) {
      context.fillStyle = theme.match;
      context.fillRect(left, top + 1, Math.max(width, 2), 2);
    }
    context.globalAlpha = 1;
    if (isSelected) {
      context.strokeStyle = theme.select;
      context.lineWidth = 2;
      context.beginPath();
      context.roundRect(left - 2.5, top + 1.5, width + 5, height + 5, 4);
      context.stroke();
    }
    const name = count > 1 ? `\u00d7${count}` : layout.names.of(action);
    if (width > 34 && count === 1) {
      this.text(name, left + 5, top + ROW / 2, width - 8, theme.back, SMALL);
    } else if (gap > width + 16 && (count > 1 || !row.isNamed)) {
      const color = isMatch ? theme.muted : theme.line;
      this.text(name, left + width + 4, top + ROW / 2, gap - width - 10, color, SMALL);
    }
    this.hits.push({
      left: left - 2, right: left + width + 2, top: top + 2, bottom: top + ROW - 2,
      action: isSelected ? selected : action, count, operation: -1, title: '',
    });
  }

  /** How many pixels there are to the next operation in a row. */
  private room(row: Row, action: number, left: number): number {
    if (row.tone !== 'io') return Infinity;
    const { layout, scale } = this.scene;
    let low = 0;
    let high = row.spans.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (row.spans[middle].by < action) low = middle + 1;
      else high = middle;
    }
    const here = layout.x(this.axis)[action];
    for (const span of row.spans.slice(Math.max(0, low - 4), low)) {
      if (span.last !== action && (this.axis === 'order' ? span.end === Infinity || span.last > here : span.end > here)) return 0;
    }
    const next = row.spans[low];
    return next ? scale.x(layout.x(this.axis)[next.by] + (this.axis === 'order' ? 0.5 : 0)) - left : Infinity;
  }

  /** How far each action of a clock was behind, as columns that share a scale in their lane. */
  private lag(lane: Lane) {
    const { context, scene } = this;
    const { layout, scale, theme } = scene;
    const { run } = layout;
    const bottom = lane.y + lane.height - scene.scroll - 4;
    const x = layout.x(this.axis);
    let most = 1;
    for (const row of lane.rows) for (const action of row.actions) most = Math.max(most, run.lag(action));
    const tall = LAG - 8;
    context.fillStyle = theme.cause;
    const columns = new Map<number, number>();
    for (const row of lane.rows) {
      const list = layout.along(row, this.axis);
      for (let i = lowerBound(list, x, scale.from); i < list.length && x[list[i]] <= scale.to; i++) {
        const column = Math.round(scale.x(x[list[i]]) / 3);
        columns.set(column, Math.max(columns.get(column) ?? 0, run.lag(list[i])));
      }
    }
    context.globalAlpha = 0.75;
    for (const [column, lag] of columns) {
      const high = Math.max(1, (lag / most) * tall);
      context.fillRect(column * 3 - 1, bottom - high, 3, high);
    }
    context.globalAlpha = 1;
    context.fillStyle = theme.line;
    context.fillRect(0, bottom, scene.width, 1);
    this.text(most > 1 ? `at most ${duration(most)}` : 'no lag', 6, bottom - tall + 2, 200, theme.cause, SMALL);
  }

  /** Where two runs part. */
  private difference() {
    const { context, scene } = this;
    if (scene.differs < 0) return;
    const { layout, scale, theme } = scene;
    const at = Math.min(scene.differs, layout.run.count - 1);
    const x = scale.x(layout.x(this.axis)[at] + (scene.differs > at && this.axis === 'order' ? 1 : 0)) - 3;
    context.fillStyle = theme.error;
    context.fillRect(x, RULER, 2, scene.height);
    this.flag('first difference', x, scene.height - 22);
  }

  /** A red line through all lanes where the run failed. */
  private failures() {
    const { context, scene } = this;
    const { layout, theme } = scene;
    for (const { action, headline } of layout.run.failures) {
      const { x, y } = this.point(action);
      if (x < -20 || x > scene.width + 20) continue;
      context.fillStyle = theme.error;
      context.globalAlpha = 0.6;
      context.fillRect(x - 4, RULER, 1.5, scene.height);
      context.globalAlpha = 1;
      this.flag(headline, x - 4, 4);
      // In the order of actions a mark has its width, and its name in it.
      if (this.axis === 'order') continue;
      context.strokeStyle = theme.error;
      context.lineWidth = 2;
      context.beginPath();
      context.arc(x + 3, y, ROW / 2 + 1, 0, 7);
      context.stroke();
    }
  }

  /** A label in red; it begins at a place, or ends there if there is no room. */
  private flag(label: string, x: number, top: number) {
    const { context, scene } = this;
    context.font = SMALL;
    const width = Math.min(context.measureText(label).width + 12, 320);
    const left = x + width > scene.width ? Math.max(0, x - width + 2) : x;
    context.fillStyle = scene.theme.error;
    context.fillRect(left, top, width, 18);
    this.text(label, left + 6, top + 9, width - 8, scene.theme.back, SMALL);
  }

  /** Choices: the branch that was taken, and as many that were not. */
  private choices() {
    const { context, scene } = this;
    const { layout, theme, width } = scene;
    const { raw } = layout.run;
    if (raw.choices.length > 2000) return;
    for (const choice of raw.choices) {
      const [before, taken, of] = choice;
      if (before >= layout.run.count) continue;
      const { x, y } = this.point(before);
      if (x < 0 || x > width) continue;
      const from = x - 22;
      const branches = Math.min(of, 5);
      context.lineWidth = 1.5;
      for (let branch = 0; branch < branches; branch++) {
        const isTaken = branch === Math.min(taken, branches - 1);
        const slope = (branch - Math.min(taken, branches - 1)) * 9;
        context.strokeStyle = isTaken ? theme.select : theme.muted;
        context.setLineDash(isTaken ? [] : [2, 2]);
        context.beginPath();
        context.moveTo(from, y);
        context.lineTo(from + 15, y + slope);
        context.stroke();
      }
      context.setLineDash([]);
      context.fillStyle = theme.select;
      context.beginPath();
      context.moveTo(from - 4, y);
      context.lineTo(from, y - 4);
      context.lineTo(from + 4, y);
      context.lineTo(from, y + 4);
      context.fill();
      const title = choiceText(layout, choice);
      this.hits.push({ left: from - 6, right: from + 12, top: y - 8, bottom: y + 8, action: before, count: 1, operation: -1, title });
      if (before === scene.selected) this.note(title, from + 4, y + ROW / 2 + 4);
    }
  }

  /** A text on a ground of its own, where other things may be. */
  private note(label: string, x: number, y: number) {
    const { context, scene } = this;
    context.font = SMALL;
    const width = Math.min(context.measureText(label).width + 12, 420, scene.width);
    const left = Math.max(0, Math.min(x, scene.width - width));
    context.fillStyle = scene.theme.select;
    context.fillRect(left, y, width, 18);
    this.text(label, left + 6, y + 9, width - 8, scene.theme.back, SMALL);
  }

  private ruler() {
    const { context, scene } = this;
    const { scale, theme, width, layout } = scene;
    context.fillStyle = theme.back;
    context.fillRect(0, 0, width, RULER);
    context.fillStyle = theme.line;
    context.fillRect(0, RULER - 1, width, 1);
    const { step, values } = scale.marks(110);
    for (const value of values) {
      const x = Math.round(scale.x(value));
      context.fillStyle = theme.muted;
      context.fillRect(x, RULER - 6, 1, 5);
      let label = instant(value, step);
      if (this.axis === 'order') {
        const action = Math.round(value);
        if (action < 0 || action >= layout.run.count) continue;
        label = `#${layout.run.number[action]} at ${instant(layout.x('logical')[action])}`;
      }
      this.text(label, x + 4, RULER / 2 - 1, 106, theme.muted, SMALL);
    }
  }

  private text(text: string, x: number, y: number, room: number, color: string, font: string) {
    if (room < 14) return;
    const { context } = this;
    context.font = font;
    context.textBaseline = 'middle';
    // About six pixels a letter: measuring each text would take longer than drawing it.
    let shown = text;
    if (text.length * 7.5 > room && context.measureText(text).width > room) {
      const letters = Math.floor((room - 8) / 6);
      if (letters < 2) return;
      shown = `${text.slice(0, letters)}\u2026`;
    }
    context.fillStyle = color;
    context.fillText(shown, x, y + 0.5);
  }
}
