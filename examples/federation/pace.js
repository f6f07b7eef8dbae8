// How often rooms measure, in milliseconds, and how many times: ten times a second for three seconds, unless the
// environment says otherwise.
export const EVERY = Number(process.env.EVERY ?? 100);
export const TIMES = Number(process.env.TIMES ?? 30);

// Where little happens, members need not say often how far they are.
export const pace = { period: Math.max(EVERY, 1000), liveness: Math.max(EVERY * 5, 5000) };
