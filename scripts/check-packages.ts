/** Packs each package and checks the result with publint and attw (ESM only). */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { inParallel } from './in-parallel.ts'

const ROOT = resolve(import.meta.dirname, '..')
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

async function npx(tool: string, ...args: string[]): Promise<void> {
  await run(join(ROOT, 'node_modules', '.bin', tool), args, { cwd: ROOT })
}

async function check(folder: string, into: string): Promise<void> {
  const { stdout } = await run(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', into],
    { cwd: folder },
  )
  const [packed] = JSON.parse(stdout) as [{ filename: string }]
  const tarball = join(into, packed.filename)
  await npx('publint', 'run', tarball, '--strict')
  const hasTypes = manifestOf(folder).exports?.['.']?.types !== undefined
  if (hasTypes) await npx('attw', tarball, '--profile', 'esm-only', '--no-emoji', '--no-color')
}

/** The output of a failed tool. */
function outputOf(error: unknown): string {
  const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
  return `${stdout}${stderr}`.trim() || String(error)
}

/** Checks a package, and prints the result. */
async function tellOf(folder: string, into: string): Promise<void> {
  const shown = relative(ROOT, folder)
  try {
    await check(folder, into)
    console.log(`ok      ${shown}`)
  } catch (error) {
    process.exitCode = 1
    console.log(`FAILED  ${shown}\n${outputOf(error)}`)
  }
}

const into = await mkdtemp(join(tmpdir(), 'braidwork-packages-'))
try {
  await inParallel(packageFolders(), (folder) => tellOf(folder, into))
} finally {
  await rm(into, { recursive: true, force: true })
}
