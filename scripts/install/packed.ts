/** Packs packages of the project, and installs them as a user would. */
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

const run = promisify(execFile)

/**
 * Packs the command, other workspaces, and all their dependencies, and installs them into an empty folder.
 * @param parent where that folder is made
 */
export async function installPacked(
  workspaces: readonly string[] = [],
  parent = tmpdir(),
): Promise<PackedInstallation> {
  const folder = await mkdtemp(join(parent, 'braidwork-packed-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    await installInto(folder, workspaces)
  } catch (error) {
    remove()
    throw error
  }
  return { folder, command: commandIn(folder), remove }
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
