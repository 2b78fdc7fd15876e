import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { packWorkspaces } from '../../pack.ts'

/** A folder in which plugin names resolve, and the command to run there. */
export interface Installation {
  readonly folder: string
  readonly command: string
  remove(): Promise<void>
}

export const ROOT = resolve(import.meta.dirname, '../../..')
const QUICK = ['--silent', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']

const run = promisify(execFile)

/** Packs the command, other workspaces, and all their dependencies, and installs them into an empty folder. */
export async function installPacked(workspaces: readonly string[]): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'braidwork-packed-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const packs = join(folder, 'packs')
    await mkdir(packs)
    const tarballs = await packWorkspaces(['src/cli', ...workspaces], packs)
    await writeFile(join(folder, 'package.json'), '{"private": true, "type": "module"}')
    await run('npm', ['install', ...QUICK, ...tarballs], { cwd: folder })
  } catch (error) {
    await remove()
    throw error
  }
  const command = join(folder, 'node_modules/braidwork/dist/command/braidwork.js')
  return { folder, command, remove }
}

/** The project itself, in its latest build. */
export function builtHere(): Installation {
  const command = join(ROOT, 'src/cli/dist/command/braidwork.js')
  return { folder: ROOT, command, remove: () => Promise.resolve() }
}
