import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SERVED } from '../server/clients/scripts.ts'
import { COMMAND } from './command.ts'

/** The token of the caller `ada`. */
export const TOKEN = 'ada-0123456789abcdef'
/** The command, serving. */
export class Serving {
  readonly child: ChildProcess
  out = ''
  err = ''

  constructor(folder: string, args: readonly string[]) {
    const env = {
      ...process.env,
      NODE_OPTIONS: '',
      NO_COLOR: '1',
      XDG_CONFIG_HOME: join(folder, 'config'),
      XDG_DATA_HOME: join(folder, 'data'),
      ADA_TOKEN: TOKEN,
    }
    const all = [COMMAND, 'serve', ...args]
    this.child = spawn(process.execPath, all, {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.out += text
    })
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.err += text
    })
  }

  /** Its first line. */
  async address(): Promise<string> {
    while (!this.out.includes('\n') && this.child.exitCode === null) {
      await Promise.race([once(this.child.stdout!, 'data'), once(this.child, 'close')])
    }
    return this.out.split('\n')[0] ?? ''
  }

  async stop(signal: NodeJS.Signals): Promise<{ status: number | null; milliseconds: number }> {
    const at = performance.now()
    const closed = this.ended()
    this.child.kill(signal)
    return { status: await closed, milliseconds: performance.now() - at }
  }

  async ended(): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      await once(this.child, 'close')
    }
    return this.child.exitCode
  }
}

const { plugins: _, server: served, ...rest } = SERVED

/** What is served, without its part `server`. */
export const config = rest

/** A folder in which the command serves. */
export interface ServedFolder {
  readonly folder: string
  /** Serves a config. */
  readonly serve: (all: object, ...args: readonly string[]) => Serving
  /** Serves {@link config} with other options of the server. */
  readonly begin: (server?: object, ...args: readonly string[]) => Serving
}

/** Gives each test of a suite such a folder of its own, ends what serves there, and deletes it. */
export function eachServedFolder(give: (made: ServedFolder) => void): void {
  let folder: string
  let serving: Serving | undefined
  const serve = (all: object, ...args: readonly string[]): Serving => {
    const file = join(folder, 'served.json')
    writeFileSync(file, JSON.stringify(all))
    serving = new Serving(folder, ['--config', file, '--port', '0', ...args])
    return serving
  }
  const begin = (server: object = {}, ...args: readonly string[]): Serving =>
    serve({ ...config, server: { ...served, ...server } }, ...args)
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'braidwork-serve-'))
    give({ folder, serve, begin })
  })
  afterEach(async () => {
    serving?.child.kill('SIGKILL')
    await serving?.ended()
    serving = undefined
    rmSync(folder, { recursive: true, force: true })
  })
}

/** Posts JSON to a server. */
export const post = (
  address: string,
  path: string,
  body: object,
  headers: object = {},
): Promise<Response> =>
  fetch(`${address}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { ...headers },
  })
