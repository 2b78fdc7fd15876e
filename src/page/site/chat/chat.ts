import { computed, signal } from '@preact/signals'
import type { FilePart, UiMessage } from '../message/index.ts'
import type { History, Place, ServerError } from '../server/index.ts'
import { endIn, readAnswer } from './answer-stream.ts'
import { type CallAnswer, isOutdated, withOutcome } from './calls.ts'
import type { ChatParts, ChatStatus } from './chat-parts.ts'
import { ChatRoutes } from './chat-routes.ts'
import { Faults } from './faults.ts'
import { newId } from './ids.ts'
import { keptHistory } from './kept-turn.ts'
import { ownMessage, withMessage } from './message-list.ts'
import { Shown } from './shown.ts'
import { Steered } from './steered.ts'
import { editedTurn, newTurn, repeatedTurn, type Turn } from './turns.ts'
import { untilReached, whenReached } from './until-reached.ts'

/** The statuses of a caller who may ask no more, of what a coming answer excludes, and of a question that is over. */
const [UNKNOWN, BUSY, GONE] = [401, 409, 410]

/** One conversation: its messages, the answer that comes, and what the person may do. */
export class Chat extends Shown {
  readonly status = signal<ChatStatus>('loading')
  /** Whether what the server has is shown, and not being read. */
  readonly isRead = computed(() => this.status.value !== 'loading')
  readonly isBusy = computed(() => !['ready', 'loading'].includes(this.status.value))
  /** What was said to the answer that comes. */
  readonly steered: Steered
  readonly #routes: ChatRoutes
  readonly #parts: ChatParts<Chat>
  readonly #closed = new AbortController()
  readonly #faults: Faults
  /** Why the last thing that was tried failed. */
  readonly fault: Faults['last']
  #isRefreshing = false

