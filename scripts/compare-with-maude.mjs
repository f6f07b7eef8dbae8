// Makes random programs, runs them on the machine and in Maude, by the definition in formal/, and compares what
// they show. Called by scripts/compare-with-maude.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const [hemiola, count, firstSeed] = process.argv.slice(2)
const definition = new URL('../formal/ranked', import.meta.url).pathname

// Programs that share a process of the machine. They start that many milliseconds after each other, in timers
// of one program that has all of them.
const TOGETHER = 25
const APART = 10_000

// More steps than any of them takes.
const STEPS = 20_000

// The strategies: the module that defines one, and how a run begins there. Where a strategy leaves an order open, Maude
// is told what the machine showed, and goes on only as long as its rules allow that.
const STRATEGIES = {
  'node-phases': { module: 'RUN', begin: 'begin' },
  all: { module: 'RUN-ALL', begin: 'begin-batches' },
  micro: { module: 'RUN-MICRO', begin: 'begin-batches' },
  machine: { module: 'RUN-MACHINE', begin: 'begin' },
  node: { module: 'RUN-NODE', begin: 'begin-freely', open: true },
  // Such a loop has no immediates.
  edge: { module: 'RUN-EDGE', begin: 'begin-edge', open: true, without: 'immediate' },
  priority: { module: 'RUN-PRIORITY', begin: 'begin-ranked', open: true },
}

const LABELS = ['A', 'B', 'C']

// A program is a list of statements. A statement is an object with `do`, what it is called in formal/program.maude, and
// its parts in the order in which they stand there.
class Writer {
  constructor(seed, without) {
    this.without = without
    this.state = Math.imul(seed, 0x9e3779b1) >>> 0 || 1
    this.names = 0
    this.logs = 0
  }

  below(limit) {
    this.state ^= this.state << 13
    this.state ^= this.state >>> 17
    this.state ^= this.state << 5
    this.state >>>= 0
    return this.state % limit
  }

  pick(from) {
    return from[this.below(from.length)]
  }

  // Several programs in one: the first is the main program itself.
  together(many) {
    const programs = Array.from({ length: many }, () => this.program())
    const later = programs.slice(1).map((body, i) => this.timeout((i + 1) * APART, null, body))
    return [...later, ...programs[0]]
  }

  program() {
    this.budget = 8 + this.below(14)
    // What has a name in this program; most programs are in time.
    this.timers = []
    this.promises = []
    this.late = this.below(3) === 0
    // docs/formal.md, "Known differences": where intervals without a label may be late, other callbacks than those
    // of timers without a label make them so.
    this.freeIntervals = !this.late || this.below(2) === 0
    this.repeating = false
    const body = this.body(0, false)
    while (this.budget > 0) body.push(...this.body(0, false))
    // Nothing of a program is left when the next begins.
    const end = this.timeout(APART - 1000, null, [this.log(), ...this.promises.map((name) => ({ do: 'resolve', name }))])
    return [end, ...body]
  }

  log() {
    return { do: 'log', number: ++this.logs }
  }

  // A callback shows a number of its own first. `free`: whether it may run in the action of a timer without a label.
  body(depth, free) {
    const statements = [this.log()]
    const many = 1 + this.below(4)
    for (let i = 0; i < many; i += 1) statements.push(...this.statement(depth, free))
    return statements
  }

  callback(depth, free) {
    return depth > 4 ? [this.log()] : this.body(depth + 1, free)
  }

  timeout(delay, clock, body) {
    return { do: 'timeout', name: ++this.names, delay, clock, body }
  }

  clock() {
    return this.pick(['A', 'A', 'A', 'B', 'B', 'C', null, null])
  }

