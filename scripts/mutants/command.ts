import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { linesOf } from './equivalents.ts'
import { runRandom } from './random.ts'
import { countOf, type Result, reportOf } from './report.ts'

/** The smallest part of the mutants that must be killed. */
const FEWEST_KILLED = 0.9
const LONGEST_MINUTES = 10_000
const GRACE_MS = 45_000

export const RANDOM_OPTIONS = {
  random: { type: 'string' },
  python: { type: 'boolean' },
  seed: { type: 'string' },
  jobs: { type: 'string' },
  minutes: { type: 'string' },
  json: { type: 'boolean' },
} as const

/** npm run mutants -- --random N [--python] [--seed S] [--jobs N] [--minutes N] [--json] */
export async function runRandomCommand(root: string, args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: RANDOM_OPTIONS,
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
  const start = Date.now()
  const results = await runRandom({
    root,
    count: numberIn('--random', values.random, 400),
    python: values.python === true,
    seed: numberIn('--seed', values.seed, Math.floor(Math.random() * 1e6)),
    jobs: numberIn('--jobs', values.jobs, Math.min(2, availableParallelism())),
    deadline: start + numberIn('--minutes', values.minutes, LONGEST_MINUTES) * 60_000,
    graceMs: GRACE_MS,
    log: (line) => console.log(line),
  })
  for (const line of reportOf(root, results)) console.log(line)
  if (values.json) console.log(entriesOf(root, results))
  const { killed, counted } = countOf(results)
  const isOpen = results.some(({ fate }) => fate === 'open')
  if (isOpen) console.log('The same command with this seed goes on with the mutants that are left.')
  if (isOpen || killed < counted * FEWEST_KILLED) process.exitCode = 1
}

function numberIn(option: string, value: string | undefined, otherwise: number): number {
  const number = value === undefined ? otherwise : Number(value)
  if (!Number.isInteger(number) || number < 0) throw new Error(`${option} needs a whole number`)
  return number
}

/** Entries of survivors for the list of equivalent mutants, without their reasons. */
function entriesOf(root: string, results: readonly Result[]): string {
  const survivors = results.filter(({ fate }) => fate === 'survived')
  const entries = survivors.map(({ mutant }) => {
    return { file: mutant.file, ...linesOf(root, mutant), reason: '' }
  })
  return JSON.stringify(entries, undefined, 2)
}
