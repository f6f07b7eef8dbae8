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
const log = text => shown.push(text)
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

function translate(text) {
  const input = tokens(text)
  const take = () => input.shift()
  const word = () => JSON.stringify(take().replace(/^"(.*)"$/, '$1'))
  const fn = (name) => '$' + name.replace(/\W/g, (char) => '_' + char.charCodeAt(0))
  const defs = []
  // `f { … }`, or the name of a `def`.
  const callback = () => {
    const name = take()
    if (input[0] !== '{') return fn(name)
    take()
    return `() => {\n${body()}}`
  }
  const statement = (keyword) => {
    switch (keyword) {
      case 'log': return `log(${word()})`
      case 'nextTick': return `process.nextTick(${callback()})`
      case 'immediate': return `setImmediate(${callback()})`
      case 'micro': return `queueMicrotask(${callback()})`
      case 'timeout': {
        const ms = take()
        return `setTimeout(${callback()}, ${ms})`
      }
      case 'promise': return `declare(${word()})`
      case 'resolve': return `promise(${word()}).resolve()`
      case 'then': {
        const name = word()
        const react = callback()
        if (input[0] !== '->') return `promise(${name}).promise.then(${react})`
        take()
        const then = `() => { (${react})(); promise(${word()}).resolve() }`
        return `promise(${name}).promise.then(${then})`
      }
      case 'io': take(); return `fs.stat(__filename, ${callback()})`
      case 'readFile': take(); return `fs.readFile(__filename, ${callback()})`
      case 'def': {
        const name = fn(take())
        take()
        defs.push(`function ${name}() {\n${body()}}\n`)
        return ''
      }
      case 'call': return `${fn(take())}()`
      case 'set': return `flags.add(${word()})`
      case 'iflog': return `log(flags.has(${word()}) ? ${word()} : ${word()})`
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
    if (expected.cut.length > 0) {
      console.log(`skipped  ${file}: it does not end`)
      continue
    }
    const program = join(folder, 'program.cjs')
    writeFileSync(program, translate(readFileSync(file, 'utf8')))
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