  statement(depth, free) {
    if ((this.budget -= 1) < 0) return []
    const waiting = (kind) => () => [{ do: kind, body: this.callback(depth, false) }]
    const ofTail = (kind) => () => [{ do: kind, body: this.callback(depth, free) }]
    const timeout = () => {
      const made = this.timeout(this.pick([0, 0, 0, 1, 1, 2, 3, 5, -1]), this.clock(), [])
      this.timers.push(made.name)
      made.body = this.callback(depth, made.clock === null)
      return [made]
    }
    // What ends it stands beside it, and has no name that others could clear. Within another interval it would
    // get the same name every time, and only the last could be cleared.
    const interval = () => {
      if (this.repeating) return timeout()
      const clock = this.clock() ?? (this.freeIntervals ? null : 'A')
      const made = { do: 'interval', name: ++this.names, delay: this.pick([0, 1, 1, 2, 3]), clock, body: [] }
      this.timers.push(made.name)
      this.repeating = true
      made.body = this.callback(depth, clock === null)
      this.repeating = false
      return [made, this.timeout(this.pick([2, 3, 4, 6]), clock, [this.log(), { do: 'clear', name: made.name }])]
    }
    const maySpend = this.late && !(free && this.freeIntervals)
    const spend = () => ({ do: 'spend', ms: this.pick([1, 1, 2, 3, 5, 8]) })
    const promise = () => {
      if (this.promises.length === 0 || this.below(2) === 0) this.promises.push(++this.names)
      return this.pick(this.promises)
    }
    return this.pick([
      timeout, timeout, timeout, timeout, timeout, timeout, interval, interval,
      () => (this.timers.length === 0 ? timeout() : [{ do: 'clear', name: this.pick(this.timers) }]),
      () => (this.timers.length === 0 ? timeout() : [{ do: 'clear', name: this.pick(this.timers) }]),
      ofTail('tick'), ofTail('job'), waiting('request'), waiting('request'),
      ...(this.without === 'immediate' ? [] : [waiting('immediate'), waiting('immediate')]),
      // An error there would be a rejection.
      () => [{ do: 'then', name: promise(), body: this.callback(depth, true).filter((statement) => statement.do !== 'fail') }],
      () => [{ do: 'resolve', name: promise() }],
      () => [this.log()],
      () => (maySpend ? [spend(), ...timeout()] : []),
      () => (maySpend ? [...timeout(), spend(), ...timeout()] : []),
      () => (this.below(3) === 0 ? [{ do: 'fail' }] : []),
    ])()
  }
}

// A program as a term of formal/program.maude.
function term(program) {
  const parts = (statement) => Object.entries(statement).slice(1).map(([part, value]) => {
    if (part === 'body') return term(value)
    if (part === 'clock') return value === null ? 'unlabelled' : `'${value}`
    return String(value)
  })
  const one = (statement) => {
    const inner = parts(statement)
    return inner.length === 0 ? statement.do : `${statement.do}(${inner.join(', ')})`
  }
  return program.length === 0 ? 'nothing' : program.map(one).join(' ; ')
}

const PRELUDE = `'use strict'
const { stat } = require('node:fs')
const { spend } = require('hemiola:clock')
const timers = {}, promises = {}
const promise = (name) => {
  if (!promises[name]) {
    const made = promises[name] = {}
    made.promise = new Promise((resolve) => { made.resolve = resolve })
  }
  return promises[name]
}
const clocks = () => ${JSON.stringify(LABELS)}.map((label) => currentTime(label) ?? '-').join(' ') + ' ' + Math.floor(currentTime())
const log = (number) => obs(number + ' ' + clocks())
process.on('uncaughtException', () => obs('! ' + clocks()))
`

// The same program in JavaScript.
function javascript(program, indent = '') {
  const callback = (body) => `() => {\n${javascript(body, indent + '  ')}${indent}}`
  const timer = (start, { name, delay, clock, body }) =>
    `timers[${name}] = ${start}(${callback(body)}, ${delay}${clock === null ? '' : `, '${clock}'`})`
  const write = {
    log: ({ number }) => `log(${number})`,
    spend: ({ ms }) => `spend(${ms})`,
    fail: () => "throw new Error('nobody catches this')",
    timeout: (statement) => timer('setTimeout', statement),
    interval: (statement) => timer('setInterval', statement),
    // Both functions clear both kinds.
    clear: ({ name }) => `${name % 2 === 0 ? 'clearTimeout' : 'clearInterval'}(timers[${name}])`,
    tick: ({ body }) => `process.nextTick(${callback(body)})`,
    job: ({ body }) => `queueMicrotask(${callback(body)})`,
    immediate: ({ body }) => `setImmediate(${callback(body)})`,
    request: ({ body }) => `stat('/', ${callback(body)})`,
    then: ({ name, body }) => `promise(${name}).promise.then(${callback(body)})`,
    resolve: ({ name }) => `promise(${name}).resolve()`,
  }
  return program.map((statement) => `${indent}${write[statement.do](statement)};\n`).join('')
}

const folder = mkdtempSync(join(tmpdir(), 'hemiola-'))

