/** Packs each package and checks the result with publint and attw (ESM only), all in one process. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

const ROOT = resolve(import.meta.dirname, '..')
/** How programs resolve that cannot import ES modules: what attw calls the profile `esm-only`. */
const NOT_ESM = ['node10', 'node16-cjs']
const run = promisify(execFile)

interface Manifest {
  readonly name: string
  /** True for the workspaces of the repository that are not published. */
  readonly private?: boolean
  readonly workspaces?: readonly string[]
  readonly exports?: { readonly '.'?: { readonly types?: string } }
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

/** The folders of the published workspaces. */
function packageFolders(): string[] {
  const groups = (manifestOf(ROOT).workspaces ?? []).map((pattern) => join(ROOT, dirname(pattern)))
  const folders = groups.filter(existsSync).flatMap((group) => {
    return readdirSync(group).map((name) => join(group, name))
  })
  const packages = folders.filter((folder) => existsSync(join(folder, 'package.json')))
  return packages.filter((folder) => !manifestOf(folder).private)
}

/** Packs all packages at once. @returns the paths of their tarballs, by name */
async function pack(folders: readonly string[], into: string): Promise<Map<string, string>> {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', into]
  const paths = folders.map((folder) => `./${relative(ROOT, folder)}`)
  const { stdout } = await run('npm', [...args, ...paths], { cwd: ROOT, maxBuffer: 1 << 28 })
  const packed = JSON.parse(stdout) as { readonly name: string; readonly filename: string }[]
  return new Map(packed.map(({ name, filename }) => [name, join(into, filename)]))
}

/** What publint says against a tarball. As with its `--strict`, warnings count. */
async function faultsOfFiles(tarball: Uint8Array<ArrayBuffer>): Promise<readonly string[]> {
  const { messages, pkg } = await publint({ pack: { tarball: tarball.buffer }, strict: true })
  const errors = messages.filter(({ type }) => type === 'error')
  return errors.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code)
}

/** What attw says against the types in a tarball. */
async function faultsOfTypes(tarball: Uint8Array): Promise<readonly string[]> {
  const analysis = await checkPackage(createPackageFromTarballData(tarball))
  if (analysis.types === false) return []
  return analysis.problems
    .filter((problem) => !('resolutionKind' in problem && NOT_ESM.includes(problem.resolutionKind)))
    .map((problem) => JSON.stringify(problem))
}

/** Checks a package, and prints the result. */
async function tellOf(folder: string, path: string | undefined): Promise<void> {
  const shown = relative(ROOT, folder)
  const faults: string[] = []
  try {
    if (path === undefined) throw new Error('npm did not pack it.')
    const tarball = new Uint8Array(readFileSync(path))
    faults.push(...(await faultsOfFiles(tarball)))
    const hasTypes = manifestOf(folder).exports?.['.']?.types !== undefined
    if (hasTypes) faults.push(...(await faultsOfTypes(tarball)))
  } catch (error) {
    faults.push(String(error))
  }
  if (faults.length > 0) process.exitCode = 1
  console.log(faults.length > 0 ? `FAILED  ${shown}\n${faults.join('\n')}` : `ok      ${shown}`)
}

const into = await mkdtemp(join(tmpdir(), 'braidwork-packages-'))
try {
  const folders = packageFolders()
  const tarballs = await pack(folders, into)
  for (const folder of folders) await tellOf(folder, tarballs.get(manifestOf(folder).name))
} finally {
  await rm(into, { recursive: true, force: true })
}
