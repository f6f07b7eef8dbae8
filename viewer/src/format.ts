// Times and sizes for people.

/** A duration in microseconds, with a unit that keeps it short. */
export function duration(micros: number, digits = 3): string {
  const size = Math.abs(micros);
  if (size >= 999_999.5) return `${trim(micros / 1e6, digits)} s`;
  if (size >= 999.5) return `${trim(micros / 1e3, digits)} ms`;
  return `${trim(micros, 1)} µs`;
}

/** An instant: always in seconds, with as many digits as are needed to tell it from its neighbours. */
export function instant(micros: number, resolution = 1000): string {
  const digits = resolution >= 1e6 ? 0 : resolution >= 1e3 ? 3 : 6;
  return `${(micros / 1e6).toFixed(digits)} s`;
}

/** As many digits as the instant has. */
export function exact(micros: number): string {
  return instant(micros, micros % 1000 === 0 ? 1000 : 1);
}

const trim = (value: number, digits: number) => String(Number(value.toPrecision(digits)));

export function nanos(value: number): string {
  return value < 1000 ? `${value} ns` : duration(value / 1000);
}

export function bytes(count: number): string {
  if (count < 10_000) return `${count} B`;
  if (count < 10_000_000) return `${(count / 1e3).toFixed(0)} kB`;
  return `${(count / 1e6).toFixed(0)} MB`;
}

export const count = (n: number, one: string, many = `${one}s`) =>
  `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
