// Translates λasync programs to JavaScript, runs them, and looks their output up in the set that
// hemiola prints. Called by scripts/compare-with-node.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const [hemiola, runs, ...files] = process.argv.slice(2)

// What every translated program starts with. It is a script, not a module: the main program of a
// module is a promise job, and its own jobs would come before its ticks.
const PRELUDE = `
const fs = require('node:fs')
const shown = [], flags = new Set(), promises = new Map()
const log = value => shown.push(String(value))
process.on('exit', () => console.log(JSON.stringify(shown)))
const declare = name => {
  const made = {}
  made.promise = new Promise(resolve => { made.resolve = resolve })
  promises.set(name, made)
  return made
}
const promise = name => promises.get(name) ?? declare(name)
`

// Words, texts in quotes, braces, and ends of statements.
function tokens(text) {
  const plain = text.replace(/"[^"\n]*"|(#|\/\/).*/g, (found) => (found[0] === '"' ? found : ''))
  return plain.match(/"[^"\n]*"|->|[{};\n]|[^\s{};"]+/g) ?? []
}

// What Node has nothing like: priorities of promises, and events that several wait for or that bring a value.
class Foreign extends Error {}

function translate(text) {
  const input = tokens(text)
  const take = () => input.shift()
  const ends = () => input[0] === undefined || ['\n', ';', '}'].includes(input[0])
  const word = () => JSON.stringify(take().replace(/^"(.*)"$/, '$1'))
  const name = (prefix, text) => prefix + text.replace(/\W/g, (char) => '_' + char.charCodeAt(0))
  const fn = (text) => name('$', text)
  const defs = []
  const events = new Set()
  // The parameters that are seen here.
  const seen = []
  // A name stands for itself unless it is that of a parameter.
  const term = () => (seen.includes(input[0]) ? name('_', take()) : word())
  const optional = () => (ends() ? '' : term())
  // `f { … }` or `f(x) { … }`, with what follows it and sees its parameter; or the name of a `def`.
  const callback = (follow = () => '') => {
    const [, text, param] = take().match(/^([^(]*)(?:\((.*)\))?$/)
    const has = param !== undefined
    if (has) seen.push(param)
    const given = has ? name('_', param) : ''
    let run = `${fn(text)}(value)`
    if (input[0] === '{') {
      take()
      run = `(${given ? `${given} => ` : '() => '}{\n${body()}})(value)`
    }
    const next = follow(given)
    if (has) seen.pop()
    return `(value) => { ${run}; ${next} }`
  }
  const operation = (call, event) => {
    if (event !== undefined && events.has(event) || input[0].includes('(')) throw new Foreign('events with a value or several who wait')
    events.add(event)
    return `fs.${call}(__filename, ${callback()})`
  }
  const statement = (keyword) => {
    switch (keyword) {
      case 'log': return `log(${term()})`
      case 'nextTick': return `process.nextTick(${callback()})`
      case 'immediate': return `setImmediate(${callback()})`
      case 'micro': return `queueMicrotask(${callback()})`
      case 'timeout': {
        const ms = take()
        return `setTimeout(${callback()}, ${ms})`
      }
      case 'promise': {
        const declared = `declare(${word()})`
        if (!ends()) throw new Foreign('priorities of promises')
        return declared
      }
      case 'register': throw new Foreign('priorities of promises')
      case 'resolve': return `promise(${word()}).resolve(${optional()})`
      case 'then': {
        const awaited = word()
        const resolves = (given) => {
          if (input[0] !== '->') return ''
          take()
          const next = word()
          const bound = given === '' ? '' : `const ${given} = value; `
          return `${bound}promise(${next}).resolve(${optional()})`
        }
        return `promise(${awaited}).promise.then(${callback(resolves)})`
      }
      case 'io': return operation('stat', take())
      case 'readFile': take(); return operation('readFile')
      case 'def': {
        const [, text, param] = take().match(/^([^(]*)(?:\((.*)\))?$/)
        take()
        if (param !== undefined) seen.push(param)
        defs.push(`function ${fn(text)}(${param === undefined ? '' : name('_', param)}) {\n${body()}}\n`)
        if (param !== undefined) seen.pop()
        return ''
      }
      case 'call': return `${fn(take())}(${optional()})`
      case 'set': return `flags.add(${word()})`
      case 'iflog': return `log(flags.has(${word()}) ? ${term()} : ${term()})`
      default: throw new Error(`there is no statement ${keyword}`)
    }
  }
  const body = () => {
    let out = ''
    for (let token = take(); token !== undefined && token !== '}'; token = take()) {
      if (token !== ';' && token !== '\n') out += statement(token) + ';\n'
    }
    return out
  }
  const main = body()
  return PRELUDE + defs.join('') + main
}

function explore(file) {
  const args = ['lasync', '--strategy', 'node-phases', '--format', 'json', file]
  const lines = execFileSync(hemiola, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  const found = lines.trim().split('\n').map((line) => JSON.parse(line))
  return found.find((object) => object.traces)
}

const folder = mkdtempSync(join(tmpdir(), 'hemiola-'))
let mismatches = 0
try {
  for (const file of files) {
    const expected = explore(file)
    if (expected.cut.length > 0 || expected.lassos) {
      console.log(`skipped  ${file}: it does not end`)
      continue
    }
    const program = join(folder, 'program.cjs')
    try {
      writeFileSync(program, translate(readFileSync(file, 'utf8')))
    } catch (error) {
      if (!(error instanceof Foreign)) throw error
      console.log(`skipped  ${file}: Node has no ${error.message}`)
      continue
    }
    const allowed = new Set(expected.traces.map((trace) => JSON.stringify(trace)))
    const seen = new Set()
    for (let run = 0; run < Number(runs); run += 1) {
      seen.add(execFileSync(process.execPath, [program], { encoding: 'utf8' }).trim())
    }
    const wrong = [...seen].filter((trace) => !allowed.has(trace))
    if (wrong.length === 0) {
      console.log(`ok       ${file}: ${seen.size} of ${allowed.size} sequences`)
    } else {
      mismatches += 1
      console.log(`MISMATCH ${file}: ${wrong.join(' ')} is not among ${[...allowed].join(' ')}`)
    }
  }
} finally {
  rmSync(folder, { recursive: true })
}
process.exit(mismatches === 0 ? 0 : 1)
