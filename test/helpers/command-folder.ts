import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { braidwork, type Ran, type RunOptions } from '../cli/command.ts'

/** A folder in which the command runs: nothing is added there, and no environment is made. */
export interface CommandFolder {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<Ran>
}

/** Gives each test of a suite a folder of its own, and deletes it. */
export function eachCommandFolder(give: (made: CommandFolder) => void): void {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    const env = { XDG_CONFIG_HOME: join(folder, 'config'), XDG_DATA_HOME: join(folder, 'data') }
    const usual = { cwd: folder, env }
    give({ folder, env, run: (args, options = {}) => braidwork(args, { ...usual, ...options }) })
  })
  afterEach(() => rm(folder, { recursive: true }))
}
