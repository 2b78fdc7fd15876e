import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { applied, type Mutant } from './mutant.ts'
import { runNode } from './process.ts'

const LONGEST_CHECK_MS = 300_000

/** Faults that are not about types; a mutant may leave a variable unused. */
const ALLOWED = ['--noUnusedLocals', '--noUnusedParameters', '--noImplicitReturns'].flatMap(
  (option) => [option, 'false'],
)

/** The mutants that type-check in a copy of the repository. Nobody can commit the others, so no test need notice them. */
export async function wellTyped(tree: string, mutants: readonly Mutant[]): Promise<Mutant[]> {
  const valid = new Set<Mutant>()
  for (const group of groupsOf(tree, mutants)) {
    for (const mutant of await wellTypedOf(tree, group)) valid.add(mutant)
  }
  return mutants.filter((mutant) => valid.has(mutant))
}

/** Mutants of files that are compiled together. */
interface Group {
  /** The folder of their `tsconfig.json`. */
  readonly folder: string
  readonly mutants: readonly Mutant[]
}

/** Groups in which each file has at most one mutant. */
function groupsOf(tree: string, mutants: readonly Mutant[]): Group[] {
  const groups = new Map<string, Mutant[]>()
  const counts = new Map<string, number>()
  for (const mutant of mutants) {
    const round = counts.get(mutant.file) ?? 0
    counts.set(mutant.file, round + 1)
    const key = `${compiledIn(tree, mutant.file)}\n${round}`
    groups.set(key, [...(groups.get(key) ?? []), mutant])
  }
  return [...groups].map(([key, own]) => ({ folder: key.split('\n')[0] ?? '', mutants: own }))
}

/** The nearest folder above a file with a `tsconfig.json`, relative to the root. */
function compiledIn(tree: string, file: string): string {
  let folder = dirname(file)
  while (folder !== '.' && !existsSync(join(tree, folder, 'tsconfig.json')))
    folder = dirname(folder)
  return folder
}

/** Checks a whole group at once. Only mutants that a fault may come from are then checked alone. */
async function wellTypedOf(tree: string, { folder, mutants }: Group): Promise<Mutant[]> {
  const faulty = await faultyFiles(tree, { folder, mutants })
  if (faulty.size === 0) return [...mutants]
  if (mutants.length === 1) return []
  const named = mutants.filter(({ file }) => faulty.has(file))
  const suspects = named.length > 0 ? named : mutants
  const others = mutants.filter((mutant) => !suspects.includes(mutant))
  const valid = others.length > 0 ? await wellTypedOf(tree, { folder, mutants: others }) : []
  for (const mutant of suspects) {
    valid.push(...(await wellTypedOf(tree, { folder, mutants: [mutant] })))
  }
  return valid
}

/** The files with type errors while the mutants are in place. */
async function faultyFiles(tree: string, { folder, mutants }: Group): Promise<Set<string>> {
  const config = join(folder, 'tsconfig.json')
  if (!existsSync(join(tree, config))) return new Set()
  const texts = mutants.map(({ file }) => readFileSync(join(tree, file), 'utf8'))
  mutants.forEach((mutant, at) => {
    writeFileSync(join(tree, mutant.file), applied(texts[at] ?? '', mutant))
  })
  const compiler = join('node_modules', 'typescript', 'bin', 'tsc')
  const args = [
    compiler,
    '-p',
    config,
    '--noEmit',
    '--pretty',
    'false',
    ...ALLOWED,
    '--allowUnreachableCode',
    'true',
  ]
  const { status, output } = await runNode({ cwd: tree, args, limitMs: LONGEST_CHECK_MS })
  mutants.forEach(({ file }, at) => {
    writeFileSync(join(tree, file), texts[at] ?? '')
  })
  if (status === 0) return new Set()
  const files = [...output.matchAll(/^(\S[^\n(]*)\(\d+,\d+\): error /gm)].map(
    ([, path = '']) => path,
  )
  if (files.length === 0) throw new Error(`tsc failed in ${folder}:\n${output}`)
  return new Set(files.map((path) => relative(tree, resolve(tree, path)).replaceAll('\\', '/')))
}
