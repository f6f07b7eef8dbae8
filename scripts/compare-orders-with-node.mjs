// Random programs, run in Node and explored. Called by scripts/compare-orders-with-node.
//
// A program shows in which order its callbacks ran. In Node some callbacks stand still for a while, so that
// several answers are there when the loop looks for them, and time passes; to `explore` both are open anyway.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const [hemiola, programs, first, runs] = process.argv.slice(2)

// How many schedules are run of a program at most. One that has more is left out, unless all that Node shows is
// among them.
const SCHEDULES = 1500

const PRELUDE = `
const fs = require('node:fs')
const path = require('node:path')
const [folder, stands] = process.argv.slice(2)
const at = (name) => path.join(folder, name)
fs.rmSync(folder, { recursive: true, force: true })
fs.mkdirSync(at('bare'), { recursive: true })
for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) fs.writeFileSync(at(name), 'text')
const memory = new Int32Array(new SharedArrayBuffer(4))
const stand = (ms) => { if (stands) Atomics.wait(memory, 0, 0, ms) }
const shown = []
const log = (number) => shown.push(number)
process.on('exit', () => console.log(shown.join(' ')))
`

// What registers a callback, by how often it is drawn. Each operation has a file of its own: what they do to
// each other's files is not what this is about.
const FORMS = [
  [5, (f) => `setImmediate(${f})`],
  [1, (f) => `process.nextTick(${f})`],
  [1, (f) => `Promise.resolve().then(${f})`],
  [1, (f) => `setTimeout(${f}, 1)`],
  // Node may run a timer before an older one of another duration that is due, too (rule LOOP-7): so long a one is
  // never due before whatever else there is, and its order is that of time.
  [1, (f) => `setTimeout(${f}, 40)`],
  [9, (f, file) => `fs.stat(at('${file}'), ${f})`],
  [3, (f, file) => `fs.readFile(at('${file}'), ${f})`],
  [2, (f, file) => `fs.writeFile(at('${file}'), 'more', ${f})`],
  [1, (f, file) => `fs.appendFile(at('${file}'), 'more', ${f})`],
  [1, (f, file) => `fs.truncate(at('${file}'), 2, ${f})`],
  [1, (f, file) => `fs.rm(at('${file}'), ${f})`],
  [1, (f, file) => `fs.mkdir(at('new/${file}'), { recursive: true }, ${f})`],
  [1, (f) => `fs.readdir(at('bare'), ${f})`],
  [1, (f, file) => `fs.promises.readFile(at('${file}')).then(${f})`],
  [1, (f, file) => `fs.promises.writeFile(at('${file}'), 'more').then(${f})`],
  [1, (f, file) => `fs.promises.stat(at('${file}')).then(${f})`],
]
const DRAWN = FORMS.flatMap(([often, form]) => Array(often).fill(form))
const FILES = 'abcdefgh'

/// A generator of whole numbers below a bound, the same for the same seed.
function drawing(seed) {
  let state = BigInt(seed) * 0x9e3779b97f4a7c15n & 0xffffffffffffffffn
  return (bound) => {
    state = state * 6364136223846793005n + 1442695040888963407n & 0xffffffffffffffffn
    return Number((state >> 33n) % BigInt(bound))
  }
}

// Any program of a few callbacks.
function grown(draw) {
  let callbacks = 0
  let files = 0
  const most = 4 + draw(4)
  const body = (depth) => {
    const lines = []
    // Two or three chains, and now and then a branch.
    for (let left = depth === 0 ? 2 + draw(2) : [0, 1, 1, 1, 1, 2][draw(6)]; left > 0 && callbacks < most && files < FILES.length; left--) {
      const form = DRAWN[draw(DRAWN.length)]
      const number = ++callbacks
      const file = form.length > 1 ? FILES[files++] : ''
      lines.push(form(`() => {\n${inner(depth + 1, number)}}`, file))
    }
    if (draw(2) === 0) lines.splice(draw(lines.length + 1), 0, `stand(${1 + draw(3)})`)
    return lines
  }
  const inner = (depth, number) =>
    [`log(${number})`, ...(depth < 6 ? body(depth) : [])].map((line) => '  '.repeat(depth) + line + '\n').join('') + '  '.repeat(depth - 1)
  return body(0)
}

// Operations of one trip, one after the other, beside one or two of several trips, which come back in the same poll
// phase as one of them. Immediates tell the phases apart.
function beside(draw) {
  let callbacks = 0
  let files = 0
  const immediate = () => (draw(2) === 0 ? `; setImmediate(() => log(${++callbacks}))` : '')
  const chain = (left) => {
    const number = ++callbacks
    const next = left > 1 ? `; ${chain(left - 1)}` : immediate()
    return `fs.stat(at('${FILES[files++]}'), () => { log(${number}); stand(${1 + draw(2)})${next} })`
  }
  const lines = [chain(2 + draw(3))]
  const several = FORMS.map(([, form]) => form).filter((form) => form.length > 1).slice(1)
  for (let left = 1 + draw(2); left > 0; left--) {
    const form = several[draw(several.length)]
    const line = form(`() => { log(${++callbacks})${immediate()} }`, FILES[files++])
    lines.splice(draw(lines.length + 1), 0, line)
  }
  return [...lines, `stand(${1 + draw(3)})`]
}

function write(seed) {
  const draw = drawing(seed)
  return PRELUDE + (seed % 2 === 0 ? beside(draw) : grown(draw)).join('\n') + '\n'
}

const folder = mkdtempSync(join(tmpdir(), 'orders-'))
const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }

function explore(program) {
  const args = ['explore', '--format', 'json', '--max-schedules', String(SCHEDULES), program, join(folder, 'files')]
  const env = { ...process.env, HEMIOLA_RECORD: 'off' }
  let out
  try {
    out = execFileSync(hemiola, args, { ...options, env })
  } catch (error) {
    if (error.status !== 102) throw error
    out = error.stdout
  }
  const { outcomes, complete } = JSON.parse(out)
  const failed = outcomes.find((outcome) => outcome.failure !== null)
  if (failed) throw new Error(`a schedule fails: ${failed.failure}`)
  return { orders: new Set(outcomes.map((outcome) => outcome.stdout.trim())), complete }
}

const total = { runs: 0, orders: 0, missing: 0, open: 0 }
try {
  for (let seed = Number(first); seed < Number(first) + Number(programs); seed++) {
    const program = join(folder, 'program.cjs')
    writeFileSync(program, write(seed))
    const { orders, complete } = explore(program)
    const seen = new Set()
    for (let run = 0; run < Number(runs); run++) {
      // Threads of the pool: with one, answers come in the order of their questions.
      const env = { ...process.env, UV_THREADPOOL_SIZE: run % 2 === 0 ? '4' : '1' }
      seen.add(execFileSync(process.execPath, [program, join(folder, 'files'), 'stands'], { ...options, env }).trim())
    }
    total.runs += Number(runs)
    total.orders += seen.size
    const missing = [...seen].filter((order) => !orders.has(order))
    if (missing.length > 0 && complete) {
      total.missing += missing.length
      console.log(`seed ${seed}: Node shows what no schedule does:\n  ${missing.join('\n  ')}\n${write(seed).slice(PRELUDE.length)}`)
    }
    total.open += missing.length > 0 && !complete
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${programs} programs from seed ${first}, ${total.runs} runs in Node, ${total.orders} different orders: ${total.missing} that no schedule shows; ${total.open} programs with too many schedules to tell`)
process.exit(total.missing === 0 ? 0 : 1)
