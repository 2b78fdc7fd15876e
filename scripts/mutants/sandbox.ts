import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { transform } from 'esbuild'
import { copyRepository } from './copy.ts'
import { instrumentChosen } from './instrument.ts'
import { keyOf, type Mutant } from './mutant.ts'
import { runNode } from './process.ts'
import { instrumentPython } from './python/instrument.ts'
import { ACTIVE_IN_PAGES, pageReachText, pythonSwitchText, skipText, switchText } from './switch.ts'

const LEFT_OUT = new Set(['node_modules', '.git', '.cache'])
/** The scripts of the built page. */
const PAGES = 'src/page/dist/site/page'
const PLAYWRIGHT = 'test/peers/node_modules/playwright-core/index.mjs'
const LONGEST_BUILD_MS = 300_000

/** A copy of the repository with all chosen mutants in its sources and in its build, each behind a switch. */
export interface Sandbox {
  readonly folder: string
  readonly tree: string
  /** The numbers of the mutants in the switch, by their keys. */
  readonly numbers: ReadonlyMap<string, string>
  /** The scripts of built pages that ask whether a mutant is on. */
  readonly pages: readonly Script[]
}

interface Script {
  readonly path: string
  readonly text: string
}

/** What the processes of a sandbox read when they start. */
interface State {
  /** The number of the mutant that is on. */
  readonly active?: string
  /** The titles of tests that are not run. */
  readonly skipped: readonly string[]
}

const made = new Set<string>()

process.on('exit', () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true })
})

/** Makes a copy of the repository. Its tests have a home and a folder for temporary files of their own. */
export async function makePlainSandbox(root: string): Promise<Sandbox> {
  const folder = await mkdtemp(join(tmpdir(), 'braidwork-mutants-'))
  made.add(folder)
  const tree = join(folder, 'tree')
  copyRepository(root, tree, LEFT_OUT)
  linkBeside(root, folder, tree)
  for (const name of ['home', 'tmp']) mkdirSync(join(folder, name))
  // Tests that run as root start a database as another user.
  chmodSync(folder, 0o755)
  chmodSync(join(folder, 'tmp'), 0o1777)
  return { folder, tree, numbers: new Map(), pages: [] }
}

/** Makes a sandbox with mutants, in which none is on. */
export async function makeSandbox(root: string, chosen: readonly Mutant[]): Promise<Sandbox> {
  const plain = await makePlainSandbox(root)
  const { folder, tree } = plain
  const [helper, pythonHelper] = [join(folder, 'switch.mjs'), join(folder, 'switch.py')]
  writeFileSync(helper, switchText(statePath(folder), reachedPath(folder)))
  writeFileSync(pythonHelper, pythonSwitchText(statePath(folder), reachedPath(folder)))
  writeFileSync(join(folder, 'skip.mjs'), skipText(statePath(folder)))
  const playwright = join(tree, PLAYWRIGHT)
  writeFileSync(join(folder, 'page-reach.mjs'), pageReachText(playwright, reachedPath(folder)))
  const [python, others] = [chosen.filter(isPython), chosen.filter((each) => !isPython(each))]
  const inPython = instrumentPython(root, python, pythonHelper)
  for (const { file, text } of inPython.files) writeFileSync(join(tree, file), text)
  const { files, numbers } = await instrumentChosen(root, others)
  for (const { file, text } of files) {
    const instrumented = withImport(text, helper)
    writeFileSync(join(tree, file), instrumented)
    await writeBuilt(tree, file, instrumented)
  }
  setState(plain, { skipped: [] })
  await rebuild(tree)
  const all = new Map([...numbers, ...inPython.numbers])
  return { ...plain, numbers: all, pages: pagesIn(join(tree, PAGES)) }
}

function isPython({ file }: Mutant): boolean {
  return file.endsWith('.py')
}

