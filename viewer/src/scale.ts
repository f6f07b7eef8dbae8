// From places on an axis to pixels, and where its marks are.

export class Scale {
  readonly perPixel: number;

  constructor(
    readonly from: number,
    readonly to: number,
    readonly left: number,
    readonly right: number,
  ) {
    this.perPixel = (to - from) / Math.max(1, right - left);
  }

  x(value: number): number {
    return this.left + (value - this.from) / this.perPixel;
  }

  value(x: number): number {
    return this.from + (x - this.left) * this.perPixel;
  }

  /** Round values that are at least so many pixels apart; places are whole numbers. */
  marks(apart: number): { step: number; values: number[] } {
    const rough = this.perPixel * apart;
    const power = 10 ** Math.floor(Math.log10(rough));
    const round = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough) ?? rough;
    const step = Math.max(1, Math.round(round));
    const values: number[] = [];
    for (let value = Math.ceil(this.from / step) * step; value <= this.to; value += step) {
      values.push(value);
      if (values.length > 500) break;
    }
    return { step, values };
  }
}

/** The first place in a sorted list of keys whose value is at least this. */
export function lowerBound(keys: Int32Array, values: Float64Array, least: number): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[keys[middle]] < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
