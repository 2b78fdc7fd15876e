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
  let made: CommandFolder
  beforeEach(async () => {
    made = await makeCommandFolder()
    give(made)
  })
  afterEach(() => rm(made.folder, { recursive: true }))
}

/** Gives the tests of a suite one folder, and deletes it: for commands that change nothing there. */
export function oneCommandFolder(give: (made: CommandFolder) => void): void {
  let made: CommandFolder
  before(async () => {
    made = await makeCommandFolder()
    give(made)
  })
  after(() => rm(made.folder, { recursive: true }))
}

async function makeCommandFolder(): Promise<CommandFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
  const env = { XDG_CONFIG_HOME: join(folder, 'config'), XDG_DATA_HOME: join(folder, 'data') }
  const usual = { cwd: folder, env }
  const run = (args: readonly string[], options: RunOptions = {}) =>
    braidwork(args, { ...usual, ...options })
  return { folder, env, run }
}
