import type { FilePart } from '../message/index.ts'
import {
  type Client,
  type History,
  ServerError,
  type Upload,
  UploadError,
} from '../server/index.ts'
import { pathOf } from './conversation-list.ts'

const SDK = 'sdk=7'
/** The code of a turn that the person stopped before the server answered. */
export const STOPPED = 'STOPPED'

/** The server's routes of one conversation. Each throws a `ServerError`. */
export class ChatRoutes {
  readonly #client: Client
  readonly #id: string
  /** Ends all that is read. */
  readonly #signal: AbortSignal
  /** Leaves the turn that the server has not begun to answer. */
  #waiting: AbortController | undefined
  /** Leaves the answer that is read. */
  #reading = new AbortController()
  /** The request to stop the answer that is read, if there is one. */
  #stopping: Promise<unknown> | undefined

  constructor(client: Client, id: string, signal: AbortSignal) {
    this.#client = client
    this.#id = id
    this.#signal = signal
  }

  create(agent: string | undefined): Promise<unknown> {
    const json = { id: this.#id, ...(agent ? { agent } : {}) }
    return this.#client.json('api/conversations', { method: 'POST', json })
  }

  async history(): Promise<History> {
    const ask = { signal: this.#signal, lists: ['messages'] }
    const history = await this.#client.json<History>(pathOf(this.#id, `?${SDK}`), ask)
    return { ...history, messages: history.messages.filter(({ parts }) => Array.isArray(parts)) }
  }

  /** Sends a turn. The response is the answer as it comes. @throws {ServerError} `STOPPED` if it was stopped before */
  async turn(agent: string | undefined, body: object): Promise<Response> {
    const json = { id: this.#id, ...(agent ? { agent } : {}), ...body }
    const waiting = new AbortController()
    this.#waiting = waiting
    const signal = AbortSignal.any([this.#signal, waiting.signal, this.#newReading()])
    try {
      return await this.#client.stream(`api/chat?${SDK}`, { method: 'POST', json, signal })
    } catch (error) {
      throw waiting.signal.aborted ? new ServerError(0, STOPPED, 'Stopped by the person.') : error
    } finally {
      this.#waiting = undefined
    }
  }

  /** The answer of the active run, or of a named one, from its start. */
  async stream(runId: string | undefined): Promise<Response> {
    const run = runId === undefined ? '' : `&run=${encodeURIComponent(runId)}`
    const path = `api/chat/${encodeURIComponent(this.#id)}/stream?${SDK}${run}`
    const left = this.#newReading()
    try {
      return await this.#client.stream(path, { signal: AbortSignal.any([this.#signal, left]) })
    } catch (error) {
      if (!left.aborted || this.#signal.aborted) throw error
      await this.#stopping
      return await this.stream(runId)
    }
  }

  /** Asks whether the server is there. @throws {ServerError} if it is not */
  async reach(): Promise<void> {
    try {
      await this.#client.send('api/caller', { signal: this.#signal })
    } catch (error) {
      if (!(error instanceof ServerError) || error.status === 0) throw error
    }
  }

  /**
   * Waits for the request to stop the answer, if the answer was left for it.
   * @returns whether it was
   */
  async stopped(): Promise<boolean> {
    if (!this.#reading.signal.aborted) return false
    await this.#stopping
    return true
  }

  #newReading(): AbortSignal {
    this.#reading = new AbortController()
    return this.#reading.signal
  }

  /**
   * Stops the answer, and leaves a turn that a slow server has not begun to answer. An answer that comes is left at once:
   * a browser has so few connections that other answers may take them all.
   */
  async stop(): Promise<void> {
    const waiting = this.#waiting
    const path = `api/chat/${encodeURIComponent(this.#id)}/stop`
    const ask = { method: 'POST', json: {} } as const
    const asked = this.#client.json<{ readonly stopped?: boolean }>(path, ask)
    this.#stopping = asked.catch(() => STOPPED)
    if (!waiting) this.#reading.abort()
    const { stopped } = await asked
    if (!stopped && waiting === this.#waiting) waiting?.abort()
  }

  /** Shows a version of a message, and what was said last after it. */
  async showVersion(version: string): Promise<void> {
    await this.#client.json(pathOf(this.#id), { method: 'PATCH', json: { version } })
  }

  /** Says something to the active run. Answers when it has taken it. A message that is said again enters once. */
  steer(json: { readonly id: string; readonly text: string }): Promise<unknown> {
    return this.#client.json(pathOf(this.#id, '/steer'), { method: 'POST', json })
  }

  /** Answers an approval or a question. @returns the run that goes on */
  approve(approvalId: string, json: object): Promise<{ readonly runId: string }> {
    const path = `approvals/${encodeURIComponent(approvalId)}`
    return this.#client.json(path, { method: 'POST', json })
  }

  async upload(file: File): Promise<FilePart> {
    const path = pathOf(this.#id, `/files?name=${encodeURIComponent(file.name)}`)
    const ask = { method: 'POST', body: file } as const
    const asked = this.#client.json<Upload>(path, ask)
    const { url, mediaType } = await asked.catch(async (error: unknown) => {
      if (!(error instanceof ServerError)) throw error
      const isGone = error.status === 0 && !(await isReadable(file))
      throw new UploadError(isGone ? UNREADABLE : error, file.name)
    })
    return { type: 'file', url, mediaType, filename: file.name }
  }

  /** A large result of a tool. */
  async result(hash: string): Promise<Blob> {
    return (await this.#client.send(pathOf(this.#id, `/results/${hash}`))).blob()
  }
}

/** A browser sends nothing of a file that is gone, or has changed since it was chosen. */
const UNREADABLE = new ServerError(0, 'FILE_UNREADABLE', 'The file could not be read.')

function isReadable(file: File): Promise<boolean> {
  const begun = file.slice(0, 1).arrayBuffer()
  return begun.then(
    () => true,
    () => false,
  )
}
