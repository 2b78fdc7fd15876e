import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { TreeAgent } from '../../../src/agent/index.ts'
import { COMMAND } from '../../cli/command.ts'
import { bundledProgram } from '../../helpers/bundled-program.ts'

/** `braidwork serve` in a process of its own. */
export class ServerProcess {
  readonly url: string
  readonly #child: ChildProcess

  private constructor(url: string, child: ChildProcess) {
    this.url = url
    this.#child = child
  }

  /**
   * Serves in a folder by its config file, from the moment at which it says where.
   * @param within a command that the process is started by
   */
  static start(folder: string, within: readonly string[] = []): Promise<ServerProcess> {
    const serve = ['serve', '--port', '0', '--config', 'braidwork.json']
    return ServerProcess.run(folder, [...within, process.execPath, COMMAND, ...serve])
  }

  /** The same by a program of the tests, compiled. */
  static async runCompiled(
    folder: string,
    program: URL,
    ...args: readonly string[]
  ): Promise<ServerProcess> {
    const file = await bundledProgram(fileURLToPath(program))
    return ServerProcess.run(folder, [process.execPath, file, ...args])
  }

  /** The same by a command of one's own. */
  static async run(
    folder: string,
    [program = '', ...args]: readonly string[],
  ): Promise<ServerProcess> {
    const env = { ...process.env, NODE_OPTIONS: '', XDG_CONFIG_HOME: '/dev/null/none' }
    const child = spawn(program, args, {
      cwd: folder,
      env,
      // Its log is nothing to wait for.
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [line] = (await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])) as [
      unknown,
    ]
    const url = String(line).trim()
    if (!url.startsWith('http')) throw new Error(`The server did not begin: ${url}`)
    return new ServerProcess(url, child)
  }

  /** At once, and without a word to it. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const exited = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await exited
  }

  /** When it has ended by itself: by which signal. */
  async ended(): Promise<NodeJS.Signals | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      await once(this.#child, 'exit')
    }
    return this.#child.signalCode
  }

  async post(path: string, body: object): Promise<Response> {
    return this.#asked(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  }

  /** The gauge of runs that are at work. */
  async activeRuns(): Promise<number> {
    const text = await (await this.#asked('/metrics')).text()
    return Number(/^braidwork_active_runs (\d+)$/m.exec(text)?.[1])
  }

  /** A run's own events above a number, to the end of its leg. */
  events(runId: string, after = -1): AsyncGenerator<StoredEvent, void, undefined> {
    return this.frames(`/runs/${runId}/events?after=${after}`)
  }

  async *frames(path: string): AsyncGenerator<StoredEvent, void, undefined> {
    yield* framesOf(await this.#asked(path))
  }

  async conversation(id: string): Promise<ShownConversation> {
    return (await (await this.#asked(`/api/conversations/${id}`)).json()) as ShownConversation
  }

  /** A run with those below it. */
  async tree(runId: string): Promise<{ readonly agents: readonly TreeAgent[] }> {
    const response = await this.#asked(`/runs/${runId}/tree`)
    return (await response.json()) as { readonly agents: readonly TreeAgent[] }
  }

  async #asked(path: string, init?: RequestInit): Promise<Response> {
    const response = await fetch(`${this.url}${path}`, init)
    if (response.ok) return response
    throw new Error(`${path}: status ${response.status} ${await response.text()}`)
  }
}

/** An event of a run, as its own address tells it. */
export interface StoredEvent {
  readonly type: string
  readonly seq: number
  readonly delta?: string
  readonly error?: { readonly code: string }
  readonly approvalId?: string
}

/** A conversation as chat pages are shown it. */
export interface ShownConversation {
  readonly messages: readonly {
    readonly id: string
    readonly role: string
    readonly parts: readonly {
      readonly type: string
      readonly text?: string
      readonly state?: string
      readonly errorText?: string
    }[]
  }[]
  readonly run?: { readonly id: string; readonly status: string }
  readonly lastRun?: { readonly id: string; readonly status: string }
}

/** The frames of a stream, as long as it lasts. */
export async function* framesOf<T>(response: Response): AsyncGenerator<T, void, undefined> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of response.body ?? []) {
    const frames = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      const at = frame.indexOf('data: {')
      if (at !== -1) yield JSON.parse(frame.slice(at + 6)) as T
    }
  }
}

/** What the deltas of a run's events say. */
export function textIn(events: readonly StoredEvent[]): string {
  return events.map(({ type, delta }) => (type === 'text-delta' ? delta : '')).join('')
}

export async function collected<T>(values: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const value of values) all.push(value)
  return all
}
