import fs, { readFile as r } from 'node:fs'
export * as ns from 'x'
export { fs as default }
const x = await r('a'), { a = await x, ...b } = c?.d ?? {}
label: for (let i = 0, j; i < 10; i++) { if (i) continue label; else break }
async function* g() { try { yield* await h() } catch { } finally { await 1 } }
const t = `a${await `b${x}`}c`, re = /(?<n>a|b)+\k<n>/gu, big = 1_000n ** 2n
class A extends (await B) { static #p = 1; static async m() { return super.m?.(new.target, import.meta.url) } [await k]() {} }
switch (x) { case 1: { let y } default: using }
x ??= async ({ y }, [z], ...w) => await y
await import('y')
