/**
 * Runs tests by tiers: npm test runs the default tier, npm run test:full all tiers but those by hand, with a sample of
 * those that go through all cases, and npm run test:cases these whole.
 * Options: --tier NAME (several times), --without NAME, --folders (prints the seconds of each folder), --sample N (runs
 * one file in N of the tiers that go through all cases; the last one counts). All others are mocha's, such as
 * -g "CL-38".
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { countIn, refuse } from './options.ts'
import type { FileOutcome } from './tests/run-again.ts'
import { type Outcome, runTier } from './tests/run-tier.ts'
import { TIERS, type Tier } from './tests/tiers.ts'

interface Options {
  readonly tiers: readonly Tier[]
  readonly hasFolders: boolean
  readonly sample: number | undefined
  readonly rest: readonly string[]
}

function readOptions(args: readonly string[]): Options {
  const [named, left, rest]: [string[], string[], string[]] = [[], [], []]
  let hasFolders = false
  let sample: number | undefined
  const words = [...args]
  const next = () => words.shift() ?? ''
  const readers: Readonly<Record<string, () => void>> = {
    '--tier': () => named.push(next()),
    '--without': () => left.push(next()),
    '--folders': () => {
      hasFolders = true
    },
    '--sample': () => {
      sample = countIn('--sample', next())
    },
  }
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const read = readers[word]
    if (read === undefined) rest.push(word)
    else read()
  }
  return { tiers: chosen(named, left), hasFolders, sample, rest }
}

function chosen(named: readonly string[], left: readonly string[]): Tier[] {
  const unknown = [...named, ...left].filter((name) => !TIERS.some((tier) => tier.name === name))
  const names = TIERS.map(({ name }) => name).join(', ')
  if (unknown.length > 0) refuse(`No tier "${unknown[0]}". There are: ${names}.`)
  const wanted = TIERS.filter(({ name, isByHand }) =>
    named.length > 0 ? named.includes(name) : !isByHand,
  )
  return wanted.filter(({ name }) => !left.includes(name))
}

const SECONDS = new Intl.NumberFormat('en', { maximumFractionDigits: 1, minimumFractionDigits: 1 })

function line({ tier, passed, failed, skipped, seconds }: Outcome): string {
  const counts = [passed, failed, skipped].map((count) => String(count).padStart(7)).join(' ')
  return `${tier.name.padEnd(12)} ${counts} ${SECONDS.format(seconds).padStart(8)}  ${tier.about}`
}

/** The tests that failed, and those that failed beside others and not alone, one line each. */
function failedLines({ files, again }: Outcome): string[] {
  const lines = (told: string, list: readonly FileOutcome[]) =>
    list.flatMap(({ file, failed }) => failed.map((title) => `${told}  ${file}: ${title}`))
  return [...lines('failed', files), ...lines('failed beside others', again)]
}

/** The seconds of the files in each folder, the longest first. Two files at a time take half as long. */
function folderLines({ tier, files }: Outcome): string[] {
  const folders = new Map<string, number>()
  for (const { file, seconds } of files) {
    const folder = file.split('/').slice(0, -1).slice(0, 3).join('/')
    folders.set(folder, (folders.get(folder) ?? 0) + seconds)
  }
  const sorted = [...folders].sort(([, left], [, right]) => right - left)
  return sorted.map(
    ([folder, seconds]) =>
      `${tier.name.padEnd(12)} ${SECONDS.format(seconds).padStart(8)}  ${folder}`,
  )
}

/** Makes a folder for what tests make once for all of them (test/helpers/once-in-run.ts). */
function makeRunFolder(): void {
  const folder = mkdtempSync(join(tmpdir(), 'braidwork-run-'))
  process.env['TESTS_RUN'] = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
}

const { tiers, hasFolders, sample, rest } = readOptions(process.argv.slice(2))
const outcomes: Outcome[] = []
makeRunFolder()
for (const tier of tiers) {
  console.log(`\n== tier ${tier.name}: ${tier.about}`)
  outcomes.push(await runTier(tier, { mocha: rest, sample }))
}
if (hasFolders) console.log(`\n${outcomes.flatMap(folderLines).join('\n')}`)
console.log(`\n${'tier'.padEnd(12)}  passed  failed skipped  seconds`)
console.log(outcomes.map(line).join('\n'))
for (const failure of outcomes.flatMap(failedLines)) console.log(failure)
const isFailed = outcomes.some(({ failed }) => failed > 0)
const isEmpty = outcomes.every(({ passed }) => passed === 0)
if (isFailed || isEmpty) process.exitCode = 1
