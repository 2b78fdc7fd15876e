import { cpSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { installInto } from '../helpers/installation.ts'
import { braidwork, type Ran } from './command.ts'

/** A module that says that it ran. */
export function marking(name: string): string {
  return `process.stderr.write('${name} ran\\n'); export default { kind: 'extension', name: '${name}' }\n`
}

/** The manifest of a package with an extension. */
export function manifestOf(name: string): object {
  const plugins = [{ kind: 'extension', name, entry: './index.mjs' }]
  return { name: `pkg-${name}`, version: '1.0.0', braidwork: { apiVersion: 1, plugins } }
}

/** A folder in which the command is installed, and the command there. */
export interface InstalledFolder {
  /** The folder around it, which has nothing else. */
  readonly base: string
  readonly folder: string
  readonly at: (...path: readonly string[]) => string
  readonly write: (path: string, content: unknown) => Promise<void>
  readonly run: (args: readonly string[], cwd?: string) => Promise<Ran>
}

/** Gives each test of a suite such a folder of its own, and deletes it. */
export function eachInstalledFolder(give: (made: InstalledFolder) => void): void {
  let installed: string
  let base: string
  before(async () => {
    installed = await mkdtemp(join(tmpdir(), 'braidwork-'))
    await installInto(installed)
  })
  after(() => rm(installed, { recursive: true }))
  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'braidwork-')))
    const folder = join(base, 'project')
    // Waiting for each of hundreds of files takes longer than copying it.
    cpSync(installed, folder, { recursive: true, verbatimSymlinks: true })
    give(installedFolder(base, folder))
  })
  afterEach(() => rm(base, { recursive: true, force: true }))
}

function installedFolder(base: string, folder: string): InstalledFolder {
  const at = (...path: readonly string[]): string => join(folder, ...path)
  const write = async (path: string, content: unknown): Promise<void> => {
    await mkdir(dirname(at(path)), { recursive: true })
    await writeFile(at(path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  const run = (args: readonly string[], cwd = folder): Promise<Ran> => {
    const command = at('node_modules/braidwork/dist/command/braidwork.js')
    return braidwork(args, { cwd, command, env: { XDG_CONFIG_HOME: join(base, 'xdg') } })
  }
  return { base, folder, at, write, run }
}
