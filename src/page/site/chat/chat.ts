import { computed, signal } from '@preact/signals'
import type { FilePart, UiMessage, UiPart } from '../message/index.ts'
import { type Client, type History, type Place, ServerError } from '../server/index.ts'
import { readAnswer } from './answer-stream.ts'
import { ChatRoutes } from './chat-routes.ts'
import { newId } from './ids.ts'
import { pause } from './pause.ts'

/** What a chat does: `asking` until an answer begins, `lost` while its connection is tried again. */
export type ChatStatus = 'loading' | 'ready' | 'asking' | 'answering' | 'lost'

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
  /** Whether the server has the conversation. */
  readonly isStored = signal(false)
  /** What was said to the answer that comes. */
  readonly steered = signal<readonly string[]>([])
  readonly #routes: ChatRoutes
  readonly #events: ChatEvents
  readonly #closed = new AbortController()

  /** @param id a conversation of the server; undefined begins a new one, which the server has from the first message on */
  constructor(client: Client, events: ChatEvents, id?: string) {
    this.#events = events
    this.id = id ?? newId()
    this.#routes = new ChatRoutes(client, this.id, this.#closed.signal)
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
      await this.#routes.steer(text)
      if (this.isBusy.value) this.steered.value = [...this.steered.value, text]
      return true
    } catch (error) {
      this.#tell(error)
      return false
    }
  }

  async stop(): Promise<void> {
    await this.#guarded(() => this.#routes.stop())
  }

  /** Answers an approval or a question, and reads the answer that goes on. */
  async answer(approvalId: string, answer: object): Promise<void> {
    await this.#guarded(async () => {
      const { runId } = await this.#routes.approve(approvalId, answer)
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
    await this.ensure()
    const { url, mediaType } = await this.#routes.upload(file)
    return { type: 'file', url, mediaType, filename: file.name }
  }

  /** Reads a large result of a tool. @returns undefined where the server refuses it, which is told */
  async result(hash: string): Promise<Blob | undefined> {
    try {
      return await this.#routes.result(hash)
    } catch (error) {
      this.#tell(error)
      return undefined
    }
  }

  /** Where the settings of the chat are. */
  get place(): Place {
    const conversationId = this.isStored.value ? this.id : undefined
    return { agent: this.agent.value, conversationId }
  }

  /** Gives the server the conversation, if it does not have it. @throws {ServerError} */
  async ensure(): Promise<Place> {
    if (!this.isStored.value) await this.#routes.create(this.agent.value)
    this.isStored.value = true
    return this.place
  }

  /** Sends a turn and reads its answer. @returns whether the server took the turn */
  async #ask(body: object, before?: UiMessage): Promise<boolean> {
    this.fault.value = undefined
    this.status.value = 'asking'
    try {
      const response = await this.#routes.turn(this.agent.value, body)
      this.isStored.value = true
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
    const response = await this.#routes.stream(runId)
    if (response.status === 204) await this.#reload()
    else await this.#read(response)
  }

  async #read(response: Response, before?: UiMessage): Promise<void> {
    this.status.value = 'answering'
    const end = await readAnswer(response, before, (message) => this.#show(message))
    if (this.#closed.signal.aborted) return
    if (!end.isWhole) return await this.#retry()
    // What was said meanwhile stands between two answers, which the server knows.
    if (this.steered.value.length > 0) await this.#reload()
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
    const history = await this.#routes.history()
    this.steered.value = []
    this.messages.value = history.messages
    this.agent.value = history.agent
    this.isStored.value = true
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