// What a program shows on the machine, and when the world answered its operations: both are in its trace.
function onMachine(run, timeout = 60_000) {
  const [file, trace] = [join(folder, 'program.cjs'), join(folder, 'trace.jsonl')]
  writeFileSync(file, PRELUDE + javascript(run.program))
  const args = ['simulate', '--seed', String(run.seed), '--strategy', run.strategy, '--trace', trace, file]
  const done = spawnSync(hemiola, args, { encoding: 'utf8', timeout, env: { ...process.env, HEMIOLA_RECORD: 'off' } })
  if (done.status !== 0) throw new Error(`hemiola ${args.join(' ')} ended with ${done.status ?? done.signal}: ${done.stderr}`)
  const events = readFileSync(trace, 'utf8').trim().split('\n').map((line) => JSON.parse(line))
  const answers = events.filter(({ ev }) => ev === 'completed').map(({ op, at }) => `answer(${op}, ${at})`)
  return { shown: events.filter(({ ev }) => ev === 'observed').map(({ value }) => value), answers }
}

// A run before it begins, as a term.
function start({ strategy, program, answers, shown }) {
  const { begin, open } = STRATEGIES[strategy]
  const numbers = shown.map((line) => line.split(' ')[0]).filter((first) => first !== '!')
  const chosen = open ? `, ${[...numbers, 'no-more'].join(' & ')}` : ''
  return `${begin}(${term(program)}, ${answers.join(' ') || 'unanswered'}${chosen})`
}

// What programs show in Maude, with the answers that they got on the machine.
function inMaude(runs) {
  const file = join(folder, 'programs.maude')
  const commands = runs.map((run) => `rewrite [${STEPS}] in ${STRATEGIES[run.strategy].module} : ${start(run)} .\n`)
  writeFileSync(file, `set show command off .\nset show timing off .\nset show stats off .\nload ${definition}\n${commands.join('')}quit\n`)
  const text = execFileSync('maude', ['-no-banner', '-no-wrap', '-no-advise', '-batch', file], {
    encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 30,
  })
  const results = text.trim().split('\n').filter((line) => line.startsWith('result'))
  if (results.length !== runs.length) throw new Error(`Maude gave ${results.length} results for ${runs.length} programs:\n${text.slice(0, 2000)}`)
  return results.map((line) => {
    const shown = /^result State: shown\("(.*)"\)$/.exec(line)?.[1]
    return shown === undefined ? [`this is not the end of a run: ${line}`] : shown.split(';').slice(0, -1)
  })
}

// Whether the two disagree on what runs show; the runs have got that from the machine.
function disagreements(runs) {
  const defined = inMaude(runs)
  return runs.filter(({ shown }, i) => shown.length !== defined[i].length || shown.some((line, at) => line !== defined[i][at]))
}

function disagree(run, program) {
  try {
    return disagreements([{ ...run, program, ...onMachine({ ...run, program }, 2000) }]).length > 0
  } catch {
    return false // Something that ended it was left out.
  }
}

// All programs with one statement less.
function* smaller(program) {
  for (const [i, statement] of program.entries()) {
    const instead = (here) => [...program.slice(0, i), ...here, ...program.slice(i + 1)]
    yield instead([])
    if (statement.body !== undefined) for (const body of smaller(statement.body)) yield instead([{ ...statement, body }])
  }
}

// Leaves out statements for as long as the two still disagree.
function smallest(run) {
  let program = run.program.map((statement) => [statement]).find((alone) => disagree(run, alone)) ?? run.program
  for (let next = program; next !== undefined; next = [...smaller(program)].find((less) => disagree(run, less))) program = next
  return { ...run, program, ...onMachine({ ...run, program }) }
}

function report(run) {
  console.log(`seed ${run.seed}, strategy ${run.strategy}: Maude and the machine disagree on\n${javascript(run.program)}`)
  console.log(`in Maude: rewrite in ${STRATEGIES[run.strategy].module} : ${start(run)} .`)
  console.log(`Maude:    ${inMaude([run])[0].join('; ')}\nmachine:  ${run.shown.join('; ')}\n`)
}

try {
  const names = Object.keys(STRATEGIES)
  const runs = []
  for (let made = 0, seed = Number(firstSeed); made < Number(count); made += TOGETHER, seed += 1) {
    const strategy = names[seed % names.length]
    const run = { seed, strategy, program: new Writer(seed, STRATEGIES[strategy].without).together(Math.min(TOGETHER, Number(count) - made)) }
    runs.push({ ...run, ...onMachine(run) })
  }
  const lines = runs.reduce((sum, { shown }) => sum + shown.length, 0)
  const wrong = disagreements(runs)
  wrong.slice(0, 3).map(smallest).forEach(report)
  const verdict = wrong.length === 0 ? 'Maude and the machine agree' : `${wrong.length} of ${runs.length} files differ`
  console.log(`${count} programs that show ${lines} lines: ${verdict}`)
  process.exitCode = wrong.length === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true })
}
