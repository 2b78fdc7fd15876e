import { computed, signal } from '@preact/signals'
import type { FilePart, UiMessage, UiPart } from '../message/index.ts'
import { type Client, type History, ServerError } from '../server/index.ts'
import { readAnswer } from './answer-stream.ts'
import { pathOf } from './conversation-list.ts'
import { newId } from './ids.ts'
import { pause } from './pause.ts'

/** What a chat does: `asking` until an answer begins, `lost` while its connection is tried again. */
export type ChatStatus = 'loading' | 'ready' | 'asking' | 'answering' | 'lost'

const SDK = 'sdk=7'
const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 10_000

/** What changed in a chat that others show. */
export interface ChatEvents {
  /** The conversation has a new message. */
  readonly onTurn: (chat: Chat) => void
  /** The server refused something. */
  readonly onFault: (error: ServerError) => void
}

/** One conversation: its messages, the answer that comes, and what the person may do. */
export class Chat {
  readonly id: string
  readonly messages = signal<readonly UiMessage[]>([])
  readonly status = signal<ChatStatus>('loading')
  /** Why the last thing that was tried failed. */
  readonly fault = signal<ServerError | undefined>(undefined)
  /** The published model or agent that answers. */
  readonly agent = signal<string | undefined>(undefined)
  readonly isBusy = computed(() => !['ready', 'loading'].includes(this.status.value))
  readonly #client: Client
  readonly #events: ChatEvents
  readonly #closed = new AbortController()

  /** @param id a conversation of the server; undefined begins a new one, which the server has from the first message on */
  constructor(client: Client, events: ChatEvents, id?: string) {
    this.#client = client
    this.#events = events
    this.id = id ?? newId()
    if (id === undefined) this.status.value = 'ready'
  }