  /** @param id a conversation of the server; undefined begins a new one, which the server has from the first message on */
  constructor(parts: ChatParts<Chat>, id?: string) {
    super(parts.kept, id ?? newId())
    this.#parts = parts
    const { signal: closed } = this.#closed
    const routes = new ChatRoutes(parts.client, this.id, closed)
    this.#routes = routes
    this.#faults = new Faults({ routes, closed, onBack: () => void this.refresh() })
    this.fault = this.#faults.last
    const own = { id: this.id, messages: this.messages, kept: parts.kept, routes }
    this.steered = new Steered({ ...own, faults: this.#faults, closed })
    if (id === undefined) this.status.value = 'ready'
  }

  /** Reads the conversation as soon as the server is there, and goes on with an answer that still comes. */
  async open(): Promise<void> {
    this.status.value = 'loading'
    const tell = (error: ServerError) => this.#faults.show(error)
    await this.#guarded(() => whenReached(() => this.#begin(), this.#closed.signal, tell))
  }

  /** Reads what another tab has sent, unless the person sends something meanwhile. Of failures it tells only that it is gone. */
  async refresh(): Promise<void> {
    if (this.#isRefreshing || this.status.value !== 'ready' || !this.isStored.value) return
    this.#isRefreshing = true
    try {
      const shown = this.messages.value
      const history = await this.#routes.history()
      if (shown === this.messages.value) await this.#catchUp(history)
    } catch (error) {
      this.#faults.tellIfGone(error)
    } finally {
      this.#isRefreshing = false
    }
  }

  /** The page shows another conversation: nothing is read any more. The answer itself goes on. */
  close(): void {
    this.#closed.abort()
  }

  send(text: string, files: readonly FilePart[] = []): Promise<boolean> {
    return this.#turn(newTurn(this.messages.value, ownMessage(text, files)))
  }

  /**
   * Asks again with a changed message. The old one and its answer stay, on another branch.
   * @returns whether the server took it
   */
  edit(message: UiMessage, text: string): Promise<boolean> {
    return this.#turn(editedTurn(this.messages.value, message, text))
  }

  /** Drops an answer and asks for another, or asks a question again that has no answer. */
  async regenerate(message: UiMessage): Promise<void> {
    await this.#turn(repeatedTurn(this.messages.value, message))
  }

  /** Shows a version of a message, and what was said last after it. */
  async showVersion(version: string): Promise<void> {
    this.status.value = 'loading'
    await this.#guarded(async () => {
      await this.#routes.showVersion(version)
      await this.#reload()
      this.#parts.onChange(this)
    })
  }

  async stop(): Promise<void> {
    await this.#faults.told(this.#routes.stop())
  }

  /** Answers an approval or a question. The answer goes on when none of its questions is open any more. */
  async answer(approvalId: string, answer: object): Promise<void> {
    this.status.value = 'asking'
    await this.#guarded(async () => {
      const { runId } = await this.#routes.approve(approvalId, answer)
      const { lastRun } = await this.#reload()
      if (lastRun?.status === 'active') await this.#resume(runId)
    })
    if (this.fault.value?.status === GONE) await this.#faults.told(this.#reload())
  }

  /** Answers the call of a tool that asks, by its outcome. */
  async answerCall(message: UiMessage, answer: CallAnswer): Promise<void> {
    await this.#ask({ message: withOutcome(message, answer) }, message)
  }

  /** Uploads a file to the conversation, which the server must have. @throws {ServerError} */
  upload(file: File): Promise<FilePart> {
    return this.#routes.upload(file)
  }

  /** Reads a large result of a tool. @returns undefined where the server refuses it, which is told */
  result(hash: string): Promise<Blob | undefined> {
    return this.#faults.told(this.#routes.result(hash))
  }

  /** Gives the server the conversation, if it does not have it. @throws {ServerError} */
  async ensure(): Promise<Place> {
    if (!this.isStored.value) await this.#routes.create(this.agent.value)
    this.isStored.value = true
    return this.place
  }

  /** Shows messages and sends a turn. If the server does not take it, those of before are shown again. */
  async #turn({ shown, asked, body }: Turn): Promise<boolean> {
    const showBefore = this.showInstead(shown)
    const isTaken = await this.#ask(body)
    const kept = !isTaken && asked && (await keptHistory(this.#routes, asked, this.fault.value))
    if (kept) this.#takeFailed(kept)
    else if (!isTaken) showBefore()
    // Another tab may have sent something before, and the answer may be one of several versions.
    if (isTaken || this.fault.value?.status === BUSY) void this.refresh()
    return isTaken || Boolean(kept)
  }

  /** Shows a turn that has no answer. What the history tells of it stays, and need not be told elsewhere. */
  #takeFailed(history: History): void {
    this.take(history)
    if (this.lastEnd.value?.error) this.fault.value = undefined
    this.#parts.onTurn(this)
  }

  /** Sends a turn and reads its answer. @returns whether the server took the turn */
  async #ask(body: object, before?: UiMessage): Promise<boolean> {
    this.fault.value = undefined
    this.lastEnd.value = undefined
    this.status.value = 'asking'
    let isTaken = false
    try {
      const turn = { existing: this.isStored.value, ...body }
      const response = await this.#routes.turn(this.agent.value, turn)
      isTaken = this.isStored.value = true
      this.#parts.onTurn(this)
      this.#parts.onChange(this)
      await this.#read(response, before)
      this.#parts.onChange(this)
      return true
    } catch (error) {
      this.#faults.tell(error)
      return isTaken && this.#faults.last.value?.status === UNKNOWN
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
    const end = await readAnswer(response, before, (message) => {
      this.messages.value = withMessage(this.messages.value, message)
    })
    if (this.#closed.signal.aborted) return
    if (!end.isWhole) return await this.#goOn()
    if (before || isOutdated(this.messages.value)) await this.#reload()
    this.end(endIn(end))
    this.#parts.onTurn(this)
  }

  /** The connection was lost, or left to stop the answer: asks until the server is there again. */
  async #goOn(): Promise<void> {
    const [{ signal: closed }, resume] = [this.#closed, () => this.#resume()]
    const tell = () => (this.status.value = 'lost')
    if (await this.#routes.stopped()) return await whenReached(resume, closed, tell)
    tell()
    await untilReached(resume, closed)
  }

  /** Shows a conversation if it is a newer one, and reads on in its answer. */
  async #catchUp(history: History): Promise<void> {
    if (this.status.value !== 'ready' || this.isKnown(history)) return
    if (this.take(history)) this.#parts.onTurn(this)
    if (history.lastRun?.status !== 'active') return
    await this.#resume().finally(() => this.#settle())
    if (this.fault.value?.status === BUSY) this.fault.value = undefined
  }

  async #begin(): Promise<void> {
    const { lastRun } = await this.#reload()
    this.fault.value = undefined
    this.steered.takeUp(lastRun?.status === 'active')
    if (lastRun?.status === 'active') await this.#resume()
  }

  async #reload(): Promise<History> {
    const history = await this.#routes.history()
    this.take(history)
    return history
  }

  override take(history: History): boolean {
    const isNews = super.take(history)
    this.steered.forgetTaken()
    return isNews
  }

  async #guarded(act: () => Promise<unknown>): Promise<void> {
    this.fault.value = undefined
    await act()
      .catch((error: unknown) => this.#faults.tell(error))
      .finally(() => this.#settle())
  }

  #settle(): void {
    if (!this.#closed.signal.aborted) this.status.value = 'ready'
  }
}
