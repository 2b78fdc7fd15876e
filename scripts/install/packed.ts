/** Packs packages of the project, and installs them as a user would. */
import { execFile } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { packWorkspaces } from '../pack.ts'

/** A folder in which plugin names resolve, and the command to run there. */
export interface InstalledCommand {
  readonly folder: string
  readonly command: string
}

export interface PackedInstallation extends InstalledCommand {
  remove(): void
}

const QUICK = ['--silent', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
/** How long another process may take to install. */
const PATIENCE_MS = 300_000
const PAUSE_MS = 100

const run = promisify(execFile)

/** Packs the command, other workspaces, and all their dependencies, and installs them into an empty folder. */
export async function installPacked(
  workspaces: readonly string[] = [],
): Promise<PackedInstallation> {
  const folder = await mkdtemp(join(tmpdir(), 'braidwork-packed-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    await installInto(folder, workspaces)
  } catch (error) {
    remove()
    throw error
  }
  return { folder, command: commandIn(folder), remove }
}

/**
 * Packs and installs the command once for all processes that are given the same folder: the first one installs it, and
 * the others wait. Whoever made the folder removes it.
 * @throws if it cannot be installed, in the others too
 */
export async function installPackedOnce(shared: string): Promise<InstalledCommand> {
  const folder = join(shared, 'packed')
  const [done, failed] = [join(shared, 'packed-done'), join(shared, 'packed-failed')]
  if (await isFirst(folder)) {
    await installInto(folder, []).catch(async (error: unknown) => {
      await writeFile(failed, String(error))
      throw error
    })
    await writeFile(done, '')
  }
  const end = Date.now() + PATIENCE_MS
  while (!existsSync(done)) {
    if (existsSync(failed) || Date.now() > end)
      throw new Error('Another process could not install the packed command.')
    await sleep(PAUSE_MS)
  }
  return { folder, command: commandIn(folder) }
}

/** Whether no other process has made the folder. */
async function isFirst(folder: string): Promise<boolean> {
  try {
    await mkdir(folder)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function installInto(folder: string, workspaces: readonly string[]): Promise<void> {
  const packs = join(folder, 'packs')
  await mkdir(packs)
  const tarballs = await packWorkspaces(['src/cli', ...workspaces], packs)
  await writeFile(join(folder, 'package.json'), '{"private": true, "type": "module"}')
  // The options of the program that runs this are not for npm.
  const env = { ...process.env, NODE_OPTIONS: '' }
  await run('npm', ['install', ...QUICK, ...tarballs], { cwd: folder, env })
}

function commandIn(folder: string): string {
  return join(folder, 'node_modules/braidwork/dist/command/braidwork.js')
}
