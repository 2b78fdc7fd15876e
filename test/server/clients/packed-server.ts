import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { type InstalledCommand, installPacked } from '../../../scripts/install/packed.ts'
import { MARKED_KEYS, unmarked } from '../../helpers/marks.ts'
import { onceInRun } from '../../helpers/once-in-run.ts'

/** A start on a machine that is busy with other tests. */
const START = 30_000

/** Milliseconds for the first start of a run, which installs the command before. */
export const INSTALLED_WITHIN = 300_000

/** How these tests are run is nothing to what they start. */
const ENVIRONMENT = { ...process.env, ...MARKED_KEYS, NODE_OPTIONS: '' }
let installed: Promise<InstalledCommand> | undefined

/** The command as `npm pack` makes it, installed once for all tests of a run. */
function installation(): Promise<InstalledCommand> {
  installed ??= onceInRun('packed', (folder) => installPacked([], folder))
  return installed
}

/** `braidwork serve` as it is published, in a process of its own, with its conversations in a file. */
export class PackedServer {
  readonly url: string
  readonly #child: ReturnType<typeof spawn>
  readonly #folder: string
  readonly #log: string[]

  private constructor(url: string, child: ReturnType<typeof spawn>, own: Own) {
    this.url = url
    this.#child = child
    this.#folder = own.folder
    this.#log = own.log
  }

  /** Serves this config, whose `server` may say all but the store. */
  static async start({ server, ...config }: PackedConfig): Promise<PackedServer> {
    const { folder: cwd, command } = await installation()
    const folder = await mkdtemp(join(tmpdir(), 'braidwork-served-'))
    const file = join(folder, 'braidwork.json')
    const store = join(folder, 'conversations.db')
    await writeFile(file, JSON.stringify({ ...config, server: { ...server, store } }))
    const child = spawn(process.execPath, [command, 'serve', '--port', '0', '--config', file], {
      cwd,
      env: { ...ENVIRONMENT, XDG_CONFIG_HOME: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const log: string[] = []
    child.stderr.setEncoding('utf8').on('data', (text: string) => log.push(text))
    try {
      return new PackedServer(await firstLine(child), child, { folder, log })
    } catch (cause) {
      child.kill('SIGKILL')
      await rm(folder, { recursive: true })
      throw new Error(`braidwork serve did not begin: ${unmarked(log.join(''))}`, { cause })
    }
  }

  /** What it has logged so far; a secret in it fails the test. */
  get log(): string {
    return unmarked(this.#log.join(''))
  }

  /** Stops it as whoever runs it does, and says how it ended. */
  async stop(): Promise<number | null> {
    const exited = once(this.#child, 'exit') as Promise<[number | null]>
    this.#child.kill('SIGTERM')
    const [status] = await exited
    await rm(this.#folder, { recursive: true })
    void this.log
    return status
  }
}

/** The first line that a process prints. Fails if it ends before, or takes too long. */
async function firstLine(child: ChildProcessByStdio<null, Readable, Readable>): Promise<string> {
  const line = once(createInterface(child.stdout), 'line', { signal: AbortSignal.timeout(START) })
  const ended = once(child, 'exit').then(([status]) => {
    throw new Error(`It ended with ${String(status)}.`)
  })
  const [first] = (await Promise.race([line, ended])) as [string]
  return first
}

interface Own {
  readonly folder: string
  readonly log: string[]
}

export interface PackedConfig {
  readonly server?: object
  readonly [key: string]: unknown
}