/** What tests read beside the repository, and the installed packages of peers. */
function linkBeside(root: string, folder: string, tree: string): void {
  const links = [
    [resolve(root, '..', 'shared'), join(folder, 'shared')],
    [join(root, 'test/peers/node_modules'), join(tree, 'test/peers/node_modules')],
  ] as const
  for (const [target, link] of links) if (existsSync(target)) symlinkSync(target, link)
}

function withImport(text: string, helper: string): string {
  // Tests compile the packages that `braidwork new` writes, where a switch at a literal would widen its type. Mutants
  // are type-checked before they are placed.
  const line = `// @ts-nocheck\nimport { stryCov_9fa48, stryMutAct_9fa48 } from ${JSON.stringify(helper)}\n`
  const [first = '', ...rest] = text.split('\n')
  return first.startsWith('#!') ? `${first}\n${line}${rest.join('\n')}` : line + text
}

/** Replaces what `tsc` made of a file, if its package has been built. */
async function writeBuilt(tree: string, file: string, text: string): Promise<void> {
  const folder = packageOf(tree, file)
  const built = join(tree, folder, 'dist', relative(folder, file).replace(/\.ts$/, '.js'))
  if (!existsSync(built)) return
  const tsconfigRaw = { compilerOptions: { verbatimModuleSyntax: true } }
  // esbuild takes no target from `tsconfigRaw`.
  const target = 'es2023'
  const { code } = await transform(text, { loader: 'ts', format: 'esm', target, tsconfigRaw })
  writeFileSync(built, withBuiltImports(code))
}

/** With the changes that `rewriteRelativeImportExtensions` makes. */
function withBuiltImports(code: string): string {
  return code.replace(
    /(\b(?:from|import)\s*\(?\s*)(["'])(\.{1,2}\/[^"']+)\.ts\2/g,
    (_, before: string, quote: string, path: string) => `${before}${quote}${path}.js${quote}`,
  )
}

/** The folder of the package that a file is in, relative to the root. */
function packageOf(root: string, file: string): string {
  let folder = dirname(file)
  while (folder !== '.' && !existsSync(join(root, folder, 'package.json'))) folder = dirname(folder)
  return folder
}

async function rebuild(tree: string): Promise<void> {
  const script = join('scripts', 'build.ts')
  if (!existsSync(join(tree, script))) return
  const args = ['--import=tsx', script]
  const { status, output } = await runNode({ cwd: tree, args, limitMs: LONGEST_BUILD_MS })
  if (status !== 0) throw new Error(`The copy with mutants cannot be built:\n${output}`)
}

function pagesIn(folder: string): Script[] {
  if (!existsSync(folder)) return []
  const paths = readdirSync(folder).map((name) => join(folder, name))
  const scripts = paths.map((path) => ({ path, text: readFileSync(path, 'utf8') }))
  return scripts.filter(({ text }) => text.includes(ACTIVE_IN_PAGES))
}

export function removeSandbox({ folder }: Sandbox): void {
  rmSync(folder, { recursive: true, force: true })
  made.delete(folder)
}

/** Turns a mutant on, or all off, for the processes that start from now on. */
export function setState({ folder, pages }: Sandbox, state: State): void {
  writeFileSync(statePath(folder), JSON.stringify(state))
  writeFileSync(reachedPath(folder), '')
  const { active = ACTIVE_IN_PAGES } = state
  for (const { path, text } of pages) writeFileSync(path, text.replaceAll(ACTIVE_IN_PAGES, active))
}

/** The keys of the mutants that were reached since the state was set. Counts only while all mutants are off. */
export function reachedIn({ folder, numbers }: Sandbox): string[] {
  const reached = new Set(readFileSync(reachedPath(folder), 'utf8').split('\n'))
  return [...numbers].filter(([, number]) => reached.has(number)).map(([key]) => key)
}

export function numberOf({ numbers }: Sandbox, mutant: Mutant): string {
  const number = numbers.get(keyOf(mutant))
  if (number === undefined) throw new Error(`the mutant ${keyOf(mutant)} was not placed`)
  return number
}

function statePath(folder: string): string {
  return join(folder, 'state.json')
}

function reachedPath(folder: string): string {
  return join(folder, 'reached')
}