  /** Reads the conversation, and goes on with an answer that still comes. */
  async open(): Promise<void> {
    await this.#guarded(async () => {
      const { lastRun } = await this.#reload()
      if (lastRun?.status === 'active') await this.#resume()
    })
  }

  /** The page shows another conversation: nothing is read any more. The answer itself goes on. */
  close(): void {
    this.#closed.abort()
  }

  async send(text: string, files: readonly FilePart[] = []): Promise<boolean> {
    const parts: UiPart[] = [...files, ...(text ? [{ type: 'text', text } as const] : [])]
    const message: UiMessage = { id: newId(), role: 'user', parts }
    const before = this.messages.value
    this.messages.value = [...before, message]
    const isTaken = await this.#ask({ message })
    // The text is back in the composer, so it is no message.
    if (!isTaken) this.messages.value = before
    return isTaken
  }

  /** Asks again with a changed message. The old one and its answer stay, on another branch. */
  async edit(message: UiMessage, text: string): Promise<void> {
    const kept = message.parts.filter(({ type }) => type !== 'text')
    const edited: UiMessage = { ...message, parts: [...kept, { type: 'text', text }] }
    const at = this.messages.value.indexOf(message)
    this.messages.value = [...this.messages.value.slice(0, at), edited]
    if (!(await this.#ask({ message: edited }))) await this.#guarded(() => this.#reload())
  }

  /** Drops an answer and asks for another. */
  async regenerate(answer: UiMessage): Promise<void> {
    const at = this.messages.value.indexOf(answer)
    const asked = this.messages.value.slice(0, at)
    this.messages.value = asked
    const trigger = 'regenerate-message'
    const body = { trigger, messageId: answer.id, messages: asked.slice(-1) }
    if (!(await this.#ask(body))) await this.#guarded(() => this.#reload())
  }

  /** Says something to the answer that comes. @returns whether it was taken */
  async steer(text: string): Promise<boolean> {
    try {
      await this.#client.json(pathOf(this.id, '/steer'), { method: 'POST', json: { text } })
      return true
    } catch (error) {
      this.#tell(error)
      return false
    }
  }

  async stop(): Promise<void> {
    const path = `api/chat/${encodeURIComponent(this.id)}/stop`
    await this.#guarded(() => this.#client.json(path, { method: 'POST', json: {} }))
  }

  /** Answers an approval or a question, and reads the answer that goes on. */
  async answer(approvalId: string, answer: object): Promise<void> {
    await this.#guarded(async () => {
      const path = `approvals/${encodeURIComponent(approvalId)}`
      const { runId } = await this.#client.json<{ runId: string }>(path, {
        method: 'POST',
        json: answer,
      })
      await this.#resume(runId)
    })
  }

  /** Answers the call of a tool that asks, by its output. */
  async answerCall(message: UiMessage, toolCallId: string, output: unknown): Promise<void> {
    const parts = message.parts.map((part) =>
      'toolCallId' in part && part.toolCallId === toolCallId
        ? { ...part, state: 'output-available' as const, output }
        : part,
    )
    await this.#ask({ message: { ...message, parts } }, message)
  }

  /** Uploads a file to the conversation. @throws {ServerError} */
  async upload(file: File): Promise<FilePart> {
    if (this.messages.value.length === 0) await this.#create()
    const path = pathOf(this.id, `/files?name=${encodeURIComponent(file.name)}`)
    const sent = await this.#client.json<{ url: string; mediaType: string }>(path, {
      method: 'POST',
      body: file,
    })
    return { type: 'file', url: sent.url, mediaType: sent.mediaType, filename: file.name }
  }

  /** Reads a large result of a tool. @returns undefined where the server refuses it, which is told */
  async result(hash: string): Promise<Blob | undefined> {
    try {
      const response = await this.#client.send(pathOf(this.id, `/results/${hash}`))
      return await response.blob()
    } catch (error) {
      this.#tell(error)
      return undefined
    }
  }

  #isCreated = false

  async #create(): Promise<void> {
    if (this.#isCreated) return
    const json = { id: this.id, ...(this.agent.value ? { agent: this.agent.value } : {}) }
    await this.#client.json('api/conversations', { method: 'POST', json })
    this.#isCreated = true
  }

  /** Sends a turn and reads its answer. @returns whether the server took the turn */
  async #ask(body: object, before?: UiMessage): Promise<boolean> {
    this.fault.value = undefined
    this.status.value = 'asking'
    const agent = this.agent.value
    const json = { id: this.id, ...(agent ? { agent } : {}), ...body }
    try {
      const { signal } = this.#closed
      const response = await this.#client.send(`api/chat?${SDK}`, { method: 'POST', json, signal })
      this.#events.onTurn(this)
      await this.#read(response, before)
      return true
    } catch (error) {
      this.#tell(error)
      return false
    } finally {
      this.#settle()
    }
  }

  /** Reads the answer of the active run, or of a named one, from its start. */
  async #resume(runId?: string): Promise<void> {
    const run = runId === undefined ? '' : `&run=${encodeURIComponent(runId)}`
    const path = `api/chat/${encodeURIComponent(this.id)}/stream?${SDK}${run}`
    const { signal } = this.#closed
    const response = await this.#client.send(path, { signal })
    if (response.status === 204) await this.#reload()
    else await this.#read(response)
  }

  async #read(response: Response, before?: UiMessage): Promise<void> {
    this.status.value = 'answering'
    const end = await readAnswer(response, before, (message) => this.#show(message))
    if (this.#closed.signal.aborted) return
    if (!end.isWhole) return await this.#retry()
    if (end.error !== undefined) this.fault.value = new ServerError(200, 'ANSWER_FAILED', end.error)
    this.#events.onTurn(this)
  }

  /** The connection was lost: asks until the server is there again. */
  async #retry(): Promise<void> {
    this.status.value = 'lost'
    for (let wait = FIRST_RETRY_MS; ; wait = Math.min(2 * wait, LONGEST_RETRY_MS)) {
      await pause(wait, this.#closed.signal)
      if (this.#closed.signal.aborted) return
      try {
        return await this.#resume()
      } catch (error) {
        if (!(error instanceof ServerError) || error.status !== 0) throw error
      }
    }
  }

  /** Shows an answer: in place of what there was of it, or as a new message. */
  #show(message: UiMessage): void {
    const all = this.messages.value
    const at = all.findLastIndex(({ id }) => id === message.id)
    this.messages.value = at < 0 ? [...all, message] : all.with(at, message)
  }

  async #reload(): Promise<History> {
    const { signal } = this.#closed
    const history = await this.#client.json<History>(pathOf(this.id, `?${SDK}`), { signal })
    this.messages.value = history.messages
    this.agent.value = history.agent
    this.#isCreated = true
    return history
  }

  async #guarded(act: () => Promise<unknown>): Promise<void> {
    this.fault.value = undefined
    try {
      await act()
    } catch (error) {
      this.#tell(error)
    } finally {
      this.#settle()
    }
  }

  #settle(): void {
    if (!this.#closed.signal.aborted) this.status.value = 'ready'
  }

  #tell(error: unknown): void {
    if (this.#closed.signal.aborted) return
    if (!(error instanceof ServerError)) throw error
    this.fault.value = error
    this.#events.onFault(error)
  }
}
