import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { filesWithProperties, sampledFiles } from './sampled-files.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')

/** Tests that are run together. */
export interface Tier {
  readonly name: string
  readonly about: string
  /** Run only if named, since it takes long. */
  readonly isByHand?: boolean
  /** Whether its tests need the cores for themselves: no more files run at once than there are, beside waiting ones. */
  readonly isBusy?: boolean
  /** Of a busy tier, how many of the files that run at once mostly wait. 0 if not given. */
  readonly waiting?: number
  /**
   * Whether its tests measure time, or wait for programs that others make slow: a file that fails beside others is run
   * once more, alone.
   */
  readonly isTimed?: boolean
  /** Whether `--sample N` runs one file in N: its tests go through all cases of what other tiers test. */
  readonly isSampled?: boolean
  readonly env?: { readonly [name: string]: string }
  /** Folders and files of other tiers whose tests it runs again, with more cases. */
  readonly again?: readonly string[]
  /** Whether it runs every file again that takes a sample of its cases elsewhere. */
  readonly takesAllSampled?: boolean
  /** Whether it runs every file again that has properties. */
  readonly takesAllProperties?: boolean
  /** Milliseconds for one test that does not set its own limit. */
  readonly timeout?: number
}

/** Milliseconds for a test that starts programs: on a slow machine, beside others, one start takes seconds. */
const STARTS = 60_000

/** The tier of `npm test`. */
export const DEFAULT = 'default'

/**
 * All tiers. A file `<name>.<tier>.test.ts` belongs to the tier of its name, and a file `<name>.test.ts` to the
 * default one.
 */
export const TIERS: readonly Tier[] = [
  { name: DEFAULT, about: 'every room and every rule' },
  {
    name: 'cases',
    about: 'all combinations of cases, of which the default tier takes few',
    isSampled: true,
    timeout: 120_000,
    env: { ALL_CASES: '1' },
    takesAllSampled: true,
  },
  {
    name: 'growth',
    about: 'work on twice the input takes at most twice the CPU time',
    isBusy: true,
    isTimed: true,
    isSampled: true,
  },
  {
    name: 'process',
    about: 'the built command, scripts and programs, started for each test',
    isTimed: true,
    timeout: STARTS,
  },
  {
    name: 'python',
    about: 'Python interpreters, virtual environments and installers',
    isTimed: true,
    timeout: STARTS,
  },
  {
    name: 'postgres',
    about: 'storage in a PostgreSQL that the tests start',
    isTimed: true,
    timeout: STARTS,
  },
  {
    name: 'install',
    about: 'copies of the built packages in other folders',
    isTimed: true,
    timeout: STARTS,
  },
  { name: 'peers', about: 'published packages of peers: clients, SDKs, validators', isTimed: true },
  { name: 'browser', about: 'forms and chats in a browser', isBusy: true, isTimed: true },
  {
    name: 'load',
    about: 'servers under load, killed, or with a full disk',
    isBusy: true,
    waiting: 1,
    isTimed: true,
  },
  {
    name: 'exhaustive',
    about: 'all cases of tests that otherwise take a sample',
    isByHand: true,
    env: { EXHAUSTIVE: '1', ALL_CASES: '1' },
    timeout: 900_000,
    again: ['test/hostile/', 'test/server/stretches/', 'test/server/clients/recorded.'],
  },
  {
    name: 'properties',
    about: 'properties with twenty times as many inputs, for a fault that one in thousands has',
    isByHand: true,
    env: { ALL_CASES: '1', PROPERTY_FACTOR: '20' },
    timeout: 900_000,
    takesAllProperties: true,
  },
]

/** The name of the tier that a test file belongs to. */
export function tierOf(path: string): string {
  return /\.([^./]+)\.test\.ts$/.exec(path)?.[1] ?? DEFAULT
}

/** All test files, relative to the root. */
export function testFiles(): string[] {
  return testsIn('test').sort()
}

/** The installed packages of peers are left out: they have ten times as many files. */
function testsIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : testsIn(path)
    return entry.name.endsWith('.test.ts') ? [path] : []
  })
}

/** The test files that a tier runs. */
export function filesOf({ name, again = [], ...tier }: Tier): string[] {
  const files = testFiles()
  const others = files.filter(mayRunBesideOthers)
  const taken = new Set([
    ...(tier.takesAllSampled ? sampledFiles(others) : []),
    ...(tier.takesAllProperties ? filesWithProperties(others) : []),
  ])
  return files.filter(
    (path) =>
      tierOf(path) === name || taken.has(path) || again.some((start) => path.startsWith(start)),
  )
}

function mayRunBesideOthers(path: string): boolean {
  return !TIERS.some((tier) => tier.isBusy && tier.name === tierOf(path))
}
